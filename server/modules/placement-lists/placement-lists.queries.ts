import { type RawBuilder, sql } from 'kysely'
import type { AnswerOf, Out } from '#contract/core/endpoint.ts'
import type {
  ListedStudent,
  listPlacementLists,
  listSendableSites,
  PlacementList,
} from '#contract/placement-lists/placement-lists.ts'
import { placementListFilters } from '#contract/placement-lists/placement-lists.ts'
import { countsOn } from '#server/core/database/counts.ts'
import { whereOf } from '#server/core/database/filters.ts'
import type { Db } from '#server/core/database/pool.ts'
import { programToday } from '#server/core/database/program-today.ts'
import { hasConsented, siteContact } from '../requirements/disclosure.queries.ts'

type ListQuery = Out<NonNullable<(typeof listPlacementLists)['query']>>
type Filters = Omit<ListQuery, 'page' | 'pageSize'>

export const today = sql`(now() at time zone (select p.time_zone from program p where p.id = l.program_id))::date`
export const isOpen = sql`l.withdrawn_at is null and l.confirmed + l.declined < l.students`

const columns = sql`l.id as "Id", l.site_id as "SiteId", s.name as "Site", l.rotation_id as "RotationId", r.name as "Rotation",
  l.recipient_name as "RecipientName", l.recipient_email as "RecipientEmail", l.answer_by as "AnswerBy",
  ${isOpen} and l.answer_by < ${today} as "IsLate",
  case when l.withdrawn_at is not null then 'withdrawn' when ${isOpen} then 'waiting' else 'answered' end as "State",
  l.students as "Students", l.confirmed as "Confirmed", l.declined as "Declined", l.sent_at as "SentAt", l.reminded_at as "RemindedAt"`
const joined = sql`placement_list l
  join site s on s.program_id = l.program_id and s.id = l.site_id
  join rotation r on r.program_id = l.program_id and r.id = l.rotation_id`

const shows: Record<Filters['show'], RawBuilder<unknown>> = {
  open: isOpen,
  late: sql`${isOpen} and l.answer_by < ${today}`,
  declined: sql`l.withdrawn_at is null and l.declined > 0`,
  all: sql`true`,
}
const filtered = (programId: number, filters: Filters) =>
  sql`l.program_id = ${programId} and ${whereOf(placementListFilters, filters, 'l', { show: (which) => shows[which] })}`

export const pageLists = async (db: Db, programId: number, { page, pageSize, ...filters }: ListQuery) => {
  const { rows } = await sql<PlacementList>`select ${columns} from ${joined}
    where ${filtered(programId, filters)} order by l.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
    db,
  )
  const total = await sql<{ count: number }>`select count(*)::int as count from placement_list l
    where ${filtered(programId, filters)}`.execute(db)
  return { Items: rows, Total: total.rows[0]!.count, Page: page, PageSize: pageSize }
}

/** The lists of these ids with what is said to the site. */
export const findLists = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<(PlacementList & { Note: string })[]> => {
  const { rows } = await sql<
    PlacementList & { Note: string }
  >`select ${columns}, l.note as "Note" from ${joined}
    where l.program_id = ${programId} and l.id = any (${[...ids]}::bigint[]) order by l.id`.execute(db)
  return rows
}

/** Locks a list until the end of the transaction: answers and what replaces it come one after the other. */
export const lockList = async (db: Db, programId: number, id: number): Promise<void> => {
  await sql`select from placement_list where program_id = ${programId} and id = ${id} for update`.execute(db)
}

const studentColumns = sql`x.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", v.name as "StudentLevel",
  x.first_date as "FirstDate", x.last_date as "LastDate", x.shifts as "Shifts", x.is_confirmed as "IsConfirmed", x.reason as "Reason",
  x.answered_at as "AnsweredAt"`
const studentJoins = sql`join account u on u.program_id = x.program_id and u.id = x.student_id
  left join student_level v on v.program_id = u.program_id and v.id = u.student_level_id`

export const listStudents = async (db: Db, programId: number, listId: number): Promise<ListedStudent[]> => {
  const { rows } =
    await sql<ListedStudent>`select ${studentColumns} from placement_list_student x ${studentJoins}
    where x.program_id = ${programId} and x.list_id = ${listId}
    order by lower(u.last_name), lower(u.first_name), x.student_id`.execute(db)
  return rows
}

export type ExportedRow = PlacementList & ListedStudent

/** The filtered lists with their students. */
export const listExported = async (db: Db, programId: number, filters: Filters): Promise<ExportedRow[]> => {
  const { rows } = await sql<ExportedRow>`select ${columns}, ${studentColumns} from ${joined}
    join placement_list_student x on x.program_id = l.program_id and x.list_id = l.id ${studentJoins}
    where ${filtered(programId, filters)}
    order by l.id desc, lower(u.last_name), lower(u.first_name), x.student_id`.execute(db)
  return rows
}

/** A site may be told about the student `a.student_id`: as a school official, or because they have consented. */
const mayBeTold = (programId: number) => sql`exists (select from site_disclosure d
  where d.program_id = ${programId} and d.site_id = a.site_id and (d.basis = 'schoolOfficial'
    or ${hasConsented(programId, sql`a.student_id`, sql`a.site_id`)}))`

/** Students of a rotation who have shifts at sites from today, with what they have there. */
export const comingStudents = (programId: number, rotationId: number) => sql`
  select a.site_id, a.student_id, min(a.date) as first_date, max(a.date) as last_date, count(*) as shifts,
    ${mayBeTold(programId)} as is_told
  from shift_assignment a
  join account u on u.program_id = a.program_id and u.id = a.student_id and ${countsOn('u', sql`a.date`)}
  where a.program_id = ${programId} and a.rotation_id = ${rotationId} and a.removed_at is null
    and a.date >= ${programToday(programId)}
  group by a.site_id, a.student_id`

type SendableSite = AnswerOf<typeof listSendableSites>[number]

/** Sites with students to come in the rotation, whom a list would go to, and what keeps it from going. */
export const listSendable = async (
  db: Db,
  programId: number,
  rotationId: number,
): Promise<SendableSite[]> => {
  const { rows } = await sql<SendableSite>`
    with coming as (${comingStudents(programId, rotationId)}),
    at_site as (select site_id, count(*) as students, count(*) filter (where not is_told) as untold from coming group by site_id)
    select s.id as "SiteId", s.name as "Site", c.students as "Students", c.untold as "Untold",
      coalesce(k.name, '') as "RecipientName", coalesce(k.email, '') as "RecipientEmail",
      case when k.email is null then 'contact' when c.untold = c.students then 'basis' end as "Problem", l.sent_at as "SentAt"
    from at_site c join site s on s.program_id = ${programId} and s.id = c.site_id
    left join ${siteContact} k on true
    left join placement_list l on l.program_id = ${programId} and l.rotation_id = ${rotationId} and l.site_id = s.id
      and l.withdrawn_at is null
    order by k.email is null or c.untold = c.students, lower(s.name), s.id`.execute(db)
  return rows
}

/** Open lists that are to be answered within two days and were not reminded of, locked for that. */
export const takeDue = async (db: Db, programId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select l.id from placement_list l
    where l.program_id = ${programId} and ${isOpen} and l.late_at is null and l.reminded_at is null
      and l.answer_by between ${today} and ${today} + 2
    order by l.id for update of l skip locked`.execute(db)
  return rows.map(({ id }) => id)
}
