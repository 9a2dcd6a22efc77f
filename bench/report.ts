import { machine } from './machine.ts'
import type { Measured, Sized } from './measured.ts'
import { largest, rounds, windowMs } from './options.ts'
import { asMarkdown, type Figure, verdictOf } from './table.ts'

/** Which parts were measured on which day, the last day first. */
const daysOf = (measured: readonly Measured[]): string =>
  [...new Set(measured.map(({ date }) => date))]
    .sort()
    .reverse()
    .map((day, index) => {
      const parts = measured.filter(({ date }) => date === day).map(({ part }) => part)
      return `${index === 0 ? 'On' : 'on'} ${day}: ${parts.join(', ')}`
    })
    .join('; ')

/** docs/performance.md as it is written: the table, what it was measured on, and what was not reached. `large` is what was measured with ten times the data. */
export const performancePage = ({ data, parts: measured }: Sized, large: Sized | undefined): string => {
  const figures = measured.flatMap(({ figures: some }) => some)
  const missed = figures.filter((figure) => verdictOf(figure) === 'missed')
  const missing = figures.filter((figure) => verdictOf(figure) === 'n/a')
  const list = (rows: readonly Figure[]) =>
    rows
      .map(
        ({ what, text, bar, note }) => `- **${what}**: ${text}, asked is ${bar}${note ? ` (${note})` : ''}`,
      )
      .join('\n')
  return `# Performance

Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}; do not edit by hand.

Machine: ${machine()}, Node.js ${process.versions.node}. The load, both servers and
PostgreSQL share these cores.

Data: ${data}.

Each part is the last measurement of it (\`npm run bench -- --only PARTS --write\`). ${daysOf(measured)}.

${asMarkdown(figures)}

${large ? largePart(large) : ''}## How it is measured

- **Ours** is \`server/main.ts\` as it runs for people (role \`web\`): session, permission, validation, row-level security,
  transaction, audit and the compiled answer are on. **Bare** is \`bench/bare.ts\`: one \`node:http\` process with \`pg\`, one
  session look-up and hand-written SQL as the owner. Both work on the same PostgreSQL with the same data; before the clock
  starts the bench proves that both answer the reading calls alike, and stops if not.
- For the newer pages (f to h) the reference is \`bench/bare-pages.ts\`: SQL written by hand for each page, on the same kept sums.
- The lines of l are one call after the other in the largest program, packed as browsers ask for it, without a reference: CPU a request.
- For the tasks (i to k) the reference is one statement written by hand that leaves the same rows, in turns with ours, each undone
  before the next; ours is timed as people see it, to the last byte of the answer.
- For the punch the reference reads the open punch, the site and the shift and writes one row without insight, doubts,
  idempotency or audit; those are what the product pays for.
- 16 connections are kept busy for ${windowMs / 1000} s, ours and bare in turns, ${rounds} rounds. A ratio is the median of the rounds' ratios.
- CPU of a request is user and system time of the Node.js process and of all PostgreSQL processes, from \`/proc\`; elsewhere
  it says n/a. Answers are not compressed: the load asks for none.
- The streamer beside the export writes the same sheet, in the call itself. Ours of more than 20,000 rows includes the start of the
  task's process, its file in the store and the download.
- Memory and p99 come from the operating system's and the load's own clocks: on few cores p99 holds the wait for a core.
- The relay of the emails listens in the bench and takes its time for each; its limit is what the library alone sends to it.
- Placement plans are made of seed 1 (\`server/test/placement-instances.ts\`) and solved each in a process of its own, as the worker does. The bound is what no draft
  can be below, by a linear program whose prices prove it.
- JavaScript is what a real browser loads until the page asks for nothing for half a second, each file as the server sends it, without what is kept for working
  without a network and what that imports, which come a second after the picture; \`scripts/page-weight.test.ts\` counts the same. Largest paint is the least of five passes and the slowest interaction of three, since what else the machine does only adds. Lighthouse's marks are the middle of five runs.

## Not reached

${missed.length > 0 ? list(missed) : 'Every measured bar is reached.'}
${missing.length > 0 ? `\nCould not be measured here:\n\n${list(missing)}\n` : ''}
${large ? '' : `\n## Not measured yet\n\n${largest} times the demo's size (\`npm run bench -- --scale ${largest} --write\`).\n`}
An hour of the load of 1,000 programs is in [soak.md](soak.md).
`
}

const largePart = ({ scale, data, parts }: Sized): string => `## At ${scale} times the demo's size

Data: ${data}. ${daysOf(parts)}.

${asMarkdown(parts.flatMap(({ figures }) => figures))}

`
