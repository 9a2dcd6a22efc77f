import { sql } from 'kysely'
import type { z } from 'zod'
import type { AnswerOf, Out } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import type {
  listPlacementPlans,
  PlacementPlan,
  PlacementPlanInput,
  PlanStudent,
} from '#contract/placement/plans.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { pointsBefore, rotationIdsOfPlan } from './load-plan.queries.ts'

export type Input = z.output<typeof PlacementPlanInput>

// Nobody ranks once results are out.
const state = sql`case when p.opens_at is null or p.opens_at > now() then 'planning'
  when p.closes_at > now() and coalesce(p.published_at > now(), true) then 'ranking' else 'closed' end`
const local = (column: 'opens_at' | 'closes_at') => {
  const at = sql`(p.${sql.ref(column)} at time zone g.time_zone)`
  return { date: sql`${at}::date`, time: sql`to_char(${at}, 'HH24:MI')` }
}
const columns = sql`p.id as "Id", p.name as "Name", p.rotation_id as "RotationId", r.name as "Rotation",
  (select json_agg(json_build_object('Id', x.id, 'Name', x.name) order by o.place)
    from unnest(${rotationIdsOfPlan}) with ordinality as o (id, place)
    join rotation x on x.program_id = p.program_id and x.id = o.id) as "Rotations",
  p.ranks_per as "RanksPer", p.template as "Template",
  p.cohort as "Cohort", p.start_date as "StartDate", p.end_date as "EndDate", p.weeks_per_block as "WeeksPerBlock",
  p.most_ranks as "MostRanks", p.is_open_to_others as "IsOpenToOthers", p.opens_at as "OpensAt", p.closes_at as "ClosesAt", p.published_at as "PublishedAt",
  ${local('opens_at').date} as "OpensDate", ${local('opens_at').time} as "OpensTime",
  ${local('closes_at').date} as "ClosesDate", ${local('closes_at').time} as "ClosesTime", ${state} as "State",
  (select count(*)::int from placement_preference f where f.program_id = p.program_id and f.plan_id = p.id
    and f.submitted_at is not null) as "AnsweredCount",
  (select count(*)::int from placement_draft d where d.program_id = p.program_id and d.plan_id = p.id and d.deleted_at is null) as "DraftCount",
  (select coalesce(sum(jsonb_array_length(a.cells)), 0)::int from placement_acceptance a where a.program_id = p.program_id
    and a.plan_id = p.id and a.undone_at is null) as "AcceptedCount"`
const from = sql`from placement_plan p join program g on g.id = p.program_id
  join rotation r on r.program_id = p.program_id and r.id = p.rotation_id`

export const findPlacementPlan = async (
  db: Db,
  programId: number,
  planId: number,
): Promise<PlacementPlan | undefined> => {
  const { rows } =
    await sql<PlacementPlan>`select ${columns}, p.rules as "Rules", p.instructions as "Instructions",
      array(select s.student_id::int from placement_student s where s.program_id = p.program_id and s.plan_id = p.id order by 1) as "StudentIds"
    ${from} where p.program_id = ${programId} and p.id = ${planId} and p.deleted_at is null`.execute(db)
  const [plan] = rows
  return plan && { ...plan, Blocks: blocksOf(plan.StartDate, plan.EndDate, plan.WeeksPerBlock) }
}

export const getPlacementPlanById = async (
  db: Db,
  programId: number,
  planId: number,
): Promise<PlacementPlan> => {
  const plan = await findPlacementPlan(db, programId, planId)
  if (!plan) throw fail(placementFailures.no_plan)
  return plan
}

/** Whether students see their placements. */
export const isOut = ({ PublishedAt }: Pick<PlacementPlan, 'PublishedAt'>): boolean =>
  PublishedAt !== null && new Date(PublishedAt) <= new Date()

/** Locks a plan, so that nobody else changes it until the call is over. */
export const lockPlan = async (db: Db, programId: number, planId: number): Promise<PlacementPlan> => {
  await sql`select from placement_plan
    where program_id = ${programId} and id = ${planId} and deleted_at is null for no key update`.execute(db)
  return getPlacementPlanById(db, programId, planId)
}

type Listed = AnswerOf<typeof listPlacementPlans>
type ListQuery = NonNullable<Out<NonNullable<(typeof listPlacementPlans)['query']>>>

const orders: Record<ListQuery['sort'], ReturnType<typeof sql>> = {
  Name: sql`lower(p.name), p.id`,
  '-Name': sql`lower(p.name) desc, p.id desc`,
  StartDate: sql`p.start_date, p.id`,
  '-StartDate': sql`p.start_date desc, p.id desc`,
  StudentCount: sql`"StudentCount", p.id`,
  '-StudentCount': sql`"StudentCount" desc, p.id desc`,
}

