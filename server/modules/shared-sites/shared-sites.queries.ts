import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Students of the program, places and what is free of them at one of its shared sites, by day. */
export const listDays = async (
  db: Db,
  programId: number,
  siteId: number,
  { FromDate, ThroughDate }: { FromDate: string; ThroughDate: string },
): Promise<{ date: string; capacity: number; free: number; own: number }[]> => {
  const { rows } = await sql<{ date: string; capacity: number; free: number; own: number }>`
    select f.date, f.capacity, f.free, coalesce(a.own, 0) as own
    from shared_free(array[${siteId}::bigint],
      array(select generate_series(${FromDate}::timestamp, ${ThroughDate}::timestamp, interval '1 day')::date), false) f
    left join (select date, count(*)::int as own from shift_assignment
      where program_id = ${programId} and site_id = ${siteId} and removed_at is null and date between ${FromDate} and ${ThroughDate}
      group by date) a on a.date = f.date
    order by f.date`.execute(db)
  return rows
}

export const shareSiteOf = async (
  db: Db,
  { siteId, name, capacity }: { siteId: number; name: string; capacity: number },
): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`select share_site(${siteId}, ${name}, ${capacity}) as id`.execute(db)
  // A function answers one row.
  return rows[0]!.id
}

/** Keeps a code; false where the program does not share this. */
export const keepCode = async (db: Db, sharedSiteId: number, hash: Buffer): Promise<boolean> => {
  const { rows } = await sql<{ ok: boolean }>`select add_shared_code(${sharedSiteId}, ${hash}) as ok`.execute(
    db,
  )
  return rows[0]?.ok === true
}

/** Uses a code up and joins; undefined where another was faster. */
export const join = async (db: Db, hash: Buffer, siteId: number): Promise<number | undefined> => {
  const { rows } = await sql<{
    id: number | null
  }>`select join_shared_site(${hash}, ${siteId}) as id`.execute(db)
  return rows[0]?.id ?? undefined
}

/** Leaves; answers the program's site, undefined where it shares none by this id. */
export const leave = async (db: Db, sharedSiteId: number): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number | null }>`select leave_shared_site(${sharedSiteId}) as id`.execute(
    db,
  )
  return rows[0]?.id ?? undefined
}
