import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'

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
  const { first_name, last_name } = await db
    .selectFrom('account')
    .select(['first_name', 'last_name'])
    .where('program_id', '=', programId)
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  await notifyCoordinators(db, programId, {
    kind: 'registrant',
    text: `${first_name} ${last_name} has registered. Approve or decline the registration.`,
    link: `/new/admin/manage-users?level=${Level.Registrant}`,
  })
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
