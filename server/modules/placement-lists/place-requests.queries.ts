import { type RawBuilder, sql } from 'kysely'
import type { AnswerOf, Out } from '#contract/core/endpoint.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import type {
  listAskableSites,
  listPlaceRequests,
  listRequestPlans,
  openPlaceRequest,
  PlaceRequest,
} from '#contract/placement-lists/place-requests.ts'
import { placeRequestFilters } from '#contract/placement-lists/place-requests.ts'
import { whereOf } from '#server/core/database/filters.ts'
import type { Db } from '#server/core/database/pool.ts'
import { siteContact } from '../requirements/disclosure.queries.ts'

type ListQuery = Out<NonNullable<(typeof listPlaceRequests)['query']>>
type Filters = Omit<ListQuery, 'page' | 'pageSize'>

const today = sql`(now() at time zone (select p.time_zone from program p where p.id = r.program_id))::date`
const isWaiting = sql`r.withdrawn_at is null and r.answer is null`
const isOffered = sql`r.withdrawn_at is null and r.answer is not null and r.is_accepted is null`
export const isLate = sql`${isWaiting} and r.answer_by < ${today}`

/** What the site may see of a request behind its link. */
const askedColumns = sql`s.name as "Site", h.code as "Shift", v.name as "StudentLevel", r.start_date as "StartDate",
  r.end_date as "EndDate", r.places as "Places", r.note as "Note", r.answer_by as "AnswerBy",
  case when r.withdrawn_at is not null then 'withdrawn' when r.answer is null then 'waiting' when r.is_accepted is null then 'offered'
    when r.is_accepted then 'accepted' else 'declined' end as "State",
  r.answer as "Answer", r.offered_places as "OfferedPlaces", r.offered_from as "OfferedFrom", r.offered_through as "OfferedThrough",
  r.words as "Words", r.answered_at as "AnsweredAt"`
const columns = sql`${askedColumns}, r.id as "Id", r.site_id as "SiteId", r.site_shift_id as "SiteShiftId",
  r.recipient_name as "RecipientName", r.recipient_email as "RecipientEmail", ${isLate} as "IsLate", r.sent_at as "SentAt",
  r.reminded_at as "RemindedAt", r.decided_at as "DecidedAt"`
const joined = sql`place_request r
  join site s on s.program_id = r.program_id and s.id = r.site_id
  left join site_shift h on h.program_id = r.program_id and h.id = r.site_shift_id
  left join student_level v on v.program_id = r.program_id and v.id = r.student_level_id`

const shows: Record<Filters['show'], RawBuilder<unknown>> = {
  open: sql`r.withdrawn_at is null and r.is_accepted is null`,
  offered: isOffered,
  late: isLate,
  accepted: sql`r.is_accepted`,
  all: sql`true`,
}
const filtered = (programId: number, filters: Filters) =>
  sql`r.program_id = ${programId} and ${whereOf(placeRequestFilters, filters, 'r', { show: (which) => shows[which] })}`

