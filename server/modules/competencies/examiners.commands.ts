import { sql } from 'kysely'
import type * as contract from '#contract/competencies/examiners.ts'
import type { BodyOf } from '#contract/core/endpoint.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type RowKey, setRowsDeleted } from '#server/core/database/rows.ts'

type Input = BodyOf<typeof contract.updateExaminer>

/** Adds an examiner to the roster of each site; answers the ids of the entries. */
export const addExaminers = async (
  db: Db,
  programId: number,
  siteIds: readonly number[],
  input: Input,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into exam_examiner (program_id, site_id, account_id, first_name, last_name, email, credential, credential_number,
      expires_on, examines)
    select ${programId}, site, ${input.AccountId}::bigint, ${input.FirstName}, ${input.LastName}, ${input.EmailAddress},
      ${input.Credential}, ${input.CredentialNumber}, ${input.ExpiresOn}::date, ${input.Examines}
    from unnest(${[...siteIds]}::bigint[]) as site returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Changes an entry of the roster. Exclusions are about the person: they follow them to their new address. */
export const changeExaminer = async (
  db: Db,
  { programId, id }: RowKey,
  emailBefore: string,
  input: Input,
): Promise<void> => {
  await sql`insert into exam_exclusion (program_id, email, student_id, reason, created_by)
    select program_id, lower(${input.EmailAddress}), student_id, reason, created_by from exam_exclusion
    where program_id = ${programId} and email = lower(${emailBefore}) and email <> lower(${input.EmailAddress})
    on conflict do nothing`.execute(db)
  await sql`update exam_examiner set first_name = ${input.FirstName}, last_name = ${input.LastName}, email = ${input.EmailAddress},
      credential = ${input.Credential}, credential_number = ${input.CredentialNumber}, expires_on = ${input.ExpiresOn}::date,
      examines = ${input.Examines}, account_id = ${input.AccountId}::bigint
    where program_id = ${programId} and id = ${id}`.execute(db)
}

export const setExaminersDeleted = (
  db: Db,
  programId: number,
  ids: readonly number[],
  isDeleted: boolean,
): Promise<number> => setRowsDeleted(db, 'exam_examiner', programId, ids, isDeleted)

/** Keeps that whoever has an address does not examine a student; named again, the reason is the new one. */
export const addExclusion = async (
  db: Db,
  programId: number,
  email: string,
  { StudentId, Reason }: BodyOf<typeof contract.addExclusion>,
  accountId: number,
): Promise<void> => {
  await sql`insert into exam_exclusion (program_id, email, student_id, reason, created_by)
    values (${programId}, lower(${email}), ${StudentId}, ${Reason}, ${accountId})
    on conflict (program_id, student_id, email) do update set reason = excluded.reason`.execute(db)
}

/** Deletes an exclusion for good; answers whose it was, nothing when there was none. */
export const deleteExclusion = async (
  db: Db,
  { programId, id }: RowKey,
  email: string,
): Promise<number | undefined> => {
  const { rows } = await sql<{ student: number }>`delete from exam_exclusion
    where program_id = ${programId} and id = ${id} and email = lower(${email}) returning student_id as student`.execute(
    db,
  )
  return rows[0]?.student
}
