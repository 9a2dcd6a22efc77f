import { type RawBuilder, sql } from 'kysely'
import type { Out } from '#contract/core/endpoint.ts'
import type {
  AssignmentFilters,
  AssignmentSort,
  listShiftAssignments as listCall,
  ShiftAssignment,
} from '#contract/scheduling/assignments.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { type Db, plannedForItsValues } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { cursorOf, readCursor } from '#server/core/http/cursor.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'
import { personalFilter } from './personal-filters.queries.ts'

/** Whose list it is: the program, how far the caller sees, and the owner of the personal filters. */
export interface Reader {
  programId: number
  accountId: number
  scope: SiteScope
}

/** Exact counts stop here: a list of more rows shows "10,000+" and pages by cursor. */
const maxCounted = 10_000

const filtered = (db: Db, { programId, accountId, scope }: Reader, filters: AssignmentFilters) => {
  return (
    db
      .selectFrom('shift_assignment as a')
      .where('a.program_id', '=', programId)
      .where('a.removed_at', 'is', null)
      .$if(scope.supervisorId !== null, (query) => query.where(inScope(scope, 'a.program_id', 'a.site_id')))
      .$if(Boolean(filters.RotationId), (query) => query.where('a.rotation_id', '=', filters.RotationId!))
      .$if(Boolean(filters.StudentId), (query) => query.where('a.student_id', '=', filters.StudentId!))
      .$if(Boolean(filters.SiteId), (query) => query.where('a.site_id', '=', filters.SiteId!))
      .$if(Boolean(filters.SiteShiftId), (query) => query.where('a.site_shift_id', '=', filters.SiteShiftId!))
      .$if(Boolean(filters.FromDate), (query) => query.where('a.date', '>=', filters.FromDate!))
      .$if(Boolean(filters.ThroughDate), (query) => query.where('a.date', '<=', filters.ThroughDate!))
      .$if(Boolean(filters.AreaId), (query) =>
        query.where(sql<boolean>`a.site_id in (select id from site
        where program_id = ${programId} and area_id = ${filters.AreaId})`),
      )
      .$if(Boolean(filters.search), (query) =>
        query.where(sql<boolean>`a.student_id in (select id from account where program_id = ${programId}
        and ${isFound(sql`first_name || ' ' || last_name || ' ' || user_name || ' ' || email || ' ' || coalesce(student_number, '')`, filters.search!)})`),
      )
      // What one call adds has the moment of its transaction.
      .$if((filters.AddedWith ?? []).length > 0, (query) =>
        query.where(sql<boolean>`(a.created_at, coalesce(a.created_by, 0)) in (select created_at, coalesce(created_by, 0)
        from shift_assignment where program_id = ${programId} and id = any (${filters.AddedWith}::bigint[]))`),
      )
      .$if(filters.MyStudents === true, (query) =>
        query.where(personalFilter(accountId, 'student', sql.ref('a.student_id'))),
      )
      .$if(filters.MySites === true, (query) =>
        query.where(personalFilter(accountId, 'site', sql.ref('a.site_id'))),
      )
      .$if(filters.MyShifts === true, (query) =>
        query.where(personalFilter(accountId, 'shift', sql.ref('a.site_shift_id'))),
      )
  )
}

/** The columns of an assignment that the joins and the list need. */
const ownColumns = [
  'a.program_id',
  'a.id',
  'a.rotation_id',
  'a.student_id',
  'a.site_id',
  'a.site_shift_id',
  'a.date',
  'a.starts_at',
  'a.ends_at',
  'a.updated_at',
] as const

/** `chosen` assignments with the names that are beside them. */
const named = (db: Db, chosen: ReturnType<typeof filtered>) =>
  db
    .selectFrom(chosen.select(ownColumns).as('a'))
    .innerJoin('rotation as r', (join) =>
      join.onRef('r.program_id', '=', 'a.program_id').onRef('r.id', '=', 'a.rotation_id'),
    )
    .innerJoin('site_shift as h', (join) =>
      join.onRef('h.program_id', '=', 'a.program_id').onRef('h.id', '=', 'a.site_shift_id'),
    )
    .innerJoin('site as s', (join) =>
      join.onRef('s.program_id', '=', 'a.program_id').onRef('s.id', '=', 'a.site_id'),
    )
    .innerJoin('account as u', (join) =>
      join.onRef('u.program_id', '=', 'a.program_id').onRef('u.id', '=', 'a.student_id'),
    )
    .leftJoin('area as x', (join) =>
      join.onRef('x.program_id', '=', 's.program_id').onRef('x.id', '=', 's.area_id'),
    )

const exportedColumns = [
  'r.name as Rotation',
  'a.date as Date',
  'u.last_name as LastName',
  'u.first_name as FirstName',
  'x.name as Area',
  's.name as Site',
  's.code as SiteCode',
  'h.code as ShiftCode',
  sql<ShiftType>`h.type`.as('ShiftType'),
] as const

