import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import { Level } from '#contract/core/levels.ts'
import type * as contract from '#contract/students/students.ts'
import type { ExpiredRequirement } from '#contract/students/students.ts'
import { lateAfterMinutes } from '#contract/time/insight.ts'
import { countsOn } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import {
  isPrivateEmail,
  isSecretEmail,
  privateSubject,
  secretSubject,
} from '#server/core/mail/closed-words.ts'
import { expiredOn } from '../requirements/expired.queries.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'

/** Which student, and how far the caller sees. */
export interface StudentView {
  programId: number
  studentId: number
  scope: SiteScope
}

export interface Paging {
  page: number
  pageSize: number
}

/** Answers of a list that is read with its count beside each row. */
const paged = <R extends { total: number }>(
  rows: readonly R[],
  { page, pageSize }: Paging,
  total: number,
) => ({
  Items: rows.map(({ total: _total, ...row }) => row),
  Total: rows[0]?.total ?? total,
  Page: page,
  PageSize: pageSize,
})
const limits = ({ page, pageSize }: Paging): RawBuilder<unknown> =>
  sql`limit ${pageSize} offset ${(page - 1) * pageSize}`

/** How long after a shift a supervisor still sees its student in the list. */
const daysBack = 30

/** Whoever is, or was, a student of the program; for a supervisor one with a shift at a site of theirs. */
export const findStudent = async (
  db: Db,
  { programId, studentId, scope }: StudentView,
): Promise<Omit<contract.Student, 'IsOnTrack'> | undefined> => {
  const { rows } = await sql<Omit<contract.Student, 'IsOnTrack'>>`
    select u.id as "Id", u.first_name as "FirstName", u.last_name as "LastName", u.student_number as "StudentNumber",
      l.name as "StudentLevel", u.cohort as "Cohort", r.name as "Area", u.email as "EmailAddress",
      u.phone as "PhoneNumber", u.deactivated_at is null as "IsActive", w.last_day as "LastDay", u.leaves_on as "LeavesOn", u.access_level as "AccessLevel"
    from account u
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    left join area r on r.program_id = u.program_id and r.id = u.area_id
    left join lateral (select l.last_day from leaving l
      where l.program_id = u.program_id and l.account_id = u.id and l.over_at is null and u.leaves_on is null
      order by l.id desc limit 1) w on true
    where u.program_id = ${programId} and u.id = ${studentId} and u.deleted_at is null
      and u.access_level in (${Level.Student}, ${Level.Alumnus})
      and ${
        scope.supervisorId === null
          ? sql`true`
          : sql`exists (select from shift_assignment a where a.program_id = u.program_id and a.student_id = u.id
              and a.removed_at is null and ${inScope(scope, 'a.program_id', 'a.site_id')})`
      }`.execute(db)
  return rows[0]
}

/** Worked minutes of the last eight weeks, the oldest first. */
export const weeksOfStudent = async (
  db: Db,
  { programId, studentId }: StudentView,
  today: string,
): Promise<{ Week: string; Monday: string; ApprovedMinutes: number; PendingMinutes: number }[]> => {
  const { rows } = await sql<{
    Week: string
    Monday: string
    ApprovedMinutes: number
    PendingMinutes: number
  }>`
    with days as (
      select r.date, r.status, r.minutes from time_record r
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null
        and r.occurred_at >= (${today}::date - interval '65 days')::timestamptz and r.kind <> 'absence' and r.minutes > 0
        and r.status <> 'rejected' and r.is_matched)
    select w::date as "Week", w::date + 1 as "Monday", coalesce(sum(d.minutes) filter (where d.status = 'approved'), 0)::integer as "ApprovedMinutes",
      coalesce(sum(d.minutes) filter (where d.status = 'pending'), 0)::integer as "PendingMinutes"
    from generate_series(week_of(${today}::date) - interval '49 days', week_of(${today}::date), interval '7 days') w
    left join days d on d.date >= w::date and d.date < w::date + 7
    group by 1 order by 1`.execute(db)
  return rows
}

/**
 * What records say of the shift `a`, without those that were rejected: `begun` where anything but an absence was recorded, `worked` where
 * that is more than one half of a pair, `absent` where an absence was; all are null where nothing was.
 */
const recordsOf = sql`select
    bool_or(r.kind <> 'absence') as begun, bool_or(r.kind <> 'absence' and r.is_matched) as worked, bool_or(r.kind = 'absence') as absent,
    max(r.offset_minutes) filter (where r.kind = 'in') as late
  from time_record r where r.program_id = a.program_id and r.assignment_id = a.id and r.deleted_at is null
    and r.status <> 'rejected'`

