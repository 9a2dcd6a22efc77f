import { type RawBuilder, sql } from 'kysely'
import type { LogState } from '#contract/competencies/log-rules.ts'
import {
  type LogChange,
  type LogEntry,
  type LogFilters,
  logFilters,
  mostVerified,
  mostWaitingEntries,
  type OthersDay,
  undoableHours,
  type VerifiedDay,
} from '#contract/competencies/log-verification.ts'
import type { OwnEntry } from '#contract/competencies/procedure-logs.ts'
import type { InboxProcedures } from '#contract/inbox/inbox.ts'
import { cappedPage, maxCounted } from '#server/core/database/capped-page.ts'
import { whereOf } from '#server/core/database/filters.ts'
import { fullName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'

/**
 * Makes every other change of these students' logs wait until this transaction ends. It must be a statement of its own before
 * anything of the logs is read: a statement sees what was committed when it began.
 */
export const lockLogs = async (db: Db, studentIds: readonly number[]): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('procedure-log:' || student, 0))
    from (select distinct unnest(${[...studentIds]}::bigint[]) as student order by 1) s`.execute(db)
}

const ownColumns = sql`
  l.id as "Id", l.revision as "Revision", l.date as "Date", l.skill_id as "ProcedureId", k.name as "Procedure",
  k.major_study_id as "MajorStudyId", m.name as "MajorStudy", l.level_id as "LevelId", v.name as "Level", l.count as "Count",
  l.patient as "Patient", l.repeats as "Repeats", l.repeat_reason as "RepeatReason", l.radiographer as "Radiographer",
  l.pathology_id as "PathologyId", y.name as "Pathology", l.other_pathology as "OtherPathology", l.note as "Note",
  l.assignment_id is not null as "HasShift", l.site_id as "SiteId", s.name as "Site", l.supervisor_id as "SupervisorId",
  ${fullName('c')} as "Supervisor", l.state as "State", l.return_reason as "ReturnReason", ${fullName('d')} as "DecidedBy",
  l.decided_at as "DecidedAt", (select count(*) from procedure_log_change h
    where h.program_id = l.program_id and h.log_id = l.id) as "Changes"`
const ownJoins = sql`
  join skill k on k.program_id = l.program_id and k.id = l.skill_id
  join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
  left join participation_level v on v.program_id = l.program_id and v.id = l.level_id
  left join pathology y on y.program_id = l.program_id and y.id = l.pathology_id
  left join site s on s.program_id = l.program_id and s.id = l.site_id
  left join account c on c.program_id = l.program_id and c.id = l.supervisor_id
  left join account d on d.id = l.decided_by`
const columns = sql`${ownColumns}, l.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student"`
const joins = sql`join account u on u.program_id = l.program_id and u.id = l.student_id ${ownJoins}`

