import { sql } from 'kysely'
import type { LogContext, Standing } from '#contract/competencies/procedure-logs.ts'
import type { PathologySetting } from '#contract/competencies/procedures.ts'
import { countLogs, type LoggedAt } from '#contract/competencies/standing-rules.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

const supervisors = [Level.Supervisor, Level.CCUnderHood]

type OwnList = NonNullable<Standing['List']>

/** The list of the student's cohort, or else the one for all others; undefined while the program has none. */
export const findListOfStudent = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<OwnList | undefined> => {
  const { rows } = await sql<OwnList>`
    select l.id as "Id", l.name as "Name", l.electives_needed as "ElectivesNeeded", l.pediatric_max_age as "PediatricMaxAge",
      l.geriatric_min_age as "GeriatricMinAge", l.geriatric_needs_impairment as "GeriatricNeedsImpairment"
    from account a
    left join competency_list_cohort c on c.program_id = a.program_id and c.cohort = a.cohort
    join competency_list l on l.program_id = a.program_id and l.deleted_at is null
      and (l.id = c.list_id or c.list_id is null and l.is_for_others)
    where a.program_id = ${programId} and a.id = ${studentId}`.execute(db)
  return rows[0]
}

export const isStudentThere = async (db: Db, programId: number, studentId: number): Promise<boolean> =>
  (await db
    .selectFrom('account')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', studentId)
    .where('access_level', '=', Level.Student)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined

interface ProcedureRow {
  Id: number
  MajorStudyId: number
  Name: string
  IsMandatory: boolean
  LogsNeeded: number
  Lineage: string
  NeedsLabCheck: boolean
  CountedLevelIds: number[] | null
}

interface SumRow extends LoggedAt {
  LevelId: number | null
  SkillId: number
  Returned: number
  LastDate: string
  IsLastLevel: boolean
}

const listStudies = async (db: Db, programId: number, listId: number): Promise<Standing['Studies']> => {
  const { rows } = await sql<Standing['Studies'][number]>`
    select m.id as "Id", m.name as "Name", m.is_patient_care as "IsPatientCare", m.electives_needed as "ElectivesNeeded",
      coalesce((select json_agg(json_build_object('Id', p.id, 'Name', p.name, 'IsCounted', p.is_counted) order by p.position, p.id)
        from participation_level p where p.program_id = m.program_id and p.major_study_id = m.id and p.deleted_at is null), '[]')
        as "Levels"
    from major_study m where m.program_id = ${programId} and m.list_id = ${listId} and m.deleted_at is null
    order by m.position, m.id`.execute(db)
  return rows
}

const listOfList = async (db: Db, programId: number, listId: number): Promise<ProcedureRow[]> => {
  const { rows } = await sql<ProcedureRow>`
    select t.id as "Id", t.major_study_id as "MajorStudyId", t.name as "Name", t.is_mandatory as "IsMandatory",
      t.unlock_count as "LogsNeeded", t.lineage as "Lineage", t.needs_lab_check as "NeedsLabCheck",
      (select json_agg(o.level_id order by p.position, p.id) from skill_participation_level o
        join participation_level p on p.program_id = o.program_id and p.id = o.level_id and p.deleted_at is null
        where o.program_id = t.program_id and o.skill_id = t.id) as "CountedLevelIds"
    from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
    where t.program_id = ${programId} and m.list_id = ${listId} and t.deleted_at is null
    order by m.position, m.id, t.position, t.id`.execute(db)
  return rows
}

const listSums = async (db: Db, programId: number, studentId: number): Promise<SumRow[]> => {
  const { rows } = await sql<SumRow>`
    select k.lineage as "Lineage", s.skill_id as "SkillId", p.id as "LevelId", lower(p.name) as "Level",
      (e.value ->> 0)::int as "Verified", (e.value ->> 1)::int as "Waiting", s.returned as "Returned",
      s.last_date as "LastDate", p.id is not distinct from s.last_level_id as "IsLastLevel"
    from procedure_sum s join skill k on k.program_id = s.program_id and k.id = s.skill_id
    cross join lateral jsonb_each(s.levels) e
    left join participation_level p on p.program_id = s.program_id and p.id = nullif(e.key, '0')::bigint
    where s.program_id = ${programId} and s.student_id = ${studentId}`.execute(db)
  return rows
}

interface ExamRow {
  Lineage: string
  Exam: Standing['Procedures'][number]['Exam']
  IsChecked: boolean
}

/** What exams and lab checks of a student come to: the same rule as `judge_competencies` has for all students. */
const listExams = async (db: Db, programId: number, studentId: number): Promise<ExamRow[]> => {
  const { rows } = await sql<ExamRow>`
    select k.lineage as "Lineage", bool_or(e.is_checked) as "IsChecked",
      case when bool_or(e.state = 'passed' and not e.is_simulated) then 'passed' when bool_or(e.state = 'passed') then 'simulated'
        when bool_or(e.state = 'failed') then 'failed' end as "Exam"
    from (
      select x.skill_id, x.state, x.is_simulated, false as is_checked from exam_attempt x
      where x.program_id = ${programId} and x.student_id = ${studentId}
        and (x.state = 'passed' or x.state = 'failed' and x.recheck_id is null)
      union all
      select c.skill_id, null, null, true from lab_check c
      where c.program_id = ${programId} and c.student_id = ${studentId} and c.deleted_at is null) e
    join skill k on k.program_id = ${programId} and k.id = e.skill_id
    group by 1`.execute(db)
  return rows
}

/** What was logged or passed of procedures that a list does not have: of lists that the student had before, or deleted ones. */
export const listEarlier = async (
  db: Db,
  programId: number,
  students: readonly { id: number; listId: number }[],
): Promise<(Standing['Earlier'][number] & { studentId: number })[]> => {
  const { rows } = await sql<Standing['Earlier'][number] & { studentId: number }>`
    with wanted as (select * from unnest(${students.map(({ id }) => id)}::bigint[], ${students.map(({ listId }) => listId)}::bigint[])
      as o (student_id, list_id)),
    done as (
      select x.student_id, x.skill_id, 0 as logged, x.date, x.is_simulated from exam_attempt x join wanted o on o.student_id = x.student_id
      where x.program_id = ${programId} and x.state = 'passed'
      union all
      select s.student_id, s.skill_id, s.verified + s.waiting, null, null from procedure_sum s join wanted o on o.student_id = s.student_id
      where s.program_id = ${programId} and s.verified + s.waiting > 0)
    select d.student_id as "studentId", max(k.id) as "ProcedureId",
      (array_agg(l.name order by k.id desc))[1] as "List", (array_agg(m.name order by k.id desc))[1] as "MajorStudy",
      (array_agg(k.name order by k.id desc))[1] as "Name", sum(d.logged)::integer as "Logged", min(d.date) as "PassedOn",
      coalesce(bool_and(d.is_simulated), false) as "IsSimulated"
    from done d join wanted o on o.student_id = d.student_id
    join skill k on k.program_id = ${programId} and k.id = d.skill_id
    join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
    join competency_list l on l.program_id = m.program_id and l.id = m.list_id
    where not exists (select from major_study n join skill t on t.program_id = n.program_id and t.major_study_id = n.id
        and t.lineage = k.lineage and t.deleted_at is null
      where n.program_id = ${programId} and n.list_id = o.list_id and n.deleted_at is null)
    group by d.student_id, k.lineage order by 1, 3, 4, 5`.execute(db)
  return rows
}

/** What a student's list asks and what of it is logged and passed. Logs and exams of earlier versions of a procedure are its own. */
export const readStanding = async (db: Db, programId: number, studentId: number): Promise<Standing> => {
  const list = await findListOfStudent(db, programId, studentId)
  if (!list) return { List: null, Studies: [], Procedures: [], Earlier: [] }
  const [studies, procedures, sums, exams, earlier] = await Promise.all([
    listStudies(db, programId, list.Id),
    listOfList(db, programId, list.Id),
    listSums(db, programId, studentId),
    listExams(db, programId, studentId),
    listEarlier(db, programId, [{ id: studentId, listId: list.Id }]),
  ])
  const levelsOf = new Map(studies.map(({ Id, Levels }) => [Id, Levels]))
  const sumsOf = Map.groupBy(sums, ({ Lineage }) => Lineage)
  const examOf = new Map(exams.map((row) => [row.Lineage, row]))
  return {
    List: list,
    Studies: studies,
    Procedures: procedures.map(({ Lineage, NeedsLabCheck, ...procedure }) => {
      const levels = levelsOf.get(procedure.MajorStudyId) ?? []
      const own = sumsOf.get(Lineage) ?? []
      const counted = levels.filter(
        ({ Id, IsCounted }) => procedure.CountedLevelIds?.includes(Id) ?? IsCounted,
      )
      const last = own
        .filter(({ IsLastLevel }) => IsLastLevel)
        .reduce<SumRow | undefined>(
          (one, other) => (one && one.LastDate >= other.LastDate ? one : other),
          undefined,
        )
      // Every level of a procedure's sum says the same of the procedure.
      const returned = new Map(own.map(({ SkillId, Returned }) => [SkillId, Returned]))
      return {
        ...procedure,
        ...countLogs(
          { Lineage, hasLevels: levels.length > 0, counted: counted.map(({ Name }) => Name.toLowerCase()) },
          own,
        ),
        Logged: own.reduce((sum, { Verified, Waiting }) => sum + Verified + Waiting, 0),
        LacksLabCheck: NeedsLabCheck && !examOf.get(Lineage)?.IsChecked,
        Exam: examOf.get(Lineage)?.Exam ?? null,
        Returned: [...returned.values()].reduce((sum, each) => sum + each, 0),
        LastDate: last?.LastDate ?? null,
        LastLevelId: levels.find(({ Name }) => Name.toLowerCase() === last?.Level)?.Id ?? null,
      }
    }),
    Earlier: earlier.map(({ studentId: _, ...row }) => row),
  }
}

export const readPathologySetting = async (db: Db, programId: number): Promise<PathologySetting> => {
  const row = await db
    .selectFrom('pathology_setting')
    .select(['is_asked', 'allows_other'])
    .where('program_id', '=', programId)
    .executeTakeFirst()
  return {
    // The table allows these three only.
    IsAsked: (row?.is_asked ?? 'optional') as PathologySetting['IsAsked'],
    AllowsOther: row?.allows_other ?? true,
  }
}

export interface ProgramDay {
  today: string
  from: string | null
}

/** The program's day, and the first one that it has. */
export const readProgramDay = async (db: Db, programId: number): Promise<ProgramDay> => {
  const { rows } = await sql<ProgramDay>`
    select (now() at time zone time_zone)::date as today, active_from as from from program where id = ${programId}`.execute(
    db,
  )
  return rows[0]!
}

/** The day on which a student entered the program, where it is known. */
export const findEntryDay = async (db: Db, programId: number, studentId: number): Promise<string | null> => {
  const { rows } = await sql<{ day: string | null }>`select entered_on as day from graduate
    where program_id = ${programId} and account_id = ${studentId} and deleted_at is null`.execute(db)
  return rows[0]?.day ?? null
}

type ContextShift = NonNullable<LogContext['Shift']>

/**
 * The shift of a day. Without a day the one that runs or began last: of today, or a night that ended within two hours. Of several
 * on a day the one at the site, where it is given. The one that the student clocked in for comes before all others.
 */
export const findLogShift = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  {
    today,
    date,
    siteId,
    clockedInFor = null,
  }: {
    today: string
    date?: string | undefined
    siteId?: number | null | undefined
    clockedInFor?: number | null | undefined
  },
): Promise<ContextShift | undefined> => {
  const days = date
    ? sql`a.date = ${date}::date`
    : sql`(a.date = ${today}::date or a.date = ${today}::date - 1 and a.ends_at > now() - interval '2 hours')`
  const { rows } = await sql<ContextShift>`
    select a.id as "AssignmentId", a.date as "Date", a.site_id as "SiteId", s.name as "Site",
      to_char(a.starts_at at time zone s.time_zone, 'HH24:MI') as "StartTime",
      to_char(a.ends_at at time zone s.time_zone, 'HH24:MI') as "EndTime"
    from shift_assignment a join site s on s.program_id = a.program_id and s.id = a.site_id
    where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
      and (${days} or a.id = ${clockedInFor})
      and ${siteId == null ? sql`true` : sql`a.site_id = ${siteId}`}
    order by a.id is not distinct from ${clockedInFor} desc, a.starts_at <= now() desc, case when a.starts_at <= now() then a.starts_at end desc, a.starts_at
    limit 1`.execute(db)
  return rows[0]
}