export const attendanceOf = async (db: Db, { programId, studentId }: StudentView, since: string) => {
  const { rows } = await sql<{
    Worked: number
    Unmatched: number
    Late: number
    LateMinutes: number
    Absent: number
    Missed: number
    CorrectionsOpen: number
  }>`
    select count(*) filter (where r.worked) as "Worked",
      count(*) filter (where r.begun and not r.worked and not r.absent and a.ends_at < now()) as "Unmatched",
      count(*) filter (where r.begun and r.late > ${lateAfterMinutes}) as "Late",
      coalesce(round(avg(r.late) filter (where r.begun and r.late > ${lateAfterMinutes})), 0)::integer as "LateMinutes",
      count(*) filter (where r.absent and not r.worked) as "Absent",
      count(*) filter (where r.begun is null and a.ends_at < now()) as "Missed",
      (select count(*) from time_record c where c.program_id = ${programId} and c.student_id = ${studentId}
        and c.deleted_at is null and c.change_status = 'asked') as "CorrectionsOpen"
    from shift_assignment a cross join lateral (${recordsOf}) r
    where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
      and a.date >= ${since}::date and a.starts_at <= now()`.execute(db)
  return rows[0]!
}

export const pageShifts = async (
  db: Db,
  { programId, studentId, scope }: StudentView,
  { When, ...paging }: Paging & { When: 'next' | 'past' },
) => {
  const isNext = When === 'next'
  const found = sql`from shift_assignment a
    where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
      and ${isNext ? sql`a.ends_at > now()` : sql`a.ends_at <= now()`}
      and ${inScope(scope, 'a.program_id', 'a.site_id')}`
  const direction = sql.raw(isNext ? 'asc' : 'desc')
  const { rows } = await sql<contract.StudentShift & { total: number }>`
    select a.id as "AssignmentId", a.site_id as "SiteId", t.name as "Site", s.code as "ShiftCode", s.name as "ShiftName",
      s.type as "ShiftType", o.name as "Rotation", a.date as "Date",
      to_char(a.starts_at at time zone coalesce(t.time_zone, p.time_zone), 'HH24:MI') as "StartTime",
      to_char(a.ends_at at time zone coalesce(t.time_zone, p.time_zone), 'HH24:MI') as "EndTime",
      case when a.starts_at > now() then 'ahead' when a.ends_at > now() and (r.begun or r.absent is not true) then 'running'
        when r.worked then 'worked' when r.absent then 'absent' when r.begun then 'unmatched' else 'missed' end as "State", a.total
    from (select a.*, count(*) over () as total ${found}
      order by a.starts_at ${direction}, a.id ${direction} ${limits(paging)}) a
    cross join lateral (${recordsOf}) r
    join program p on p.id = a.program_id
    join site t on t.program_id = a.program_id and t.id = a.site_id
    join site_shift s on s.program_id = a.program_id and s.id = a.site_shift_id
    join rotation o on o.program_id = a.program_id and o.id = a.rotation_id
    order by a.starts_at ${direction}, a.id ${direction}`.execute(db)
  return paged(rows, paging, 0)
}

/** What a supervisor sees of evaluations: those at their sites, but no anonymous ones, and those asked of them. */
const evaluationInScope = (scope: SiteScope): RawBuilder<boolean> =>
  scope.supervisorId === null
    ? sql<boolean>`true`
    : sql<boolean>`(e.evaluator_id = ${scope.supervisorId} or ${inScope(scope, 'e.program_id', 'e.site_id')}
        and not exists (select from evaluation_template n
          where n.program_id = e.program_id and n.id = e.template_id and n.is_anonymous))`

const about = ({ programId, studentId, scope }: StudentView) => sql`
  e.program_id = ${programId} and e.subject_id = ${studentId} and e.deleted_at is null and ${evaluationInScope(scope)}`

/** The mean of an evaluation's scores on their scales. A form without names never tells that of a single one. */
const percentOf = sql`case when e.is_completed and not t.is_anonymous then (
  select round(100 * avg(x.scale_share), 1) from evaluation_answer x
  where x.program_id = e.program_id and x.evaluation_id = e.id) end`

