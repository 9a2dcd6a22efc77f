import { sql } from 'kysely'
import type { Acceptance } from '#contract/placement/acceptances.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { AcceptedCell } from '../draft/drafted.queries.ts'

const columns = sql`a.id as "Id", a.draft_id as "DraftId", d.name as "Draft", jsonb_array_length(a.cells) as "Cells",
  cardinality(a.assignment_ids) as "Shifts", n.ahead as "Ahead", n.begun as "Begun", a.accepted_at as "AcceptedAt", a.undone_at as "UndoneAt",
  coalesce(u.first_name || ' ' || u.last_name, '') as "AcceptedBy"`
const from = sql`from placement_acceptance a
  join placement_draft d on d.program_id = a.program_id and d.id = a.draft_id
  left join account u on u.program_id = a.program_id and u.id = a.accepted_by
  cross join lateral (
    select count(*) filter (where s.starts_at > now()) as ahead, count(*) filter (where s.starts_at <= now()) as begun
    from shift_assignment s where s.program_id = a.program_id and s.id = any (a.assignment_ids) and s.removed_at is null) n`

export const listAcceptancesOf = async (
  db: Db,
  programId: number,
  planId: number,
  acceptanceId?: number,
): Promise<Acceptance[]> =>
  (
    await sql<Acceptance>`select ${columns} ${from} where a.program_id = ${programId} and a.plan_id = ${planId}
      and ${acceptanceId === undefined ? sql`true` : sql`a.id = ${acceptanceId}`} order by a.id desc limit 200`.execute(
      db,
    )
  ).rows

export interface OpenAcceptance {
  cells: AcceptedCell[]
  ids: number[]
  isUndone: boolean
}

export const findAcceptance = async (
  db: Db,
  programId: number,
  planId: number,
  acceptanceId: number,
): Promise<OpenAcceptance | undefined> =>
  (
    await sql<OpenAcceptance>`select cells, assignment_ids::int[] as ids, undone_at is not null as "isUndone" from placement_acceptance
    where program_id = ${programId} and plan_id = ${planId} and id = ${acceptanceId}`.execute(db)
  ).rows[0]

/** Those of the assignments that have not started. */
export const listAhead = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<{ Id: number; StudentId: number; SiteShiftId: number; Date: string }[]> =>
  (
    await sql<{ Id: number; StudentId: number; SiteShiftId: number; Date: string }>`
    select id as "Id", student_id as "StudentId", site_shift_id as "SiteShiftId", date as "Date" from shift_assignment
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and removed_at is null and starts_at > now() order by id`.execute(
      db,
    )
  ).rows

export interface ResultRow {
  studentId: number
  firstName: string
  email: string
  block: number
  site: string
  city: string
  shift: string
  weekdays: number[]
  rank: number | null
  reason: string
  /** The rotation that the student serves there. */
  rotation: string
}

/** The accepted places of a plan's active students, or of one, by student and block. */
export const listResults = async (
  db: Db,
  programId: number,
  planId: number,
  studentId?: number,
): Promise<ResultRow[]> =>
  (
    await sql<ResultRow>`select u.id as "studentId", u.first_name as "firstName", u.email, c.block, s.name as site, s.city,
      h.code as shift, c.weekdays, c.rank, c.reason, coalesce(r.name, '') as rotation
    from (select (e->>'StudentId')::bigint as student_id, (e->>'Block')::int as block, (e->>'SiteShiftId')::bigint as site_shift_id,
        array(select jsonb_array_elements_text(e->'Weekdays')::int) as weekdays, (e->>'Rank')::int as rank, e->>'Reason' as reason,
        (e->>'RotationId')::bigint as rotation_id
      from placement_acceptance a, jsonb_array_elements(a.cells) as e
      where a.program_id = ${programId} and a.plan_id = ${planId} and a.undone_at is null
        and ${studentId === undefined ? sql`true` : sql`(e->>'StudentId')::bigint = ${studentId}`}) c
    join account u on u.program_id = ${programId} and u.id = c.student_id and u.deleted_at is null and u.deactivated_at is null
    left join rotation r on r.program_id = ${programId} and r.id = c.rotation_id
    join site_shift h on h.program_id = ${programId} and h.id = c.site_shift_id
    join site s on s.program_id = h.program_id and s.id = h.site_id
    order by u.id, c.block`.execute(db)
  ).rows

/** What a student is owed from a plan. */
export const findOwnPoints = async (
  db: Db,
  programId: number,
  planId: number,
  studentId: number,
): Promise<number> => {
  const { rows } = await sql<{ points: number }>`select points from placement_points
    where program_id = ${programId} and plan_id = ${planId} and student_id = ${studentId}`.execute(db)
  return rows[0]?.points ?? 0
}
