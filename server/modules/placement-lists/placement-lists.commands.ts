import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { comingStudents, isOpen, today } from './placement-lists.queries.ts'

/** Withdraws the open lists of a rotation at these sites; answers which they were. */
export const withdrawOpenLists = async (
  db: Db,
  programId: number,
  rotationId: number,
  siteIds: readonly number[],
): Promise<{ id: number; siteId: number }[]> => {
  const { rows } = await sql<{ id: number; siteId: number }>`update placement_list set withdrawn_at = now()
    where program_id = ${programId} and rotation_id = ${rotationId} and site_id = any (${[...siteIds]}::bigint[])
      and withdrawn_at is null returning id, site_id as "siteId"`.execute(db)
  return rows
}

/** Marks a list as withdrawn; false where it was before. */
export const markWithdrawn = async (db: Db, programId: number, id: number): Promise<boolean> => {
  const { rows } = await sql`update placement_list set withdrawn_at = now()
    where program_id = ${programId} and id = ${id} and withdrawn_at is null returning id`.execute(db)
  return rows.length > 0
}

/** What one sending has in common. */
export interface Sending {
  rotationId: number
  note: string
  answerBy: string
  by: number | null
}

/** A list of one site. */
export interface NewList {
  siteId: number
  recipientName: string
  recipientEmail: string
  /** The list that this one replaces: its answers are kept about students whose dates are the same. */
  replacedId: number | undefined
}

/**
 * Keeps new lists with the students who come now and whom their sites may be told about; answers their ids. The students of the
 * rotation are gone through once, however many sites there are.
 */
export const insertLists = async (
  db: Db,
  programId: number,
  { rotationId, note, answerBy, by }: Sending,
  lists: readonly NewList[],
): Promise<number[]> => {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(lists)}::jsonb)
    as w ("siteId" bigint, "recipientName" text, "recipientEmail" text, "replacedId" bigint)`
  const { rows } = await sql<{ id: number }>`
    insert into placement_list (program_id, rotation_id, site_id, recipient_name, recipient_email, note, answer_by, students, created_by)
    select ${programId}, ${rotationId}, w."siteId", w."recipientName", w."recipientEmail", ${note}, ${answerBy}::date, 0, ${by}::bigint
    from ${wanted} order by w."siteId" returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    with listed as (
      insert into placement_list_student (program_id, list_id, student_id, first_date, last_date, shifts, is_confirmed, reason, answered_at)
      select ${programId}, l.id, c.student_id, c.first_date, c.last_date, c.shifts, o.is_confirmed, coalesce(o.reason, ''), o.answered_at
      from (${comingStudents(programId, rotationId)}) c
      join placement_list l on l.program_id = ${programId} and l.id = any (${ids}::bigint[]) and l.site_id = c.site_id
      join ${wanted} on w."siteId" = c.site_id
      left join placement_list_student o on o.program_id = ${programId} and o.list_id = w."replacedId"
        and o.student_id = c.student_id and o.first_date = c.first_date and o.last_date = c.last_date and o.shifts = c.shifts
      where c.is_told
      returning list_id, is_confirmed)
    update placement_list l set students = n.students, confirmed = n.confirmed, declined = n.declined
    from (select list_id, count(*) as students, count(*) filter (where is_confirmed) as confirmed,
      count(*) filter (where not is_confirmed) as declined from listed group by list_id) n
    where l.program_id = ${programId} and l.id = n.list_id`.execute(db)
  return ids
}

export interface SiteAnswer {
  StudentId: number
  IsConfirmed: boolean
  Reason: string
}

/** Keeps the answers of a locked list, and its counts with them. Answers the names of students who were declined by this. */
export const keepAnswers = async (
  db: Db,
  programId: number,
  listId: number,
  answers: readonly SiteAnswer[],
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
      as g ("StudentId" bigint, "IsConfirmed" boolean, "Reason" text)),
    was as (select x.student_id, x.is_confirmed from placement_list_student x
      where x.program_id = ${programId} and x.list_id = ${listId}),
    kept as (
      update placement_list_student x set is_confirmed = g."IsConfirmed", reason = case when g."IsConfirmed" then '' else g."Reason" end,
        answered_at = now()
      from given g where x.program_id = ${programId} and x.list_id = ${listId} and x.student_id = g."StudentId"
      returning x.student_id, x.is_confirmed)
    select u.first_name || ' ' || u.last_name as name from kept k
    join was w on w.student_id = k.student_id and w.is_confirmed is distinct from k.is_confirmed
    join account u on u.program_id = ${programId} and u.id = k.student_id
    where not k.is_confirmed order by 1`.execute(db)
  await sql`update placement_list l set confirmed = n.confirmed, declined = n.declined
    from (select count(*) filter (where is_confirmed) as confirmed, count(*) filter (where not is_confirmed) as declined
      from placement_list_student where program_id = ${programId} and list_id = ${listId}) n
    where l.program_id = ${programId} and l.id = ${listId}`.execute(db)
  return rows.map(({ name }) => name)
}

export const markReminded = async (db: Db, programId: number, id: number): Promise<void> => {
  await sql`update placement_list set reminded_at = now() where program_id = ${programId} and id = ${id}`.execute(
    db,
  )
}

/** Marks open lists whose date is over, each once; answers what coordinators are told. */
export const takeLate = async (db: Db, programId: number): Promise<{ id: number; text: string }[]> => {
  const { rows } = await sql<{ id: number; text: string }>`
    update placement_list l set late_at = now() from site s, rotation r
    where l.program_id = ${programId} and ${isOpen} and l.late_at is null and l.answer_by < ${today}
      and s.program_id = l.program_id and s.id = l.site_id and r.program_id = l.program_id and r.id = l.rotation_id
    returning l.id, s.name || ' has not answered about ' || (l.students - l.confirmed - l.declined) || ' of ' || l.students
      || ' students in ' || r.name as text`.execute(db)
  return rows
}
