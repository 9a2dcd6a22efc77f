import { sql } from 'kysely'
import type { LeavingPreview } from '#contract/people/leaving.ts'
import type { Db } from '#server/core/database/pool.ts'
import { programToday } from '#server/core/database/program-today.ts'
import { hasConsented, siteContact } from '../requirements/disclosure.queries.ts'

/** A person of a program. */
export interface Leaver {
  programId: number
  userId: number
}

/** A shift after the last day. */
export interface ComingShift {
  Id: number
  RotationId: number
  SiteShiftId: number
  SiteId: number
  Site: string
  Date: string
  IsAhead: boolean
  IsListed: boolean
}

/** The shifts of a person after a day, the first ones first. */
export const listComing = async (
  db: Db,
  { programId, userId }: Leaver,
  lastDay: string,
): Promise<ComingShift[]> => {
  const { rows } = await sql<ComingShift>`
    select a.id as "Id", a.rotation_id as "RotationId", a.site_shift_id as "SiteShiftId", a.site_id as "SiteId", s.name as "Site",
      a.date as "Date", a.starts_at > now() as "IsAhead", exists (select from placement_list l
        join placement_list_student x on x.program_id = l.program_id and x.list_id = l.id and x.student_id = a.student_id
        where l.program_id = a.program_id and l.site_id = a.site_id and l.rotation_id = a.rotation_id and l.withdrawn_at is null)
        as "IsListed"
    from shift_assignment a join site s on s.program_id = a.program_id and s.id = a.site_id
    where a.program_id = ${programId} and a.student_id = ${userId} and a.removed_at is null and a.date > ${lastDay}::date
    order by a.date, a.id`.execute(db)
  return rows
}

type Ties = Omit<LeavingPreview, 'Today' | 'LeavesOn' | 'Sites' | 'Refused' | 'Returning'>

/** What else is looked at before somebody leaves; `today` bounds the days with records, what is after the last day ends. */
export const readTies = async (
  db: Db,
  { programId, userId }: Leaver,
  { today, lastDay }: { today: string; lastDay: string },
): Promise<Ties> => {
  const isAtOnce = lastDay <= today
  const { rows } = await sql<Ties>`
    select (select max(r.date) from time_record r where r.program_id = ${programId} and r.student_id = ${userId}
        and r.deleted_at is null and r.status <> 'rejected' and r.date <= ${today}::date) as "LastRecord",
      (select count(*) from time_record r where r.program_id = ${programId} and r.student_id = ${userId}
        and r.deleted_at is null and r.status = 'pending' and r.kind <> 'in') as "PendingRecords",
      (select count(*) from evaluation e where e.program_id = ${programId} and not e.is_completed and e.stopped_at is null
        and e.deleted_at is null and (e.evaluator_id = ${userId} or e.subject_id = ${userId} or e.student_id = ${userId})) as "Evaluations",
      (select count(*) from open_shift_signup s join open_shift o on o.program_id = s.program_id and o.id = s.open_shift_id
        where s.program_id = ${programId} and s.student_id = ${userId}
        and s.state = 'waiting' and (${isAtOnce}::boolean or o.date > ${lastDay}::date)) as "WaitingLists",
      (select count(*) from shift_request x
        join shift_assignment a on a.program_id = x.program_id and a.id = x.assignment_id
        where x.program_id = ${programId} and x.state in ('open', 'pending')
        and (x.student_id = ${userId} or x.taker_id = ${userId})
        and (${isAtOnce}::boolean or a.date > ${lastDay}::date)) as "ShiftRequests",
      (select count(*) from placement_student x join placement_plan p on p.program_id = x.program_id and p.id = x.plan_id
        and p.deleted_at is null and p.end_date > ${lastDay}::date and p.end_date > ${today}::date
        where x.program_id = ${programId} and x.student_id = ${userId}) as "PlacementPlans"`.execute(db)
  return rows[0]!
}

/** The last day to come of whoever leaves. */
export const findLeavesOn = async (db: Db, { programId, userId }: Leaver): Promise<string | null> => {
  const { rows } = await sql<{ day: string | null }>`
    select leaves_on as day from account where program_id = ${programId} and id = ${userId}`.execute(db)
  return rows[0]?.day ?? null
}

