import { type RawBuilder, sql } from 'kysely'
import type { OwnRecord } from '#contract/time/clock.ts'
import { lateAfterMinutes } from '#contract/time/insight.ts'
import type { TimeFilters, TimeRecord } from '#contract/time/time-records.ts'
import { maxCounted } from '#contract/time/time-records.ts'
import type { Db } from '#server/core/database/pool.ts'
import { cursorOf, readCursor } from '#server/core/http/cursor.ts'
import { personalFilter } from '../scheduling/personal-filters.queries.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'
import { heldRecords, insightOfPair, isOfInsight, otherHalf, reasonsOfPair } from './insight.queries.ts'
import { isRemovalAsked } from './punch.queries.ts'

/** Whose records are asked for: the program, how far the caller sees, and the owner of the personal filters. */
export interface RecordView {
  programId: number
  scope: SiteScope
  accountId: number
}
export type RecordFilter = Partial<TimeFilters>

/** The site's zone, in which days and times of a record are given; the program's where it has no site. */
export const zone = sql`coalesce(s.time_zone, p.time_zone)`

/** A clock-in that still runs: its shift has not ended, or 16 hours without a shift have not passed. */
export const running = sql<boolean>`(r.kind = 'in' and r.partner_id is null and r.status <> 'rejected' and not ${isRemovalAsked}
  and r.occurred_at > now() - interval '30 hours'
  and coalesce(a.ends_at, r.occurred_at + interval '16 hours') > now())`

/** When the record was before its accepted change: in its history before the moment asked for, which may be followed by others. */
const beforeChange = sql`coalesce((select (h.value ->> 'OccurredAt')::timestamptz
  from jsonb_array_elements(r.history) with ordinality h (value, place)
  where r.change_status = 'accepted' and r.change_to = coalesce((r.history -> h.place::int ->> 'OccurredAt')::timestamptz, r.occurred_at)
  order by h.place desc limit 1), r.occurred_at)`

const ownColumns = sql`
  r.id as "Id", r.kind as "Type", r.site_id as "SiteId", s.name as "Location", ${zone} as "TimeZone", r.date as "Date",
  to_char(r.occurred_at at time zone ${zone}, 'HH24:MI') as "Time",
  to_char(r.ends_at at time zone ${zone}, 'HH24:MI') as "EndTime",
  r.occurred_at as "OccurredAt", r.minutes as "Minutes",
  coalesce(r.clock_minutes, r.minutes) as "ClockMinutes", r.meal_minutes as "MealMinutes", r.offset_minutes as "OffsetMinutes", r.shift_type as "ShiftType",
  to_char(a.starts_at at time zone ${zone}, 'HH24:MI') as "ShiftStart",
  to_char(a.ends_at at time zone ${zone}, 'HH24:MI') as "ShiftEnd", a.ends_at as "ShiftEndsAt",
  case when r.change_status is not null and (r.change_to is not null or r.change_is_removal) then jsonb_build_object(
    'Date', to_char(coalesce(r.change_to, r.occurred_at) at time zone ${zone}, 'YYYY-MM-DD'),
    'Time', to_char(coalesce(r.change_to, r.occurred_at) at time zone ${zone}, 'HH24:MI'),
    'WasDate', to_char(${beforeChange} at time zone ${zone}, 'YYYY-MM-DD'),
    'WasTime', to_char(${beforeChange} at time zone ${zone}, 'HH24:MI'),
    'Reason', coalesce(r.change_reason, ''), 'Status', r.change_status, 'IsRemoval', r.change_is_removal) end as "TimeChangeRequest",
  r.network_name as "IPName", r.distance_m as "Distance", r.accuracy_m as "Accuracy", r.is_inside as "IsInside",
  case when r.is_matched or r.status = 'rejected' or ${running} or ${isRemovalAsked} then to_jsonb(${insightOfPair})
    else '"u"'::jsonb end as "Insight",
  ${reasonsOfPair} as "Reasons", r.status as "Status", r.reason as "Reason", r.source as "Source",
  case when r.status <> 'rejected' or exists (select from time_record o
    where o.program_id = r.program_id and o.id = r.partner_id and o.partner_id = r.id) then r.partner_id end as "PartnerId",
  r.decided_at as "DecidedAt", nullif(trim(d.first_name || ' ' || d.last_name), '') as "DecidedBy",
  r.decision_reason as "DecisionReason", jsonb_array_length(r.history) as "Edits"`

