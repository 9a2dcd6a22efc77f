import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface RegistrationProgram {
  Id: number
  ProgramName: string
  CollegeName: string
}

/** The program that a registration link opens; a program that is gone has none. */
export const findProgramByToken = (db: Db, token: string): Promise<RegistrationProgram | undefined> =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .select(['p.id as Id', 'p.name as ProgramName', 'c.name as CollegeName'])
    .where('p.registration_token', '=', token)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

export const findToken = async (db: Db, programId: number): Promise<string | null> => {
  const { registration_token } = await db
    .selectFrom('program')
    .select('registration_token')
    .where('id', '=', programId)
    .executeTakeFirstOrThrow()
  return registration_token
}

/** Registrations come one after the other: an address and a user name made at the same moment would be made twice. */
export const lockRegistrations = async (db: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('registration', 0))`.execute(db)
}

/** An account of the program with this address, active or not; a registrant who never confirmed it last. */
export const findByEmail = (db: Db, programId: number, email: string) =>
  db
    .selectFrom('account')
    .select(['id', 'user_name', 'email'])
    .select(
      sql<boolean>`access_level = ${Level.Registrant} and password_hash is null and not is_email_confirmed
        and registered_at is not null and deactivated_at is null`.as('is_unfinished'),
    )
    .where('program_id', '=', programId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .orderBy('is_unfinished')
    .limit(1)
    .executeTakeFirst()

export interface RegistrantRow {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  first_name: string
  last_name: string
  is_email_confirmed: boolean
  program_name: string | null
}

export const findRegistrant = (
  db: Db,
  programId: number,
  userId: number,
): Promise<RegistrantRow | undefined> =>
  db
    .selectFrom('account as a')
    .innerJoin('program as p', 'p.id', 'a.program_id')
    .select(['a.id as account_id', 'a.program_id', 'a.user_name', 'a.email', 'a.first_name', 'a.last_name'])
    .select(['a.is_email_confirmed', 'p.name as program_name'])
    .where('a.program_id', '=', programId)
    .where('a.id', '=', userId)
    .where('a.access_level', '=', Level.Registrant)
    .where('a.deactivated_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .forUpdate('a')
    .executeTakeFirst()

export const hasStudentLevel = async (db: Db, programId: number, id: number): Promise<boolean> => {
  const row = await db
    .selectFrom('student_level')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
