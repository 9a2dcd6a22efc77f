import { type RawBuilder, sql } from 'kysely'
import type {
  VerificationFilter,
  VerificationRow,
  VerificationTotals,
  VerifiedStudent,
} from '#contract/requirements/verifications.ts'
import { type Db, plannedForItsValues } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** Whose verifications: of one type, in one program, as they are on a day. */
export interface VerificationScope {
  programId: number
  type: number
  today: string
  /** Whether what every student's results come to on this day is kept. */
  isKept?: boolean
  StudentId?: number | undefined
  StudentLevelIds?: readonly number[]
  search?: string
}
export interface VerificationQuery extends VerificationScope {
  Show?: VerificationFilter | undefined
  sort: string
}

const shows: Record<VerificationFilter, RawBuilder<boolean>> = {
  complete: sql`state in ('complete', 'expiring', 'waived')`,
  missing: sql`state = 'missing'`,
  open: sql`state in ('pending', 'failed')`,
  expired: sql`state = 'expired'`,
  within60: sql`state = 'expiring'`,
  within30: sql`state = 'expiring' and days <= 30`,
  within7: sql`state = 'expiring' and days <= 7`,
}

/** The students of a scope. Search finds students; names and numbers. */
const peopleOf = ({ programId, StudentId, StudentLevelIds = [], search = '' }: VerificationScope) => sql`
    select a.id, listed_name(a.last_name, a.first_name) as student, a.student_level_id,
      lower(a.last_name) as last_name, lower(a.first_name) as first_name
    from account a where a.program_id = ${programId} and a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null
      ${StudentId === undefined ? sql`` : sql`and a.id = ${StudentId}`}
      ${StudentLevelIds.length === 0 ? sql`` : sql`and a.student_level_id = any (${[...StudentLevelIds]}::bigint[])`}
      ${
        search === ''
          ? sql``
          : sql`and ${isFound(sql`a.first_name || ' ' || a.last_name || ' ' || a.user_name || ' ' || a.email || ' ' || coalesce(a.student_number, '')`, search)}`
      }`

/** The students of a table with the names of their levels. */
const withLevels = ({ programId }: VerificationScope, people: RawBuilder<unknown>) => sql`
  select s.*, coalesce(l.name, '') as student_level
  from ${people} s left join student_level l on l.program_id = ${programId} and l.id = s.student_level_id`

/**
 * The rows of the students in the table `people`, the missing ones too, from their `results`. Every student needs one background
 * check; of immunizations each of `items`, which the program's vendors name for anybody, whoever the vendor is.
 */
const rowsOfPeople = ({ type, today }: VerificationScope) => {
  const missing =
    type === 1
      ? sql`select s.id, s.student, s.student_level_id, s.student_level, s.last_name, s.first_name, null::bigint, '', 'Background check', 'missing',
          '', null::date, null::date, null::date
        from people s where not exists (select from results v where v.student_id = s.id)`
      : sql`select s.id, s.student, s.student_level_id, s.student_level, s.last_name, s.first_name, null::bigint, '', i.item, 'missing',
          '', null::date, null::date, null::date
        from people s
        cross join items i
        where not exists (select from results v where v.student_id = s.id and lower(v.item) = i.name)`
  return sql`
    raw (student_id, student, student_level_id, student_level, last_name, first_name, id, vendor, item, status, result, ordered_on,
      completed_on, expires_on) as (
      select s.id, s.student, s.student_level_id, s.student_level, s.last_name, s.first_name, v.id, v.vendor, v.item, v.status, v.result,
        v.ordered_on, v.completed_on, v.expires_on
      from people s join results v on v.student_id = s.id
      union all ${missing}),
    standing as (
      select raw.*, expires_on - ${today}::date as days,
        verification_state(status, expires_on, ${today}::date) as state
      from raw)`
}

const ofProgram = ({ programId, type }: VerificationScope) =>
  sql`verification v where v.program_id = ${programId} and v.type = ${type} and v.deleted_at is null`

const resultsOf = (scope: VerificationScope, whose: RawBuilder<unknown>) => sql`
  results as materialized (
    select v.id, v.student_id, v.vendor, v.item, v.status, v.result, v.ordered_on, v.completed_on, v.expires_on
    from ${ofProgram(scope)} ${whose})`