/** A moment as JSON says it. */
export const utc = (moment: RawBuilder<unknown>) =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
const there = (name: 'OccurredAt' | 'EndsAt') =>
  sql`(r.history -> -1 ->> ${sql.lit(name)})::timestamptz at time zone ${zone}`

export const recordColumns = sql`${ownColumns},
  case when r.history <> '[]' then jsonb_build_object(
    'At', ${utc(sql`(r.history -> -1 ->> 'At')::timestamptz`)}, 
    'By', (select trim(e.first_name || ' ' || e.last_name) from account e where e.id = (r.history -> -1 ->> 'By')::bigint),
    'WasDate', to_char(${there('OccurredAt')}, 'YYYY-MM-DD'), 'WasTime', to_char(${there('OccurredAt')}, 'HH24:MI'),
    'WasEndTime', to_char(${there('EndsAt')}, 'HH24:MI'),
    'WasLocation', (select was.name from site was where was.program_id = r.program_id and was.id = (r.history -> -1 ->> 'SiteId')::bigint),
    'Reason', coalesce(r.history -> -1 ->> 'Reason', '')) end as "LastEdit",
  r.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", u.student_level_id as "StudentLevelId",
  l.name as "StudentLevel", r.mailed_at as "MailedAt", r.updated_at as "ModifiedAt"`

const ownJoins = sql`
  join program p on p.id = r.program_id
  left join site s on s.program_id = r.program_id and s.id = r.site_id
  left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id
  ${otherHalf}
  left join account d on d.id = r.decided_by`
export const recordJoins = sql`
  join account u on u.program_id = r.program_id and u.id = r.student_id
  left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id ${ownJoins}`

const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...parts], sql` and `)

/** The shift of a record that may still run: `running` looks at its end. Of no other it is looked up. */
export const assignment = sql`left join shift_assignment a on a.program_id = r.program_id
  and a.id = case when r.kind = 'in' and r.partner_id is null and r.occurred_at > now() - interval '30 hours' then r.assignment_id end`

/** `isTakenBack` of the contract. */
const takenBack = sql<boolean>`(r.status = 'rejected' and (r.reasons @> '[{"Code": "taken_back"}]'
  or r.change_is_removal and r.change_status is not distinct from 'accepted'))`

/** Whether records are looked for by their edits. */
export const isOfEdits = ({ EditedFrom, EditedThrough, EditedById }: RecordFilter): boolean =>
  Boolean(EditedFrom || EditedThrough || EditedById)

/** Of the history of a record, the edits `e` by whom and on which days of the program's zone the filter says: one meets all of it. */
const isFoundEdit = (
  programId: number,
  { EditedFrom, EditedThrough, EditedById }: RecordFilter,
): RawBuilder<unknown> => {
  const midnight = (day: RawBuilder<unknown>) =>
    sql`(${day})::timestamp at time zone (select p.time_zone from program p where p.id = ${programId})`
  return and([
    ...(EditedFrom ? [sql`(e ->> 'At')::timestamptz >= ${midnight(sql`${EditedFrom}::date`)}`] : []),
    ...(EditedThrough ? [sql`(e ->> 'At')::timestamptz < ${midnight(sql`${EditedThrough}::date + 1`)}`] : []),
    ...(EditedById ? [sql`(e ->> 'By')::bigint = ${EditedById}`] : []),
  ])
}

