/** The name of blocks (from 0, in order): 'blocks 1–3'. */
export const blockRange = (blocks: readonly number[]): string => {
  const first = (blocks[0] ?? 0) + 1
  const last = (blocks.at(-1) ?? 0) + 1
  if (blocks.length === 1) return `block ${first}`
  return blocks.length === last - first + 1
    ? `blocks ${first}–${last}`
    : `blocks ${blocks.map((block) => block + 1).join(', ')}`
}
