import { type RawBuilder, sql } from 'kysely'
import type {
  VerificationFilter,
  VerificationRow,
  VerificationTotals,
  VerifiedStudent,
} from '#contract/requirements/verifications.ts'
import { containing } from '#server/core/database/pattern.ts'
import { type Db, plannedForItsValues } from '#server/core/database/pool.ts'

/** Whose verifications: of one type, in one program, as they are on a day. */
export interface VerificationScope {
  programId: number
  type: number
  today: string
  StudentId?: number | undefined
  StudentLevelIds?: readonly number[]
  search?: string
}
export interface VerificationQuery extends VerificationScope {
  Show?: VerificationFilter | undefined
  sort: string
}

/** Days before its end from which a valid result counts as expiring. */
const expiringDays = 60

const shows: Record<VerificationFilter, RawBuilder<boolean>> = {
  complete: sql`state in ('complete', 'expiring', 'waived')`,
  missing: sql`state = 'missing'`,
  open: sql`state in ('pending', 'failed')`,
  expired: sql`state = 'expired'`,
  within60: sql`state = 'expiring'`,
  within30: sql`state = 'expiring' and days <= 30`,
  within7: sql`state = 'expiring' and days <= 7`,
}

/**
 * The rows of a scope, the missing ones too. Every student needs one background check; of immunizations each that the
 * program's vendors name for anybody, whoever the vendor is. Search finds students; names and numbers.
 */
const rowsOf = ({
  programId,
  type,
  today,
  StudentId,
  StudentLevelIds = [],
  search = '',
}: VerificationScope) => {
  const result = sql`v.program_id = ${programId} and v.type = ${type} and v.deleted_at is null`
  const missing =
    type === 1
      ? sql`select s.id, s.student, s.student_level, s.last_name, s.first_name, null::bigint, '', 'Background check', 'missing',
          '', null::date, null::date, null::date
        from people s where not exists (select from results v where v.student_id = s.id)`
      : sql`select s.id, s.student, s.student_level, s.last_name, s.first_name, null::bigint, '', i.item, 'missing',
          '', null::date, null::date, null::date
        from people s
        cross join items i
        where not exists (select from results v where v.student_id = s.id and lower(v.item) = i.name)`
  return sql`
    results as materialized (
      select v.id, v.student_id, v.vendor, v.item, v.status, v.result, v.ordered_on, v.completed_on, v.expires_on
      from verification v where ${result} ${StudentId === undefined ? sql`` : sql`and v.student_id = ${StudentId}`}),
    -- Of the few different spellings, not of every result.
    items as materialized (select distinct on (lower(n.item)) lower(n.item) as name, n.item
      from (select v.item, min(v.id) as id from ${StudentId === undefined ? sql`results v` : sql`verification v where ${result}`} group by v.item) n
      order by lower(n.item), n.id),
    people as materialized (
      select a.id, a.last_name || ', ' || a.first_name as student, coalesce(l.name, '') as student_level,
        lower(a.last_name) as last_name, lower(a.first_name) as first_name
      from account a left join student_level l on l.program_id = a.program_id and l.id = a.student_level_id
      where a.program_id = ${programId} and a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null
        ${StudentId === undefined ? sql`` : sql`and a.id = ${StudentId}`}
        ${StudentLevelIds.length === 0 ? sql`` : sql`and a.student_level_id = any (${[...StudentLevelIds]}::smallint[])`}
        ${
          search === ''
            ? sql``
            : sql`and (a.first_name || ' ' || a.last_name || ' ' || a.user_name || ' ' || a.email || ' ' || coalesce(a.student_number, ''))
                ilike ${containing(search)}`
        }),
    raw (student_id, student, student_level, last_name, first_name, id, vendor, item, status, result, ordered_on,
      completed_on, expires_on) as (
      select s.id, s.student, s.student_level, s.last_name, s.first_name, v.id, v.vendor, v.item, v.status, v.result,
        v.ordered_on, v.completed_on, v.expires_on
      from people s join results v on v.student_id = s.id
      union all ${missing}),
    standing as (
      select raw.*, expires_on - ${today}::date as days,
        case when status in ('missing', 'waived') then status
          when expires_on < ${today}::date then 'expired'
          when status in ('pending', 'failed') then status
          when expires_on <= ${today}::date + ${expiringDays}::integer then 'expiring'
          else 'complete' end as state
      from raw)`
}

const counts = sql`
  count(*) filter (where ${shows.complete}) as "Complete", count(*) filter (where ${shows.missing}) as "Missing",
  count(*) filter (where ${shows.open}) as "Open", count(*) filter (where ${shows.expired}) as "Expired",
  count(*) filter (where ${shows.within60}) as "Within60", count(*) filter (where ${shows.within30}) as "Within30",
  count(*) filter (where ${shows.within7}) as "Within7"`

const columns = sql`id as "Id", student_id as "StudentId", student as "Student", student_level as "StudentLevel",
  vendor as "Vendor", item as "Item", state as "State", result as "Result", ordered_on as "Ordered",
  completed_on as "Completed", expires_on as "Expires", days as "Days"`

/** What is worst first. */
const severity = sql`array_position(array['expired', 'missing', 'failed', 'expiring', 'pending', 'complete', 'waived'], state)`
const byName = sql`last_name, first_name, student_id`

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
  Complete: sql`"Complete"`,
  Missing: sql`"Missing"`,
  Open: sql`"Open"`,
  Expired: sql`"Expired"`,
  Within60: sql`"Within60"`,
  NextExpiry: sql`"NextExpiry"`,
}
const order = (orders: Record<string, RawBuilder<unknown>>, sort: string): RawBuilder<unknown> =>
  sql`${orders[sort.replace('-', '')]} ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')} nulls last, ${byName}`

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

/** A page of rows and the totals, from one look at everything. */
export const pageVerificationRows = async (
  db: Db,
  query: VerificationQuery,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: VerificationRow[]; Totals: VerificationTotals }> => {
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

/** A page of students with their counts, of those that have something of what is shown; how many there are, and the totals. */
export const pageVerifiedStudents = async (
  db: Db,
  query: VerificationQuery,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: VerifiedStudent[]; Total: number; Totals: VerificationTotals }> => {
  const names = ['Complete', 'Missing', 'Open', 'Expired', 'Within60', 'Within30', 'Within7'].map((name) =>
    sql.ref(name),
  )
  const { rows } = await sql<{ Items: VerifiedStudent[]; Total: number; Totals: VerificationTotals }>`
    with ${rowsOf(query)},
    students as (
      select student_id, student, student_level, last_name, first_name, ${counts},
        min(expires_on) filter (where expires_on >= ${query.today}::date and state in ('complete', 'expiring')) as "NextExpiry",
        ${query.Show ? sql`count(*) filter (where ${shows[query.Show]}) > 0` : sql`true`} as is_shown
      from standing group by 1, 2, 3, 4, 5),
    page as (
      select student_id as "StudentId", student as "Student", student_level as "StudentLevel", ${sql.join(names)}, "NextExpiry"
      from students where is_shown
      order by ${order(studentOrders, query.sort)} limit ${pageSize} offset ${(page - 1) * pageSize})
    select coalesce((select json_agg(page) from page), '[]') as "Items",
      (select count(*) from students where is_shown) as "Total",
      (select json_build_object(${sql.join(names.flatMap((name, index) => [sql.lit(['Complete', 'Missing', 'Open', 'Expired', 'Within60', 'Within30', 'Within7'][index]), sql`coalesce(sum(${name}), 0)`]))})
        from students) as "Totals" ${plannedForItsValues}`.execute(db)
  return rows[0]!
}
