import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

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
