import { type RawBuilder, sql } from 'kysely'
import type { CompetencyGridFilters, CompetencySort } from '#contract/competencies/competency-grid.ts'
import { cellsOfState } from '#contract/competencies/grid-states.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import type { Pace } from './term-targets.queries.ts'

export interface GridStudy {
  Id: number
  Name: string
  IsPatientCare: boolean
  ElectivesNeeded: number
}

export interface GridProcedure {
  Id: number
  MajorStudyId: number
  Name: string
  IsMandatory: boolean
  LogsNeeded: number
  /** Where it is in the cells of a row. */
  At: number
}

export interface GridColumns {
  Studies: GridStudy[]
  /** In the order of the list. */
  Procedures: GridProcedure[]
  /** The same for the same procedures. */
  Columns: string
  ElectivesNeeded: number
}

/** What tells whether the cells of a row are about the procedures that somebody has in mind. */
const columnsKey = (programId: number, listId: number): RawBuilder<string> => sql<string>`
  (select coalesce(md5(string_agg(t.id::text, ',' order by t.id)), '') from skill t
    join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
    where t.program_id = ${programId} and m.list_id = ${listId} and t.deleted_at is null)`

/** What a list needs of electives, and the key of its columns; undefined where it is not there. */
export const findGridList = async (
  db: Db,
  programId: number,
  listId: number,
): Promise<Pick<GridColumns, 'Columns' | 'ElectivesNeeded'> | undefined> => {
  const { rows } = await sql<Pick<GridColumns, 'Columns' | 'ElectivesNeeded'>>`
    select l.electives_needed as "ElectivesNeeded", ${columnsKey(programId, listId)} as "Columns" from competency_list l
    where l.program_id = ${programId} and l.id = ${listId} and l.deleted_at is null`.execute(db)
  return rows[0]
}

/** The major studies and procedures of a list; undefined where it is not there. */
export const findGridColumns = async (
  db: Db,
  programId: number,
  listId: number,
): Promise<GridColumns | undefined> => {
  const list = await findGridList(db, programId, listId)
  if (!list) return undefined
  const studies = await sql<GridStudy>`
    select m.id as "Id", m.name as "Name", m.is_patient_care as "IsPatientCare", m.electives_needed as "ElectivesNeeded"
    from major_study m where m.program_id = ${programId} and m.list_id = ${listId} and m.deleted_at is null
    order by m.position, m.id`.execute(db)
  const procedures = await sql<GridProcedure>`
    select t.id as "Id", t.major_study_id as "MajorStudyId", t.name as "Name", t.is_mandatory as "IsMandatory",
      t.unlock_count as "LogsNeeded", row_number() over (order by t.id) - 1 as "At"
    from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
    where t.program_id = ${programId} and m.list_id = ${listId} and t.deleted_at is null
    order by m.position, m.id, t.position, t.id`.execute(db)
  return { ...list, Studies: studies.rows, Procedures: procedures.rows }
}

export interface GridOf {
  programId: number
  listId: number
  filter: CompetencyGridFilters
  pace: Pace
}

/** The rank of a procedure among those of its list by id, from 1: its place in the cells. */
const places = ({ programId, listId, filter }: GridOf): RawBuilder<unknown> => sql`
  (select p.place from (
      select t.id, t.major_study_id, row_number() over (order by t.id)::integer as place
      from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
      where t.program_id = ${programId} and m.list_id = ${listId} and t.deleted_at is null) p
    where ${filter.ProcedureId ? sql`p.id = ${filter.ProcedureId}` : sql`p.major_study_id = ${filter.MajorStudyId}`})`

const isInState = (of: GridOf): RawBuilder<unknown> => {
  // Given whenever this is asked.
  const letters = cellsOfState(of.filter.State!)
  return of.filter.ProcedureId || of.filter.MajorStudyId
    ? sql`exists (select from unnest(array${places(of)}) p where position(substr(s.cells, p, 1) in ${letters}) > 0)`
    : sql`translate(s.cells, ${letters}, '') <> s.cells`
}