export const findOwnEntry = async (
  db: Db,
  programId: number,
  studentId: number,
  logId: number,
): Promise<OwnEntry | undefined> => {
  const { rows } = await sql<OwnEntry>`select ${ownColumns} from procedure_log l ${ownJoins}
    where l.program_id = ${programId} and l.student_id = ${studentId} and l.id = ${logId} and l.deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

export const findEntry = async (db: Db, programId: number, logId: number): Promise<LogEntry | undefined> => {
  const { rows } = await sql<LogEntry>`select ${columns} from procedure_log l ${joins}
    where l.program_id = ${programId} and l.id = ${logId} and l.deleted_at is null`.execute(db)
  return rows[0]
}

/** The ids of lines with these keys, kept earlier; also of those that were deleted since. */
export const listKept = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  keys: readonly string[],
): Promise<{ Key: string; Id: number }[]> => {
  const { rows } = await sql<{ Key: string; Id: number }>`select key as "Key", id as "Id" from procedure_log
    where program_id = ${programId} and student_id = ${studentId} and key = any (${[...keys]}::uuid[])`.execute(
    db,
  )
  return rows
}

/** Back to waiting, as it was before anybody decided. */
export const openAgain = sql`, state = 'submitted', return_reason = '', decided_at = null, decided_by = null`

/** The own log, a number of days at a time. */
export const listOwnDays = async (
  db: Db,
  programId: number,
  studentId: number,
  query: {
    Show: 'all' | LogState
    ProcedureId?: number | undefined
    Before?: string | undefined
    days: number
  },
) => {
  const own = sql`l.program_id = ${programId} and l.student_id = ${studentId} and l.deleted_at is null
    and ${query.Show === 'all' ? sql`true` : sql`l.state = ${query.Show}`}
    and ${query.ProcedureId === undefined ? sql`true` : sql`l.skill_id = ${query.ProcedureId}`}`
  const { rows } = await sql<OwnEntry>`
    with days as materialized (
      select distinct l.date from procedure_log l
      where ${own} and l.date < coalesce(${query.Before ?? null}::date, 'infinity') order by l.date desc limit ${query.days + 1})
    select ${ownColumns} from procedure_log l ${ownJoins}
    where ${own} and l.date in (select date from days) order by l.date desc, l.id`.execute(db)
  const days = [...Map.groupBy(rows, (entry) => entry.Date)].map(([day, Entries]) => ({ Date: day, Entries }))
  const { rows: counts } = await sql<{ WaitingCount: number; ReturnedCount: number }>`
    select count(*) filter (where state = 'submitted') as "WaitingCount",
      count(*) filter (where state = 'returned') as "ReturnedCount"
    from procedure_log where program_id = ${programId} and student_id = ${studentId} and deleted_at is null`.execute(
    db,
  )
  const shown = days.slice(0, query.days)
  return {
    Days: shown,
    NextDate: days.length > query.days ? (shown.at(-1)?.Date ?? null) : null,
    // An aggregate without groups has one row.
    ...counts[0]!,
  }
}

const waitsFor = (
  programId: number,
  accountId: number,
) => sql`l.program_id = ${programId} and l.supervisor_id = ${accountId}
  and l.state = 'submitted' and l.deleted_at is null`

export const countWaitingFor = async (db: Db, programId: number, accountId: number) => {
  const { rows } = await sql<{ Days: number; Entries: number }>`
    select count(distinct (l.student_id, l.date)) as "Days", count(*) as "Entries" from procedure_log l
    where ${waitsFor(programId, accountId)}`.execute(db)
  return rows[0]!
}

const maxOthers = 200

/** The entries that wait for somebody, as far as they are looked at. */
const foundWaiting = (programId: number, accountId: number) => sql`
  select l.program_id, l.id from procedure_log l where ${waitsFor(programId, accountId)}
  order by l.date, l.student_id limit ${mostWaitingEntries}`

/** The days of `listWaiting` that name somebody, without what was logged: how many entries and repeats, and which are clean. */
export const summarizeWaiting = async (
  db: Db,
  programId: number,
  accountId: number,
): Promise<InboxProcedures> => {
  const { rows } = await sql<InboxProcedures['Days'][number] & { Lines: InboxProcedures['Clean'] }>`
    select d.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", d.date as "Date", d.entries as "Entries",
      d.repeats as "Repeats", d.lines as "Lines"
    from (
      select l.student_id, l.date, count(*) as entries, count(*) filter (where l.repeats > 0) as repeats,
        jsonb_agg(jsonb_build_object('Id', l.id, 'Revision', l.revision) order by l.id) as lines
      from (${foundWaiting(programId, accountId)}) found
      join procedure_log l on l.program_id = found.program_id and l.id = found.id group by 1, 2) d
    join account u on u.program_id = ${programId} and u.id = d.student_id
    order by d.date, u.last_name, u.first_name, d.student_id`.execute(db)
  return {
    Days: rows.map(({ Lines: _lines, ...day }) => day),
    Clean: rows.flatMap(({ Repeats, Lines }) => (Repeats === 0 ? Lines : [])),
  }
}

/** What somebody verified within a day and nobody changed since. */
const listVerified = async (db: Db, programId: number, accountId: number): Promise<VerifiedDay[]> => {
  const { rows } = await sql<VerifiedDay>`
    select v.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", v.date as "Date", v.decided_at as "DecidedAt",
      v.entries as "Entries"
    from (
      select l.student_id, l.date, l.decided_at, jsonb_agg(jsonb_build_object('Id', l.id, 'Revision', l.revision,
        'Procedure', k.name, 'Count', l.count) order by l.id) as entries
      from procedure_log l join skill k on k.program_id = l.program_id and k.id = l.skill_id
      where l.program_id = ${programId} and l.decided_by = ${accountId} and l.state = 'verified' and l.deleted_at is null
        and l.decided_at > now() - make_interval(hours => ${undoableHours})
      group by 1, 2, 3 order by l.decided_at desc, l.student_id, l.date limit ${mostVerified}) v
    join account u on u.program_id = ${programId} and u.id = v.student_id
    order by v.decided_at desc, v.student_id, v.date`.execute(db)
  return rows
}

export const listWaiting = async (
  db: Db,
  programId: number,
  accountId: number,
  /** Where days that name somebody else are looked for; null for those of the caller alone. */
  scope: SiteScope | null,
) => {
  const { rows } = await sql<LogEntry & { FirstName: string }>`
    select ${columns}, u.first_name as "FirstName" from (${foundWaiting(programId, accountId)}) found
    join procedure_log l on l.program_id = found.program_id and l.id = found.id ${joins}
    order by l.date, u.last_name, u.first_name, l.student_id, l.id`.execute(db)
  const others =
    scope &&
    (await sql<OthersDay>`
    with waiting as (
      select l.student_id, l.date, l.site_id, l.supervisor_id, count(*) as entries from procedure_log l
      where l.program_id = ${programId} and l.state = 'submitted' and l.deleted_at is null
        and l.supervisor_id is distinct from ${accountId} and ${inScope(scope, 'l.program_id', 'l.site_id')}
      group by 1, 2, 3, 4 order by l.date, l.student_id, l.supervisor_id limit ${maxOthers + 1})
    select w.student_id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", w.date as "Date", s.name as "Site",
      ${fullName('c')} as "Supervisor", w.entries as "Entries"
    from waiting w join account u on u.program_id = ${programId} and u.id = w.student_id
    left join site s on s.program_id = ${programId} and s.id = w.site_id
    left join account c on c.program_id = ${programId} and c.id = w.supervisor_id
    order by w.date, u.last_name, u.first_name, w.student_id, w.supervisor_id`.execute(db))
  const days = Map.groupBy(rows, (entry) => `${entry.StudentId} ${entry.Date}`)
  return {
    Days: [...days.values()].map((entries) => {
      // A group has at least one entry.
      const first = entries[0]!
      return {
        StudentId: first.StudentId,
        Student: first.Student,
        FirstName: first.FirstName,
        Date: first.Date,
        Entries: entries.map(({ FirstName: _first, ...entry }) => entry),
      }
    }),
    Others: others?.rows.slice(0, maxOthers) ?? [],
    HasMoreOthers: (others?.rows.length ?? 0) > maxOthers,
    // Inbox links have their own way back.
    Verified: scope ? await listVerified(db, programId, accountId) : [],
  }
}

/** An entry as a decision looks at it, under the lock of its student. */
export interface LockedEntry {
  id: number
  studentId: number
  revision: number
  state: LogState
  repeats: number
  radiographer: string
  count: number
  date: string
  skillId: number
  procedure: string
  decidedBy: string | null
  changedBy: string | null
}

/** The entries that the caller may decide about, locked. A supervisor's are those that name them; `supervisorId` null is staff. */
export const lockEntries = async (
  db: Db,
  programId: number,
  { supervisorId, studentId }: { supervisorId?: number | null; studentId?: number },
  ids: readonly number[],
): Promise<LockedEntry[]> => {
  const where = sql`l.program_id = ${programId} and l.id = any (${[...ids]}::bigint[]) and l.deleted_at is null
    and ${supervisorId == null ? sql`true` : sql`l.supervisor_id = ${supervisorId}`}
    and ${studentId === undefined ? sql`true` : sql`l.student_id = ${studentId}`}`
  const students = await sql<{
    id: number
  }>`select distinct l.student_id as id from procedure_log l where ${where}`.execute(db)
  await lockLogs(
    db,
    students.rows.map(({ id }) => id),
  )
  const { rows } = await sql<LockedEntry>`
    select l.id, l.student_id as "studentId", l.revision, l.state, l.repeats, l.radiographer, l.count, l.date,
      l.skill_id as "skillId", k.name as procedure, ${fullName('d')} as "decidedBy", ${fullName('b')} as "changedBy"
    from procedure_log l join skill k on k.program_id = l.program_id and k.id = l.skill_id
    left join account d on d.id = l.decided_by left join account b on b.id = l.updated_by
    where ${where} order by l.id`.execute(db)
  return rows
}

const selectChanges = async (db: Db, where: RawBuilder<unknown>, order: RawBuilder<unknown>) => {
  const { rows } = await sql<LogChange & { LogId: number }>`
    select h.log_id as "LogId", h.at as "At", coalesce(${fullName('b')}, '') as "By", h.reason as "Reason", k.name as "Procedure",
      v.name as "Level", (h.before ->> 'Count')::int as "Count", h.before ->> 'Patient' as "Patient",
      (h.before ->> 'Repeats')::int as "Repeats", h.before ->> 'State' as "State"
    from procedure_log_change h
    join skill k on k.program_id = h.program_id and k.id = (h.before ->> 'ProcedureId')::bigint
    left join participation_level v on v.program_id = h.program_id and v.id = (h.before ->> 'LevelId')::bigint
    left join account b on b.id = h.by_id
    where ${where} order by ${order}`.execute(db)
  return rows
}

export const listChanges = async (db: Db, programId: number, logId: number): Promise<LogChange[]> =>
  (await selectChanges(db, sql`h.program_id = ${programId} and h.log_id = ${logId}`, sql`h.id`)).map(
    ({ LogId: _one, ...change }) => change,
  )

/** A student's entries of a procedure in all versions of its list, the newest first, with how many there are. */
export const listEntriesOfProcedure = async (
  db: Db,
  { programId, studentId, procedureId }: { programId: number; studentId: number; procedureId: number },
  limit: number,
): Promise<{ entries: LogEntry[]; count: number }> => {
  const of = sql`l.program_id = ${programId} and l.student_id = ${studentId} and l.deleted_at is null and l.skill_id in (
    select k.id from skill t join skill k on k.program_id = t.program_id and k.lineage = t.lineage
    where t.program_id = ${programId} and t.id = ${procedureId})`
  const { rows } = await sql<LogEntry>`select ${columns} from procedure_log l ${joins}
    where ${of} order by l.date desc, l.id desc limit ${limit + 1}`.execute(db)
  return {
    entries: rows.slice(0, limit),
    count: rows.length <= limit ? rows.length : await countEntries(db, of),
  }
}

/** What entries said before others changed them, the newest first. */
export const listChangesOf = async (
  db: Db,
  programId: number,
  logIds: readonly number[],
): Promise<(LogChange & { LogId: number })[]> =>
  logIds.length === 0
    ? []
    : selectChanges(
        db,
        sql`h.program_id = ${programId} and h.log_id = any (${[...logIds]}::bigint[])`,
        sql`h.id desc`,
      )

/** The conditions of a filter on `procedure_log l`. What is in the text of the statement lets the planner see partial indexes. */
const matching = (programId: number, filter: LogFilters): RawBuilder<unknown> =>
  sql`l.program_id = ${programId} and l.deleted_at is null and ${whereOf(logFilters, filter, 'l', {
    State: (state) => sql`l.state = ${sql.lit(state)}`,
    Patient: (patient) => sql`l.patient = ${sql.lit(patient)}`,
    ProcedureId: (id) => sql`l.skill_id = ${id}`,
    WithoutShift: () => sql`l.assignment_id is null`,
    WithRepeats: () => sql`l.repeats > 0`,
    Cohort: (cohort) =>
      sql`exists (select from account w where w.program_id = l.program_id and w.id = l.student_id and w.cohort = ${cohort})`,
  })}`

/** One page by day: it is found in an index first, and names are looked up for its rows only. */
export const listEntries = async (
  db: Db,
  programId: number,
  { page, pageSize, ...filter }: LogFilters & { page: number; pageSize: number },
) => {
  const where = matching(programId, filter)
  const { rows } = await sql<LogEntry>`
    select ${columns} from (
      select l.program_id, l.id from procedure_log l where ${where}
      order by l.date desc, l.id desc limit ${pageSize + 1} offset ${(page - 1) * pageSize}) found
    join procedure_log l on l.program_id = found.program_id and l.id = found.id ${joins}
    order by l.date desc, l.id desc`.execute(db)
  return cappedPage(rows, { page, pageSize }, () => countEntries(db, where))
}

const countEntries = async (db: Db, where: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select from procedure_log l where ${where} limit ${maxCounted + 1}) found`.execute(db)
  return rows[0]!.n
}

/** The filtered log as it comes, in chunks through a cursor. */
export async function* streamEntries(
  db: Db,
  programId: number,
  filter: LogFilters,
): AsyncGenerator<LogEntry> {
  const query =
    sql<LogEntry>`select ${columns} from procedure_log l ${joins} where ${matching(programId, filter)}
    order by l.date desc, l.id desc`.compile(db)
  for await (const { rows } of db.getExecutor().stream<LogEntry>(query, 500)) yield* rows
}
