import { sql } from 'kysely'
import type { SiteAnswerKind } from '#contract/placement-lists/place-requests.ts'
import type { Db } from '#server/core/database/pool.ts'
import { setDayCapacities } from '../scheduling/site-shifts.commands.ts'
import { isLate } from './place-requests.queries.ts'

/** What one sending asks of each site. */
export interface AskedPlaces {
  siteShiftId: number | null
  studentLevelId: number | null
  startDate: string
  endDate: string
  places: number
  note: string
  answerBy: string
  by: number
}

/** Keeps a request for each site; answers their ids. */
export const insertRequests = async (
  db: Db,
  programId: number,
  asked: AskedPlaces,
  sites: readonly { SiteId: number; RecipientName: string; RecipientEmail: string }[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into place_request (program_id, site_id, site_shift_id, student_level_id, start_date, end_date, places, note,
      recipient_name, recipient_email, answer_by, created_by)
    select ${programId}::bigint, w."SiteId", ${asked.siteShiftId}::bigint, ${asked.studentLevelId}::smallint, ${asked.startDate}::date,
      ${asked.endDate}::date, ${asked.places}::int, ${asked.note}, w."RecipientName", w."RecipientEmail", ${asked.answerBy}::date,
      ${asked.by}::bigint
    from jsonb_to_recordset(${JSON.stringify(sites)}::jsonb) as w ("SiteId" bigint, "RecipientName" text, "RecipientEmail" text)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Offer {
  answer: SiteAnswerKind
  places: number
  from: string
  through: string
  words: string
}

/** Keeps what the site of a locked request answers, in place of what it answered before. */
export const keepOffer = async (
  db: Db,
  programId: number,
  id: number,
  { answer, places, from, through, words }: Offer,
): Promise<void> => {
  await sql`update place_request set answer = ${answer}, offered_places = ${places}, offered_from = ${from},
      offered_through = ${through}, words = ${words}, answered_at = now()
    where program_id = ${programId} and id = ${id}`.execute(db)
}

export const keepDecision = async (
  db: Db,
  programId: number,
  id: number,
  { isAccepted, by }: { isAccepted: boolean; by: number },
): Promise<void> => {
  await sql`update place_request set is_accepted = ${isAccepted}, decided_at = now(), decided_by = ${by}
    where program_id = ${programId} and id = ${id}`.execute(db)
}

export const markRequestWithdrawn = async (db: Db, programId: number, id: number): Promise<void> => {
  await sql`update place_request set withdrawn_at = now() where program_id = ${programId} and id = ${id}`.execute(
    db,
  )
}

export const markRequestReminded = async (db: Db, programId: number, id: number): Promise<void> => {
  await sql`update place_request set reminded_at = now() where program_id = ${programId} and id = ${id}`.execute(
    db,
  )
}

/**
 * Gives the days of a shift from today on the places that the request's site offers. Answers false where a day holds more students,
 * so that the caller takes everything back.
 */
export const giveShiftPlaces = (db: Db, programId: number, id: number): Promise<boolean> => {
  return setDayCapacities(
    db,
    sql`select r.program_id, h.id as shift, d::date as date, r.offered_places as places
      from place_request r
      join site s on s.program_id = r.program_id and s.id = r.site_id
      join site_shift h on h.program_id = r.program_id and h.id = r.site_shift_id
      cross join lateral generate_series(greatest(r.offered_from, h.start_date, (now() at time zone s.time_zone)::date)::timestamp,
        least(r.offered_through, h.end_date)::timestamp, interval '1 day') d
      where r.program_id = ${programId} and r.id = ${id} and extract(dow from d)::smallint = any (h.weekdays)`,
  )
}

/** Marks requests whose date is over without an answer, each once; answers the names of their sites. */
export const takeLateRequests = async (
  db: Db,
  programId: number,
): Promise<{ id: number; site: string; places: number }[]> => {
  const { rows } = await sql<{ id: number; site: string; places: number }>`
    update place_request r set late_at = now() from site s
    where r.program_id = ${programId} and ${isLate} and r.late_at is null
      and s.program_id = r.program_id and s.id = r.site_id
    returning r.id, s.name as site, r.places`.execute(db)
  return rows
}