/** The fewest exams with which a student `a` is not behind. */
const fewest = ({ byCohort, others }: Pace): RawBuilder<number> =>
  Object.keys(byCohort).length === 0
    ? sql<number>`${others}::integer`
    : sql<number>`coalesce((${JSON.stringify(byCohort)}::jsonb ->> a.cohort)::integer, ${others})`

/** The students of the filter: `from competency_standing s join account a … where …`. */
const gridStudents = (of: GridOf): RawBuilder<unknown> => {
  const { programId, listId, filter, pace } = of
  const conditions = [
    sql`s.program_id = ${programId} and s.list_id = ${listId} and a.deactivated_at is null and a.deleted_at is null`,
    filter.Cohort && sql`a.cohort = ${filter.Cohort}`,
    filter.StudentLevelId && sql`a.student_level_id = ${filter.StudentLevelId}`,
    filter.AreaId && sql`a.area_id = ${filter.AreaId}`,
    filter.State && isInState(of),
    filter.IsBehind && sql`s.passed < ${fewest(pace)}`,
    filter.search &&
      isFound(
        sql`a.first_name || ' ' || a.last_name || ' ' || coalesce(a.student_number, '')`,
        filter.search,
      ),
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  return sql`from competency_standing s join account a on a.program_id = s.program_id and a.id = s.student_id
    where ${sql.join(conditions, sql` and `)}`
}

export interface GridTotals {
  students: number
  behind: number
  /** The cells of all students of the filter. */
  cells: string[]
}

/** How many students the filter leaves and what their cells say: as one text, which costs less to carry over than thousands of rows. */
export const sumGrid = async (db: Db, of: GridOf): Promise<GridTotals> => {
  const { rows } = await sql<{ students: number; behind: number; cells: string | null }>`
    select count(*) as students, count(*) filter (where s.passed < ${fewest(of.pace)}) as behind,
      string_agg(s.cells, ',') as cells
    ${gridStudents(of)}`.execute(db)
  // A sum of no rows is one row, too.
  const { students, behind, cells } = rows[0]!
  return { students, behind, cells: cells === null || cells === '' ? [] : cells.split(',') }
}

export interface GridRow {
  Id: number
  LastName: string
  FirstName: string
  StudentLevelId: number | null
  Cohort: string | null
  Cells: string
  Passed: number
  Done: number
  Ready: number
  Logged: number
}

const orders: Readonly<Record<'Name' | 'Passed' | 'Ready' | 'Logged', string>> = {
  Name: 'lower(a.last_name)',
  Passed: 's.passed',
  Ready: 's.ready',
  Logged: 's.logged',
}

const orderOf = (sort: CompetencySort): RawBuilder<unknown> => {
  // Sorts are these fields, with a minus or without.
  const field = sort.replace('-', '') as keyof typeof orders
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  return field === 'Name'
    ? sql`lower(a.last_name) ${direction}, lower(a.first_name) ${direction}, a.id ${direction}`
    : sql`${sql.raw(orders[field])} ${direction}, lower(a.last_name), lower(a.first_name), a.id`
}

const rowColumns = sql`a.id as "Id", a.last_name as "LastName", a.first_name as "FirstName",
  a.student_level_id::integer as "StudentLevelId", a.cohort as "Cohort", s.cells as "Cells", s.passed as "Passed", s.done as "Done",
  s.ready as "Ready", s.logged as "Logged"`

/** A page of the grid, and all of it without a limit. */
export const pageGrid = async (
  db: Db,
  of: GridOf & { sort: CompetencySort; offset: number; limit: number | null },
): Promise<GridRow[]> => {
  const { rows } = await sql<GridRow>`
    select ${rowColumns} ${gridStudents(of)} order by ${orderOf(of.sort)}
    offset ${of.offset} limit ${of.limit}`.execute(db)
  return rows
}
