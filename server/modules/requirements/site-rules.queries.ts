import { sql } from 'kysely'
import type { Basis, SiteRequirement, SiteRules } from '#contract/requirements/packets.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

export const pageSiteRules = async (
  db: Db,
  programId: number,
  { search, page, pageSize }: { search: string; page: number; pageSize: number },
) => {
  const { rows } = await sql<{
    SiteId: number
    Site: string
    Basis: Basis | null
    RuleCount: number
    PacketCount: number
    total: number
  }>`
    select s.id as "SiteId", s.name as "Site", d.basis as "Basis", count(*) over () as total,
      (select count(*) from site_requirement r join requirement q on q.program_id = r.program_id and q.id = r.requirement_id
        and q.deleted_at is null where r.program_id = s.program_id and r.site_id = s.id) as "RuleCount",
      (select count(*) from site_packet p where p.program_id = s.program_id and p.site_id = s.id) as "PacketCount"
    from site s left join site_disclosure d on d.program_id = s.program_id and d.site_id = s.id
    where s.program_id = ${programId} and s.deleted_at is null
      and ${isFound(sql`s.name`, search)}
    order by lower(s.name), s.id limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  return {
    Items: rows.map(({ total: _, ...row }) => row),
    Total: rows[0]?.total ?? 0,
    Page: page,
    PageSize: pageSize,
  }
}

export const findSiteRules = async (
  db: Db,
  programId: number,
  siteId: number,
): Promise<SiteRules | undefined> => {
  const { rows: sites } = await sql<Omit<SiteRules, 'Requirements'>>`
    select s.id as "SiteId", s.name as "Site", d.basis as "Basis", d.notice_on as "NoticeOn", d.agreement_on as "AgreementOn",
      coalesce(d.purpose, '') as "Purpose"
    from site s left join site_disclosure d on d.program_id = s.program_id and d.site_id = s.id
    where s.program_id = ${programId} and s.id = ${siteId} and s.deleted_at is null`.execute(db)
  const [site] = sites
  if (!site) return undefined
  const { rows } = await sql<SiteRequirement>`
    select q.id as "RequirementId", q.name as "Name", q.kind as "Kind", q.scope as "Scope",
      coalesce(r.is_asked, q.scope = 'program') as "IsAsked", r.max_age_days as "MaxAgeDays",
      coalesce(r.accepts, '{waiver,medical,religious,declination}') as "Accepts", coalesce(r.condition, '') as "Condition",
      coalesce(r.is_in_packet, true) as "IsInPacket"
    from requirement q left join site_requirement r on r.program_id = q.program_id and r.requirement_id = q.id and r.site_id = ${siteId}
    where q.program_id = ${programId} and q.deleted_at is null order by q.position, lower(q.name), q.id`.execute(
    db,
  )
  return { ...site, Requirements: rows }
}