const keptItems = ({ programId, type }: VerificationScope) =>
  sql`verification_named_item i where i.program_id = ${programId} and i.type = ${type}`

/** The items that everybody needs, each by its first spelling: as they are kept, or of the few spellings of all results. */
const itemsOf = (scope: VerificationScope) =>
  scope.isKept
    ? sql`items as materialized (select i.name, i.item from ${keptItems(scope)})`
    : sql`items as materialized (select distinct on (lower(n.item)) lower(n.item) as name, n.item
      from (select v.item, min(v.id) as id from ${scope.StudentId === undefined ? sql`results v` : ofProgram(scope)} group by v.item) n
      order by lower(n.item), n.id)`

/** The rows of a scope, judged one by one. */
const rowsOf = (scope: VerificationScope) => {
  const { StudentId } = scope
  return sql`
    ${resultsOf(scope, StudentId === undefined ? sql`` : sql`and v.student_id = ${StudentId}`)},
    ${itemsOf(scope)},
    people as materialized (${withLevels(scope, sql`(${peopleOf(scope)})`)}),
    ${rowsOfPeople(scope)}`
}

/**
 * What is kept of every student of a scope, on its day. Who has no results misses everything. Names are put together for whoever is
 * read: made for all, they cost more than all else of a page, so what needs few asks where it needs them (`isInPlace`).
 */
const keptStandings = (scope: VerificationScope, { isInPlace = false } = {}) => {
  const { programId, type } = scope
  const nothing = type === 1 ? sql`1` : sql`(select count(*) from ${keptItems(scope)})`
  return sql`
    standings as ${isInPlace ? sql`not materialized` : sql`materialized`} (
      select s.*, coalesce(k.complete, 0) as complete, coalesce(k.missing, ${nothing}) as missing, coalesce(k.open, 0) as open,
        coalesce(k.expired, 0) as expired, coalesce(k.within60, 0) as within60, coalesce(k.within30, 0) as within30,
        coalesce(k.within7, 0) as within7, k.next_expiry
      from (${peopleOf(scope)}) s left join verification_standing k
        on k.program_id = ${programId} and k.type = ${type} and k.student_id = s.id)`
}

/** The kept count of each state, and how the answer names it. */
const kept = [
  ['complete', 'Complete'],
  ['missing', 'Missing'],
  ['open', 'Open'],
  ['expired', 'Expired'],
  ['within60', 'Within60'],
  ['within30', 'Within30'],
  ['within7', 'Within7'],
] as const satisfies readonly (readonly [VerificationFilter, keyof VerificationTotals])[]
/** The counts of rows, by the names of their states or of the answer. */
const countsAs = (nameOf: (state: (typeof kept)[number]) => string) =>
  sql.join(kept.map((state) => sql`count(*) filter (where ${shows[state[0]]}) as ${sql.ref(nameOf(state))}`))
const counts = countsAs(([, name]) => name)
/** The kept counts of students, added up. */
const sumOfKept = sql`json_build_object(${sql.join(
  kept.flatMap(([column, name]) => [sql.lit(name), sql`coalesce(sum(${sql.ref(column)}), 0)`]),
)})`

const columns = sql`id as "Id", student_id as "StudentId", student as "Student", student_level as "StudentLevel",
  vendor as "Vendor", item as "Item", state as "State", result as "Result", ordered_on as "Ordered",
  completed_on as "Completed", expires_on as "Expires", days as "Days"`

/** What is worst first. */
const severity = sql`array_position(array['expired', 'missing', 'failed', 'expiring', 'pending', 'complete', 'waived'], state)`

const rowOrders: Record<string, RawBuilder<unknown>> = {
  Student: sql`last_name`,
  Vendor: sql`lower(vendor)`,
  Item: sql`lower(item)`,
  State: severity,
  Ordered: sql`ordered_on`,
  Completed: sql`completed_on`,
  Expires: sql`expires_on`,
}
const studentOrders: Record<string, RawBuilder<unknown>> = {
  Student: sql`last_name`,
  Complete: sql`complete`,
  Missing: sql`missing`,
  Open: sql`open`,
  Expired: sql`expired`,
  Within60: sql`within60`,
  NextExpiry: sql`next_expiry`,
}
const order = (
  orders: Record<string, RawBuilder<unknown>>,
  sort: string,
  student: RawBuilder<unknown> = sql`student_id`,
): RawBuilder<unknown> =>
  sql`${orders[sort.replace('-', '')]} ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')} nulls last, last_name, first_name, ${student}`

