import { sql } from 'kysely'
import type { SharedSite } from '#contract/shared-sites/shared-sites.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The shared sites of a program by the names of its own sites, with the programs that share them: their names and nothing of their students. */
export const listShared = (db: Db, programId: number): Promise<SharedSite[]> =>
  acrossPrograms(
    db,
    sql<SharedSite>`
      select x.id as "Id", m.site_id as "SiteId", s.name as "Site", x.capacity as "Capacity", m.joined_at as "JoinedAt",
        (select jsonb_agg(jsonb_build_object('ProgramId', p.id, 'Program', p.name, 'College', g.name, 'IsOwn', p.id = m.program_id)
            order by o.joined_at, p.id)
          from shared_site_program o join program p on p.id = o.program_id join college g on g.id = p.college_id
          where o.shared_site_id = x.id and o.left_at is null) as "Programs"
      from shared_site_program m
      join shared_site x on x.id = m.shared_site_id
      join site s on s.program_id = m.program_id and s.id = m.site_id
      where m.program_id = ${programId} and m.left_at is null
      order by lower(s.name), x.id`,
  )

export interface Offer {
  sharedSiteId: number
  site: string
  capacity: number
  programId: number
  program: string
  college: string
}

/** What a code offers, while it can be used and its program still shares. */
export const findOffer = async (db: Db, hash: Buffer): Promise<Offer | undefined> => {
  const [offer] = await acrossPrograms(
    db,
    sql<Offer>`
      select s.id as "sharedSiteId", s.name as site, s.capacity, p.id as "programId", p.name as program, g.name as college
      from shared_site_code c join shared_site s on s.id = c.shared_site_id
      join shared_site_program m on m.program_id = c.program_id and m.shared_site_id = s.id and m.left_at is null
      join program p on p.id = c.program_id join college g on g.id = p.college_id
      where c.hash = ${hash} and c.used_at is null and c.expires_at > now()`,
  )
  return offer
}

/** The programs that share a site with this one, to which a message about it goes. */
export const listOthers = async (db: Db, programId: number, sharedSiteId: number): Promise<number[]> => {
  const rows = await acrossPrograms(
    db,
    sql<{ id: number }>`
      select o.program_id as id from shared_site_program m
      join shared_site_program o on o.shared_site_id = m.shared_site_id and o.left_at is null and o.program_id <> m.program_id
      where m.program_id = ${programId} and m.shared_site_id = ${sharedSiteId} and m.left_at is null`,
  )
  return rows.map(({ id }) => id)
}