const columns = [
  'a.id as Id',
  'a.rotation_id as RotationId',
  'a.student_id as StudentId',
  's.area_id as AreaId',
  'a.site_id as SiteId',
  'a.site_shift_id as SiteShiftId',
  'a.updated_at as ModifiedAt',
  ...exportedColumns,
] as const

type SortField = AssignmentSort extends `-${infer Field}` | infer Field ? Field : never
const sortKeys: Record<string, RawBuilder<unknown>> = {
  Rotation: sql`lower(r.name)`,
  Date: sql`a.date`,
  LastName: sql`lower(u.last_name)`,
  FirstName: sql`lower(u.first_name)`,
  Area: sql`lower(coalesce(x.name, ''))`,
  Site: sql`lower(s.name)`,
  SiteCode: sql`lower(s.code)`,
  ShiftCode: sql`lower(h.code)`,
  ShiftType: sql`h.type`,
} satisfies Partial<Record<SortField & string, RawBuilder<unknown>>>

/** What a value of the sort belongs to: the rows that have it, with the column of an assignment that names one of them. */
const people = { from: sql`account u where u.program_id`, id: sql`u.id`, column: 'a.student_id' } as const
const shifts = {
  from: sql`site_shift h where h.program_id`,
  id: sql`h.id`,
  column: 'a.site_shift_id',
} as const
const sites = {
  from: sql`site s left join area x on x.program_id = s.program_id and x.id = s.area_id where s.program_id`,
  id: sql`s.id`,
  column: 'a.site_id',
} as const
const rotations = {
  from: sql`rotation r where r.program_id`,
  id: sql`r.id`,
  column: 'a.rotation_id',
} as const
const owners: Record<string, typeof people | typeof shifts | typeof sites | typeof rotations> = {
  Rotation: rotations,
  LastName: people,
  FirstName: people,
  Area: sites,
  Site: sites,
  SiteCode: sites,
  ShiftCode: shifts,
  ShiftType: shifts,
}

const order = (sort: AssignmentSort) => {
  const field = sort.replace('-', '')
  return {
    field,
    key: sortKeys[field]!,
    direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }
}

/** So many assignments are sorted in less time than the owners of a sort's values are walked through. */
const maxSorted = 5_000

/** Where a page ended: the value by which it is sorted, the date and the id of its last row. */
type Position = [value: string, date: string, id: number]

/** One page of assignments. With a cursor the rows after it, at the cost of a first page; `Total` is then null. */
export const listAssignments = async (
  db: Db,
  reader: Reader,
  {
    page: askedPage,
    pageSize,
    sort,
    cursor,
    StartAt,
    ...filters
  }: Out<NonNullable<(typeof listCall)['query']>>,
): Promise<{
  Items: ShiftAssignment[]
  Total: number | null
  Page: number
  PageSize: number
  NextCursor: string | null
}> => {
  const { field, key, direction } = order(sort)
  const byDate = field === 'Date'
  const list = `assignments ${sort}`
  let page = askedPage
  let after = cursor === undefined ? undefined : readCursor<Position>(list, cursor)
  const compare = direction === 'asc' ? sql`>` : sql`<`
  const afterCursor = () => {
    // Called only with a cursor.
    const [value, date, id] = after!
    return byDate
      ? sql<boolean>`(a.date, a.id) ${compare} (${date}::date, ${id}::bigint)`
      : sql<boolean>`(${key}, a.date, a.id) ${compare} (${value}::text, ${date}::date, ${id}::bigint)`
  }
  const chosen = filtered(db, reader, filters)
  const countUpTo = async (limit: number, rows = chosen): Promise<number> => {
    const { Total } = await db
      .selectFrom(rows.select('a.id').limit(limit).as('counted'))
      .select(sql<number>`count(*)`.as('Total'))
      .executeTakeFirstOrThrow()
    return Total
  }
  const counted = after ? undefined : await countUpTo(maxCounted + 1)
  if (StartAt !== undefined && sort === 'Date' && counted !== undefined) {
    if (counted > maxCounted) after = ['', StartAt, 0]
    else {
      const earlier = await countUpTo(counted, chosen.where('a.date', '<', StartAt))
      page = 1 + Math.floor(Math.max(0, Math.min(earlier, counted - 1)) / pageSize)
    }
  }
  // Written out, and without an offset of nothing: the plan that PostgreSQL keeps then knows how few rows are wanted.
  const most = sql.lit(pageSize + 1)
  const isLater = !after && page > 1
  const paged = (query: typeof chosen) =>
    query
      .$if(Boolean(after), (rest) => rest.where(afterCursor()))
      .orderBy('a.date', direction)
      .orderBy('a.id', direction)
      .limit(most)
      .$if(isLater, (rest) => rest.offset((page - 1) * pageSize))
  const isMany = !byDate && (counted ?? (await countUpTo(maxSorted + 1))) > maxSorted
  /** Of many, the page alone: the sort's values in their order, with the first assignments of each that has one. */
  const walked = (): typeof chosen => {
    const { from, id, column } = owners[field]!
    const skipped = isLater ? (page - 1) * pageSize : 0
    const way = sql.raw(direction)
    const [fromKey, fromRow] = after
      ? [
          sql`where k.key ${compare}= ${after[0]}::text`,
          sql<boolean>`(k.key <> ${after[0]}::text or (a.date, a.id) ${compare} (${after[1]}::date, ${after[2]}::bigint))`,
        ]
      : [sql``, sql<boolean>`true`]
    const firstOfEach = chosen
      .select(['a.id', 'a.date'])
      .where(sql<boolean>`${sql.ref(column)} = k.id`)
      .where(fromRow)
      .orderBy('a.date', direction)
      .orderBy('a.id', direction)
      .limit(sql.lit(skipped + pageSize + 1))
    return filtered(db, reader, {}).where(sql<boolean>`a.id = any (array(
      select w.id from (select ${key} as key, ${id} as id from ${from} = ${reader.programId} order by 1 ${way}) k
      cross join lateral ${firstOfEach} w ${fromKey}
      order by k.key ${way}, w.date ${way}, w.id ${way} limit ${most} offset ${sql.lit(skipped)}))`)
  }
  // By date the index gives the page's rows first; joined before, the planner would sort the whole program.
  const found = await named(db, byDate ? paged(chosen) : isMany ? walked() : chosen)
    .select(columns)
    .select(sql<string>`${key}::text`.as('SortValue'))
    .$if(!byDate && Boolean(after), (query) => query.where(afterCursor()))
    // What is walked to is found in one way whatever its values are.
    .$if(!byDate && !isMany, (query) => query.modifyFront(plannedForItsValues))
    .$if(!byDate, (query) => query.orderBy(key, direction))
    .orderBy('a.date', direction)
    .orderBy('a.id', direction)
    .limit(most)
    .$if(!byDate && isLater && !isMany, (query) => query.offset((page - 1) * pageSize))
    .execute()
  const Items = found.slice(0, pageSize)
  const last = Items.at(-1)
  const position: Position | undefined = last && [last.SortValue, last.Date, last.Id]
  const NextCursor = found.length > pageSize && position ? cursorOf(list, position) : null
  const Total = counted !== undefined && counted <= maxCounted ? counted : null
  return { Items, Total, Page: page, PageSize: pageSize, NextCursor }
}

