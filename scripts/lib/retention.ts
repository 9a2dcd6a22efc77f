import { parseArgs } from 'node:util'
import type pg from 'pg'
import { DateOnly } from '#contract/core/fields.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { ArchivedLinesError, isKind, readArchived } from '#server/core/runtime/retention.ts'

const options = {
  program: { type: 'string' },
  person: { type: 'string' },
  from: { type: 'string' },
  before: { type: 'string' },
} as const

const wordsOf = (words: readonly string[]) => {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch {
    return undefined
  }
}
const unknownWords =
  'Besides the words only --program ID, --person ID, --from DATE and --before DATE are known, each with what follows it. Nothing was changed.'

const isId = (text: string | undefined): boolean => text === undefined || /^[1-9]\d{0,15}$/.test(text)
const idOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** Lists the policies, or sets one. */
export const retention = async (client: pg.Client, words: readonly string[]): Promise<string> => {
  const read = wordsOf(words)
  if (!read) return unknownWords
  const { values, positionals } = read
  const [kind = '', months = ''] = positionals
  if (kind === '') return listRetention(client)
  if (!isKind(kind)) return 'The first word is audit or mail. Nothing was changed.'
  if (months !== 'forever' && !/^([1-9]\d{0,2}|1[01]\d\d|1200)$/.test(months))
    return 'The second word is a number of months, 1 to 1200, or forever. Nothing was changed.'
  const programId = idOf(values.program) ?? null
  const isThere =
    isId(values.program) &&
    (programId === null ||
      (await client.query('select from program where id = $1::bigint', [programId])).rowCount === 1)
  if (!isThere) return `There is no program ${values.program}. Nothing was changed.`
  await client.query('begin')
  await client.query('delete from retention_policy where kind = $1 and program_id is not distinct from $2', [
    kind,
    programId,
  ])
  if (months !== 'forever')
    await client.query('insert into retention_policy (kind, program_id, months) values ($1, $2, $3)', [
      kind,
      programId,
      Number(months),
    ])
  await client.query(
    "insert into audit (program_id, action, detail) values ($1, 'npm run admin -- retention', $2)",
    [programId, JSON.stringify({ Kind: kind, Months: months })],
  )
  await client.query('commit')
  return listRetention(client)
}

const listRetention = async (client: pg.Client): Promise<string> => {
  const { rows: policies } = await client.query<{ kind: string; program: string | null; months: number }>(
    `select r.kind, p.name || ' (' || p.id || ')' as program, r.months from retention_policy r
     left join program p on p.id = r.program_id order by r.kind, p.id nulls first`,
  )
  const { rows: archived } = await client.query<{ name: string; row_count: string; file_key: string }>(
    'select name, row_count, file_key from archived_partition order by kind, to_moment',
  )
  const lines = policies.map(
    ({ kind, program, months }) => `${kind}  ${program ?? 'all other programs'}  ${months} months`,
  )
  if (lines.length === 0) lines.push('Everything is kept: there is no policy.')
  return [
    ...lines,
    ...archived.map((month) => `archived  ${month.name}  ${month.row_count} rows  ${month.file_key}`),
  ].join('\n')
}

/** Prints the lines that are found as they are read; answers how many there were. */
export const printArchived = async (
  client: pg.Client,
  filesUrl: string,
  words: readonly string[],
): Promise<string> => {
  const read = wordsOf(words)
  if (!read) return unknownWords
  const { values, positionals } = read
  const [kind = ''] = positionals
  if (!isKind(kind)) return 'The first word is audit or mail.'
  if (!isId(values.program) || !isId(values.person))
    return 'A program and a person are given by their numbers.'
  if ([values.from, values.before].some((day) => day !== undefined && !DateOnly.safeParse(day).success))
    return 'Dates are written like 2026-11-24.'
  const { from, before } = values
  const filter = { kind, from, before, programId: idOf(values.program), personId: idOf(values.person) }
  let count = 0
  try {
    for await (const line of readArchived(client, await openFileStore(filesUrl), filter)) {
      console.log(line)
      count++
    }
  } catch (error) {
    if (!(error instanceof ArchivedLinesError)) throw error
    process.exitCode = 1
    return error.message
  }
  return `${count} rows.`
}
