import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import type { Asked, Proof, SiteRefusal, StandingField } from '#contract/requirements/requirement-fields.ts'
import {
  isAsked,
  isMet,
  type Rule,
  type Standing,
  stateOn,
} from '#contract/requirements/requirement-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { askedColumns } from './requirement-design.queries.ts'
import { standingColumns } from './standings.queries.ts'
import { askedBySites, isRefusedBySite } from './states.queries.ts'

/** A student's program day; the account of a student always has a program. */
export const readToday = async (db: Db, programId: number): Promise<string> => {
  const { rows } = await sql<{ day: string }>`select (now() at time zone time_zone)::date as day from program
    where id = ${programId}`.execute(db)
  return rows[0]!.day
}

const proofColumns = sql`
  p.id as "Id", p.revision as "Revision", p.requirement_id as "RequirementId", p.site_id as "SiteId", p.state as "State",
  p.source as "Source", p.events as "Events", p.note as "Note", p.return_reason as "ReturnReason", p.created_at as "SentAt",
  p.decided_at as "DecidedAt", nullif(trim(d.first_name || ' ' || d.last_name), '') as "DecidedBy", p.vendor as "Vendor",
  p.signed_name as "SignedName", p.version as "Version",
  coalesce((select jsonb_agg(jsonb_build_object('Position', x.position, 'Name', f.name, 'MediaType', f.media_type,
      'ByteCount', f.byte_count) order by x.position)
    from requirement_proof_file x join stored_file f on f.id = x.file_id
    where x.program_id = p.program_id and x.proof_id = p.id), '[]') as "Files"`

/** The proofs of a student, the newest first; of one requirement and site where they are named. */
export const listProofs = async (
  db: Db,
  programId: number,
  studentId: number,
  { proofId, requirementId }: { proofId?: number; requirementId?: number } = {},
): Promise<Proof[]> => {
  const { rows } = await sql<Proof>`
    select ${proofColumns} from requirement_proof p left join account d on d.id = p.decided_by
    where p.program_id = ${programId} and p.student_id = ${studentId} and p.deleted_at is null
      and ${proofId === undefined ? sql`true` : sql`p.id = ${proofId}`}
      and ${requirementId === undefined ? sql`true` : sql`p.requirement_id = ${requirementId}`}
    order by p.id desc`.execute(db)
  return rows
}

/** The proof that the student's device made under this key, also when it was taken back since. */
export const findByKey = async (
  db: Db,
  programId: number,
  studentId: number,
  key: string,
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`select id from requirement_proof
    where program_id = ${programId} and student_id = ${studentId} and key = ${key}::uuid`.execute(db)
  return rows[0]?.id
}

