import { type RawBuilder, sql } from 'kysely'
import type { ExamFilters, ExamRow, Recheck } from '#contract/competencies/exam-admin.ts'
import { examFilters } from '#contract/competencies/exam-admin.ts'
import type { RecheckState } from '#contract/competencies/exam-rules.ts'
import { Level } from '#contract/core/levels.ts'
import { cappedPage, maxCounted } from '#server/core/database/capped-page.ts'
import { whereOf } from '#server/core/database/filters.ts'
import type { Db } from '#server/core/database/pool.ts'
import { attemptColumns, attemptJoins } from './exams.queries.ts'

const columns = sql`${attemptColumns}, a.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student"`
const joins = sql`${attemptJoins} join account u on u.program_id = a.program_id and u.id = a.student_id`

/** The conditions of a filter on `exam_attempt a`. What is in the text of the statement lets the planner see partial indexes. */
const matching = (programId: number, filter: ExamFilters): RawBuilder<unknown> =>
  sql`a.program_id = ${programId} and ${whereOf(examFilters, filter, 'a', {
    State: (state) => sql`a.state = ${sql.lit(state)}`,
    ProcedureId: (id) => sql`a.skill_id = ${id}`,
    Simulated: (which) =>
      which === 'all'
        ? sql`a.is_simulated`
        : sql`a.is_simulated and a.simulation_approved_at is null and a.state = 'open'`,
    WithoutNote: () => sql`a.state = 'failed' and a.remediation = ''`,
    Cohort: (cohort) =>
      sql`exists (select from account w where w.program_id = a.program_id and w.id = a.student_id and w.cohort = ${cohort})`,
  })}`

const countExams = async (db: Db, where: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select from exam_attempt a where ${where} limit ${maxCounted + 1}) found`.execute(db)
  return rows[0]!.n
}

/** One page by day: it is found in an index first, and names are looked up for its rows only. */
export const listAll = async (
  db: Db,
  programId: number,
  { page, pageSize, ...filter }: ExamFilters & { page: number; pageSize: number },
) => {
  const where = matching(programId, filter)
  const { rows } = await sql<ExamRow>`
    select ${columns} from (
      select a.program_id, a.id from exam_attempt a where ${where}
      order by a.date desc, a.id desc limit ${pageSize + 1} offset ${(page - 1) * pageSize}) found
    join exam_attempt a on a.program_id = found.program_id and a.id = found.id ${joins}
    order by a.date desc, a.id desc`.execute(db)
  return cappedPage(rows, { page, pageSize }, () => countExams(db, where))
}

/** The filtered exams as they come, in chunks through a cursor. */
export async function* streamExams(db: Db, programId: number, filter: ExamFilters): AsyncGenerator<ExamRow> {
  const query =
    sql<ExamRow>`select ${columns} from exam_attempt a ${joins} where ${matching(programId, filter)}
    order by a.date desc, a.id desc`.compile(db)
  for await (const { rows } of db.getExecutor().stream<ExamRow>(query, 500)) yield* rows
}

interface RecheckFilter {
  Show: 'due' | RecheckState
  Cohort?: string | undefined
  StudentId?: number | undefined
  page: number
  pageSize: number
}

export const listAllRechecks = async (db: Db, programId: number, filter: RecheckFilter) => {
  const where = sql.join(
    [
      sql`c.program_id = ${programId}`,
      filter.Show === 'due' ? sql`c.state in ('open', 'failed')` : sql`c.state = ${sql.lit(filter.Show)}`,
      filter.StudentId && sql`c.student_id = ${filter.StudentId}`,
      filter.Cohort &&
        sql`exists (select from account w where w.program_id = c.program_id and w.id = c.student_id and w.cohort = ${filter.Cohort})`,
    ].filter((part) => part !== undefined),
    sql` and `,
  )
  const { rows } = await sql<Recheck & { total: number }>`
    select c.id as "Id", c.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student",
      coalesce(u.cohort, '') as "Cohort", c.skill_id as "ProcedureId", k.name as "Procedure", c.kind as "Kind", c.due_on as "DueOn",
      c.state as "State", found.total,
      (select min(a.date) from exam_attempt a join skill q on q.program_id = a.program_id and q.id = a.skill_id
        where a.program_id = c.program_id and a.student_id = c.student_id and a.state = 'passed' and a.recheck_id is null
          and q.lineage = k.lineage) as "PassedOn",
      (select max(a.id) from exam_attempt a where a.program_id = c.program_id and a.recheck_id = c.id) as "AttemptId"
    from (select c.program_id, c.id, count(*) over () as total from exam_recheck c where ${where}
      order by c.due_on nulls last, c.id limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}) found
    join exam_recheck c on c.program_id = found.program_id and c.id = found.id
    join account u on u.program_id = c.program_id and u.id = c.student_id
    join skill k on k.program_id = c.program_id and k.id = c.skill_id
    order by c.due_on nulls last, c.id`.execute(db)
  return {
    Items: rows.map(({ total: _total, ...row }) => row),
    Total: rows[0]?.total ?? 0,
    Page: filter.page,
    PageSize: filter.pageSize,
  }
}

/** Active students of a cohort, or these. */
export const listStudentsOf = async (
  db: Db,
  programId: number,
  { cohort, ids }: { cohort: string | null; ids: readonly number[] },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from account
    where program_id = ${programId} and access_level = ${Level.Student} and deleted_at is null and deactivated_at is null
      and (cohort = ${cohort} or id = any (${[...ids]}::bigint[]))
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
