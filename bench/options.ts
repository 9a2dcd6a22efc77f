import { parseArgs } from 'node:util'

/** What the command line asks for; a word of it that is not understood ends the process with 2. */
export const { values: options } = parseArgs({
  options: {
    scale: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    list: { type: 'string' },
  },
})
/** How many times the demo's size where nothing else is asked for, and the other size that the page has a table for. */
export const usual = 40
export const largest = 400
/** How many times the demo's size. */
export const large = Number(options.scale ?? (options.quick ? 1 : usual))
if (!Number.isInteger(large) || large < 1 || large > 1_000) {
  console.error('--scale is a whole number from 1 to 1000.')
  process.exit(2)
}
/** In the order of the table. */
export const parts = [
  'data',
  'first',
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'],
  ...[
    'reads',
    'deep',
    'export',
    'background',
    'crowd',
    'admission',
    'copy',
    'mail',
    'placement',
    'wheels',
    'drafts',
    'memory',
    'pages',
    'growth',
    'recovery',
  ],
] as const
export type Part = (typeof parts)[number]
const only = options.only?.split(',')
const unknown = only?.find((name) => !parts.some((part) => part === name))
/** What the process held at most is its memory under load only when all of these have loaded it. */
const loading: readonly Part[] = ['a', 'b', 'c', 'd', 'l', 'export', 'background', 'crowd']
const refusal =
  unknown !== undefined
    ? `--only ${unknown} is none of ${parts.join(', ')}.`
    : options.write && (options.list !== undefined || options.quick)
      ? '--write keeps whole parts at full length: leave --list and --quick out.'
      : options.write && large !== usual && large !== largest
        ? `--write keeps what was measured at ${usual} or ${largest} times the demo's size.`
        : options.write && only?.includes('memory') && !loading.every((part) => only.includes(part))
          ? `--write keeps memory only together with ${loading.join(', ')}.`
          : undefined
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(2)
}
/** Whether a part of the table is measured in this run. */
export const wants = (part: Part): boolean => only === undefined || only.includes(part)
/** Turns of ours and of the reference for each line. */
export const rounds = options.quick ? 1 : 5
/** How long the load is kept up in a turn. */
export const windowMs = options.quick ? 300 : 1_800
