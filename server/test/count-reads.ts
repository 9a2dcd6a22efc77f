import type { Installation } from './installation.ts'

/**
 * Has PostgreSQL count in `pg_stat_user_tables` all that the product has read so far: by itself a connection counts its reads
 * only some time after it falls idle.
 */
export const countReads = async ({ services }: Installation): Promise<void> => {
  for (const pool of [services.pool, services.transactions]) {
    const all = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    await Promise.all(all.map((client) => client.query('select pg_stat_force_next_flush()')))
    for (const client of all) client.release()
  }
}