export const pagePlacementPlans = async (
  db: Db,
  programId: number,
  { page, pageSize, search, sort }: ListQuery,
): Promise<Listed> => {
  const where = sql`p.program_id = ${programId} and p.deleted_at is null
    and ${search ? isFound(sql`p.name`, search) : sql`true`}`
  const { rows } = await sql<Listed['Items'][number]>`select ${columns},
      (select count(*)::int from placement_student s where s.program_id = p.program_id and s.plan_id = p.id) as "StudentCount",
      ceil((p.end_date - p.start_date + 1) / (7.0 * p.weeks_per_block))::int as "BlockCount"
    ${from} where ${where} order by ${orders[sort]} limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
    db,
  )
  const { rows: totals } = await sql<{
    count: number
  }>`select count(*)::int as count from placement_plan p where ${where}`.execute(db)
  return { Items: rows, Total: totals[0]?.count ?? 0, Page: page, PageSize: pageSize }
}

/** The active students of a cohort, or those with these ids. */
export const listPlannedIds = async (
  db: Db,
  programId: number,
  { Cohort, StudentIds }: Pick<Input, 'Cohort' | 'StudentIds'>,
): Promise<number[]> => {
  const { rows } = await sql<{
    id: number
  }>`select id from account where program_id = ${programId} and access_level = ${Level.Student}
    and deleted_at is null and deactivated_at is null
    and ${Cohort ? sql`cohort = ${Cohort}` : sql`id = any (${[...StudentIds]}::bigint[])`} order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The discipline of a program; null when it has none. */
export const findDiscipline = async (db: Db, programId: number): Promise<string | null> => {
  const { rows } = await sql<{ name: string | null }>`select m.name from program p
    left join modality m on m.id = p.modality_id where p.id = ${programId}`.execute(db)
  return rows[0]?.name ?? null
}

/** The names of those sites that exist. */
export const listSiteNames = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  const { rows } = await sql<{ id: number; name: string }>`select id, name from site
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and deleted_at is null`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface SiteAnswer {
  Takes: number | null
  Reserved: number
  Technologists: number | null
  AtLeast: number | null
}

/** What a site has said about a plan; of one that has said nothing, nothing. */
export const findSiteOfPlan = async (
  db: Db,
  programId: number,
  { planId, siteId }: { planId: number; siteId: number },
): Promise<SiteAnswer> => {
  const { rows } =
    await sql<SiteAnswer>`select takes as "Takes", reserved as "Reserved", technologists as "Technologists",
      at_least as "AtLeast"
    from placement_site where program_id = ${programId} and plan_id = ${planId} and site_id = ${siteId}`.execute(
      db,
    )
  return rows[0] ?? { Takes: null, Reserved: 0, Technologists: null, AtLeast: null }
}

export interface StudentsQuery {
  page: number
  pageSize: number
  search?: string | undefined
  sort: 'Student' | '-Student' | 'Points' | '-Points' | 'SubmittedAt' | '-SubmittedAt'
  IsMissing: boolean
  /** Only this student. */
  studentId?: number
}

const studentOrders: Record<StudentsQuery['sort'], ReturnType<typeof sql>> = {
  Student: sql`lower(u.last_name), lower(u.first_name), u.id`,
  '-Student': sql`lower(u.last_name) desc, lower(u.first_name) desc, u.id desc`,
  Points: sql`coalesce(o.points, 0), u.id`,
  '-Points': sql`coalesce(o.points, 0) desc, u.id desc`,
  SubmittedAt: sql`f.submitted_at nulls first, u.id`,
  '-SubmittedAt': sql`f.submitted_at desc nulls last, u.id desc`,
}

export const pagePlanStudents = async (
  db: Db,
  programId: number,
  planId: number,
  { page, pageSize, search, sort, IsMissing, studentId }: StudentsQuery,
): Promise<{ Items: PlanStudent[]; Total: number; MissingCount: number }> => {
  const joined = sql`from placement_student s
    join account u on u.program_id = s.program_id and u.id = s.student_id and u.deleted_at is null
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join placement_preference f on f.program_id = s.program_id and f.plan_id = s.plan_id and f.student_id = s.student_id
    left join (${pointsBefore(programId, planId)}) o on o.student_id = s.student_id`
  const where = sql`s.program_id = ${programId} and s.plan_id = ${planId} and ${studentId === undefined ? sql`true` : sql`s.student_id = ${studentId}`}
    and ${search ? isFound(sql`u.first_name || ' ' || u.last_name`, search) : sql`true`}`
  const isMissing = sql`f.submitted_at is null and u.deactivated_at is null`
  const { rows } =
    await sql<PlanStudent>`select u.id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", l.name as "StudentLevel",
      coalesce(o.points, 0) as "Points", coalesce(f.site_ids, '{}')::int[] as "SiteIds",
      coalesce(f.block_rankings, '[]') as "BlockRankings", coalesce(f.reason, '') as "Reason",
      f.saved_at as "SavedAt", f.submitted_at as "SubmittedAt", s.pins as "Pins", s.excluded::int[] as "ExcludedSiteIds",
      s.note as "Note", u.deactivated_at is null as "IsActive"
    ${joined} where ${where} and ${IsMissing ? isMissing : sql`true`}
    order by ${studentOrders[sort]} limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  const { rows: counts } = await sql<{ all: number; missing: number }>`select count(*)::int as all,
    count(*) filter (where ${isMissing})::int as missing ${joined} where ${where}`.execute(db)
  const { all = 0, missing = 0 } = counts[0] ?? {}
  return { Items: rows, Total: IsMissing ? missing : all, MissingCount: missing }
}

export interface Reminded {
  id: number
  firstName: string
  email: string
}

/** Active students of the plan who have not submitted a ranking. */
export const listUnanswered = async (db: Db, programId: number, planId: number): Promise<Reminded[]> =>
  (
    await sql<Reminded>`select u.id, u.first_name as "firstName", u.email from placement_student s
    join account u on u.program_id = s.program_id and u.id = s.student_id and u.access_level = ${Level.Student}
      and u.deleted_at is null and u.deactivated_at is null
    left join placement_preference f on f.program_id = s.program_id and f.plan_id = s.plan_id and f.student_id = s.student_id
    where s.program_id = ${programId} and s.plan_id = ${planId} and f.submitted_at is null order by u.id`.execute(
      db,
    )
  ).rows
