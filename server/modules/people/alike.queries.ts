import { sql } from 'kysely'
import { AlikePeople, type NamedPerson } from '#contract/people/alike.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The people of a program by name, to find who somebody new may be. */
export const readAlikePeople = async (
  db: Db,
  programId: number,
): Promise<AlikePeople<NamedPerson & { UserName: string }>> => {
  const { rows } = await sql<NamedPerson & { UserName: string }>`
    select first_name as "FirstName", last_name as "LastName", student_number as "StudentNumber", user_name as "UserName"
    from account where program_id = ${programId} and deleted_at is null order by id`.execute(db)
  return new AlikePeople(rows)
}
