import { type Installation, type Process, processorSeconds } from './installation.ts'
import { type Load, median, press, type Request, send } from './load.ts'
import { rounds, windowMs } from './options.ts'

interface Round extends Load {
  /** Milliseconds of processor a request costs, Node.js and PostgreSQL together. */
  cpuMs: number
}

/** One turn of load on one side, after a sixth of it to warm up. */
export const measure = async (
  at: Installation,
  process: Process,
  next: (connection: number) => Request,
): Promise<Round> => {
  await press(process.origin, next, { forMs: windowMs / 6 })
  const before = processorSeconds(process.pid) + at.databaseSeconds()
  const load = await press(process.origin, next, { forMs: windowMs })
  const used = processorSeconds(process.pid) + at.databaseSeconds() - before
  return { ...load, cpuMs: (used * 1000) / load.answered }
}

/** Ours divided by the reference's, and both as they were. */
export interface Compared {
  cpu: number
  /** Milliseconds of processor that ours takes more. */
  added: number
  perSecond: number
  p99: number
  ours: Round
  bare: Round
}

const middle = (rows: readonly Round[]): Round => ({
  perSecond: median(rows.map((row) => row.perSecond)),
  p99: median(rows.map((row) => row.p99)),
  cpuMs: median(rows.map((row) => row.cpuMs)),
  answered: median(rows.map((row) => row.answered)),
})

/** Ours and the reference in turns; ratios are medians of the rounds' own ratios, so that drift hits both alike. */
export const compare = async (
  at: Installation,
  next: () => (connection: number) => Request,
  between: () => Promise<unknown> = async () => {},
): Promise<Compared> => {
  const pairs: { ours: Round; bare: Round }[] = []
  for (let round = 0; round < rounds; round++) {
    const pair: Partial<Record<'ours' | 'bare', Round>> = {}
    for (const side of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      pair[side] = await measure(at, at[side], next())
      await between()
    }
    pairs.push(pair as { ours: Round; bare: Round })
  }
  return {
    cpu: median(pairs.map(({ ours, bare }) => ours.cpuMs / bare.cpuMs)),
    added: median(pairs.map(({ ours, bare }) => ours.cpuMs - bare.cpuMs)),
    perSecond: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    p99: median(pairs.map(({ ours, bare }) => ours.p99 / bare.p99)),
    ours: middle(pairs.map(({ ours }) => ours)),
    bare: middle(pairs.map(({ bare }) => bare)),
  }
}

/** Each connection goes through the requests in a circle, each from another start. */
export const inTurn = (requests: readonly Request[]) => () => {
  const at = new Map<number, number>()
  return (connection: number): Request => {
    const turn = at.get(connection) ?? connection
    at.set(connection, turn + 1)
    return requests[turn % requests.length]!
  }
}

const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            // The size of the database changes from call to call.
            .filter(([name]) => name !== 'DatabaseBytes')
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([name, inner]) => [name, canonical(inner)]),
        )
      : value

/** Answers are objects, or lists with numbers for names. */
const fieldsOf = (answer: string) => canonical(JSON.parse(answer)) as Record<string, unknown>

/** Both sides must answer the same, or their speeds say nothing. */
export const proveSame = async (at: Installation, requests: readonly Request[]): Promise<void> => {
  for (const request of requests) {
    const [ours, bare] = await Promise.all([send(at.ours.origin, request), send(at.bare.origin, request)])
    const [one, other] = [fieldsOf(ours), fieldsOf(bare)]
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    const differing = [...names].filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    const told = (side: Record<string, unknown>) =>
      differing.map((name) => `${name}: ${JSON.stringify(side[name])?.slice(0, 1500)}`).join('\n')
    if (differing.length > 0)
      throw new Error(
        `The reference answers ${request.path} differently. Ours:\n${told(one)}\nThe reference:\n${told(other)}`,
      )
  }
}
