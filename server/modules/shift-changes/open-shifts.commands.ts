import { sql } from 'kysely'
import type { BodyOf } from '#contract/core/endpoint.ts'
import type { updateOpenShift } from '#contract/shift-changes/open-shifts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { changeRow, type RowKey } from '#server/core/database/rows.ts'
import type { OpenDay } from './open-shifts.queries.ts'

/** Opens the shift on these days; days that are open already stay as they are. Answers the new ones. */
export const insertOpenShifts = async (
  db: Db,
  open: {
    programId: number
    rotationId: number
    siteShiftId: number
    levelIds: readonly number[]
    places: number
    note: string
    by: number
  },
  days: readonly OpenDay[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into open_shift (program_id, rotation_id, site_shift_id, date, level_ids, places, note, closes_at, created_by)
    select ${open.programId}::bigint, ${open.rotationId}::bigint, ${open.siteShiftId}::bigint, d.date,
      ${[...open.levelIds]}::smallint[], ${open.places}::int, ${open.note}::text, d.closes_at, ${open.by}::bigint
    from jsonb_to_recordset(${JSON.stringify(
      days.map(({ date, closesAt }) => ({ date, closes_at: closesAt })),
    )}::jsonb) as d (date date, closes_at timestamptz)
    on conflict (program_id, site_shift_id, date, rotation_id) where closed_at is null do nothing returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const hourMs = 3_600_000

export const changeOpenShift = (
  db: Db,
  key: RowKey,
  input: BodyOf<typeof updateOpenShift>,
  startsAt: string,
): Promise<boolean> =>
  changeRow(db, 'open_shift', key, {
    places: input.Places,
    level_ids: [...new Set(input.LevelIds)],
    closes_at: new Date(Date.parse(startsAt) - input.ClosesHoursBefore * hourMs).toISOString(),
    note: input.Note,
  })

/** Ends sign-up, not the waiting list; whether it was open. */
export const closeOpenShift = async (
  db: Db,
  { programId, id }: RowKey,
  accountId: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('open_shift')
    .set({ closed_at: sql`now()`, closed_by: accountId })
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Opens a closed shift again with those who waited when it was closed; whether it could be: not when sign-up is over, or when the day was
 * opened anew.
 */
export const reopenOpenShift = async (db: Db, { programId, id }: RowKey): Promise<boolean> => {
  const { rows } = await sql<{ restored: number }>`
    with reopened as (
      update open_shift o set closed_at = null, closed_by = null
      from (select program_id, id, closed_at from open_shift
        where program_id = ${programId} and id = ${id} for update) was
      where o.program_id = was.program_id and o.id = was.id and was.closed_at is not null and o.closes_at > now()
        and not exists (select from open_shift other where other.program_id = o.program_id and other.closed_at is null
          and other.site_shift_id = o.site_shift_id and other.date = o.date and other.rotation_id = o.rotation_id)
      returning o.id, was.closed_at),
    restored as (
      update open_shift_signup g set state = 'waiting', ended_as = null, ended_at = null from reopened
      where g.program_id = ${programId} and g.open_shift_id = reopened.id and g.ended_as = 'closed'
        and g.ended_at = reopened.closed_at
        and not exists (select from open_shift_signup n where n.program_id = g.program_id
          and n.open_shift_id = g.open_shift_id and n.student_id = g.student_id and n.state <> 'ended')
      returning g.id)
    select (select count(*)::int from restored) as restored from reopened`.execute(db)
  if (!rows[0]) return false
  if (rows[0].restored > 0) await countWaiting(db, programId, id, rows[0].restored)
  return true
}

/**
 * Takes so many places if they are there and sign-up is not over; answers whether. Whoever comes new takes none while others wait. The row
 * stays locked.
 */
export const takePlaces = async (
  db: Db,
  programId: number,
  id: number,
  count: number,
  { isNew }: { isNew: boolean },
): Promise<boolean> => {
  const { rows } = await sql`update open_shift set taken = taken + ${count}
    where program_id = ${programId} and id = ${id} and taken + ${count} <= places and closed_at is null
      and closes_at > clock_timestamp() and not (${isNew} and waiting > 0) returning id`.execute(db)
  return rows.length > 0
}

export const countWaiting = async (db: Db, programId: number, id: number, change: number): Promise<void> => {
  await sql`update open_shift set waiting = waiting + ${change}::int where program_id = ${programId} and id = ${id}`.execute(
    db,
  )
}

/** Keeps a sign-up: lock the open shift before, so that numbers and times are in the order in which the students come. */
export const insertSignup = async (
  db: Db,
  programId: number,
  openShiftId: number,
  studentId: number,
  assignmentId: number | null,
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into open_shift_signup (program_id, open_shift_id, student_id, state, assignment_id, created_at)
    values (${programId}, ${openShiftId}, ${studentId}, ${assignmentId === null ? 'waiting' : 'placed'}, ${assignmentId},
      clock_timestamp())
    returning id`.execute(db)
  return rows[0]!.id
}

export const endSignup = async (
  db: Db,
  programId: number,
  id: number,
  as: 'left' | 'dropped',
): Promise<void> => {
  await sql`update open_shift_signup set state = 'ended', ended_as = ${as}, ended_at = coalesce(ended_at, now())
    where program_id = ${programId} and id = ${id}`.execute(db)
}

/** Marks those who wait as placed on their new assignments. */
export const placeWaiting = async (
  db: Db,
  programId: number,
  openShiftId: number,
  assignmentIds: readonly number[],
): Promise<void> => {
  await sql`update open_shift_signup g set state = 'placed', assignment_id = a.id, hindrance = ''
    from shift_assignment a
    where a.program_id = ${programId} and a.id = any (${[...assignmentIds]}::bigint[]) and g.program_id = a.program_id
      and g.open_shift_id = ${openShiftId} and g.student_id = a.student_id and g.state = 'waiting'`.execute(
    db,
  )
}

export const keepHindrances = async (
  db: Db,
  programId: number,
  hindered: readonly { id: number; hindrance: string }[],
): Promise<void> => {
  if (hindered.length === 0) return
  await sql`update open_shift_signup g set hindrance = h.hindrance
    from jsonb_to_recordset(${JSON.stringify(hindered)}::jsonb) as h (id bigint, hindrance text)
    where g.program_id = ${programId} and g.id = h.id`.execute(db)
}

/** Ends the waiting list of an open shift that is over; answers who waited. */
export const endWaiting = async (db: Db, programId: number, openShiftId: number): Promise<number[]> => {
  const { rows } = await sql<{ student: number }>`
    update open_shift_signup set state = 'ended', ended_as = 'closed', ended_at = now()
    where program_id = ${programId} and open_shift_id = ${openShiftId} and state = 'waiting'
    returning student_id as student`.execute(db)
  await countWaiting(db, programId, openShiftId, -rows.length)
  return rows.map(({ student }) => student)
}