/** The conditions of a filter on `time_record r`, and the joins that they need. */
export const conditions = (
  { programId, scope, accountId }: RecordView,
  filter: RecordFilter,
): { where: RawBuilder<unknown>; joins: RawBuilder<unknown> } => {
  const parts: RawBuilder<unknown>[] = [sql`r.program_id = ${programId}`, sql`r.deleted_at is null`]
  const add = (part: RawBuilder<unknown>) => parts.push(part)
  // A status in the text of the statement lets the planner see the partial indexes.
  if (filter.Status) add(sql`r.status = ${sql.lit(filter.Status)}`)
  const isUnmatched = sql`r.partner_id is null and r.kind in ('in', 'out') and r.status <> 'rejected' and not ${running} and not ${isRemovalAsked}`
  if (filter.Insight === 'u') add(isUnmatched)
  else if (filter.Insight && filter.Insight !== '0') {
    add(isOfInsight(programId, Number(filter.Insight), filter.Status))
    add(sql`(r.is_matched or r.status = 'rejected' or ${running} or ${isRemovalAsked})`)
  }
  if (filter.IsTakenBack !== undefined) add(filter.IsTakenBack ? takenBack : sql`not ${takenBack}`)
  if (filter.SiteId) add(sql`r.site_id = ${filter.SiteId}`)
  if (filter.AreaId)
    add(
      sql`r.site_id in (select x.id from site x where x.program_id = ${programId} and x.area_id = ${filter.AreaId})`,
    )
  if (filter.StudentId) add(sql`r.student_id = ${filter.StudentId}`)
  if (filter.Type) add(sql`r.kind = ${filter.Type}`)
  if (filter.IsLate)
    add(sql`r.kind = 'in' and r.offset_minutes > ${sql.lit(lateAfterMinutes)} and r.status <> 'rejected'`)
  if (filter.IsLeftOut)
    add(
      sql`r.status = 'pending' and (not r.is_matched or r.id in (select held.id from (${heldRecords(programId)}) held where held.is_asked))`,
    )
  const levels = filter.StudentLevelIds?.length
    ? filter.StudentLevelIds
    : filter.StudentLevelId
      ? [filter.StudentLevelId]
      : []
  const needsStudent = levels.length > 0 || Boolean(filter.Cohort)
  if (levels.length > 0) add(sql`u.student_level_id = any (${levels}::smallint[])`)
  if (filter.Cohort) add(sql`u.cohort = ${filter.Cohort}`)
  // The day is the site's; the moments beside it let an index by moment find it.
  if (filter.FromDate)
    add(
      sql`r.date >= ${filter.FromDate}::date and r.occurred_at >= (${filter.FromDate}::date - interval '1 day')::timestamptz`,
    )
  if (filter.ThroughDate)
    add(
      sql`r.date <= ${filter.ThroughDate}::date and r.occurred_at < (${filter.ThroughDate}::date + interval '2 days')::timestamptz`,
    )
  if (isOfEdits(filter))
    add(
      sql`r.history <> '[]' and exists (select from jsonb_array_elements(r.history) e where ${isFoundEdit(programId, filter)})`,
    )
  if (filter.MyStudents) add(personalFilter(accountId, 'student', sql.ref('r.student_id')))
  if (filter.MySites) add(personalFilter(accountId, 'site', sql.ref('r.site_id')))
  if (scope.supervisorId !== null) add(inScope(scope, 'r.program_id', 'r.site_id'))
  return {
    where: and(parts),
    joins: sql`${
      needsStudent ? sql`join account u on u.program_id = r.program_id and u.id = r.student_id` : sql``
    } ${filter.Insight && filter.Insight !== '0' ? assignment : sql``}`,
  }
}

const ownRecords = 'own time records'

const afterCursor = (list: string, cursor: string | undefined, isDown: boolean): RawBuilder<unknown> => {
  if (cursor === undefined) return sql`true`
  const [at, id] = readCursor<[at: string, id: number]>(list, cursor)
  return isDown
    ? sql`(r.occurred_at, r.id) < (${at}::timestamptz, ${id}::bigint)`
    : sql`(r.occurred_at, r.id) > (${at}::timestamptz, ${id}::bigint)`
}

