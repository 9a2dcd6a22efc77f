import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { allEndpoints } from '#contract/index.ts'
import { generate } from '#server/demo/generate.ts'
import { matrixLevels } from './access-matrix.ts'
import { makePerson } from './factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from './installation.ts'

/**
 * What each level gets to see of each column. The demo is loaded, every text column is filled with a mark that names it, and
 * every level reads everything that it may call. `field-visibility.tsv` says which columns may arrive where: of the reader's
 * own rows, and of rows that belong to other people. Whoever adds a field sees here whom it reaches; after reading the
 * difference, `WRITE_MATRIX=1` adds it to the table, and `WRITE_MATRIX=anew` writes the table from nothing. What an answer
 * holds depends a little on the day of the week, so the table may allow more than one run sees, and never less.
 */
let installation: Installation
let programId: number
/** Which person each marked row belongs to, by 'table.id'; rows of no person are missing. */
const ownerOf = new Map<string, number>()

/** Codes, keys and addresses that must keep their form for the product to work with the row; none is a person's own words. */
const unmarked =
  /(^|_)(hash|key|token|secret|guid|kind|type|status|state|label|method|mode|zone|locale|color|color|version|path|url|source|action|icon|code|agent|digest|value|frequency|format|rule|category_key|media_type|store_key|name_key|feature|area_key|direction)$/
const ownTables = ['graphile', 'schema_version', 'migration']

const mark = async (): Promise<void> => {
  const { rows: columns } = await installation.owner.query<{ table: string; column: string; most: number }>(
    `select c.table_name as table, c.column_name as column, coalesce(c.character_maximum_length, 0) as most
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text' and c.is_generated = 'NEVER'
       and exists (select from information_schema.columns i where i.table_schema = 'public'
         and i.table_name = c.table_name and i.column_name = 'id' and i.data_type = 'bigint')
     order by 1, 2`,
  )
  const client = await installation.owner.connect()
  try {
    // Only texts of emails that somebody has changed are in the database.
    await client.query("update mail_template set description = 'd', subject = 's', html = 'h'")
    for (const { table, column } of columns) {
      if (unmarked.test(column) || ownTables.some((own) => table.startsWith(own))) continue
      const value = `'zq.${table}.${column}.' || id || '.qz'`
      // What a check of the table refuses keeps its value: it has a fixed form and is no free text.
      await client
        .query(`update ${table} set ${column} = ${value} where ${column} <> ''`)
        .catch(() => undefined)
    }
    const { rows: owners } = await client.query<{ table: string; column: string }>(
      `select distinct on (table_name) table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and column_name in ('student_id', 'account_id')
       order by table_name, column_name desc`,
    )
    for (const { table, column } of owners) {
      const found = await client
        .query<{ id: number; owner: number | null }>(`select id, ${column} as owner from ${table}`)
        .catch(() => ({ rows: [] }))
      for (const { id, owner } of found.rows) if (owner !== null) ownerOf.set(`${table}.${id}`, Number(owner))
    }
    const { rows: accounts } = await client.query<{ id: number }>('select id from account')
    for (const { id } of accounts) ownerOf.set(`account.${id}`, Number(id))
  } finally {
    client.release(true)
  }
}

const callers = new Map<string, { id: number; caller: Caller }>()
beforeAll(async () => {
  installation = await startInstallation()
  const { connectionString } = installation.owner.options
  await generate(connectionString!, {
    scale: 1,
    files: installation.services.files,
  })
  const { rows } = await installation.owner.query(
    "select program_id from account where user_name = 'coordinator'",
  )
  programId = Number(rows[0].program_id)
  for (const name of matrixLevels) {
    const { rows: found } = await installation.owner.query(
      `select id from account where access_level = $1 and (program_id = $2 or $1 = ${Level.SuperAdmin})
         and deleted_at is null and deactivated_at is null order by is_demo desc, id limit 1`,
      [Level[name], programId],
    )
    const id = Number(
      found[0]?.id ?? (await makePerson(installation.owner, Level[name], { program_id: programId })).Id,
    )
    callers.set(name, { id, caller: await installation.as({ Id: id }) })
  }
  await mark()
}, 240_000)
afterAll(() => installation?.stop())

/** Tables whose ids a parameter takes; `userId` and `studentId` are people. */
const tables: Record<string, string> = {
  agreementId: 'affiliate_agreement',
  announcementId: 'announcement',
  userId: 'account',
  studentId: 'account',
  reportId: 'custom_report',
  documentId: 'document',
  versionId: 'eula_version',
  employeeId: 'employee',
  evaluationId: 'evaluation',
  templateId: 'evaluation_template',
  importId: 'import_run',
  newsId: 'admin_news',
  arrangementId: 'payment_arrangement',
  collegeId: 'college',
  samlId: 'saml_provider',
  connectionId: 'saml_provider',
  emailId: 'mail',
  rotationId: 'rotation',
  assignmentId: 'shift_assignment',
  siteShiftId: 'site_shift',
  siteId: 'site',
  areaId: 'area',
  profileId: 'language_profile',
  recordId: 'time_record',
  superAdminId: 'account',
}

const columnsOf = async (table: string): Promise<Set<string>> =>
  new Set(
    (
      await installation.owner.query(
        "select column_name from information_schema.columns where table_schema = 'public' and table_name = $1",
        [table],
      )
    ).rows.map(({ column_name }) => column_name),
  )

