import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { alphabetical } from '#contract/core/alphabet.ts'
import { searchKey } from '#contract/core/search.ts'
import { createTestDatabase } from './database.ts'
import { nasty } from './nasty-names.ts'

test('every test database is a migrated one of its own', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const first = new Client({ connectionString: one.ownerUrl })
  const second = new Client({ connectionString: two.ownerUrl })
  await Promise.all([first.connect(), second.connect()])
  try {
    await first.query('create table only_here (id int)')
    const count = 'select count(*)::int as count from migration'
    expect((await first.query(count)).rows[0].count).toBeGreaterThan(0)
    expect((await second.query(count)).rows[0].count).toBeGreaterThan(0)
    await expect(second.query('select from only_here')).rejects.toThrow(/does not exist/)
  } finally {
    await Promise.all([first.end(), second.end()])
    await Promise.all([one.drop(), two.drop()])
  }
})

test('a dropped database is gone although a connection was left open', async () => {
  const database = await createTestDatabase()
  const forgotten = new Client({ connectionString: database.appUrl })
  forgotten.on('error', () => {})
  await forgotten.connect()
  await database.drop()
  const late = new Client({ connectionString: database.appUrl })
  await expect(late.connect()).rejects.toThrow(/does not exist/)
})

test('the app may add to the audit and read it, and can neither change nor delete it', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.appUrl })
  await client.connect()
  try {
    await client.query('select from audit')
    for (const statement of ['delete from audit', 'update audit set program_id = null', 'truncate audit']) {
      await expect(client.query(statement)).rejects.toThrow(/permission denied/)
    }
    await expect(client.query('create table mine (id int)')).rejects.toThrow(/permission denied/)
    await expect(client.query("insert into migration values (9999, 'x', 'x', now(), 1)")).rejects.toThrow(
      /permission denied/,
    )
  } finally {
    await client.end()
    await database.drop()
  }
})

test('every function that passes the policies looks among temporary objects last', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'public' and p.prosecdef and not coalesce(p.proconfig, '{}') @> array['search_path=public, pg_temp']`,
    )
    expect(rows).toEqual([])
  } finally {
    await client.end()
    await database.drop()
  }
})

/** How much of the house is in the database at most; what goes from there lowers its number here. */
const mostInTheDatabase = { functions: 106, definers: 48, triggers: 50 }

test('what the product does moves out of the database, never into it', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `with own as (select p.prosecdef from pg_proc p where p.pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
       select (select count(*)::int from own) as functions, (select count(*)::int from own where prosecdef) as definers,
         (select count(*)::int from pg_trigger t join pg_class c on c.oid = t.tgrelid
           where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgparentid = 0
             and t.tgfoid <> 'touch'::regproc) as triggers`,
    )
    expect(rows).toEqual([mostInTheDatabase])
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Functions that keep, fold, count or prove sums. */
const ofSums = /^(keep_(?!seen|former)|fold_|move_plan)/

test('every function that works as the owner is told with its reason, and none that does not', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
    )
    const page = readFileSync(join(import.meta.dirname, '../../docs/decisions/across-programs.md'), 'utf8')
    const told = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) =>
      [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    )
    expect(told.toSorted()).toEqual(rows.map(({ name }) => name).filter((name) => !ofSums.test(name)))
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Letters with marks in both ways of writing them, signs of names and searches, and writing of other scripts. */
const sign = fc.oneof(
  fc.constantFrom(..."aAbBzZ019 .@%_-,'`’‘ʼʻ´–—‐‑\t\u00a0\u00ad\u200b"),
  fc.constantFrom(...'áÁàâäãåÅçÇñÑšŠžøØłŁđĐðÐþÞßẞæÆœŒıİħĦĳǆﬁΣσςöÖüÜ', 'e\u0301', 'E\u0308', 'n\u0303'),
  fc.constantFrom(...'王小明한국か\u3099カАбВёЙمحمدעִבְרִית', 'مُحَمَّد', 'नि', 'Ｗ', '①', '𝒜', '👩🏽'),
  // Letters of Latin, Greek and Cyrillic; younger ones of rare scripts have no small letter in an older ICU.
  fc
    .oneof(fc.integer({ min: 0x20, max: 0x52f }), fc.integer({ min: 0x1e00, max: 0x218f }))
    .map((code) => String.fromCodePoint(code)),
)
const name = fc.string({ unit: sign, maxLength: 12 }).filter((text) => !text.includes('\0'))

test('the database compares a search as the program does, and puts names into order as it does', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 20, maxLength: 60 }), async (texts) => {
        const { rows } = await client.query<{ key: string }>(
          'select search_key(t) as key from unnest($1::text[]) with ordinality u (t, n) order by n',
          [texts],
        )
        expect(rows.map(({ key }) => key)).toEqual(texts.map((text) => searchKey(text)))
      }),
      { numRuns: 40 },
    )
    const { rows } = await client.query<{ name: string }>(
      'select t as name from unnest($1::text[]) u (t) order by t collate alphabetical',
      [nasty],
    )
    const ordered = rows.map((row) => row.name)
    expect(ordered).toEqual(ordered.toSorted(alphabetical))
    expect(ordered.slice(0, 5)).toEqual(['Adams', 'Ægir', 'alvarez', 'Alvarez', 'Álvarez'])
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Columns that lists are ordered by, as the sources of the server say in their `order by` and in their tables of orders. */
const orderedColumns = (): string[] => {
  const modules = join(import.meta.dirname, '..', 'modules')
  const names = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(queries|routes|service)\.ts$/.test(path))
    .flatMap((path) => [
      ...readFileSync(join(modules, path), 'utf8').matchAll(
        /(?:order by |orderBy\(|^ {2}'?-?[A-Z]\w*'?: \[?sql`)((?:(?! limit | offset | from |\) as |\) filter)[^`\n])*)/gm,
      ),
    ])
    .flatMap(([, order]) => [...order!.matchAll(/\b[a-z][a-z_]+\b(?!\()/g)].map(([name]) => name))
  return [...new Set(names)]
}
/** What no list is in the order of: codes, words of SQL, and addresses, which say their order where they are read. */
const unread = [
  ...[
    'kind',
    'state',
    'status',
    'type',
    'zip',
    'email',
    'user_name',
    'name_id',
    'reason',
    'key',
    'step',
    'part',
  ],
  ...['text', 'id', 'way', 'line', 'target', 'what', 'page', 'occasion', 'comment'],
]