const shown = (show: VerificationFilter | undefined) => (show ? sql`where ${shows[show]}` : sql``)

export const countVerifications = async (db: Db, scope: VerificationScope): Promise<VerificationTotals> => {
  const { rows } =
    await sql<VerificationTotals>`with ${rowsOf(scope)} select ${counts} from standing`.execute(db)
  return rows[0]!
}

const allRows = (query: VerificationQuery) => sql<VerificationRow>`
  with ${rowsOf(query)} select ${columns} from standing ${shown(query.Show)}
  order by ${order(rowOrders, query.sort)}, lower(item), id`

export const listVerificationRows = async (db: Db, query: VerificationQuery): Promise<VerificationRow[]> =>
  (await allRows(query).execute(db)).rows

interface Page {
  page: number
  pageSize: number
}

/** The page of rows in the order of students, made for the few students that are on it, and the totals of all that is kept. */
const keptPage = (query: VerificationQuery, { page, pageSize }: Page) => {
  const skipped = (page - 1) * pageSize
  const rows = query.Show ? sql.ref(query.Show) : sql`(complete + missing + open + expired)`
  const way = sql.raw(query.sort.startsWith('-') ? 'desc' : 'asc')
  return sql<{ Items: VerificationRow[]; Totals: VerificationTotals }>`
    with ${keptStandings(query, { isInPlace: !query.search })},
    -- Each has a row at least: the page ends with the first of them, and nobody behind it is sorted.
    first as (select s.*, ${rows} as rows from standings s where ${rows} > 0
      order by last_name ${way}, first_name, id limit ${skipped + pageSize}),
    placed as (select s.*, sum(rows) over (order by last_name ${way}, first_name, id) as through from first s),
    people as materialized (${withLevels(
      query,
      sql`(select * from placed where through > ${skipped} and through - rows < ${skipped + pageSize})`,
    )}),
    ${resultsOf(query, sql`and v.student_id in (select id from people)`)},
    ${itemsOf(query)},
    ${rowsOfPeople(query)},
    page as (select ${columns} from standing ${shown(query.Show)} order by ${order(rowOrders, query.sort)}, lower(item), id
      limit ${pageSize} offset coalesce(${skipped} - (select min(through - rows) from people), 0))
    select coalesce((select json_agg(page) from page), '[]') as "Items",
      (select ${sumOfKept} from standings) as "Totals"`
}

/**
 * The page of rows in any other order, and the totals of all that is kept. Of most rows only what puts them in order is read: the column
 * of the sort, and the place of the student among all. Those of the page are made whole, with whatever ties with its last.
 */
const sortedPage = (query: VerificationQuery, { page, pageSize }: Page) => {
  const { programId, type, today, sort } = query
  const skipped = (page - 1) * pageSize
  const key = rowOrders[sort.replace('-', '')]!
  const way = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const judged = sql`b.expires_on - ${today}::date as days, verification_state(b.status, b.expires_on, ${today}::date) as state`
  const missing =
    type === 1
      ? sql`select s.id, s.place, 'Background check' as item from places s
          where s.missing > 0 and not exists (select from owing v where v.student_id = s.id)`
      : sql`select s.id, s.place, i.item from places s cross join items i
          where s.missing > 0 and not exists (select from owing v where v.student_id = s.id and v.name = i.name)`
  return sql<{ Items: VerificationRow[]; Totals: VerificationTotals }>`
    with ${keptStandings(query)}, ${itemsOf(query)},
    places as materialized (
      select s.id, s.missing, row_number() over (order by s.last_name, s.first_name, s.id) as place from standings s),
    owing as materialized (
      select v.student_id, lower(v.item) as name from ${ofProgram(query)}
        and v.student_id in (select s.id from places s where s.missing > 0)),
    brief as (
      select v.id, s.id as student_id, s.place, v.vendor, v.item, v.status, v.ordered_on, v.completed_on, v.expires_on
      from (select * from ${ofProgram(query)}) v join places s on s.id = v.student_id
      union all
      select null, m.id, m.place, '', m.item, 'missing', null::date, null::date, null::date from (${missing}) m),
    first as materialized (
      select b.id, b.student_id, b.item from (select b.*, ${judged} from brief b) b ${shown(query.Show)}
      order by ${key} ${way} nulls last, b.place fetch first (${skipped + pageSize}::bigint) rows with ties),
    people as (${withLevels(query, sql`(select * from standings where id in (select f.student_id from first f))`)}),
    standing as (
      select b.*, ${judged} from (
        select s.id as student_id, s.student, s.student_level, s.last_name, s.first_name, v.id, coalesce(v.vendor, '') as vendor, f.item,
          coalesce(v.status, 'missing') as status, coalesce(v.result, '') as result, v.ordered_on, v.completed_on, v.expires_on
        from first f join people s on s.id = f.student_id
        left join verification v on v.program_id = ${programId} and v.id = f.id) b),
    page as (select ${columns} from standing
      order by ${order(rowOrders, sort)}, lower(item), id limit ${pageSize} offset ${skipped})
    select coalesce((select json_agg(page) from page), '[]') as "Items",
      (select ${sumOfKept} from standings) as "Totals" ${plannedForItsValues}`
}

