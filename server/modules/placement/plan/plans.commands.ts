import { sql } from 'kysely'
import type { PlanStudent } from '#contract/placement/plans.ts'
import type { Db } from '#server/core/database/pool.ts'
import { setRowDeleted } from '#server/core/database/rows.ts'
import type { Input, SiteAnswer } from './plans.queries.ts'

const moment = (date: string | null, time: string | null) =>
  date === null ? sql`null::timestamptz` : sql`(${`${date} ${time}`}::timestamp at time zone g.time_zone)`

const values = (
  input: Input,
) => sql`${input.Name}::text as name, ${input.RotationId}::bigint as rotation_id, ${input.Template}::text as template,
  ${input.Cohort}::text as cohort, ${input.StartDate}::date as start_date, ${input.EndDate}::date as end_date,
  ${input.WeeksPerBlock}::smallint as weeks_per_block, ${JSON.stringify(input.Rules)}::jsonb as rules,
  ${input.Instructions}::text as instructions, ${input.RanksPer}::text as ranks_per, ${input.MostRanks}::smallint as most_ranks,
  ${input.IsOpenToOthers}::boolean as is_open_to_others,
  ${moment(input.OpensDate, input.OpensTime)} as opens_at, ${moment(input.ClosesDate, input.ClosesTime)} as closes_at`
const names = sql.raw(
  'name, rotation_id, template, cohort, start_date, end_date, weeks_per_block, rules, instructions, ranks_per, most_ranks, is_open_to_others, opens_at, closes_at',
)

export const insertPlacementPlan = async (
  db: Db,
  programId: number,
  accountId: number,
  input: Input,
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`insert into placement_plan (program_id, created_by, ${names})
    select ${programId}, ${accountId}, ${names} from (select ${values(input)} from program g where g.id = ${programId}) v
    returning id`.execute(db)
  // One program, one row.
  return rows[0]!.id
}

export const changePlacementPlan = async (
  db: Db,
  programId: number,
  planId: number,
  accountId: number,
  input: Input,
): Promise<void> => {
  await sql`update placement_plan p set (${names}) = (select ${names} from (select ${values(input)} from program g where g.id = ${programId}) v),
      updated_by = ${accountId}, revision = revision + 1
    where p.program_id = ${programId} and p.id = ${planId}`.execute(db)
}

/** Replaces the additional rotations of a plan, in this order. */
export const saveRotationsOfPlan = async (
  db: Db,
  programId: number,
  planId: number,
  ids: readonly number[],
): Promise<void> => {
  await sql`delete from placement_rotation where program_id = ${programId} and plan_id = ${planId}`.execute(
    db,
  )
  await sql`insert into placement_rotation (program_id, plan_id, rotation_id, place)
    select ${programId}, ${planId}, o.id, o.place from unnest(${[...ids]}::bigint[]) with ordinality as o (id, place)`.execute(
    db,
  )
}

/** Replaces the plan's students; rankings of those who leave it are deleted. */
export const saveStudentsOfPlan = async (
  db: Db,
  programId: number,
  planId: number,
  ids: readonly number[],
): Promise<void> => {
  const gone = sql`program_id = ${programId} and plan_id = ${planId} and student_id <> all (${[...ids]}::bigint[])`
  await sql`delete from placement_preference where ${gone}`.execute(db)
  await sql`delete from placement_points where ${gone}`.execute(db)
  await sql`delete from placement_student where ${gone}`.execute(db)
  await sql`insert into placement_student (program_id, plan_id, student_id)
    select ${programId}, ${planId}, id from unnest(${[...ids]}::bigint[]) as id on conflict do nothing`.execute(
    db,
  )
}

export const setPlanDeleted = (
  db: Db,
  programId: number,
  planId: number,
  isDeleted: boolean,
): Promise<boolean> => setRowDeleted(db, 'placement_plan', { programId, id: planId }, isDeleted)

export const saveSiteOfPlan = async (
  db: Db,
  programId: number,
  { planId, siteId }: { planId: number; siteId: number },
  { Takes, Reserved, Technologists, AtLeast }: SiteAnswer,
): Promise<void> => {
  await sql`insert into placement_site (program_id, plan_id, site_id, takes, reserved, technologists, at_least)
    values (${programId}, ${planId}, ${siteId}, ${Takes}, ${Reserved}, ${Technologists}, ${AtLeast})
    on conflict (program_id, plan_id, site_id) do update set takes = excluded.takes, reserved = excluded.reserved,
      technologists = excluded.technologists, at_least = excluded.at_least`.execute(db)
}

export const saveStudentOfPlan = async (
  db: Db,
  programId: number,
  { planId, studentId }: { planId: number; studentId: number },
  { Pins, ExcludedSiteIds, Note }: Pick<PlanStudent, 'Pins' | 'ExcludedSiteIds' | 'Note'>,
): Promise<void> => {
  await sql`update placement_student set pins = ${JSON.stringify(Pins)}::jsonb,
      excluded = ${[...new Set(ExcludedSiteIds)]}::bigint[], note = ${Note}
    where program_id = ${programId} and plan_id = ${planId} and student_id = ${studentId}`.execute(db)
}

/** Keeps that students were reminded of the ranking that closes; false when they were, were not invited, or it is over. */
export const markReminded = async (db: Db, programId: number, planId: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`update placement_plan set reminded_for = closes_at
    where program_id = ${programId} and id = ${planId} and reminded_for is distinct from closes_at and closes_at > now()
      and coalesce(published_at > now(), true) and invited_for = opens_at`.execute(db)
  return numAffectedRows === 1n
}

/** Keeps that students were invited to the ranking that is open; false when they were, or it is over. */
export const markInvited = async (db: Db, programId: number, planId: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`update placement_plan set invited_for = opens_at
    where program_id = ${programId} and id = ${planId} and invited_for is distinct from opens_at and closes_at > now()
      and coalesce(published_at > now(), true)`.execute(db)
  return numAffectedRows === 1n
}