const idsByReader = new Map<string, Promise<number[]>>()
/** Ids that a parameter may name: one of the reader's own rows, where there are such, and one of somebody else. */
const idsOf = (name: string, reader: number): Promise<number[]> => {
  const key = `${name} ${reader}`
  const known = idsByReader.get(key)
  if (known) return known
  const found = (async () => {
    const table = tables[name]
    if (!table) return [1]
    const columns = await columnsOf(table)
    if (columns.size === 0) return [1]
    const owner = ['student_id', 'account_id'].find((column) => columns.has(column))
    const where = columns.has('program_id') ? `where program_id = ${programId}` : 'where true'
    const level = name === 'studentId' ? `and access_level = ${Level.Student}` : ''
    const own = table === 'account' ? `(id = ${reader})` : owner ? `(${owner} = ${reader})` : 'true'
    const { rows } = await installation.owner.query(
      `(select id from ${table} ${where} ${level} and ${own} order by id desc limit 1)
       union (select id from ${table} ${where} ${level} and not ${own} order by id limit 1)`,
    )
    return rows.map(({ id }) => Number(id))
  })()
  idsByReader.set(key, found)
  return found
}

const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const samples: Record<string, unknown> = {
  search: 'zq.',
  FromDate: day(-10),
  ThroughDate: day(10),
  Month: day(0).slice(0, 7),
  CountedOn: day(0),
}
/** Required parts of the query; of a choice the first is taken. */
const queryOf = async (endpoint: AnyEndpoint, reader: number): Promise<Record<string, unknown>> => {
  const shape = ((endpoint.query as z.ZodObject | undefined)?.shape ?? {}) as Record<string, z.ZodType>
  const needed = Object.entries(shape).filter(([, part]) => !part.safeParse(undefined).success)
  const query: Record<string, unknown> = {}
  for (const [name, part] of needed) {
    const options = (part as unknown as { options?: unknown[] }).options
    query[name] =
      samples[name] ?? options?.[0] ?? (name === 'RotationId' ? (await idsOf('rotationId', reader))[0] : 'zq')
  }
  return query
}

const paramsOf = async (endpoint: AnyEndpoint, reader: number): Promise<Record<string, unknown>[]> => {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  let all: Record<string, unknown>[] = [{}]
  for (const name of names) {
    const ids = name === 'programId' ? [programId] : await idsOf(name, reader)
    all = all.flatMap((params) => ids.map((id) => ({ ...params, [name]: id })))
  }
  return all
}

/** The levels that see a column, of their own rows and of others'. */
interface Sight {
  own: Set<string>
  others: Set<string>
}
const tablePath = join(import.meta.dirname, 'field-visibility.tsv')
const ordered = (levels: ReadonlySet<string>) =>
  matrixLevels.filter((level) => levels.has(level)).join(' ') || '–'
const readTable = (): Map<string, Sight> =>
  new Map(
    readFileSync(tablePath, 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const [column = '', own = '', others = ''] = line.split('\t')
        return [column, { own: new Set(own.split(' ')), others: new Set(others.split(' ')) }]
      }),
  )
const writeTable = (table: ReadonlyMap<string, Sight>): void => {
  const lines = [...table].map(
    ([column, { own, others }]) => `${column}\t${ordered(own)}\t${ordered(others)}`,
  )
  const head =
    '# Which levels can read each column: in their own rows, and in rows of other people or of nobody.'
  writeFileSync(tablePath, `${[head, ...lines.toSorted()].join('\n')}\n`)
}

test('each level sees exactly the columns that field-visibility.tsv allows', {
  timeout: 300_000,
}, async () => {
  const seen = new Map<string, Sight>()
  const broken: string[] = []
  const reads = allEndpoints.filter(
    (endpoint) =>
      endpoint.method === 'GET' &&
      !endpoint.answers &&
      endpoint.may !== 'everyone' &&
      // The description of the calls: a third of a second, and no row of any table.
      endpoint.path !== '/openapi.json',
  )
  for (const [level, { id, caller }] of callers)
    for (const endpoint of reads) {
      const who = { AccessLevel: Level[level as keyof typeof Level], SuperAdminAreas: null }
      if (endpoint.may !== 'signed-in' && endpoint.may !== 'everyone' && !may(who, endpoint.may)) continue
      const query = await queryOf(endpoint, id)
      for (const params of await paramsOf(endpoint, id)) {
        const { status, body } = await caller.send('GET', addressOf(endpoint, { params, query }))
        if (status >= 500) broken.push(`${level} ${addressOf(endpoint, { params, query })} ${status}`)
        if (status >= 300) continue
        for (const [, table, column, row] of JSON.stringify(body).matchAll(/zq\.(\w+)\.(\w+)\.(\d+)\.qz/g)) {
          const owner = ownerOf.get(`${table}.${row}`)
          const sight = seen.get(`${table}.${column}`) ?? { own: new Set(), others: new Set() }
          ;(owner === id ? sight.own : sight.others).add(level)
          seen.set(`${table}.${column}`, sight)
        }
      }
    }
  expect(broken).toEqual([])
  expect(seen.size).toBeGreaterThan(60)

  const { WRITE_MATRIX } = process.env
  const allowed = WRITE_MATRIX === 'anew' ? new Map<string, Sight>() : readTable()
  if (WRITE_MATRIX) {
    for (const [column, { own, others }] of seen) {
      const before = allowed.get(column)
      allowed.set(column, {
        own: new Set([...(before?.own ?? []), ...own]),
        others: new Set([...(before?.others ?? []), ...others]),
      })
    }
    writeTable(allowed)
  }
  const leaks = [...seen].flatMap(([column, { own, others }]) => [
    ...[...own]
      .filter((level) => !allowed.get(column)?.own.has(level))
      .map((level) => `${column}: own, ${level}`),
    ...[...others]
      .filter((level) => !allowed.get(column)?.others.has(level))
      .map((level) => `${column}: others', ${level}`),
  ])
  expect(leaks).toEqual([])
})