export const pageEvaluations = async (db: Db, view: StudentView, paging: Paging, today: string) => {
  const { rows } = await sql<contract.StudentEvaluation & { total: number }>`
    select e.id as "Id", e.date as "Date", e.end_date as "EndDate", t.title as "Template",
      case when e.evaluator_id is null then 'Anonymous' else listed_name(v.last_name, v.first_name) end as "Evaluator",
      coalesce(s.name, '') as "Site", e.is_completed as "IsCompleted",
      coalesce(not e.is_completed and e.stopped_at is null and e.end_date < ${today}::date, false) as "IsLate", e.stopped_at is not null as "IsStopped", ${percentOf} as "Percent", e.total
    from (select e.*, count(*) over () as total from evaluation e where ${about(view)}
      order by e.date desc, e.id desc ${limits(paging)}) e
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
    left join account v on v.program_id = e.program_id and v.id = e.evaluator_id
    left join site s on s.program_id = e.program_id and s.id = e.site_id
    order by e.date desc, e.id desc`.execute(db)
  return paged(rows, paging, 0)
}

/** Counts, the next day something is due, and the last scores of all evaluations about a student. */
export const evaluationTrend = async (db: Db, view: StudentView, today: string) => {
  const counts = await sql<{ Completed: number; Open: number; NextDue: string | null }>`
    select count(*) filter (where e.is_completed) as "Completed", count(*) filter (where not e.is_completed and e.stopped_at is null) as "Open",
      min(e.end_date) filter (where not e.is_completed and e.stopped_at is null and e.end_date >= ${today}::date) as "NextDue"
    from evaluation e where ${about(view)}`.execute(db)
  const { rows } = await sql<{ EvaluationId: number; Date: string; Percent: number }>`
    select f.* from (
      select e.id as "EvaluationId", e.date as "Date", ${percentOf} as "Percent"
      from evaluation e join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
      where ${about(view)} and e.is_completed and not t.is_anonymous
        and exists (select from evaluation_answer x where x.program_id = e.program_id and x.evaluation_id = e.id
          and x.scale_share is not null)
      order by e.date desc, e.id desc limit 12) f
    order by f."Date", f."EvaluationId"`.execute(db)
  return { ...counts.rows[0]!, Trend: rows }
}

/** What home counts as expired: of students with access, of requirements that block scheduling. */
export const pageExpired = async (db: Db, programId: number, today: string, paging: Paging) => {
  const { rows } = await sql<z.infer<typeof ExpiredRequirement> & { total: number }>`
    select e.*, l.name as "StudentLevel", (
        select json_build_object('ProofId', p.id, 'SentAt', p.created_at) from requirement_proof p
        where p.program_id = e.program_id and p.student_id = e."StudentId" and p.requirement_id = e."RequirementId"
          and p.site_id is null and p.state = 'submitted' and p.deleted_at is null
        order by p.id desc limit 1) as "Waiting", count(*) over () as total
    from (select u.id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", u.program_id, u.student_level_id, u.last_name,
        q.id as "RequirementId", q.name as "Requirement", s.expires_on as "Expires", u.email as "EmailAddress"
      ${expiredOn(programId, today)}) e
    left join student_level l on l.program_id = e.program_id and l.id = e.student_level_id
    order by e."Expires", lower(e.last_name), e."StudentId", e."RequirementId" ${limits(paging)}`.execute(db)
  return paged(rows, paging, 0)
}

const noteColumns = (by: { Id: number; AccessLevel: number }) => sql`
  n.id as "Id", n.text as "Text", coalesce(trim(u.first_name || ' ' || u.last_name), '') as "By", n.created_at as "At", n.is_shared as "IsShared",
  ${by.AccessLevel >= Level.Coord ? sql`true` : sql`n.created_by is not distinct from ${by.Id}`} as "IsDeletable"`

export const pageNotes = async (
  db: Db,
  { programId, studentId }: StudentView,
  by: { Id: number; AccessLevel: number },
  paging: Paging,
) => {
  const { rows } = await sql<contract.StudentNote & { total: number }>`
    select ${noteColumns(by)}, count(*) over () as total
    from student_note n left join account u on u.id = n.created_by
    where n.program_id = ${programId} and n.student_id = ${studentId} and n.deleted_at is null
    order by n.created_at desc, n.id desc ${limits(paging)}`.execute(db)
  return paged(rows, paging, 0)
}

/** A note, also a deleted one where it is asked for. */
export const findNote = async (
  db: Db,
  { programId, studentId }: StudentView,
  by: { Id: number; AccessLevel: number },
  { noteId, isDeleted }: { noteId: number; isDeleted: boolean },
): Promise<contract.StudentNote | undefined> => {
  const { rows } = await sql<contract.StudentNote>`
    select ${noteColumns(by)} from student_note n left join account u on u.id = n.created_by
    where n.program_id = ${programId} and n.student_id = ${studentId} and n.id = ${noteId}
      and n.deleted_at is ${sql.raw(isDeleted ? 'not null' : 'null')}`.execute(db)
  return rows[0]
}

