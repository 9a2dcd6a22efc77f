import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

export const setToken = async (db: Db, programId: number, token: string | null): Promise<void> => {
  await db.updateTable('program').set({ registration_token: token }).where('id', '=', programId).execute()
}

export interface NewRegistrant {
  userName: string
  firstName: string
  lastName: string
  email: string
  phone: string
  zip: string
}

export const addRegistrant = async (db: Db, programId: number, person: NewRegistrant): Promise<number> => {
  const { id } = await db
    .insertInto('account')
    .values({
      program_id: programId,
      user_name: person.userName,
      access_level: Level.Registrant,
      email: person.email,
      first_name: person.firstName,
      last_name: person.lastName,
      phone: person.phone,
      zip: person.zip,
      registered_at: sql<string>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Tells the coordinators of the program that somebody waits for their decision. */
export const notifyOfRegistrant = async (db: Db, programId: number, accountId: number): Promise<void> => {
  await sql`insert into notification (program_id, account_id, kind, text, link)
    select c.program_id, c.id, 'registrant',
      r.first_name || ' ' || r.last_name || ' has registered. Approve or decline the registration.',
      ${`/new/admin/manage-users?level=${Level.Registrant}`}
    from account c join account r on r.program_id = c.program_id and r.id = ${accountId}
    where c.program_id = ${programId} and c.access_level = ${Level.Coord} and c.deleted_at is null
      and c.deactivated_at is null`.execute(db)
}

export const makeStudent = async (
  db: Db,
  programId: number,
  userId: number,
  student: { studentLevelId: number | null; cohort: string | null },
): Promise<void> => {
  await db
    .updateTable('account')
    .set({
      access_level: Level.Student,
      student_level_id: student.studentLevelId,
      cohort: student.cohort,
    })
    .where('program_id', '=', programId)
    .where('id', '=', userId)
    .execute()
}

export const endAccess = async (db: Db, programId: number, userId: number): Promise<void> => {
  await db
    .updateTable('account')
    .set({ deactivated_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('id', '=', userId)
    .execute()
}