/** The sites where the student has been placed or clocked in, each with who verifies there. */
export const listLogSites = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<LogContext['Sites']> => {
  const { rows } = await sql<LogContext['Sites'][number]>`
    select s.id as "SiteId", s.name as "Name",
      coalesce((select json_agg(json_build_object('Id', u.id, 'Name', trim(u.first_name || ' ' || u.last_name))
          order by u.last_name, u.first_name, u.id)
        from supervisor_site v join account u on u.program_id = v.program_id and u.id = v.account_id
          and u.deleted_at is null and u.deactivated_at is null and u.access_level in (${sql.join(supervisors)})
        where v.program_id = s.program_id and v.site_id = s.id), '[]') as "Supervisors"
    from site s
    where s.program_id = ${programId} and s.deleted_at is null and s.id in (select a.site_id from shift_assignment a
      where a.program_id = ${programId} and a.student_id = ${studentId} and a.removed_at is null
      union all select r.site_id from time_record r
      where r.program_id = ${programId} and r.student_id = ${studentId} and r.kind = 'in' and r.status <> 'rejected' and r.deleted_at is null)
    order by lower(s.name), s.id`.execute(db)
  return rows
}

/** Whom the student's last entry at a site named. */
export const findLastSupervisor = async (
  db: Db,
  { programId, studentId, siteId }: { programId: number; studentId: number; siteId: number },
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    select l.supervisor_id as id from procedure_log l
    where l.program_id = ${programId} and l.student_id = ${studentId} and l.deleted_at is null and l.site_id = ${siteId}
      and l.supervisor_id is not null
    order by l.date desc, l.id desc limit 1`.execute(db)
  return rows[0]?.id
}

/** The pathologies of a list. */
export const listPathologiesOf = async (
  db: Db,
  programId: number,
  listId: number,
): Promise<LogContext['Pathologies']> => {
  const { rows } = await sql<LogContext['Pathologies'][number]>`
    select y.id as "Id", y.skill_id as "ProcedureId", y.name as "Name"
    from pathology y join skill t on t.program_id = y.program_id and t.id = y.skill_id and t.deleted_at is null
    join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
    where y.program_id = ${programId} and m.list_id = ${listId} and y.deleted_at is null
    order by y.skill_id, y.position, y.id`.execute(db)
  return rows
}

/** What of a procedure can be logged: its levels and pathologies, and whether it is in the student's list. */
export interface Loggable {
  id: number
  name: string
  isListed: boolean
  levelIds: number[]
  pathologyIds: number[]
}

export const listLoggable = async (
  db: Db,
  programId: number,
  listId: number | null,
  procedureIds: readonly number[],
): Promise<Loggable[]> => {
  const { rows } = await sql<Loggable>`
    select t.id, t.name, t.deleted_at is null and m.deleted_at is null and m.list_id is not distinct from ${listId}::bigint as "isListed",
      coalesce((select json_agg(p.id) from participation_level p
        where p.program_id = t.program_id and p.major_study_id = t.major_study_id and p.deleted_at is null), '[]') as "levelIds",
      coalesce((select json_agg(y.id) from pathology y
        where y.program_id = t.program_id and y.skill_id = t.id and y.deleted_at is null), '[]') as "pathologyIds"
    from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id
    where t.program_id = ${programId} and t.id = any (${[...procedureIds]}::bigint[])`.execute(db)
  return rows
}
