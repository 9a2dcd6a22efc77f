import { sql } from 'kysely'
import type { RemediationPlan } from '#contract/progress/progress.ts'
import type { Db } from '#server/core/database/pool.ts'

const byName = sql`coalesce(trim(b.first_name || ' ' || b.last_name), '')`

const select = sql`
  select p.id as "Id", p.title as "Title", p.goal as "Goal", p.due_on as "DueOn", p.state as "State", p.revision as "Revision",
    p.outcome as "Outcome", ${byName} as "By", p.started_on as "StartedOn", p.closed_on as "ClosedOn",
    coalesce((select json_agg(json_build_object('Id', t.id, 'Text', t.text, 'DueOn', t.due_on, 'DoneOn', t.done_on,
        'DoneBy', trim(d.first_name || ' ' || d.last_name)) order by t.position, t.id)
      from remediation_task t left join account d on d.program_id = t.program_id and d.id = t.done_by
      where t.program_id = p.program_id and t.plan_id = p.id), '[]') as "Tasks"
  from remediation_plan p left join account b on b.program_id = p.program_id and b.id = p.created_by`

/** A student's plans: open ones by their day, then those that are closed, the newest first. */
export const listPlans = async (db: Db, programId: number, studentId: number): Promise<RemediationPlan[]> => {
  const { rows } = await sql<RemediationPlan>`${select}
    where p.program_id = ${programId} and p.student_id = ${studentId}
    order by p.state <> 'open', case when p.state = 'open' then p.due_on end, p.closed_on desc, p.id desc`.execute(
    db,
  )
  return rows
}

/** A plan of a student. */
export const findPlan = async (
  db: Db,
  programId: number,
  studentId: number,
  planId: number,
): Promise<RemediationPlan | undefined> => {
  const { rows } = await sql<RemediationPlan>`${select}
    where p.program_id = ${programId} and p.student_id = ${studentId} and p.id = ${planId}`.execute(db)
  return rows[0]
}

/** Waits for whoever works on the plan. */
export const lockPlan = async (db: Db, programId: number, planId: number): Promise<void> => {
  await sql`select from remediation_plan where program_id = ${programId} and id = ${planId} for update`.execute(
    db,
  )
}

/** Notes of advising that the student reads too, the newest first. */
export const listSharedNotes = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<{ Id: number; Text: string; By: string; At: string }[]> => {
  const { rows } = await sql<{ Id: number; Text: string; By: string; At: string }>`
    select n.id as "Id", n.text as "Text", ${byName} as "By", n.created_at as "At"
    from student_note n left join account b on b.id = n.created_by
    where n.program_id = ${programId} and n.student_id = ${studentId} and n.is_shared and n.deleted_at is null
    order by n.created_at desc, n.id desc limit 50`.execute(db)
  return rows
}