/** One page of records by moment. With a cursor no total is counted; totals of decided records stop at `maxCounted`. */
export const listRecords = async (
  db: Db,
  view: RecordView,
  filter: RecordFilter,
  page: { page: number; pageSize: number; sort: 'Date' | '-Date'; cursor?: string | undefined },
) => {
  const { where, joins: needed } = conditions(view, filter)
  const isDown = page.sort === '-Date'
  const list = `time records ${page.sort}`
  const direction = sql.raw(isDown ? 'desc' : 'asc')
  // The page is found in the index first; names and sites are looked up for its rows only.
  const { rows } = await sql<TimeRecord>`
    select ${recordColumns} from (
      select r.program_id, r.id from time_record r ${needed}
      where ${where} and ${afterCursor(list, page.cursor, isDown)}
      order by r.occurred_at ${direction}, r.id ${direction}
      limit ${page.pageSize + 1} offset ${page.cursor === undefined ? (page.page - 1) * page.pageSize : 0}
    ) found join time_record r on r.program_id = found.program_id and r.id = found.id ${recordJoins}
    order by r.occurred_at ${direction}, r.id ${direction}`.execute(db)
  const Items = rows.slice(0, page.pageSize)
  const last = Items.at(-1)
  let Total: number | null = null
  let IsTotalCapped = false
  if (page.cursor === undefined) {
    const isFirstWhole = page.page === 1 && rows.length <= page.pageSize
    Total = isFirstWhole ? rows.length : await countUpTo(db, view, filter)
    IsTotalCapped = filter.Status !== 'pending' && Total > maxCounted
    if (IsTotalCapped) Total = maxCounted
  }
  return {
    Items,
    Total,
    IsTotalCapped,
    Page: page.page,
    PageSize: page.pageSize,
    NextCursor: rows.length > page.pageSize && last ? cursorOf(list, [last.OccurredAt, last.Id]) : null,
  }
}