/** What was taken from somebody who left or is about to, in all steps since they last stayed. */
export interface Left {
  ids: number[]
  freed: number[]
  stopped: number[]
  handed: { id: number; to: number }[]
}

/** Undefined for whoever is not about to leave and has not left. */
export const findLeft = async (db: Db, { programId, userId }: Leaver): Promise<Left | undefined> => {
  const { rows } = await sql<{
    id: number
    freed: number[]
    stopped: number[]
    handedTo: number | null
    handed: number[]
  }>`
    select id, to_jsonb(freed_ids) as freed, to_jsonb(stopped_ids) as stopped, handed_to as "handedTo", to_jsonb(handed_ids) as handed
    from leaving where program_id = ${programId} and account_id = ${userId} and over_at is null order by id`.execute(
    db,
  )
  if (rows.length === 0) return undefined
  return {
    ids: rows.map(({ id }) => id),
    freed: rows.flatMap(({ freed }) => freed),
    stopped: rows.flatMap(({ stopped }) => stopped),
    handed: rows.flatMap(({ handed, handedTo }) =>
      handedTo === null ? [] : handed.map((id) => ({ id, to: handedTo })),
    ),
  }
}

/** Of these shifts, those that began while the person was away. */
export const listMissedAway = async (db: Db, { programId }: Leaver, { ids }: Left): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`
    select a.id from leaving l cross join unnest(l.freed_ids || l.handed_ids) taken (id)
    join shift_assignment a on a.program_id = l.program_id and a.id = taken.id
    where l.program_id = ${programId} and l.id = any (${ids}::bigint[])
      and a.starts_at > l.made_at and a.starts_at <= now()`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** People of the program whose last day is over. */
export const listDue = async (db: Db, programId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from account where program_id = ${programId} and leaves_on < ${programToday(programId)} and deleted_at is null
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The names of sites by shift. */
export const listShiftSites = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  const { rows } = await sql<{ id: number; name: string }>`select x.id, s.name from site_shift x
    join site s on s.program_id = x.program_id and s.id = x.site_id
    where x.program_id = ${programId} and x.id = any (${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A site that is told that somebody leaves or comes back, with the days of the shifts. */
export interface ToldSite {
  id: number
  site: string
  name: string
  email: string
  student: string
  /** Days of the shifts that nobody has by now. */
  free: string[]
  /** Days of the shifts that another student has by now. */
  handed: string[]
  handedTo: string
}

/** Sites of coming shifts that have a contact to write to and may be told of the student. */
export const listToldSites = async (
  db: Db,
  { programId, userId }: Leaver,
  ids: { free: readonly number[]; handed: readonly number[] },
): Promise<ToldSite[]> => {
  const all = [...ids.free, ...ids.handed]
  if (all.length === 0) return []
  const days = (of: readonly number[]) =>
    sql`coalesce(array_agg(a.date::text order by a.date) filter (where a.id = any (${[...of]}::bigint[])), '{}')`
  const { rows } = await sql<ToldSite>`
    select s.id, s.name as site, k.name, k.email, u.first_name || ' ' || u.last_name as student, ${days(ids.free)} as free,
      ${days(ids.handed)} as handed, coalesce(max(h.first_name || ' ' || h.last_name), '') as "handedTo"
    from shift_assignment a
    join site s on s.program_id = a.program_id and s.id = a.site_id and s.deleted_at is null
    join site_disclosure d on d.program_id = s.program_id and d.site_id = s.id
    join account u on u.program_id = a.program_id and u.id = ${userId}
    left join account h on h.program_id = a.program_id and h.id = a.student_id and h.id <> u.id
    cross join ${siteContact} k
    where a.program_id = ${programId} and a.id = any (${all}::bigint[]) and a.starts_at > now()
      and (d.basis = 'schoolOfficial' or ${hasConsented(programId, sql`u.id`, sql`s.id`)})
    group by s.id, s.name, k.name, k.email, u.first_name, u.last_name order by s.id`.execute(db)
  return rows
}
