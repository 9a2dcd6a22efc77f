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

const joined = sql`from dose_reading d
  join account u on u.program_id = d.program_id and u.id = d.student_id and u.deleted_at is null
  left join account r on r.id = d.reviewed_by`

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

const order = sql`order by d.through_date desc, d.id desc`

export const listDoses = async (
  db: Db,
  programId: number,
  filter: DoseFilter,
  { offset = 0, pageSize = 500 }: { offset?: number; pageSize?: number } = {},
): Promise<DoseReading[]> => {
  const { rows } = await sql<DoseReading>`
    select ${columns} ${joined} where ${matching(programId, filter)} ${order} limit ${pageSize} offset ${offset}`.execute(
    db,
  )
  return rows
}

export const countDoses = async (db: Db, programId: number, filter: DoseFilter): Promise<number> => {
  const where = matching(programId, filter)
  // Without a name to look for, an index of readings has everything, and the few deleted students are told by theirs.
  const counted = filter.search
    ? sql`${joined} where ${where}`
    : sql`from dose_reading d where ${where} and d.student_id not in (select u.id from account u
        where u.program_id = ${programId} and u.deleted_at is not null)`
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select ${counted} limit ${maxCounted + 1}) found`.execute(db)
  return rows[0]!.n
}

export interface EnteredDoses {
  Deep: number | null
  Lens: number | null
  Shallow: number | null
}

/** Its id; undefined where a reading of this student, period and badge is there. */
export const insertDose = async (
  db: Db,
  programId: number,
  row: EnteredDoses & {
    StudentId: number
    Badge: string
    From: string
    Through: string
    limit: number
    by: number
  },
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    insert into dose_reading (program_id, student_id, badge, from_date, through_date, deep, lens, shallow, is_over, created_by, updated_by)
    values (${programId}, ${row.StudentId}, ${row.Badge}, ${row.From}, ${row.Through}, ${row.Deep}, ${row.Lens}, ${row.Shallow},
      ${(row.Deep ?? 0) >= row.limit}, ${row.by}, ${row.by})
    on conflict (program_id, student_id, from_date, through_date, lower(badge)) where deleted_at is null do nothing
    returning id`.execute(db)
  return rows[0]?.id
}

/** What was said of the doses before, by the student and by whoever reviewed them, is about other doses. */
export const correctDose = async (
  db: Db,
  programId: number,
  readingId: number,
  row: EnteredDoses & { limit: number; by: number },
): Promise<void> => {
  await sql`update dose_reading set deep = ${row.Deep}, lens = ${row.Lens}, shallow = ${row.Shallow},
      is_over = ${(row.Deep ?? 0) >= row.limit}, acknowledged_at = null, reviewed_at = null, reviewed_by = null, review_note = '',
      updated_by = ${row.by}
    where program_id = ${programId} and id = ${readingId} and deleted_at is null`.execute(db)
}

export const removeDose = async (db: Db, programId: number, readingId: number, by: number): Promise<void> => {
  await sql`update dose_reading set deleted_at = now(), updated_by = ${by}
    where program_id = ${programId} and id = ${readingId} and deleted_at is null`.execute(db)
}

/** Brings a removed reading back, unless one of the same student, period and badge is there; whether it did. */
export const restoreDose = async (
  db: Db,
  programId: number,
  readingId: number,
  by: number,
): Promise<'restored' | 'taken' | undefined> => {
  const { rows } = await sql<{ is_taken: boolean }>`
    select exists (select from dose_reading y where y.program_id = d.program_id and y.student_id = d.student_id
      and y.from_date = d.from_date and y.through_date = d.through_date and lower(y.badge) = lower(d.badge)
      and y.deleted_at is null) as is_taken
    from dose_reading d join account u on u.program_id = d.program_id and u.id = d.student_id and u.deleted_at is null
    where d.program_id = ${programId} and d.id = ${readingId} and d.deleted_at is not null for update of d`.execute(
    db,
  )
  const [found] = rows
  if (!found) return undefined
  if (found.is_taken) return 'taken'
  await sql`update dose_reading set deleted_at = null, updated_by = ${by}
    where program_id = ${programId} and id = ${readingId}`.execute(db)
  return 'restored'
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

/** Whether it was above the limit and nobody had looked at it. */
export const reviewDose = async (
  db: Db,
  { programId, readingId, by, note }: { programId: number; readingId: number; by: number; note: string },
): Promise<boolean> => {
  const { numAffectedRows } =
    await sql`update dose_reading set reviewed_at = now(), reviewed_by = ${by}, review_note = ${note}
    where program_id = ${programId} and id = ${readingId} and is_over and reviewed_at is null and deleted_at is null`.execute(
      db,
    )
  return numAffectedRows === 1n
}

export const acknowledgeDoses = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  ids: readonly number[],
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`update dose_reading set acknowledged_at = now()
    where program_id = ${programId} and student_id = ${studentId} and id = any (${[...ids]}::bigint[])
      and acknowledged_at is null and deleted_at is null`.execute(db)
  return Number(numAffectedRows)
}

/** Marks readings at or above the limit that nobody has looked at; a corrected one may be below it again. */
export const markOver = async (db: Db, programId: number, importId: number, limit: number): Promise<void> => {
  await sql`update dose_reading set is_over = coalesce(deep, 0) >= ${limit}
    where program_id = ${programId} and reviewed_at is null and deleted_at is null
      and (import_id = ${importId} or id in (select entity_id from import_change where import_id = ${importId}))`.execute(
    db,
  )
}

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
