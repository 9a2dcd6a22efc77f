import { sql } from 'kysely'
import type { Asked, Proof, StandingField } from '#contract/requirements/requirement-fields.ts'
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
  /** What the site asks besides. */
  MaxAgeDays: number | null
  Standing: StandingField
}

/**
 * What is asked of a student: everywhere, and at the sites of the shifts ahead. With what is kept of it, as it is on the day.
 */
export const listStandings = async (
  db: Db,
  programId: number,
  studentId: number,
  today: string,
): Promise<StudentStanding[]> => {
  const { rows } = await sql<Asked & Omit<StudentStanding, 'Standing'> & Omit<Standing, never>>`
    with ahead as materialized (
      select distinct a.site_id from shift_assignment a
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null and a.date >= ${today}::date)
    select ${askedColumns}, q.text_version as "TextVersion", n.site_id as "SiteId", coalesce(t.name, '') as "Site",
      n.max_age_days as "MaxAgeDays", ${standingColumns('s')}
    from requirement q
    join account u on u.program_id = q.program_id and u.id = ${studentId}
    join lateral (
      select null::bigint as site_id, null::smallint as max_age_days where q.scope = 'program'
      union all
      select r.site_id, r.max_age_days from site_requirement r join ahead on ahead.site_id = r.site_id
      where q.scope <> 'program' and r.program_id = q.program_id and r.requirement_id = q.id and r.is_asked) n on true
    left join site t on t.program_id = q.program_id and t.id = n.site_id
    left join student_requirement s on s.program_id = q.program_id and s.student_id = u.id and s.requirement_id = q.id
      and s.site_id = case q.scope when 'perSite' then n.site_id else 0 end
    where q.program_id = ${programId} and q.deleted_at is null
      and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
    order by q.position, lower(q.name), q.id, t.name`.execute(db)
  return rows.map(({ Status, CompletedOn, ExpiresOn, IsWaiting, IsReturned, Exemption, Next, ...asked }) => {
    const kept = { Status, CompletedOn, ExpiresOn, IsWaiting, IsReturned, Exemption, Next }
    return { ...asked, Standing: { ...kept, State: stateOn(asked.Rule, kept, today) } }
  })
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
    Standing: kept,
  }: Pick<StudentStanding, 'BlocksPlacement' | 'SiteId'> & {
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
      !isMet(stateOn(rule, kept, each.Date)),
  )
  return shift ? { Date: shift.Date, Site: shift.Site } : null
}