/** A page of rows and the totals, from what is kept where it is of the day; otherwise every row is judged. */
export const pageVerificationRows = async (
  db: Db,
  query: VerificationQuery,
  { page, pageSize }: Page,
): Promise<{ Items: VerificationRow[]; Totals: VerificationTotals }> => {
  if (query.isKept) {
    const pageOf = query.sort.endsWith('Student') ? keptPage : sortedPage
    return (await pageOf(query, { page, pageSize }).execute(db)).rows[0]!
  }
  const { rows } = await sql<{ Items: VerificationRow[]; Totals: VerificationTotals }>`
    with ${rowsOf(query)},
    page as (select ${columns} from standing ${shown(query.Show)}
      order by ${order(rowOrders, query.sort)}, lower(item), id limit ${pageSize} offset ${(page - 1) * pageSize})
    select coalesce((select json_agg(page) from page), '[]') as "Items",
      (select to_json(t) from (select ${counts} from standing) t) as "Totals" ${plannedForItsValues}`.execute(
    db,
  )
  return rows[0]!
}

/** The counts of every student, from every row. */
const judgedStandings = (query: VerificationQuery) => sql`
  ${rowsOf(query)},
  standings as materialized (
    select student_id as id, student, student_level_id, last_name, first_name,
      ${countsAs(([column]) => column)},
      min(expires_on) filter (where expires_on >= ${query.today}::date and state in ('complete', 'expiring')) as next_expiry
    from standing group by 1, 2, 3, 4, 5)`

/** A page of students with their counts, of those that have something of what is shown; how many there are, and the totals. */
export const pageVerifiedStudents = async (
  db: Db,
  query: VerificationQuery,
  { page, pageSize }: Page,
): Promise<{ Items: VerifiedStudent[]; Total: number; Totals: VerificationTotals }> => {
  const isShown = query.Show ? sql`${sql.ref(query.Show)} > 0` : sql`complete + missing + open + expired > 0`
  const { rows } = await sql<{ Items: VerifiedStudent[]; Total: number; Totals: VerificationTotals }>`
    with ${query.isKept ? keptStandings(query) : judgedStandings(query)},
    page as (
      select id as "StudentId", student as "Student", coalesce((select l.name from student_level l
          where l.program_id = ${query.programId} and l.id = student_level_id), '') as "StudentLevel",
        ${sql.join(kept.map(([column, name]) => sql`${sql.ref(column)} as ${sql.ref(name)}`))}, next_expiry as "NextExpiry"
      from standings where ${isShown}
      order by ${order(studentOrders, query.sort, sql`id`)} limit ${pageSize} offset ${(page - 1) * pageSize})
    select coalesce((select json_agg(page) from page), '[]') as "Items",
      (select count(*) from standings where ${isShown}) as "Total",
      (select ${sumOfKept} from standings) as "Totals" ${query.isKept ? sql`` : plannedForItsValues}`.execute(
    db,
  )
  return rows[0]!
}
