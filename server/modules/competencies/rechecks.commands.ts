import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'

/** Days that a student has for a recheck that is due by the months of their list. */
const daysToDo = 30

/**
 * Asks for rechecks of what was passed or rechecked last as many months ago as the student's list says. A second run on the same day
 * asks nothing twice. Answers how many it has made.
 */
export const askRechecksOf = async (db: Db, programId: number): Promise<number> => {
  const { rows } = await sql<{ studentId: number; procedure: string }>`
    with today as (select (now() at time zone time_zone)::date as day from program where id = ${programId}),
    last as (
      select distinct on (a.student_id, k.lineage) a.student_id, k.lineage, a.date
      from exam_attempt a join skill k on k.program_id = a.program_id and k.id = a.skill_id
      where a.program_id = ${programId} and a.state = 'passed' order by a.student_id, k.lineage, a.date desc),
    due as (
      select last.student_id, k.id as skill_id, k.name, today.day
      from today, last join account u on u.program_id = ${programId} and u.id = last.student_id and u.access_level = ${Level.Student}
        and u.deleted_at is null and u.deactivated_at is null
      left join competency_list_cohort c on c.program_id = u.program_id and c.cohort = u.cohort
      join competency_list l on l.program_id = u.program_id and l.deleted_at is null and l.recheck_months > 0
        and (l.id = c.list_id or c.list_id is null and l.is_for_others)
      join major_study m on m.program_id = l.program_id and m.list_id = l.id and m.deleted_at is null
      join skill k on k.program_id = m.program_id and k.major_study_id = m.id and k.lineage = last.lineage and k.deleted_at is null
      where last.date + make_interval(months => l.recheck_months) <= today.day
        and not exists (select from exam_recheck r join skill q on q.program_id = r.program_id and q.id = r.skill_id
          where r.program_id = ${programId} and r.student_id = last.student_id and r.state in ('open', 'failed')
            and q.lineage = last.lineage)),
    made as (
      insert into exam_recheck (program_id, student_id, skill_id, kind, due_on)
      select ${programId}, student_id, skill_id, 'continued', day + ${daysToDo}::integer from due
      on conflict do nothing returning student_id, skill_id)
    select made.student_id as "studentId", due.name as procedure from made
    join due on due.student_id = made.student_id and due.skill_id = made.skill_id`.execute(db)
  await notifyPeople(
    db,
    programId,
    rows.map(({ studentId, procedure }) => ({
      accountId: studentId,
      kind: 'recheck_asked',
      text: `Continued competency: ${procedure} is to be examined once more`,
      link: '/new/competencies',
    })),
  )
  return rows.length
}
