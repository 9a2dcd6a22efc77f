import { Client } from 'pg'
import { BackupError, type Table } from './manifest.ts'

export const workerSchema = 'graphile_worker'

/** Made by migrations on both sides, so never copied. */
const ownedByMigrations = new Set(['public.migration', `${workerSchema}.migrations`])

export async function connect(ownerUrl: string): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  // Fails instead of leaving rows out where row-level security would apply to the owner.
  await client.query('set row_security = off')
  return client
}

/**
 * Keeps the same command out of this database until the client's connection ends.
 *
 * @throws BackupError when another one is at it
 */
export async function beAlone(client: Client, what: string, sentence: string): Promise<void> {
  const { rows } = await client.query<{ is_alone: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_alone',
    [`practicum ${what}`],
  )
  if (!rows[0]!.is_alone) throw new BackupError(sentence)
}

export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, 0 as rows,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', $1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [workerSchema],
  )
  return rows.filter(({ schema, name }) => !ownedByMigrations.has(`${schema}.${name}`))
}

export async function countRows(client: Client, table: Table): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*)::text as count from ${nameOf(table)}`,
  )
  return Number(rows[0]!.count)
}

export function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${quote(schema)}.${quote(name)}`
}

export function columnsOf({ columns }: Table): string {
  return columns.map(quote).join(', ')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function partName({ schema, name }: Table, part: number): string {
  return `tables/${schema}.${name}/${String(part).padStart(6, '0')}`
}