/** A row of the table that is downloaded. */
export type ExportedAssignment = Pick<
  ShiftAssignment,
  | 'Id'
  | 'Rotation'
  | 'Date'
  | 'LastName'
  | 'FirstName'
  | 'Area'
  | 'Site'
  | 'SiteCode'
  | 'ShiftCode'
  | 'ShiftType'
> & { StudentNumber: string | null }

/** All filtered assignments, read by a cursor a thousand rows at a time. */
export const streamAssignments = (
  db: Db,
  reader: Reader,
  sort: AssignmentSort,
  filters: AssignmentFilters,
): AsyncIterableIterator<ExportedAssignment> => {
  const { field, key, direction } = order(sort)
  return named(db, filtered(db, reader, filters))
    .select(exportedColumns)
    .select(['a.id as Id', 'u.student_number as StudentNumber'])
    .$if(field !== 'Date', (query) => query.orderBy(key, direction))
    .orderBy('a.date', direction)
    .orderBy('a.id', direction)
    .stream(1_000)
}

/** One assignment with what the hover card tells. */
export const findAssignment = (db: Db, reader: Reader, assignmentId: number) =>
  named(db, filtered(db, reader, {}))
    .leftJoin('shift_day as d', (join) =>
      join
        .onRef('d.program_id', '=', 'a.program_id')
        .onRef('d.site_shift_id', '=', 'a.site_shift_id')
        .onRef('d.date', '=', 'a.date'),
    )
    .select(columns)
    .select([
      sql<string>`to_char(h.start_time, 'HH24:MI')`.as('StartTime'),
      sql<string>`to_char(h.end_time, 'HH24:MI')`.as('EndTime'),
      's.time_zone as TimeZone',
      sql<number>`coalesce(d.placed, 0)`.as('Placed'),
      sql<number>`coalesce(d.capacity, h.capacity)`.as('Capacity'),
      sql<string | null>`(select min(t.occurred_at) from time_record t where t.program_id = a.program_id
        and t.student_id = a.student_id and t.assignment_id = a.id and t.kind = 'in' and t.deleted_at is null
        and t.occurred_at between a.starts_at - interval '12 hours' and a.ends_at)`.as('ClockedInAt'),
      sql<string | null>`(select max(t.occurred_at) from time_record t where t.program_id = a.program_id
        and t.student_id = a.student_id and t.assignment_id = a.id and t.kind = 'out' and t.deleted_at is null
        and t.occurred_at between a.starts_at and a.ends_at + interval '12 hours')`.as('ClockedOutAt'),
    ])
    .where('a.id', '=', assignmentId)
    .executeTakeFirst()
