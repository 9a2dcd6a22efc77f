import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { AcceptedCell } from '../draft/drafted.queries.ts'
import { hasRanked } from '../plan/rankings.queries.ts'

export const insertAcceptance = async (
  db: Db,
  programId: number,
  { planId, draftId, accountId }: { planId: number; draftId: number; accountId: number },
  cells: readonly AcceptedCell[],
  assignmentIds: readonly number[],
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`insert into placement_acceptance
      (program_id, plan_id, draft_id, assignment_ids, cells, accepted_by)
    values (${programId}, ${planId}, ${draftId}, ${[...assignmentIds]}::bigint[], ${JSON.stringify(cells)}::jsonb, ${accountId})
    returning id`.execute(db)
  // One row was inserted.
  return rows[0]!.id
}

export const markUndone = async (
  db: Db,
  programId: number,
  acceptanceId: number,
  accountId: number,
): Promise<void> => {
  await sql`update placement_acceptance set undone_at = now(), undone_by = ${accountId}
    where program_id = ${programId} and id = ${acceptanceId}`.execute(db)
}

/**
 * Saves what students are owed from a plan, by what was accepted of it: four points per rank below the first, averaged over their blocks.
 * Who ranked nothing is owed nothing, nor for a block for which they ranked nothing.
 */
export const savePoints = async (db: Db, programId: number, planId: number): Promise<void> => {
  await sql`delete from placement_points where program_id = ${programId} and plan_id = ${planId}`.execute(db)
  await sql`insert into placement_points (program_id, plan_id, student_id, points)
    select p.program_id, p.id, x.student_id, round(4 * avg(coalesce(x.rank - 1, p.most_ranks)))::int
    from placement_plan p
    join lateral (select (e->>'StudentId')::bigint as student_id, (e->>'Block')::int as block, (e->>'Rank')::int as rank
      from placement_acceptance a, jsonb_array_elements(a.cells) as e
      where a.program_id = p.program_id and a.plan_id = p.id and a.undone_at is null) x on true
    join placement_preference f on f.program_id = p.program_id and f.plan_id = p.id and f.student_id = x.student_id
      and ${hasRanked(sql`x.block`)}
    where p.program_id = ${programId} and p.id = ${planId}
    group by p.program_id, p.id, x.student_id having round(4 * avg(coalesce(x.rank - 1, p.most_ranks))) > 0
    order by x.student_id`.execute(db)
}

/** Sets when students see their result; a given time is on the program's clock. */
export const setPublished = async (
  db: Db,
  programId: number,
  planId: number,
  { IsPublished, Date: date, Time: time }: { IsPublished: boolean; Date: string | null; Time: string | null },
): Promise<string | null> => {
  const at = !IsPublished
    ? sql`null::timestamptz`
    : date === null
      ? sql`now()`
      : sql`(${`${date} ${time}`}::timestamp at time zone (select time_zone from program where id = ${programId}))`
  const { rows } = await sql<{ published_at: string | null }>`update placement_plan set published_at = ${at}
    where program_id = ${programId} and id = ${planId} returning published_at`.execute(db)
  return rows[0]?.published_at ?? null
}

/** Claims notifying students of a publication; false if they were notified, or it is not due. */
export const claimNotification = async (db: Db, programId: number, planId: number): Promise<boolean> => {
  const { rows } = await sql`update placement_plan set told_for = published_at
    where program_id = ${programId} and id = ${planId} and published_at <= now() and told_for is distinct from published_at
    returning id`.execute(db)
  return rows.length > 0
}