export const pageRequests = async (db: Db, programId: number, { page, pageSize, ...filters }: ListQuery) => {
  const where = filtered(programId, filters)
  const { rows } = await sql<PlaceRequest>`select ${columns} from ${joined} where ${where}
    order by r.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  const counted = await sql<{ count: number }>`select count(*)::int as count from place_request r
    where ${where}`.execute(db)
  return { Items: rows, Total: counted.rows[0]!.count, Page: page, PageSize: pageSize }
}

export const listExportedRequests = async (
  db: Db,
  programId: number,
  filters: Filters,
): Promise<PlaceRequest[]> =>
  (
    await sql<PlaceRequest>`select ${columns} from ${joined} where ${filtered(programId, filters)}
    order by r.id desc`.execute(db)
  ).rows

export const findRequests = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<PlaceRequest[]> =>
  (
    await sql<PlaceRequest>`select ${columns} from ${joined}
    where r.program_id = ${programId} and r.id = any (${[...ids]}::bigint[]) order by r.id`.execute(db)
  ).rows

/** A request as its site sees it. */
export const findAsked = async (
  db: Db,
  programId: number,
  id: number,
): Promise<AnswerOf<typeof openPlaceRequest> | undefined> => {
  const { rows } = await sql<AnswerOf<typeof openPlaceRequest>>`select ${askedColumns} from ${joined}
    where r.program_id = ${programId} and r.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a request until the transaction ends: answers, reminders, withdrawal and the decision come one after the other. */
export const lockRequest = async (db: Db, programId: number, id: number): Promise<void> => {
  await sql`select from place_request where program_id = ${programId} and id = ${id} for update`.execute(db)
}

/** Active sites with their contact and shifts to come. */
export const listAskable = async (
  db: Db,
  programId: number,
): Promise<AnswerOf<typeof listAskableSites>[number][]> => {
  const { rows } = await sql<AnswerOf<typeof listAskableSites>[number]>`
    select s.id as "SiteId", s.name as "Site", coalesce(k.name, '') as "RecipientName", coalesce(k.email, '') as "RecipientEmail",
      coalesce((select json_agg(json_build_object('SiteShiftId', h.id, 'Code', h.code, 'Name', h.name) order by h.code, h.id)
        from site_shift h where h.program_id = s.program_id and h.site_id = s.id and h.deleted_at is null
          and h.end_date >= current_date - 1), '[]') as "Shifts"
    from site s left join ${siteContact} k on true
    where s.program_id = ${programId} and s.deleted_at is null and s.is_active
    order by lower(s.name), s.id`.execute(db)
  return rows
}

export const hasStudentLevel = async (db: Db, programId: number, id: number): Promise<boolean> => {
  const { rows } =
    await sql`select from student_level where program_id = ${programId} and id = ${id}`.execute(db)
  return rows.length > 0
}

/** Whether the answer of a request is still the one of this moment. */
export const isAnswerOf = async (db: Db, programId: number, id: number, at: string): Promise<boolean> => {
  const { rows } = await sql`select from place_request where program_id = ${programId} and id = ${id}
    and date_trunc('milliseconds', answered_at) = date_trunc('milliseconds', ${at}::timestamptz)`.execute(db)
  return rows.length > 0
}

/** The fullest day of the shift, of those that the request's offer is about, where more students are placed than it offers. */
export const findOverfull = async (
  db: Db,
  programId: number,
  id: number,
): Promise<{ Date: string; Placed: number } | null> => {
  const { rows } = await sql<{ Date: string; Placed: number }>`select d.date as "Date", d.placed as "Placed"
    from place_request r join site s on s.program_id = r.program_id and s.id = r.site_id
    join shift_day d on d.program_id = r.program_id and d.site_shift_id = r.site_shift_id
      and d.date between greatest(r.offered_from, (now() at time zone s.time_zone)::date) and r.offered_through
    where r.program_id = ${programId} and r.id = ${id} and d.placed > r.offered_places
    order by d.placed desc, d.date limit 1`.execute(db)
  return rows[0] ?? null
}

/** Requests that are to be answered within two days and were not reminded of, locked for that. */
export const takeDueRequests = async (db: Db, programId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select r.id from place_request r
    where r.program_id = ${programId} and ${isWaiting} and r.late_at is null and r.reminded_at is null
      and r.answer_by between ${today} and ${today} + 2
    order by r.id for update of r skip locked`.execute(db)
  return rows.map(({ id }) => id)
}

/** Placement plans that end on a day or after it, the next one first, with their blocks. */
export const listPlansFrom = async (
  db: Db,
  programId: number,
  today: string,
): Promise<AnswerOf<typeof listRequestPlans>> => {
  const { rows } = await sql<{
    Id: number
    Name: string
    StartDate: string
    EndDate: string
    weeks: number
  }>`select id as "Id", name as "Name", start_date as "StartDate", end_date as "EndDate", weeks_per_block as weeks
    from placement_plan where program_id = ${programId} and deleted_at is null and end_date >= ${today}
    order by start_date, id limit 100`.execute(db)
  return rows.map(({ weeks, ...plan }) => ({
    ...plan,
    Blocks: blocksOf(plan.StartDate, plan.EndDate, weeks),
  }))
}
