import type pg from 'pg'

interface Definition {
  table: string
  name: string
  text: string
}

/**
 * Takes the foreign keys and the plain indexes of tables away while very many rows are written, and answers what makes them again:
 * checked and sorted in one go they take a fraction of the time of row by row. What keeps rows unique or apart stays, because
 * others refer to it. For a transaction that nobody else waits for.
 */
export const withoutIndexes = async (
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<() => Promise<void>> => {
  const { rows: keys } = await client.query<Definition>(
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as text
    from pg_constraint c where c.contype = 'f' and c.conrelid = any ($1::regclass[]) order by c.oid`,
    [tables],
  )
  const { rows: indexes } = await client.query<Definition>(
    `select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
    from pg_index i where i.indrelid = any ($1::regclass[]) and not i.indisunique and not i.indisexclusion
    order by i.indexrelid`,
    [tables],
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    for (const { text } of indexes) await client.query(text)
    for (const { table, name, text } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${text}`)
  }
}
