import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { nameKey } from '#server/core/imports/names.ts'
import { indexBy } from '#server/core/imports/plan.ts'

/** A student as rows of a file may name them. */
export interface NamedStudent {
  id: number
  number: string | null
  userName: string
  email: string
  firstName: string
  lastName: string
}

/** Finds the student whom a cell names: by number, user name, email address or name, in this order. */
export const studentsBy = (
  students: readonly NamedStudent[],
): ((named: string) => { id: number } | { problem: string }) => {
  const indexes = [
    indexBy(students, ({ number }) => nameKey(number)),
    indexBy(students, ({ userName }) => nameKey(userName)),
    indexBy(students, ({ email }) => nameKey(email)),
    indexBy(students, ({ firstName, lastName }) => [
      nameKey(`${lastName}, ${firstName}`),
      nameKey(`${firstName} ${lastName}`),
    ]),
  ]
  return (named) => {
    const wanted = nameKey(named)
    const found = indexes.map((index) => index.get(wanted) ?? []).find((each) => each.length > 0) ?? []
    if (found.length === 0) return { problem: `“${named}” is not an active student of this program.` }
    if (found.length > 1)
      return {
        problem: `${found.length} students are named ${named}. Use the student ID or the user name.`,
      }
    return { id: found[0]!.id }
  }
}

/** The active students of a program, as files may name them. */
export const listNamedStudents = (db: Db, programId: number): Promise<NamedStudent[]> =>
  db
    .selectFrom('account')
    .select(['id', 'student_number as number', 'user_name as userName', 'email'])
    .select(['first_name as firstName', 'last_name as lastName'])
    .where('program_id', '=', programId)
    .where('access_level', '=', Level.Student)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .execute()