export const pageEmails = async (db: Db, { programId, studentId }: StudentView, paging: Paging) => {
  const { rows } = await sql<contract.StudentEmail & { total: number }>`
    select m.id as "Id", case when ${isSecretEmail} then ${secretSubject} when ${isPrivateEmail} then ${privateSubject}
        else m.subject end as "Subject", m.sender as "Sender",
      case when m.blocked_at is not null then 'blocked' when m.cancelled_at is not null then 'cancelled'
        when m.status = ${EmailState.Success} then 'sent' when m.status = ${EmailState.Error} then 'failed' else 'queued' end as "Status",
      coalesce(m.sent_at, m.created_at) as "At", count(*) over () as total
    from mail m where m.program_id = ${programId} and m.account_id = ${studentId}
    order by m.created_at desc, m.id desc ${limits(paging)}`.execute(db)
  return paged(rows, paging, 0)
}

export interface AuditRow {
  Id: number
  At: string
  By: string
  action: string
  detail: Record<string, unknown> | null
}

/** What was done to the record of a student by these calls. */
export const pageChanges = async (
  db: Db,
  { programId, studentId }: StudentView,
  actions: readonly string[],
  paging: Paging,
) => {
  const { rows } = await sql<AuditRow & { total: number }>`
    select a.id as "Id", a.at as "At", coalesce(trim(u.first_name || ' ' || u.last_name), '') as "By", a.action, a.detail,
      a.total
    from (select a.*, count(*) over () as total from audit a
      where a.program_id = ${programId} and a.subject_id = ${studentId} and a.action not like 'GET %'
        and a.action = any (${[...actions]}::text[])
      order by a.at desc, a.id desc ${limits(paging)}) a
    left join account u on u.id = a.account_id
    order by a.at desc, a.id desc`.execute(db)
  return paged(rows, paging, 0)
}

/** A supervisor's students with what they look for each day; the page is found first, figures are for its rows only. */
export const pageSupervised = async (
  db: Db,
  programId: number,
  supervisorId: number,
  { search, weekStart, today, ...paging }: Paging & { search: string; weekStart: string; today: string },
) => {
  const atHerSites = inScope({ supervisorId }, 'a.program_id', 'a.site_id')
  const { rows } = await sql<contract.SupervisedStudent & { total: number }>`
    select u.id as "Id", listed_name(u.last_name, u.first_name) as "Student", l.name as "StudentLevel", u.email as "EmailAddress",
      (select coalesce(sum(r.minutes), 0)::integer from time_record r where r.program_id = ${programId} and r.student_id = u.id
        and r.deleted_at is null and r.status <> 'rejected' and r.is_matched and r.kind <> 'absence'
        and r.occurred_at >= (${weekStart}::date - interval '1 day')::timestamptz and r.date >= ${weekStart}::date
        and ${inScope({ supervisorId }, 'r.program_id', 'r.site_id')}) as "WeekMinutes",
      (select jsonb_build_object('Site', t.name, 'Date', a.date, 'ShiftType', s.type,
          'StartTime', to_char(a.starts_at at time zone coalesce(t.time_zone, p.time_zone), 'HH24:MI'),
          'EndTime', to_char(a.ends_at at time zone coalesce(t.time_zone, p.time_zone), 'HH24:MI'))
        from shift_assignment a join program p on p.id = a.program_id
        join site t on t.program_id = a.program_id and t.id = a.site_id
        join site_shift s on s.program_id = a.program_id and s.id = a.site_shift_id
        where a.program_id = ${programId} and a.student_id = u.id and a.removed_at is null and a.ends_at > now()
          and a.date >= ${today}::date - 1 and ${atHerSites}
        order by a.starts_at limit 1) as "NextShift",
      (select count(*) from evaluation e where e.program_id = ${programId} and e.evaluator_id = ${supervisorId}
        and not e.is_completed and e.stopped_at is null and e.deleted_at is null and e.subject_id = u.id) as "EvaluationsDue", u.total
    from (select u.*, count(*) over () as total from account u
      where u.program_id = ${programId} and ${countsOn('u', sql`${today}::date`)}
        and u.id in (select a.student_id from shift_assignment a
          join supervisor_site v on v.program_id = a.program_id and v.site_id = a.site_id and v.account_id = ${supervisorId}
          where a.program_id = ${programId} and a.removed_at is null and a.date >= ${today}::date - ${sql.lit(daysBack)})
        and ${isFound(sql`u.first_name || ' ' || u.last_name`, search)}
      order by lower(u.last_name), lower(u.first_name), u.id ${limits(paging)}) u
    left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  return paged(rows, paging, 0)
}
