import { readFileSync } from 'node:fs'
import { createClient, PracticumError } from '../practicum.ts'
import { setting } from '../setting.ts'

/*
 * The roster from a student information system: its file of students, tab-separated with the names of columns in the first line,
 * becomes one call in which all rows count or none. Its key needs the right data-sync.send.
 */
const { call } = createClient({ url: setting('PRACTICUM_URL'), key: setting('PRACTICUM_KEY') })

const [head = '', ...lines] = readFileSync(setting('ROSTER_FILE'), 'utf8')
  .split(/\r?\n/)
  .filter((line) => line !== '')
const columns = head.split('\t')
const Rows = lines.map((line) => {
  const cells = line.split('\t')
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
})

/** Rows of a class that leaves are few; a file that lost its half is a mistake of whoever wrote it. */
const fewest = Number(process.env.ROSTER_FEWEST ?? 1)
if (Rows.length < fewest)
  throw new Error(`The file has ${Rows.length} students, fewer than ${fewest}. Nothing was sent.`)

try {
  const send = (DryRun: boolean) =>
    call('sync', { path: { module: 'students' }, query: { DryRun }, body: { Rows } })
  const { Ignored } = await send(true)
  if (Ignored.length > 0) console.warn(`Columns without meaning: ${Ignored.join(', ')}`)
  const { Added, Changed, Unchanged } = await send(false)
  console.log(`${Added} added, ${Changed} changed, ${Unchanged} unchanged`)
} catch (error) {
  if (!(error instanceof PracticumError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
