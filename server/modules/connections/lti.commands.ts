import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { RosterMember } from './roster.rules.ts'

export const insertRoster = async (
  db: Db,
  roster: {
    programId: number
    connectionId: number
    courseId: number
    members: readonly RosterMember[]
    adoptsByEmail: boolean
    by: number
  },
): Promise<{ id: number; read_at: string }> =>
  db
    .insertInto('lti_roster')
    .values({
      program_id: roster.programId,
      provider_id: roster.connectionId,
      course_id: roster.courseId,
      members: JSON.stringify(roster.members),
      adopts_by_email: roster.adoptsByEmail,
      read_by: roster.by,
    })
    .returning(['id', 'read_at'])
    .executeTakeFirstOrThrow()

export const noteApplied = async (db: Db, programId: number, rosterId: number): Promise<void> => {
  await db
    .updateTable('lti_roster')
    .set({ applied_at: sql`now()`, members: '[]' })
    .where('program_id', '=', programId)
    .where('id', '=', rosterId)
    .execute()
}

/** Puts people on the roster of a course, and takes others off it. */
export const saveRosterMembers = async (
  db: Db,
  { programId, courseId }: { programId: number; courseId: number },
  { come, gone }: { come: readonly number[]; gone: readonly number[] },
): Promise<void> => {
  await sql`with gone as (delete from lti_roster_member where program_id = ${programId} and course_id = ${courseId}
      and account_id = any (${[...gone]}::bigint[]))
    insert into lti_roster_member (program_id, course_id, account_id)
    select ${programId}::bigint, ${courseId}::bigint, id from unnest(${[...come]}::bigint[]) as id
    on conflict do nothing`.execute(db)
}
