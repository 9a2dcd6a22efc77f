import type { Client } from 'pg'
import type { Log } from './log.ts'

/** Every PostgreSQL that was built with ICU has it: what shows that `alphabetical`, the order of names, can be made. */
const shown = 'en-US-x-icu'

/** Why a server cannot put names into order; undefined where it can. */
export async function whyNoAlphabet(owner: Client): Promise<string | undefined> {
  const { rowCount } = await owner.query(
    "select from pg_collation where collprovider = 'i' and collname = $1",
    [shown],
  )
  return rowCount
    ? undefined
    : `DATABASE_URL leads to a PostgreSQL without the collation ${shown}, which puts names into order: nothing was changed; ` +
        'use one that was built with ICU, as the packages of PostgreSQL, Debian, Red Hat and the cloud services are, or, where it ' +
        'was, let an administrator run "select pg_import_system_collations(\'pg_catalog\')" in this database.'
}

/**
 * Makes the indexes on names anew when the server's ICU has another version than they were made with: in an index of another
 * order names would be missed. Whoever calls holds the lock of migrations.
 */
export async function renewAlphabet(owner: Client, log: Log): Promise<void> {
  const { rows } = await owner.query<{ index: string }>(`
    select i.indexrelid::regclass::text as index from pg_collation c join pg_index i on c.oid = any (i.indcollation)
    where c.collname = 'alphabetical' and c.collnamespace = 'public'::regnamespace
      and c.collversion is distinct from pg_collation_actual_version(c.oid)`)
  if (rows.length === 0) return
  log.info(
    `The database puts names into order by a new version of ICU: ${rows.length === 1 ? 'one index is' : `${rows.length} indexes are`} made anew.`,
  )
  for (const { index } of rows) await owner.query(`reindex index ${index}`)
  await owner.query('alter collation alphabetical refresh version')
}