const countUpTo = async (db: Db, view: RecordView, filter: RecordFilter): Promise<number> => {
  const { where, joins: needed } = conditions(view, filter)
  const most = filter.Status === 'pending' ? 1_000_000 : maxCounted + 1
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select from time_record r ${needed} where ${where} limit ${most}) found`.execute(db)
  return rows[0]!.n
}

/** Pending records by insight, as one row of the database. */
export interface CountedRecords {
  Clean: number
  NeedReview: number
  CarefulReview: number
  Unmatched: number
  All: number
  Minutes: number
  ReadyClean: number
  ReadyNeedReview: number
  ReadyCarefulReview: number
  CleanMinutes: number
}

/**
 * Counts by insight of the pending records that `pending` joins and chooses; of those without their other half the clock-ins of `still`
 * (insight, n) still run.
 */
const countedRecords = (
  programId: number,
  pending: RawBuilder<unknown>,
  still: RawBuilder<unknown>,
) => sql<CountedRecords>`
  with held as materialized (${heldRecords(programId)}),
  pending as (select greatest(r.insight, held.insight) as insight, r.is_matched, held.is_asked is true as is_asked, count(*) as n,
    coalesce(sum(r.minutes) filter (where r.kind <> 'absence'), 0) as minutes
    from time_record r left join held on held.id = r.id ${pending} group by 1, 2, 3),
  still as (${still} group by 1),
  counted as (
    select insight, case when is_matched then n else 0 end as clear, case when is_matched and not is_asked then n else 0 end as ready,
      n as every, minutes, case when is_asked then 0 else minutes end as ready_minutes from pending
    union all select insight, n, 0, 0, 0, 0 from still)
  select coalesce(sum(clear) filter (where insight = 1), 0) as "Clean",
    coalesce(sum(clear) filter (where insight = 2), 0) as "NeedReview",
    coalesce(sum(clear) filter (where insight = 3), 0) as "CarefulReview",
    coalesce(sum(every) - sum(clear), 0) as "Unmatched",
    coalesce(sum(every), 0) as "All", coalesce(sum(minutes), 0) as "Minutes",
    coalesce(sum(ready) filter (where insight = 1), 0) as "ReadyClean",
    coalesce(sum(ready) filter (where insight = 2), 0) as "ReadyNeedReview",
    coalesce(sum(ready) filter (where insight = 3), 0) as "ReadyCarefulReview",
    coalesce(sum(ready_minutes) filter (where insight = 1), 0) as "CleanMinutes"
  from counted`

/** Clock-ins that wait for their other half and may still run: of a shift of a day, which was begun early. */
const isOpen = sql`r.partner_id is null and r.kind in ('in', 'out') and r.status <> 'rejected'
  and r.occurred_at > now() - interval '30 hours'`

/** While the student asks for another time, or that it be taken back, a clock-in is in Careful Review. */
const insightOfOpen = sql`case when r.change_status = 'asked' then 3 else r.insight end as insight`

/** Clock-ins that run, and those that the student asks to take back: neither is unmatched. */
const openByInsight = (running: RawBuilder<unknown>, takenBack: RawBuilder<unknown>) =>
  sql`select o.insight, sum(o.n) as n from (select ${insightOfOpen}, count(*) as n from time_record r ${running} group by 1
    union all select ${insightOfOpen}, count(*) from time_record r ${takenBack} and ${isRemovalAsked} group by 1) o`

/**
 * Pending records by insight, counted in the index of pending records. `Ready` are those that can be approved now: a punch without its other half cannot, nor what a time change waits for.
 */
export const countRecords = async (db: Db, view: RecordView, filter: RecordFilter) => {
  const { where, joins: needed } = conditions(view, { ...filter, Status: 'pending', Insight: '0' })
  const { rows } = await countedRecords(
    view.programId,
    sql`${needed} where ${where}`,
    openByInsight(
      sql`${needed} ${assignment} where ${where} and ${isOpen} and ${running}`,
      sql`${needed} where ${where}`,
    ),
  ).execute(db)
  const { ReadyClean, ReadyNeedReview, ReadyCarefulReview, CleanMinutes, ...counts } = rows[0]!
  return {
    ...counts,
    Ready: {
      Clean: ReadyClean,
      NeedReview: ReadyNeedReview,
      CarefulReview: ReadyCarefulReview,
      CleanMinutes,
    },
  }
}

/** What `countRecords` answers for a whole program, as part of a statement that begins with `shiftsOfToday`: shifts that run are there. */
export const countedToday = (programId: number) => {
  const pending = sql`r.program_id = ${programId} and r.deleted_at is null and r.status = 'pending'`
  return countedRecords(
    programId,
    sql`where ${pending}`,
    openByInsight(
      sql`left join today t on t.id = r.assignment_id
        where ${pending} and ${isOpen} and r.kind = 'in' and not ${isRemovalAsked}
          and coalesce(t.ends_at, (select a.ends_at from shift_assignment a
            where a.program_id = r.program_id and a.id = r.assignment_id), r.occurred_at + interval '16 hours') > now()`,
      sql`where ${pending}`,
    ),
  )
}

/** One record that the caller may see; undefined for any other. */
export const findRecord = async (
  db: Db,
  { programId, scope }: RecordView,
  recordId: number,
): Promise<TimeRecord | undefined> => {
  const { rows } = await sql<TimeRecord>`select ${recordColumns} from time_record r ${recordJoins}
    where r.program_id = ${programId} and r.id = ${recordId} and r.deleted_at is null
      and ${inScope(scope, 'r.program_id', 'r.site_id')}`.execute(db)
  return rows[0]
}

/** Records by their ids, whoever asks: for what the caller has seen already. */
export const listRecordsOf = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<TimeRecord[]> => {
  const { rows } = await sql<TimeRecord>`select ${recordColumns} from time_record r ${recordJoins}
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[])
    order by r.occurred_at, r.id`.execute(db)
  return rows
}

/** The old values of an edited record with the names of who changed it and of the sites. */
export const listHistory = async (db: Db, programId: number, recordId: number) => {
  const { rows } = await sql<{
    At: string
    By: string
    OccurredAt: string
    EndsAt: string | null
    Site: string | null
    Reason: string
  }>`select ${utc(sql`(h.value ->> 'At')::timestamptz`)} as "At",
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), '') as "By",
      ${utc(sql`(h.value ->> 'OccurredAt')::timestamptz`)} as "OccurredAt",
      ${utc(sql`(h.value ->> 'EndsAt')::timestamptz`)} as "EndsAt",
      s.name as "Site", coalesce(h.value ->> 'Reason', '') as "Reason"
    from time_record r cross join jsonb_array_elements(r.history) with ordinality h
    left join account u on u.id = (h.value ->> 'By')::bigint
    left join site s on s.program_id = r.program_id and s.id = (h.value ->> 'SiteId')::bigint
    where r.program_id = ${programId} and r.id = ${recordId} order by h.ordinality`.execute(db)
  return rows
}

export const findOwnRecord = async (
  db: Db,
  programId: number,
  studentId: number,
  recordId: number,
): Promise<OwnRecord | undefined> => {
  const { rows } = await sql<OwnRecord>`select ${ownColumns} from time_record r ${ownJoins}
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.id = ${recordId}
      and r.deleted_at is null`.execute(db)
  return rows[0]
}

export interface OwnRow extends OwnRecord {
  In: OwnRecord | null
  IsRunning: boolean
}

const shown = {
  all: sql`true`,
  pending: sql`r.status = 'pending'`,
  rejected: sql`r.status = 'rejected' and not ${takenBack}`,
  absences: sql`r.kind in ('absence', 'makeup')`,
}

/** A student's own records, newest first. A pair is one row, its clock-out, with the clock-in inside. */
export const listOwnRecords = async (
  db: Db,
  programId: number,
  studentId: number,
  query: { Show: keyof typeof shown; cursor?: string | undefined; pageSize: number },
) => {
  const isHalf = sql`(r.kind = 'in' and r.partner_id is not null and r.status <> 'rejected'
    and exists (select from time_record o where o.program_id = r.program_id and o.id = r.partner_id
      and o.status <> 'rejected' and o.deleted_at is null))`
  const { rows } = await sql<OwnRow & { InId: number | null }>`
    select ${ownColumns}, ${running} as "IsRunning",
      case when r.kind = 'out' and r.status <> 'rejected' then r.partner_id end as "InId"
    from time_record r ${ownJoins}
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
      and ${shown[query.Show]} and not ${isHalf} and ${afterCursor(ownRecords, query.cursor, true)}
    order by r.occurred_at desc, r.id desc limit ${query.pageSize + 1}`.execute(db)
  const Items = rows.slice(0, query.pageSize)
  const ids = Items.flatMap(({ InId }) => InId ?? [])
  const ins = new Map<number, OwnRecord>()
  if (ids.length > 0) {
    const found = await sql<OwnRecord>`select ${ownColumns} from time_record r ${ownJoins}
      where r.program_id = ${programId} and r.id = any (${ids}::bigint[])`.execute(db)
    for (const row of found.rows) ins.set(row.Id, row)
  }
  const counts = await sql<{ PendingCount: number; RejectedCount: number }>`
    select count(*) filter (where r.status = 'pending') as "PendingCount",
      count(*) filter (where r.status = 'rejected' and not ${takenBack}) as "RejectedCount"
    from time_record r where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
      and r.status <> 'approved' and not ${isHalf}`.execute(db)
  const last = Items.at(-1)
  return {
    Items: Items.map(({ InId, ...row }) => ({ ...row, In: InId === null ? null : (ins.get(InId) ?? null) })),
    NextCursor:
      rows.length > query.pageSize && last ? cursorOf(ownRecords, [last.OccurredAt, last.Id]) : null,
    ...counts.rows[0]!,
  }
}

/** The filtered records as they come, in chunks through a cursor. */
export async function* streamRecords(
  db: Db,
  view: RecordView,
  filter: RecordFilter,
): AsyncGenerator<TimeRecord> {
  const { where } = conditions(view, filter)
  const query = sql<TimeRecord>`select ${recordColumns} from time_record r ${recordJoins}
    where ${where} order by r.occurred_at desc, r.id desc`.compile(db)
  for await (const { rows } of db.getExecutor().stream<TimeRecord>(query, 500)) yield* rows
}

/** What a record was before or after an edit. */
interface EditedTo {
  Date: string
  Time: string
  EndTime: string | null
  Location: string | null
}

/** One edit of a record: who, when, what and why. */
export interface RecordEditRow
  extends Pick<TimeRecord, 'Id' | 'Type' | 'StudentId' | 'Student' | 'StudentLevel'> {
  At: string
  By: string
  Was: EditedTo
  Now: EditedTo
  Reason: string
}

/** The edits that a filter asks for, the newest first, in chunks through a cursor. What an edit made of a record is what the next one found. */
export async function* streamEdits(
  db: Db,
  view: RecordView,
  filter: RecordFilter,
): AsyncGenerator<RecordEditRow> {
  const { where } = conditions(view, filter)
  const edited = (at: RawBuilder<unknown>, end: RawBuilder<unknown>, site: RawBuilder<unknown>) =>
    sql`jsonb_build_object('Date', to_char(${at} at time zone ${zone}, 'YYYY-MM-DD'), 'Time', to_char(${at} at time zone ${zone}, 'HH24:MI'),
      'EndTime', to_char(${end} at time zone ${zone}, 'HH24:MI'), 'Location', ${site})`
  const siteOf = (edit: RawBuilder<unknown>) =>
    sql`(select t.name from site t where t.program_id = r.program_id and t.id = (${edit} ->> 'SiteId')::bigint)`
  const kept = (edit: RawBuilder<unknown>) =>
    edited(
      sql`(${edit} ->> 'OccurredAt')::timestamptz`,
      sql`(${edit} ->> 'EndsAt')::timestamptz`,
      siteOf(edit),
    )
  const query = sql<RecordEditRow>`select r.id as "Id", r.kind as "Type", r.student_id as "StudentId",
      listed_name(u.last_name, u.first_name) as "Student", l.name as "StudentLevel",
      ${utc(sql`(e ->> 'At')::timestamptz`)} as "At",
      coalesce((select trim(b.first_name || ' ' || b.last_name) from account b where b.id = (e ->> 'By')::bigint), '') as "By",
      ${kept(sql`e`)} as "Was",
      case when n is null then ${edited(sql`r.occurred_at`, sql`r.ends_at`, sql`s.name`)} else ${kept(sql`n`)} end as "Now",
      coalesce(e ->> 'Reason', '') as "Reason"
    from time_record r ${recordJoins}
    cross join lateral (select h.value as e, r.history -> h.place::int as n from jsonb_array_elements(r.history) with ordinality h (value, place)) h
    where ${where} and ${isFoundEdit(view.programId, filter)}
    order by (e ->> 'At')::timestamptz desc, r.id desc`.compile(db)
  for await (const { rows } of db.getExecutor().stream<RecordEditRow>(query, 500)) yield* rows
}

/** The students of the named records that the caller sees, with where to write. */
export const listStudentsOf = async (db: Db, view: RecordView, ids: readonly number[]) => {
  const { rows } = await sql<{ StudentId: number; Email: string }>`
    select distinct u.id as "StudentId", u.email as "Email" from time_record r
    join account u on u.program_id = r.program_id and u.id = r.student_id
    where r.program_id = ${view.programId} and r.id = any (${[...ids]}::bigint[]) and r.deleted_at is null
      and ${inScope(view.scope, 'r.program_id', 'r.site_id')}`.execute(db)
  return rows
}
