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

interface PlanFields {
  Title: string
  Goal: string
  DueOn: string
}

export const insertPlan = async (
  db: Db,
  programId: number,
  studentId: number,
  { Title, Goal, DueOn }: PlanFields,
  { today, accountId }: { today: string; accountId: number },
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into remediation_plan (program_id, student_id, title, goal, started_on, due_on, created_by)
    values (${programId}, ${studentId}, ${Title}, ${Goal}, ${today}::date, ${DueOn}::date, ${accountId}) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

export const savePlan = async (
  db: Db,
  programId: number,
  planId: number,
  { Title, Goal, DueOn }: PlanFields,
): Promise<void> => {
  await sql`update remediation_plan set title = ${Title}, goal = ${Goal}, due_on = ${DueOn}::date, revision = revision + 1
    where program_id = ${programId} and id = ${planId}`.execute(db)
}

/** Puts these tasks in place of the plan's; those that are there already keep what was done. */
export const replaceTasks = async (
  db: Db,
  programId: number,
  planId: number,
  tasks: readonly { Id?: number | undefined; Text: string; DueOn: string | null }[],
): Promise<void> => {
  const given = JSON.stringify(tasks.map((task, position) => ({ ...task, position })))
  await sql`delete from remediation_task t where t.program_id = ${programId} and t.plan_id = ${planId}
    and t.id <> all (${tasks.flatMap(({ Id }) => Id ?? [])}::bigint[])`.execute(db)
  await sql`update remediation_task t set text = g."Text", due_on = g."DueOn", position = g.position
    from jsonb_to_recordset(${given}::jsonb) as g ("Id" bigint, "Text" text, "DueOn" date, position smallint)
    where t.program_id = ${programId} and t.plan_id = ${planId} and t.id = g."Id"`.execute(db)
  await sql`insert into remediation_task (program_id, plan_id, position, text, due_on)
    select ${programId}, ${planId}, g.position, g."Text", g."DueOn"
    from jsonb_to_recordset(${given}::jsonb) as g ("Id" bigint, "Text" text, "DueOn" date, position smallint)
    where g."Id" is null`.execute(db)
}

/** Says that a task is done today, or not; false where the plan has no such task. */
export const setTaskDone = async (
  db: Db,
  programId: number,
  planId: number,
  taskId: number,
  { isDone, today, accountId }: { isDone: boolean; today: string; accountId: number },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`update remediation_task
    set done_on = case when ${isDone} then coalesce(done_on, ${today}::date) end,
      done_by = case when ${isDone} then coalesce(done_by, ${accountId}::bigint) end
    where program_id = ${programId} and plan_id = ${planId} and id = ${taskId}`.execute(db)
  if (numAffectedRows > 0n)
    await sql`update remediation_plan set revision = revision + 1
      where program_id = ${programId} and id = ${planId}`.execute(db)
  return numAffectedRows > 0n
}

export const closePlan = async (
  db: Db,
  programId: number,
  planId: number,
  closing: { state: 'completed' | 'canceled'; outcome: string; today: string; accountId: number },
): Promise<void> => {
  await sql`update remediation_plan set state = ${closing.state}, outcome = ${closing.outcome}, closed_on = ${closing.today}::date,
      closed_by = ${closing.accountId}, revision = revision + 1
    where program_id = ${programId} and id = ${planId}`.execute(db)
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
