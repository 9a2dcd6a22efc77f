import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { type Exemption, queueSize, type WaitingProof } from '#contract/requirements/proof-review.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isAskedOn } from './season.queries.ts'
import { isHeldOn } from './states.queries.ts'

const ofWhom = sql`join requirement q on q.program_id = p.program_id and q.id = p.requirement_id and q.deleted_at is null
    join account u on u.program_id = p.program_id and u.id = p.student_id and u.deleted_at is null and u.deactivated_at is null`

/** How many proofs wait, and, as the detail, how many of these keep their student from a shift within a week. */
export const countWaiting = async (
  db: Db,
  programId: number,
  today: string,
): Promise<{ Count: number; Detail: string }> => {
  const { rows } = await sql<{ Count: number; Detail: string }>`
  with p as materialized (
    select p.program_id, p.requirement_id, p.student_id, p.site_id from requirement_proof p
    where p.program_id = ${programId} and p.state = 'submitted' and p.deleted_at is null)
  select count(*) as "Count", count(*) filter (where q.blocks_placement and exists (
      select from shift_assignment a
      left join student_requirement s on s.program_id = p.program_id and s.student_id = p.student_id
        and s.requirement_id = p.requirement_id and s.site_id = coalesce(p.site_id, 0)
      where a.program_id = p.program_id and a.student_id = p.student_id and a.removed_at is null
        and a.date between ${today}::date and ${today}::date + 7 and a.ends_at > now()
        and (p.site_id is null or a.site_id = p.site_id)
        and ${isAskedOn(sql`a.date`)} and not coalesce(${isHeldOn(sql`a.date`)}, false)))::text as "Detail"
  from p ${ofWhom}`.execute(db)
  // A select of sums has one row.
  return rows[0]!
}

/** What waits of students who are still there, the oldest first. */
export const listWaiting = async (
  db: Db,
  programId: number,
  { RequirementId, After }: { RequirementId?: number | undefined; After?: number | undefined },
) => {
  const waits = sql`p.program_id = ${programId} and p.state = 'submitted' and p.deleted_at is null
    and ${RequirementId === undefined ? sql`true` : sql`p.requirement_id = ${RequirementId}`}`
  // Counted from those that wait, by their own index: from the requirements the planner would come by all proofs there are.
  const [{ rows }, { rows: totals }] = await Promise.all([
    sql<WaitingProof>`
      select p.id as "Id", p.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student",
        p.requirement_id as "RequirementId", q.name as "Requirement", q.kind as "Kind", p.created_at as "SentAt"
      from requirement_proof p ${ofWhom} where ${waits} and p.id > ${After ?? 0} order by p.id limit ${queueSize + 1}`.execute(
      db,
    ),
    sql<{ Total: number; OldestAt: string | null }>`
      with p as materialized (
        select p.program_id, p.requirement_id, p.student_id, p.created_at from requirement_proof p where ${waits})
      select count(*) as "Total", min(p.created_at) as "OldestAt" from p ${ofWhom}`.execute(db),
  ])
  const Items = rows.slice(0, queueSize)
  return { Items, ...totals[0]!, NextAfter: rows.length > queueSize ? Items.at(-1)!.Id : null }
}

export interface ReviewedStudent {
  Student: string
  FirstName: string
  StudentLevel: string
}

export const findReviewedStudent = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<ReviewedStudent | undefined> => {
  const { rows } = await sql<ReviewedStudent>`
    select listed_name(u.last_name, u.first_name) as "Student", u.first_name as "FirstName", coalesce(l.name, '') as "StudentLevel"
    from account u left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    where u.program_id = ${programId} and u.id = ${studentId} and u.access_level = ${Level.Student} and u.deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

export const listExemptions = async (db: Db, programId: number, studentId: number): Promise<Exemption[]> => {
  const { rows } = await sql<Exemption>`
    select e.id as "Id", e.requirement_id as "RequirementId", e.kind as "Kind", e.reason as "Reason", e.until_on as "Until",
      e.created_at as "GrantedAt", coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), '') as "GrantedBy"
    from requirement_exemption e left join account a on a.id = e.created_by
    where e.program_id = ${programId} and e.student_id = ${studentId} and e.ended_at is null order by e.id desc`.execute(
    db,
  )
  return rows
}

/** Of the ids, those of students of the program. */
export const countStudents = async (db: Db, programId: number, ids: readonly number[]): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from account where program_id = ${programId}
    and id = any (${[...ids]}::bigint[]) and access_level = ${Level.Student} and deleted_at is null`.execute(
    db,
  )
  return rows[0]!.n
}

/** Where a student is written to; the address is empty of those who have none or are inactive. */
export const getMailOf = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<{ email: string; first: string }> => {
  const { rows } = await sql<{ email: string; first: string }>`
    select case when deactivated_at is null then coalesce(email, '') else '' end as email, first_name as first
    from account where program_id = ${programId} and id = ${studentId}`.execute(db)
  // Whose proofs are looked at has an account.
  return rows[0]!
}

interface EndedExemption {
  student_id: number
  requirement_id: number
}

export const listOpenExemptions = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<EndedExemption[]> => {
  const { rows } = await sql<EndedExemption>`select student_id, requirement_id from requirement_exemption
    where program_id = ${programId} and id = any (${[...ids]}::bigint[]) and ended_at is null`.execute(db)
  return rows
}
