import { sql } from 'kysely'
import type { ChangeKind, ChangeState } from '#contract/shift-changes/shift-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { AskableSite, ChangeRow, OfferedShift } from './shift-changes.queries.ts'

export const addEvent = async (
  db: Db,
  programId: number,
  changeId: number,
  event: { actor: string; action: string; detail?: string },
): Promise<void> => {
  await sql`insert into shift_request_event (program_id, change_id, actor, action, detail)
    values (${programId}, ${changeId}, ${event.actor}, ${event.action}, ${event.detail ?? ''})`.execute(db)
}

export const insertChange = async (
  db: Db,
  change: {
    programId: number
    kind: ChangeKind
    shift: OfferedShift
    isToAll: boolean
    note: string
    state: 'open' | 'pending'
    approval: 'staff' | 'site' | 'none'
  },
): Promise<number | undefined> => {
  const { shift } = change
  const { rows } = await sql<{ id: number }>`
    insert into shift_request (program_id, kind, assignment_id, student_id, is_to_all, note, state, approval, line, expires_at)
    values (${change.programId}, ${change.kind}, ${shift.id}, ${shift.studentId}, ${change.isToAll}, ${change.note},
      ${change.state}, ${change.approval}, ${shift.line}, ${shift.startsAt})
    on conflict (program_id, assignment_id) where state in ('open', 'pending') do nothing returning id`.execute(
    db,
  )
  return rows[0]?.id
}

export const askPeople = async (
  db: Db,
  programId: number,
  changeId: number,
  studentIds: readonly number[],
): Promise<void> => {
  await sql`insert into shift_request_person (program_id, change_id, student_id, answer)
    select ${programId}::bigint, ${changeId}::bigint, s, 'asked' from unnest(${[...studentIds]}::bigint[]) as s`.execute(
    db,
  )
}

export const keepAnswer = async (
  db: Db,
  programId: number,
  changeId: number,
  studentId: number,
  answer: 'declined' | 'proposed',
  assignmentId: number | null,
): Promise<void> => {
  await sql`insert into shift_request_person (program_id, change_id, student_id, answer, assignment_id)
    values (${programId}, ${changeId}, ${studentId}, ${answer}, ${assignmentId})
    on conflict (program_id, change_id, student_id)
      do update set answer = excluded.answer, assignment_id = excluded.assignment_id, at = now()`.execute(db)
}

/** Names the taker and what they return: from now on it waits for approval. */
export const setTaker = async (
  db: Db,
  programId: number,
  changeId: number,
  taker: {
    id: number
    returned: OfferedShift | undefined
    approval: 'staff' | 'site' | 'none'
  },
): Promise<void> => {
  await sql`update shift_request set state = 'pending', taker_id = ${taker.id}, returned_id = ${taker.returned?.id ?? null},
      returned_line = ${taker.returned?.line ?? ''}, approval = ${taker.approval}, taken_at = now(),
      expires_at = least(expires_at, ${taker.returned?.startsAt ?? null}::timestamptz)
    where program_id = ${programId} and id = ${changeId}`.execute(db)
}

/**
 * Gives a pending change back to its owner as the offer that it was before the taker came: what they proposed and what sites were asked is
 * gone.
 */
export const reopenChange = async (
  db: Db,
  programId: number,
  change: Pick<ChangeRow, 'id' | 'takerId' | 'isToAll'>,
): Promise<void> => {
  await sql`update shift_request c set state = 'open', taker_id = null, returned_id = null, returned_line = '', taken_at = null,
      expires_at = a.starts_at
    from shift_assignment a where c.program_id = ${programId} and c.id = ${change.id} and a.program_id = c.program_id
      and a.id = c.assignment_id`.execute(db)
  await sql`delete from shift_request_site where program_id = ${programId} and change_id = ${change.id}`.execute(
    db,
  )
  const own = sql`program_id = ${programId} and change_id = ${change.id} and student_id = ${change.takerId}`
  await (change.isToAll
    ? sql`delete from shift_request_person where ${own}`
    : sql`update shift_request_person set answer = 'asked', assignment_id = null where ${own}`
  ).execute(db)
}

/** Ends a change. */
export const endChange = async (
  db: Db,
  programId: number,
  changeId: number,
  state: Exclude<ChangeState, 'open' | 'pending'>,
  { reason = '', by = null }: { reason?: string; by?: number | null } = {},
): Promise<void> => {
  await sql`update shift_request set state = ${state}, reason = ${reason}, decided_at = now(), decided_by = ${by}
    where program_id = ${programId} and id = ${changeId}`.execute(db)
}

export const insertChangeSite = async (
  db: Db,
  programId: number,
  changeId: number,
  { siteId, name, email }: AskableSite,
): Promise<number> => {
  const { rows } = await sql<{
    id: number
  }>`insert into shift_request_site (program_id, change_id, site_id, recipient)
    values (${programId}, ${changeId}, ${siteId}, ${`${name} <${email}>`}) returning id`.execute(db)
  return rows[0]!.id
}

/** Keeps the answer of a site that has not answered; answers whether it did. */
export const answerAsSite = async (
  db: Db,
  programId: number,
  id: number,
  answer: 'approved' | 'declined',
): Promise<boolean> => {
  const { rows } = await sql`update shift_request_site set answer = ${answer}, answered_at = now()
    where program_id = ${programId} and id = ${id} and answer is null returning id`.execute(db)
  return rows.length > 0
}
