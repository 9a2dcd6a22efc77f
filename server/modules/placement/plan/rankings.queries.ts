import { sql } from 'kysely'
import type { RankedSite } from '#contract/placement/own-placement.ts'
import type { BlockRanking, RanksPer } from '#contract/placement/plans.ts'
import type { Db } from '#server/core/database/pool.ts'
import { rotationIdsOfPlan, sitePlace } from './load-plan.queries.ts'

/** Whether the ranking `f` of a student covers a block, or the plan as a whole, as SQL. */
export const hasRanked = (block: ReturnType<typeof sql>) => sql<boolean>`(cardinality(f.site_ids) > 0
  or exists (select from jsonb_array_elements(f.block_rankings) as w
    where (w->>'Block')::int = ${block} and jsonb_array_length(w->'SiteIds') > 0))`

/** Block rankings as they are stored: in order, without empty ones. */
export const storedRankings = (rankings: readonly BlockRanking[]): BlockRanking[] =>
  rankings.filter(({ SiteIds }) => SiteIds.length > 0).toSorted((one, other) => one.Block - other.Block)

type RankedSiteRow = Omit<RankedSite, 'Blocks'> & {
  Latitude: number | null
  Longitude: number | null
  /** The date ranges of its shifts. */
  Runs: { StartDate: string; EndDate: string }[]
}

/** Sites that a student can rank: active, in the plan, and with a shift during it. */
export const listRankedSites = async (
  db: Db,
  programId: number,
  planId: number,
  studentId: number,
): Promise<RankedSiteRow[]> =>
  (
    await sql<RankedSiteRow>`
    select s.id as "SiteId", s.name as "Site", s.code as "Code", s.city as "City", null::float8 as "Miles",
      array_remove(array[a.name] || array(select distinct h.type from site_shift h where h.program_id = s.program_id and h.site_id = s.id
        and h.deleted_at is null and h.start_date <= p.end_date and h.end_date >= p.start_date order by 1), null) as "Offers",
      coalesce((select json_agg(json_build_object('StartDate', h.start_date, 'EndDate', h.end_date)) from site_shift h
        where h.program_id = s.program_id and h.site_id = s.id and h.deleted_at is null
          and h.start_date <= p.end_date and h.end_date >= p.start_date), '[]') as "Runs",
      (select count(*)::int from shift_assignment x where x.program_id = s.program_id and x.student_id = ${studentId}
        and x.site_id = s.id and x.removed_at is null and x.date < p.start_date) as "EarlierCount",
      ${sitePlace.latitude} as "Latitude", ${sitePlace.longitude} as "Longitude"
    from placement_plan p
    join site s on s.program_id = p.program_id and s.deleted_at is null and s.is_active
    ${sitePlace.join}
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
  Rotations: string[]
  StartDate: string
  EndDate: string
  WeeksPerBlock: number
  Instructions: string
  RanksPer: RanksPer
  MostRanks: number
  OpensAt: string | null
  ClosesAt: string | null
  State: 'ahead' | 'open' | 'closed'
  PublishedAt: string | null
  ClosesText: string
  SiteIds: number[]
  BlockRankings: BlockRanking[]
  Reason: string
  SavedAt: string | null
  SubmittedAt: string | null
  FirstName: string
  Latitude: number | null
  Longitude: number | null
}

/** The plans of a student, or one of them, at the database's current time. */
export const listOwnPlans = async (
  db: Db,
  programId: number,
  studentId: number,
  planId?: number,
): Promise<OwnPlanRow[]> =>
  (
    await sql<OwnPlanRow>`select p.id as "PlanId", p.name as "Plan", r.name as "Rotation", p.start_date as "StartDate", p.end_date as "EndDate",
      array(select x.name from unnest(${rotationIdsOfPlan}) with ordinality as o (id, place)
        join rotation x on x.program_id = p.program_id and x.id = o.id order by o.place) as "Rotations",
      p.weeks_per_block as "WeeksPerBlock", p.ranks_per as "RanksPer", p.instructions as "Instructions", p.most_ranks as "MostRanks", p.opens_at as "OpensAt", p.closes_at as "ClosesAt",
      case when p.opens_at > clock_timestamp() then 'ahead' when p.closes_at > clock_timestamp() and coalesce(p.published_at > clock_timestamp(), true) then 'open' else 'closed' end as "State",
      case when p.published_at <= now() then p.published_at end as "PublishedAt",
      coalesce(to_char(p.closes_at at time zone g.time_zone, 'MM/DD/YYYY HH24:MI'), '') as "ClosesText",
      coalesce(f.site_ids, '{}')::int[] as "SiteIds", coalesce(f.block_rankings, '[]') as "BlockRankings", coalesce(f.reason, '') as "Reason", f.saved_at as "SavedAt", f.submitted_at as "SubmittedAt",
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

export interface RankedCounts {
  first: number
  /** How many students ranked it at all. */
  ranked: number
  /** First choices by block, if each block is ranked. */
  firstByBlock: Map<number, number>
}

/** How many students ranked each site, and how many ranked it first; by block as well, if each block is ranked. */
export const listDemand = async (
  db: Db,
  programId: number,
  planId: number,
): Promise<Map<number, RankedCounts>> => {
  const { rows } = await sql<{ id: number; first: number; ranked: number; blocks: [number, number][] }>`
    with each as (
      select f.student_id, null::int as block, w.site_id, w.place
      from placement_preference f, unnest(f.site_ids) with ordinality as w (site_id, place)
      where f.program_id = ${programId} and f.plan_id = ${planId}
      union all
      select f.student_id, (r->>'Block')::int, w.site_id::bigint, w.place
      from placement_preference f, jsonb_array_elements(f.block_rankings) as r,
        jsonb_array_elements_text(r->'SiteIds') with ordinality as w (site_id, place)
      where f.program_id = ${programId} and f.plan_id = ${planId}),
    firsts as (select site_id, block, count(*)::int as count from each where place = 1 and block is not null group by 1, 2)
    select e.site_id as id, count(*) filter (where e.place = 1)::int as first, count(distinct e.student_id)::int as ranked,
      coalesce((select json_agg(json_build_array(x.block, x.count)) from firsts x where x.site_id = e.site_id), '[]') as blocks
    from each e group by e.site_id`.execute(db)
  return new Map(
    rows.map(({ id, first, ranked, blocks }) => [id, { first, ranked, firstByBlock: new Map(blocks) }]),
  )
}
