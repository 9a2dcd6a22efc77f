import { sql } from 'kysely'
import { competencyFailures } from '#contract/competencies/failures.ts'
import * as contract from '#contract/competencies/lab-checks.ts'
import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseEndedPerson } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addLabChecks, setLabChecksDeleted } from './lab-checks.commands.ts'
import { readProgramDay } from './standing.queries.ts'

const findProcedure = async (db: Db, programId: number, procedureId: number) => {
  const { rows } = await sql<{ name: string; isNeeded: boolean }>`
    select name, needs_lab_check as "isNeeded" from skill
    where program_id = ${programId} and id = ${procedureId} and deleted_at is null`.execute(db)
  if (!rows[0]) throw fail(competencyFailures.no_procedure)
  return rows[0]
}

const listCohorts = async (db: Db, programId: number): Promise<string[]> => {
  const { rows } = await sql<{ cohort: string }>`select distinct cohort from account
    where program_id = ${programId} and access_level = ${Level.Student} and deleted_at is null and deactivated_at is null
      and cohort is not null and cohort <> '' order by cohort desc`.execute(db)
  return rows.map(({ cohort }) => cohort)
}

const listClass = async (
  db: Db,
  programId: number,
  procedureId: number,
  cohort: string | undefined,
): Promise<contract.LabStudent[]> => {
  const { rows } = await sql<contract.LabStudent>`
    with checked as materialized (
      select distinct on (b.student_id) b.student_id, b.id, b.checked_on, b.faculty_id
      from skill q join skill k on k.program_id = q.program_id and k.lineage = q.lineage
      join lab_check b on b.program_id = k.program_id and b.skill_id = k.id and b.deleted_at is null
      where q.program_id = ${programId} and q.id = ${procedureId} order by b.student_id, b.checked_on)
    select u.id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", coalesce(u.cohort, '') as "Cohort",
      c.id as "CheckId", c.checked_on as "CheckedOn", nullif(trim(f.first_name || ' ' || f.last_name), '') as "Faculty"
    from account u left join checked c on c.student_id = u.id
    left join account f on f.program_id = u.program_id and f.id = c.faculty_id
    where u.program_id = ${programId} and u.access_level = ${Level.Student} and u.deleted_at is null and u.deactivated_at is null
      and ${cohort === undefined ? sql`true` : sql`u.cohort = ${cohort}`}
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  return rows
}

export const labCheckRoutes = [
  handle(contract.listLabChecks, async ({ db, params: { programId, procedureId }, query }) => {
    const { name, isNeeded } = await findProcedure(db, programId, procedureId)
    const [Cohorts, Students] = await Promise.all([
      listCohorts(db, programId),
      listClass(db, programId, procedureId, query.Cohort),
    ])
    return { Procedure: name, IsNeeded: isNeeded, Cohorts, Students }
  }),

  handle(contract.checkInLab, async ({ db, params, body, user, audit, services, afterCommit }) => {
    const { programId, procedureId } = params
    const { name } = await findProcedure(db, programId, procedureId)
    const { today } = await readProgramDay(db, programId)
    if (body.Date > today) throw fail(competencyFailures.day_ahead, 'Date')
    const ids = [...new Set(body.StudentIds)]
    const { rows: there } = await sql<{ n: number }>`select count(*) as n from account
      where program_id = ${programId} and id = any (${ids}::bigint[]) and access_level = ${Level.Student} and deleted_at is null`.execute(
      db,
    )
    if (there[0]?.n !== ids.length) throw fail(peopleFailures.no_such_student)
    const Ids = await addLabChecks(db, {
      programId,
      procedureId,
      studentIds: ids,
      date: body.Date,
      by: user.Id,
    })
    audit.detail = { Procedure: name, Date: body.Date, Students: ids.slice(0, 200), Checked: Ids.length }
    afterCommit(() => services.live.publishLogs(programId))
    return { Ids }
  }),

  handle(
    contract.removeLabChecks,
    async ({ db, params: { programId }, body, audit, services, afterCommit }) => {
      const Removed = await setLabChecksDeleted(db, programId, body.Ids, true)
      if (Removed === 0) throw fail(competencyFailures.no_lab_check)
      audit.detail = { Ids: body.Ids.slice(0, 200), Removed }
      afterCommit(() => services.live.publishLogs(programId))
      return { Removed }
    },
  ),

  handle(
    contract.restoreLabChecks,
    async ({ db, params: { programId }, body, audit, services, afterCommit }) => {
      await refuseEndedPerson(db, programId, { table: 'lab_check', ids: body.Ids, by: 'student_id' })
      const { rows: taken } = await sql`select from lab_check c
        join lab_check o on o.program_id = c.program_id and o.student_id = c.student_id and o.skill_id = c.skill_id
          and o.deleted_at is null
        where c.program_id = ${programId} and c.id = any (${body.Ids}::bigint[]) and c.deleted_at is not null limit 1`.execute(
        db,
      )
      if (taken[0]) throw fail(competencyFailures.checked_again)
      const Restored = await setLabChecksDeleted(db, programId, body.Ids, false)
      if (Restored === 0) throw fail(competencyFailures.no_lab_check)
      audit.detail = { Ids: body.Ids.slice(0, 200), Restored }
      afterCommit(() => services.live.publishLogs(programId))
      return { Restored }
    },
  ),
]
