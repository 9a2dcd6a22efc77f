import { sql } from 'kysely'
import type { RankedSite } from '#contract/placement/own-placement.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Sites that a student can rank: active ones that take part and have a shift during the plan. */
export const listRankedSites = async (
  db: Db,
  programId: number,
  planId: number,
  studentId: number,
): Promise<(RankedSite & { Latitude: number | null; Longitude: number | null })[]> =>
  (
    await sql<RankedSite & { Latitude: number | null; Longitude: number | null }>`
    select s.id as "SiteId", s.name as "Site", s.code as "Code", s.city as "City", null::float8 as "Miles",
      array_remove(array[a.name] || array(select distinct h.type from site_shift h where h.program_id = s.program_id and h.site_id = s.id
        and h.deleted_at is null and h.start_date <= p.end_date and h.end_date >= p.start_date order by 1), null) as "Offers",
      (select count(*)::int from shift_assignment x where x.program_id = s.program_id and x.student_id = ${studentId}
        and x.site_id = s.id and x.removed_at is null and x.date < p.start_date) as "EarlierCount",
      s.latitude as "Latitude", s.longitude as "Longitude"
    from placement_plan p
    join site s on s.program_id = p.program_id and s.deleted_at is null and s.is_active
    left join area a on a.program_id = s.program_id and a.id = s.area_id
    left join placement_student me on me.program_id = p.program_id and me.plan_id = p.id and me.student_id = ${studentId}
    left join placement_site w on w.program_id = p.program_id and w.plan_id = p.id and w.site_id = s.id
    where p.program_id = ${programId} and p.id = ${planId}
      and (jsonb_array_length(p.rules->'SiteIds') = 0 or p.rules->'SiteIds' @> to_jsonb(s.id))
      and coalesce(w.takes, 1) > 0 and not s.id = any (coalesce(me.excluded, '{}'))
      and exists (select from site_shift h where h.program_id = s.program_id and h.site_id = s.id and h.deleted_at is null
        and h.start_date <= p.end_date and h.end_date >= p.start_date)
    order by lower(s.name), s.id`.execute(db)
  ).rows

export interface OwnPlanRow {
  PlanId: number
  Plan: string
  Rotation: string
  StartDate: string
  EndDate: string
  Instructions: string
  MostRanks: number
  OpensAt: string | null
  ClosesAt: string | null
  State: 'ahead' | 'open' | 'closed'
  PublishedAt: string | null
  ClosesText: string
  SiteIds: number[]
  Reason: string
  SavedAt: string | null
  SubmittedAt: string | null
  FirstName: string
  Latitude: number | null
  Longitude: number | null
}

/** The plans of a student, or one of them, by the clock of the database. */
export const listOwnPlans = async (
  db: Db,
  programId: number,
  studentId: number,
  planId?: number,
): Promise<OwnPlanRow[]> =>
  (
    await sql<OwnPlanRow>`select p.id as "PlanId", p.name as "Plan", r.name as "Rotation", p.start_date as "StartDate", p.end_date as "EndDate",
      p.instructions as "Instructions", p.most_ranks as "MostRanks", p.opens_at as "OpensAt", p.closes_at as "ClosesAt",
      case when p.opens_at > clock_timestamp() then 'ahead' when p.closes_at > clock_timestamp() then 'open' else 'closed' end as "State",
      case when p.published_at <= now() then p.published_at end as "PublishedAt",
      coalesce(to_char(p.closes_at at time zone g.time_zone, 'MM/DD/YYYY HH24:MI'), '') as "ClosesText",
      coalesce(f.site_ids, '{}')::int[] as "SiteIds", coalesce(f.reason, '') as "Reason", f.saved_at as "SavedAt", f.submitted_at as "SubmittedAt",
      u.first_name as "FirstName", z.latitude as "Latitude", z.longitude as "Longitude"
    from placement_student s
    join placement_plan p on p.program_id = s.program_id and p.id = s.plan_id and p.deleted_at is null
    join program g on g.id = p.program_id
    join rotation r on r.program_id = p.program_id and r.id = p.rotation_id
    join account u on u.program_id = s.program_id and u.id = s.student_id
    left join place z on z.zip = left(u.zip, 5)
    left join placement_preference f on f.program_id = s.program_id and f.plan_id = s.plan_id and f.student_id = s.student_id
    where s.program_id = ${programId} and s.student_id = ${studentId} and ${planId === undefined ? sql`true` : sql`s.plan_id = ${planId}`}
    order by p.start_date desc, p.id desc limit 50`.execute(db)
  ).rows

/**
 * Keeps a ranking while the window is open at this very moment: the clock is read once the plan's row is locked, so that nothing
 * slips in after closing. Answers nothing when it is not open.
 */
export const saveRanking = async (
  db: Db,
  programId: number,
  { planId, studentId }: { planId: number; studentId: number },
  { SiteIds, Reason, IsSubmitted }: { SiteIds: readonly number[]; Reason: string; IsSubmitted: boolean },
): Promise<{ SavedAt: string; SubmittedAt: string | null } | undefined> => {
  await sql`select from placement_plan where program_id = ${programId} and id = ${planId} for share`.execute(
    db,
  )
  const { rows } = await sql<{ SavedAt: string; SubmittedAt: string | null }>`
    insert into placement_preference as f (program_id, plan_id, student_id, site_ids, reason, saved_at, submitted_at)
    select ${programId}, ${planId}, ${studentId}, ${[...SiteIds]}::bigint[], ${Reason}, clock_timestamp(),
      case when ${IsSubmitted} then clock_timestamp() end
    from placement_plan p where p.program_id = ${programId} and p.id = ${planId} and p.deleted_at is null
      and p.opens_at <= clock_timestamp() and p.closes_at > clock_timestamp()
    on conflict (program_id, plan_id, student_id) do update set site_ids = excluded.site_ids, reason = excluded.reason,
      saved_at = excluded.saved_at, submitted_at = coalesce(excluded.submitted_at, f.submitted_at), import_id = null
    returning saved_at as "SavedAt", submitted_at as "SubmittedAt"`.execute(db)
  return rows[0]
}

/** A ranking as staff set it, whatever the window says; an empty one takes it away. */
export const saveRankingFor = async (
  db: Db,
  programId: number,
  { planId, studentId }: { planId: number; studentId: number },
  siteIds: readonly number[],
): Promise<void> => {
  if (siteIds.length === 0)
    await sql`delete from placement_preference where program_id = ${programId} and plan_id = ${planId} and student_id = ${studentId}`.execute(
      db,
    )
  else
    await sql`insert into placement_preference (program_id, plan_id, student_id, site_ids, submitted_at)
      values (${programId}, ${planId}, ${studentId}, ${[...siteIds]}::bigint[], now())
      on conflict (program_id, plan_id, student_id) do update set site_ids = excluded.site_ids, saved_at = now(),
        submitted_at = coalesce(placement_preference.submitted_at, now())`.execute(db)
}

/** How many ranked each site, and how many first. */
export const listDemand = async (
  db: Db,
  programId: number,
  planId: number,
): Promise<Map<number, { first: number; ranked: number }>> => {
  const { rows } = await sql<{ id: number; first: number; ranked: number }>`
    select w.site_id as id, count(*) filter (where w.place = 1)::int as first, count(*)::int as ranked
    from placement_preference f, unnest(f.site_ids) with ordinality as w (site_id, place)
    where f.program_id = ${programId} and f.plan_id = ${planId} group by 1`.execute(db)
  return new Map(rows.map(({ id, first, ranked }) => [id, { first, ranked }]))
}