export const findProofFile = async (
  db: Db,
  programId: number,
  studentId: number,
  { proofId, position }: { proofId: number; position: number },
): Promise<{ name: string; media_type: string; store_key: string } | undefined> => {
  const { rows } = await sql<{ name: string; media_type: string; store_key: string }>`
    select f.name, f.media_type, f.store_key
    from requirement_proof p
    join requirement_proof_file x on x.program_id = p.program_id and x.proof_id = p.id and x.position = ${position}
    join stored_file f on f.id = x.file_id
    where p.program_id = ${programId} and p.student_id = ${studentId} and p.id = ${proofId} and p.deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

/** A requirement of a student with what is kept of it; once for each site where each site asks by itself. */
export interface StudentStanding extends Asked {
  TextVersion: number
  SiteId: number | null
  Site: string
  /** Why the site does not take what is in order elsewhere. */
  SiteRefuses: z.infer<typeof SiteRefusal> | null
  Standing: StandingField
}

/** What is asked of some students, as `listStandings` says it of one. */
export const listStandingsOf = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
  today: string,
): Promise<(StudentStanding & { StudentId: number })[]> => {
  const ids = sql`${[...studentIds]}::bigint[]`
  const { rows } = await sql<Omit<StudentStanding, 'Standing'> & { StudentId: number } & Standing>`
    with ahead as materialized (
      select a.student_id, a.site_id, min(a.date) as first_day from shift_assignment a
      where a.program_id = ${programId} and a.student_id = any (${ids}) and a.removed_at is null
      group by 1, 2 having max(a.date) >= ${today}::date)
    select u.id as "StudentId", ${askedColumns}, q.text_version as "TextVersion", n.site_id as "SiteId", coalesce(t.name, '') as "Site",
      case when x.is_refused then json_build_object('FirstDay', h.first_day,
        'MaxAgeDays', case when h.first_day - s.completed_on > n.max_age_days then n.max_age_days end) end as "SiteRefuses", ${standingColumns('s')}
    from requirement q
    join account u on u.program_id = q.program_id and u.id = any (${ids})
    join lateral (${askedBySites(sql`exists (select from ahead h where h.student_id = u.id and h.site_id = r.site_id)`)}) n on true
    left join ahead h on h.student_id = u.id and h.site_id = n.site_id
    left join site t on t.program_id = q.program_id and t.id = n.site_id
    left join student_requirement s on s.program_id = q.program_id and s.student_id = u.id and s.requirement_id = q.id
      and s.site_id = case q.scope when 'perSite' then n.site_id else 0 end
    cross join lateral (select ${isRefusedBySite(sql`${today}::date`, sql`h.first_day`)} as is_refused) x
    where q.program_id = ${programId} and q.deleted_at is null and (n.is_own or x.is_refused)
      and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
    order by q.position, lower(q.name), q.id, t.name nulls first`.execute(db)
  return rows.map(({ Status, CompletedOn, ExpiresOn, IsWaiting, IsReturned, Exemption, Next, ...asked }) => {
    const kept = { Status, CompletedOn, ExpiresOn, IsWaiting, IsReturned, Exemption, Next }
    const State = asked.SiteRefuses
      ? IsWaiting
        ? ('submitted' as const)
        : ('missing' as const)
      : stateOn(asked.Rule, kept, today)
    return { ...asked, Standing: { ...kept, State } }
  })
}

/**
 * What is asked of a student: everywhere, and at the sites of the shifts ahead. With what is kept of it, as it is on the day.
 */
export const listStandings = async (
  db: Db,
  programId: number,
  studentId: number,
  today: string,
): Promise<StudentStanding[]> =>
  (await listStandingsOf(db, programId, [studentId], today)).map(({ StudentId: _student, ...asked }) => asked)

/** What the students among some people have to do something about, a text each; '' for nothing: 'CPR: expired 11/14/2026; Badge at Bayview: missing'. */
export const readOpenTexts = async (
  db: Db,
  programId: number,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const { rows } = await sql<{ id: number }>`select id from account where program_id = ${programId}
    and id = any (${[...accountIds]}::bigint[]) and access_level = ${Level.Student}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const standings = await listStandingsOf(db, programId, ids, await readToday(db, programId))
  const byStudent = Map.groupBy(standings, ({ StudentId }) => StudentId)
  return new Map(
    ids.map((id) => [id, (byStudent.get(id) ?? []).flatMap((each) => openText(each) ?? []).join('; ')]),
  )
}

/** What a background check found is for few. */
const openText = ({
  Name,
  Rule: rule,
  Site,
  SiteRefuses,
  Standing: { State, ExpiresOn },
}: StudentStanding): string | undefined => {
  const where = Site ? `${Name} at ${Site}` : Name
  if (State === 'submitted') return undefined
  if (SiteRefuses) return `${where}: not accepted there`
  if (State === 'expiring') return `${where}: expires ${formatDate(ExpiresOn)}`
  if (isMet(State)) return undefined
  if (rule.Kind === 'result') return `${where}: not complete`
  return `${where}: ${State === 'expired' ? `expired ${formatDate(ExpiresOn)}` : State}`
}

export interface ShiftAhead {
  Date: string
  SiteId: number
  Site: string
}

export const listShiftsAhead = async (
  db: Db,
  programId: number,
  studentId: number,
  today: string,
): Promise<ShiftAhead[]> => {
  const { rows } = await sql<ShiftAhead>`
    select distinct a.date as "Date", a.site_id as "SiteId", t.name as "Site" from shift_assignment a
    join site t on t.program_id = a.program_id and t.id = a.site_id
    where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null and a.date >= ${today}::date
    order by a.date limit 400`.execute(db)
  return rows
}

/** The first of the shifts that a requirement keeps its student from; null where it blocks none. */
export const firstBlocked = (
  {
    BlocksPlacement,
    Rule: rule,
    SiteId,
    SiteRefuses,
    Standing: kept,
  }: Pick<StudentStanding, 'BlocksPlacement' | 'SiteId' | 'SiteRefuses'> & {
    Rule: Rule
    Standing: StandingField
  },
  shifts: readonly ShiftAhead[],
): { Date: string; Site: string } | null => {
  if (!BlocksPlacement) return null
  const shift = shifts.find(
    (each) =>
      (SiteId === null || each.SiteId === SiteId) &&
      isAsked(rule, each.Date) &&
      (SiteRefuses !== null || !isMet(stateOn(rule, kept, each.Date))),
  )
  return shift ? { Date: shift.Date, Site: shift.Site } : null
}
