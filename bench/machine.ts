import { availableParallelism, cpus, totalmem } from 'node:os'

/** What a page of results says it was measured on. */
export const machine = (): string => {
  const model = cpus()[0]?.model.trim() ?? ''
  return `${availableParallelism()} processor cores${model ? ` (${model})` : ''}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform}`
}
