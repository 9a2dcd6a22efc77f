import type { Db } from '#server/core/database/pool.ts'

/** The numbers that the college has given its students, by their accounts; '' where there is none. */
export const readStudentNumbers = async (
  db: Db,
  programId: number,
): Promise<(studentId: number) => string> => {
  const rows = await db
    .selectFrom('account')
    .select(['id', 'student_number'])
    .where('program_id', '=', programId)
    .where('student_number', 'is not', null)
    .execute()
  const numbers = new Map(rows.map(({ id, student_number }) => [id, student_number ?? '']))
  return (studentId) => numbers.get(studentId) ?? ''
}
