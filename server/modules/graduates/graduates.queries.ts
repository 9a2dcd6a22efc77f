import { type RawBuilder, sql } from 'kysely'
import type * as contract from '#contract/graduates/graduates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

const graduates = (db: Db, programId: number) =>
  db.selectFrom('graduate').where('program_id', '=', programId).where('deleted_at', 'is', null)

/** What is told of a graduate. */
export const columns = [
  'id as Id',
  'account_id as UserId',
  'first_name as FirstName',
  'last_name as LastName',
  'student_number as StudentNumber',
  'cohort as Cohort',
  'exam as Exam',
  'notes as Notes',
  'entered_on as EnteredOn',
  'graduated_on as GraduatedOn',
  'withdrew_on as WithdrewOn',
  'withdrawal_reason as WithdrawalReason',
  'first_attempt_on as FirstAttemptOn',
  'first_attempt_result as FirstAttemptResult',
  'passed_on as PassedOn',
  'high_cut_on as HighCutOn',
  'placement as Placement',
  'started_work_on as StartedWorkOn',
] as const

const sortColumns: Record<string, RawBuilder<unknown>> = {
  Name: sql`lower(last_name)`,
  Cohort: sql`lower(cohort)`,
  EnteredOn: sql`entered_on`,
  GraduatedOn: sql`graduated_on`,
  FirstAttemptOn: sql`first_attempt_on`,
}

const states = {
  graduated: sql<boolean>`graduated_on is not null`,
  withdrew: sql<boolean>`withdrew_on is not null`,
  enrolled: sql<boolean>`graduated_on is null and withdrew_on is null`,
}
const missing = {
  exam: sql<boolean>`graduated_on is not null and first_attempt_on is null`,
  placement: sql<boolean>`graduated_on is not null and placement is null`,
}

const found = (
  db: Db,
  programId: number,
  { State, Year, Cohort, Missing, search }: contract.GraduateFilter,
) =>
  graduates(db, programId)
    .$if(State !== undefined, (query) => query.where(states[State!]))
    .$if(Missing !== undefined, (query) => query.where(missing[Missing!]))
    .$if(Cohort !== undefined, (query) => query.where('cohort', '=', Cohort!))
    .$if(Year !== undefined, (query) =>
      query.where('graduated_on', '>=', `${Year}-01-01`).where('graduated_on', '<=', `${Year}-12-31`),
    )
    .$if(search !== '', (query) =>
      query.where(isFound(sql`first_name || ' ' || last_name || ' ' || student_number`, search)),
    )

const sorted = (db: Db, programId: number, filter: contract.GraduateFilter) => {
  const isDown = filter.sort.startsWith('-')
  // The sort is one of those that the call declares.
  const column = sortColumns[filter.sort.replace('-', '')]!
  return found(db, programId, filter)
    .select(columns)
    .orderBy(sql`${column} ${sql.raw(isDown ? 'desc nulls last' : 'asc nulls last')}`)
    .orderBy(sql`lower(last_name)`)
    .orderBy(sql`lower(first_name)`)
    .orderBy('id')
}

/** A page of those who entered the program, and how many match in all. */
export const pageGraduates = async (
  db: Db,
  programId: number,
  filter: contract.GraduateFilter & { page: number; pageSize: number },
) => {
  const { page, pageSize } = filter
  const [Items, { Total }] = await Promise.all([
    sorted(db, programId, filter)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute() as Promise<contract.Graduate[]>,
    found(db, programId, filter)
      .select(({ fn }) => fn.countAll<number>().as('Total'))
      .executeTakeFirstOrThrow(),
  ])
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const streamGraduates = (
  db: Db,
  programId: number,
  filter: contract.GraduateFilter,
): AsyncIterable<contract.Graduate> =>
  // The columns of choices are text to the database.
  sorted(db, programId, filter).stream(500) as AsyncIterable<contract.Graduate>

export const findGraduate = (
  db: Db,
  programId: number,
  graduateId: number,
): Promise<contract.Graduate | undefined> =>
  graduates(db, programId).select(columns).where('id', '=', graduateId).executeTakeFirst() as Promise<
    contract.Graduate | undefined
  >

/** Whether the person of a deleted row has another one by now. */
export const isAddedAgain = async (db: Db, programId: number, graduateId: number): Promise<boolean> => {
  const row = await graduates(db, programId)
    .select('id')
    .where('account_id', '=', ({ selectFrom }) =>
      selectFrom('graduate as d')
        .select('d.account_id')
        .where('d.program_id', '=', programId)
        .where('d.id', '=', graduateId),
    )
    .executeTakeFirst()
  return row !== undefined
}
