import { sql } from 'kysely'
import type { LeavingPreview } from '#contract/people/leaving.ts'
import type { Db } from '#server/core/database/pool.ts'
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

type Ties = Omit<LeavingPreview, 'Today' | 'Sites' | 'Refused'>

/** What else is looked at before somebody leaves; `today` bounds the days with records. */
export const readTies = async (db: Db, { programId, userId }: Leaver, today: string): Promise<Ties> => {
  const { rows } = await sql<Ties>`
    select (select max(r.date) from time_record r where r.program_id = ${programId} and r.student_id = ${userId}
        and r.deleted_at is null and r.status <> 'rejected' and r.date <= ${today}::date) as "LastRecord",
      (select count(*) from time_record r where r.program_id = ${programId} and r.student_id = ${userId}
        and r.deleted_at is null and r.status = 'pending' and r.kind <> 'in') as "PendingRecords",
      (select count(*) from evaluation e where e.program_id = ${programId} and not e.is_completed and e.stopped_at is null
        and e.deleted_at is null and (e.evaluator_id = ${userId} or e.subject_id = ${userId} or e.student_id = ${userId})) as "Evaluations",
      (select count(*) from open_shift_signup s where s.program_id = ${programId} and s.student_id = ${userId}
        and s.state = 'waiting') as "WaitingLists",
      (select count(*) from shift_request x where x.program_id = ${programId} and x.state in ('open', 'pending')
        and (x.student_id = ${userId} or x.taker_id = ${userId})) as "ShiftRequests",
      (select count(*) from placement_student x join placement_plan p on p.program_id = x.program_id and p.id = x.plan_id
        and p.deleted_at is null and p.end_date > ${today}::date
        where x.program_id = ${programId} and x.student_id = ${userId}) as "PlacementPlans"`.execute(db)
  return rows[0]!
}

/** What was taken from somebody who left, while they are away. */
export interface Left {
  id: number
  freed: number[]
  stopped: number[]
  handedTo: number | null
  handed: number[]
}

export const findLeft = async (db: Db, { programId, userId }: Leaver): Promise<Left | undefined> => {
  const { rows } = await sql<Left>`
    select id, freed_ids as freed, stopped_ids as stopped, handed_to as "handedTo", handed_ids as handed
    from leaving where program_id = ${programId} and account_id = ${userId} and over_at is null`.execute(db)
  return rows[0]
}

/** Of these shifts, those that began while the person was away. */
export const listMissedAway = async (
  db: Db,
  { programId }: Leaver,
  { id, freed, handed }: Left,
): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number }>`
    select a.id from shift_assignment a join leaving l on l.program_id = a.program_id and l.id = ${id}
    where a.program_id = ${programId} and a.id = any (${[...freed, ...handed]}::bigint[])
      and a.starts_at > l.made_at and a.starts_at <= now()`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Keeps which shifts another student has got, so that they can come back. */
export const keepHanded = async (
  db: Db,
  { programId, userId }: Leaver,
  handToId: number,
  ids: readonly number[],
): Promise<void> => {
  await sql`update leaving set handed_to = ${handToId}, handed_ids = ${[...ids]}::bigint[]
    where program_id = ${programId} and account_id = ${userId} and over_at is null`.execute(db)
}

/** Opens again the evaluations that stopped when somebody left, as far as nobody has done so since; answers how many. */
export const resumeStopped = async (
  db: Db,
  { programId }: Leaver,
  { id, stopped }: Left,
): Promise<number> => {
  const { numAffectedRows } = await sql`update evaluation e set stopped_at = null, stopped_by = null
    from leaving l
    where l.program_id = ${programId} and l.id = ${id} and e.program_id = ${programId} and e.id = any (${stopped}::bigint[])
      and e.stopped_at = l.made_at and not e.is_completed and e.deleted_at is null`.execute(db)
  return Number(numAffectedRows ?? 0n)
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
