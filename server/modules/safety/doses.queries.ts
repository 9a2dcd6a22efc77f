import { sql } from 'kysely'
import type { DoseReading } from '#contract/safety/doses.ts'
import { maxCounted } from '#server/core/database/capped-page.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import { notifyPeople } from '#server/core/mail/notices.ts'

const columns = sql`d.id as "Id", d.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", d.badge as "Badge",
  d.from_date as "From", d.through_date as "Through", d.deep as "Deep", d.lens as "Lens", d.shallow as "Shallow",
  (select coalesce(sum(y.deep), 0)::integer from dose_reading y where y.program_id = d.program_id and y.student_id = d.student_id
    and y.deleted_at is null and y.through_date between date_trunc('year', d.through_date)::date and d.through_date) as "YearDeep",
  d.acknowledged_at as "AcknowledgedAt", d.is_over as "IsOver", d.reviewed_at as "ReviewedAt",
  nullif(trim(r.first_name || ' ' || r.last_name), '') as "ReviewedBy", d.review_note as "ReviewNote"`

const student = sql`join account u on u.program_id = d.program_id and u.id = d.student_id and u.deleted_at is null`
const reviewer = sql`left join account r on r.id = d.reviewed_by`
const joined = sql`from dose_reading d ${student}`

export interface DoseFilter {
  Show?: 'toReview' | 'unread' | undefined
  search?: string
  readingId?: number
  studentId?: number
}

const matching = (programId: number, { Show, search = '', readingId, studentId }: DoseFilter) => sql`
  d.program_id = ${programId} and d.deleted_at is null
  and ${readingId === undefined ? sql`true` : sql`d.id = ${readingId}`}
  and ${studentId === undefined ? sql`true` : sql`d.student_id = ${studentId}`}
  and ${Show === 'toReview' ? sql`d.is_over and d.reviewed_at is null` : Show === 'unread' ? sql`d.acknowledged_at is null` : sql`true`}
  and ${isFound(sql`u.first_name || ' ' || u.last_name`, search)}`

/** The readings themselves. Without a name to look for, an index of them has everything, and the few deleted students are told by theirs. */
const matched = (programId: number, filter: DoseFilter) =>
  filter.search
    ? sql`${joined} where ${matching(programId, filter)}`
    : sql`from dose_reading d where ${matching(programId, filter)} and d.student_id not in (
        select u.id from account u where u.program_id = ${programId} and u.deleted_at is not null)`

const order = sql`order by d.through_date desc, d.id desc`

export const listDoses = async (
  db: Db,
  programId: number,
  filter: DoseFilter,
  { offset = 0, pageSize = 500 }: { offset?: number; pageSize?: number } = {},
): Promise<DoseReading[]> => {
  // The year is added up for the page alone, not for the readings before it.
  const { rows } = await sql<DoseReading>`
    select ${columns} from (
      select d.* ${matched(programId, filter)} ${order} limit ${pageSize} offset ${offset}) d
    ${student} ${reviewer} ${order}`.execute(db)
  return rows
}

/** All of them as they come, in chunks through a cursor. */
export async function* streamDoses(
  db: Db,
  programId: number,
  filter: DoseFilter,
): AsyncGenerator<DoseReading> {
  const query = sql<DoseReading>`
    select ${columns} ${joined} ${reviewer} where ${matching(programId, filter)} ${order}`.compile(db)
  for await (const { rows } of db.getExecutor().stream<DoseReading>(query, 500)) yield* rows
}

export const countDoses = async (db: Db, programId: number, filter: DoseFilter): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select ${matched(programId, filter)} limit ${maxCounted + 1}) found`.execute(db)
  return rows[0]!.n
}

/** Tells students that there is something to read. */
export const tellOfDoses = (db: Db, programId: number, studentIds: readonly number[]): Promise<void> =>
  notifyPeople(
    db,
    programId,
    studentIds.map((accountId) => ({
      accountId,
      kind: 'dose_reading',
      text: 'A new dosimeter reading is there. Please read it.',
      link: '/new/safety',
    })),
  )

/** Who has a new reading of an import to read. */
export const listStudentsOf = async (db: Db, programId: number, importId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select distinct student_id as id from dose_reading
    where program_id = ${programId} and import_id = ${importId} and deleted_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whose readings these are. */
export const listDoseStudents = async (db: Db, programId: number, filter: DoseFilter): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select distinct d.student_id as id ${joined} where ${matching(programId, filter)}`.execute(db)
  return rows.map(({ id }) => id)
}