test('every text that a list is ordered by is put into order as people read it', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ column: string; name: string; isRead: boolean }>(
      `select c.relname || '.' || a.attname as column, a.attname as name, a.attcollation = 'alphabetical'::regcollation as "isRead"
        from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and a.atttypid = 'text'::regtype
          and c.relname not in ('archived_partition', 'background_task', 'email_notice', 'failure_hour', 'mail', 'mail_template',
            'migration', 'setting')
        order by 1`,
    )
    const ordered = orderedColumns()
    expect(ordered).toEqual(
      expect.arrayContaining(['last_name', 'first_name', 'name', 'code', 'title', 'cohort']),
    )
    const asked = rows.filter(({ name }) => ordered.includes(name) && !unread.includes(name))
    expect(asked.filter(({ isRead }) => !isRead).map(({ column }) => column)).toEqual([])
    expect(asked.length).toBeGreaterThan(40)
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Tables whose rows the product deletes for good, as its sources say. Those of the queue are its library's. */
const deletedTables = (): string[] => {
  const server = join(import.meta.dirname, '..')
  const names = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(sql|ts)$/.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(join(server, path), 'utf8').matchAll(
        /(?:deleteFrom\('|\bdelete from )([a-z_]+)(?![a-z_.])/g,
      ),
    ])
  return [...new Set(names.map(([, name]) => name!))]
}

/**
 * Foreign keys whose rows cannot be found by an index when what they refer to is deleted. An index serves when it begins with
 * all columns of the key but `program_id`, or with `program_id` and them; a partial one only where it leaves out nulls alone.
 * Left out: students by their level, for a level is deleted once in years and the index would cost every list of students its
 * plan.
 */
const keysWithoutIndex = `
  with index_column as (
    select i.indexrelid, i.indrelid, c.attnum, c.place, a.attname
    from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as c (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = c.attnum
    where i.indisvalid and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))
  select k.conrelid::regclass || ' ' || k.conname as key
  from pg_constraint k
  where k.contype = 'f' and k.conparentid = 0 and k.conname <> 'account_program_id_student_level_id_fkey'
    and k.confrelid in (select to_regclass(name) from unnest($1::text[]) as name)
    and not exists (
      select from pg_index i where i.indrelid = k.conrelid and not exists (
        select from pg_attribute w
        where w.attrelid = k.conrelid and w.attnum = any (k.conkey) and w.attname <> 'program_id' and not exists (
          select from index_column c
          where c.indexrelid = i.indexrelid and c.attnum = w.attnum and not exists (
            select from index_column e where e.indexrelid = i.indexrelid and e.place < c.place
              and e.attname <> 'program_id' and not e.attnum = any (k.conkey)))))
  order by 1`

test('every foreign key to a table whose rows are deleted has an index, so that no deletion reads a whole table', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  const found = async (tables: string[]) =>
    (await client.query<{ key: string }>(keysWithoutIndex, [tables])).rows.map(({ key }) => key)
  try {
    const tables = deletedTables()
    expect(tables.length).toBeGreaterThan(50)
    expect(await found(tables)).toEqual([])
    await client.query('create table parent (id int primary key)')
    await client.query('create table child (other int, parent_id int references parent)')
    await client.query('create index on child (other, parent_id)')
    expect(await found(['parent'])).toEqual(['child child_parent_id_fkey'])
    await client.query('create index on child (parent_id, other)')
    expect(await found(['parent'])).toEqual([])
  } finally {
    await client.end()
    await database.drop()
  }
})
