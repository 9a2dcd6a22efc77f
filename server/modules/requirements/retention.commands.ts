import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { forgetFiles } from '#server/core/files/stored-files.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { noticeDays } from './retention.queries.ts'

const isStudent = sql`u.access_level = ${Level.Student} and u.deactivated_at is null and u.deleted_at is null`

/** Notes who has left and has shown something, and forgets who is back. Of those without a date the day counts on which it is seen. */
export const noteWhoLeft = async (db: Db, programId: number, today: string): Promise<void> => {
  await sql`delete from proof_retention r using account u where r.program_id = ${programId} and r.purged_at is null
    and u.program_id = r.program_id and u.id = r.student_id and ${isStudent}`.execute(db)
  await sql`
    insert into proof_retention (program_id, student_id, left_on)
    select u.program_id, u.id, least(coalesce(u.deactivated_at::date, u.deleted_at::date, ${today}::date), ${today}::date)
    from account u
    where u.program_id = ${programId} and not (${isStudent})
      and exists (select from requirement_proof p where p.program_id = u.program_id and p.student_id = u.id and p.purged_at is null)
    on conflict (program_id, student_id) do update set left_on = excluded.left_on, told_on = null, purged_at = null
      where proof_retention.purged_at is not null`.execute(db)
}

/** Takes those whose proofs are due within a month and of whom nobody was told. */
export const takeUntold = async (
  db: Db,
  programId: number,
  { days, today }: { days: number; today: string },
): Promise<{ Student: string }[]> => {
  const { rows } = await sql<{ Student: string }>`
    with told as (
      update proof_retention set told_on = ${today}::date
      where program_id = ${programId} and purged_at is null and told_on is null
        and left_on + ${days}::int - ${noticeDays}::int <= ${today}::date
      returning student_id)
    select listed_name(u.last_name, u.first_name) as "Student" from told t
    join account u on u.program_id = ${programId} and u.id = t.student_id
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  return rows
}

/** Takes files, notes and reasons away; what was shown, from when until when, and who decided stays. */
export const purgeProofs = async (
  db: Db,
  programId: number,
  studentId: number,
  files: number,
): Promise<void> => {
  const { rows } = await sql<{ id: number }>`delete from requirement_proof_file x using requirement_proof p
    where p.program_id = ${programId} and p.student_id = ${studentId} and x.program_id = p.program_id and x.proof_id = p.id
    returning x.file_id as id`.execute(db)
  await forgetFiles(
    db,
    rows.map(({ id }) => id),
  )
  await sql`update requirement_proof set purged_at = now(), note = '', signed_from = '',
      return_reason = case state when 'returned' then 'Deleted' else '' end
    where program_id = ${programId} and student_id = ${studentId} and purged_at is null`.execute(db)
  await sql`update requirement_exemption set reason = 'Deleted' where program_id = ${programId} and student_id = ${studentId}`.execute(
    db,
  )
  await sql`update requirement_request set reason = 'Deleted', answer = case state when 'declined' then 'Deleted' else '' end
    where program_id = ${programId} and student_id = ${studentId}`.execute(db)
  await sql`update proof_retention set purged_at = now(), files = ${files}
    where program_id = ${programId} and student_id = ${studentId}`.execute(db)
  await writeAudit(db, {
    programId,
    accountId: null,
    action: 'retention: proofs',
    subjectId: studentId,
    detail: { Files: files },
    address: null,
  })
}
