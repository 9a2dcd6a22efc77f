import { sql } from 'kysely'
import type { SharedSite } from '#contract/shared-sites/shared-sites.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The shared sites of the running program, by the names of its own sites. */
export const listShared = async (db: Db, programId: number): Promise<SharedSite[]> => {
  const { rows } = await sql<SharedSite>`
    select x.shared_site_id as "Id", x.site_id as "SiteId", s.name as "Site", x.capacity as "Capacity", x.joined_at as "JoinedAt",
      x.programs as "Programs"
    from list_shared_sites() x join site s on s.program_id = ${programId} and s.id = x.site_id
    order by lower(s.name), x.shared_site_id`.execute(db)
  return rows
}

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

export interface Offer {
  sharedSiteId: number
  site: string
  capacity: number
  programId: number
  program: string
  college: string
}

export const findOffer = async (db: Db, hash: Buffer): Promise<Offer | undefined> => {
  const { rows } = await sql<Offer>`select shared_site_id as "sharedSiteId", name as site, capacity,
    program_id as "programId", program, college from find_shared_offer(${hash})`.execute(db)
  return rows[0]
}

/** Uses a code up and joins; undefined where another was faster. */
export const join = async (db: Db, hash: Buffer, siteId: number): Promise<number | undefined> => {
  const { rows } = await sql<{
    id: number | null
  }>`select join_shared_site(${hash}, ${siteId}) as id`.execute(db)
  return rows[0]?.id ?? undefined
}

/** The programs that share a site with the running one. */
export const listOthers = async (db: Db, sharedSiteId: number): Promise<number[]> => {
  const { rows } = await sql<{
    program_id: number
  }>`select program_id from shared_with(${sharedSiteId})`.execute(db)
  return rows.map(({ program_id }) => program_id)
}

/** Leaves; answers the program's site, undefined where it shares none by this id. */
export const leave = async (db: Db, sharedSiteId: number): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number | null }>`select leave_shared_site(${sharedSiteId}) as id`.execute(
    db,
  )
  return rows[0]?.id ?? undefined
}
