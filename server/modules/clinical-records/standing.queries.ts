import { type RawBuilder, sql } from 'kysely'
import type {
  ClearanceChecks,
  ClearanceRow,
  RecordContent,
} from '#contract/clinical-records/clinical-records.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { programToday } from '#server/core/database/program-today.ts'
import { isFound } from '#server/core/database/search.ts'
import { requirementsOf } from '../requirements/asked.queries.ts'
import { isHeldOn } from '../requirements/states.queries.ts'

const students = [Level.Student, Level.Alumnus]

/** Who somebody of the program is who is, or was, a student. */
export interface RecordedPerson {
  id: number
  first: string
  last: string
  email: string
  isActive: boolean
  number: string
  cohort: string
  graduatedOn: string | null
}

export const listPersons = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<RecordedPerson[]> => {
  const { rows } = await sql<RecordedPerson>`
    select u.id, u.first_name as first, u.last_name as last, u.email, u.deactivated_at is null as "isActive",
      coalesce(u.student_number, '') as number, coalesce(u.cohort, '') as cohort, g.graduated_on as "graduatedOn"
    from account u
    left join graduate g on g.program_id = u.program_id and g.account_id = u.id and g.deleted_at is null
    where u.program_id = ${programId} and u.id = any (${[...studentIds]}::bigint[]) and u.deleted_at is null
      and u.access_level in (${sql.join(students)})
    order by u.id`.execute(db)
  return rows
}

interface CheckRow {
  studentId: number
  approved: number
  target: number
  mandatory: number
  mandatoryDone: number
  electives: number
  electivesDone: number
  requirements: number
  requirementsDone: number
}

/**
 * How far these students are with what clearance asks: hours of the rotations in which they have a part, the exams of their
 * competency list whichever version of a procedure was passed, and requirements as the student's page lists them.
 */
const checksOf = (programId: number, ids: RawBuilder<unknown>, today: RawBuilder<unknown>) => sql`
  with wanted as (select unnest(${ids}::bigint[]) as id),
  part as (
    select h.student_id, h.rotation_id from student_hours h join wanted w on w.id = h.student_id
    where h.program_id = ${programId} and (h.shifts > 0 or h.approved_minutes > 0)),
  list as (
    select a.id as student_id, l.id, l.electives_needed
    from wanted w join account a on a.program_id = ${programId} and a.id = w.id
    left join competency_list_cohort c on c.program_id = a.program_id and c.cohort = a.cohort
    join competency_list l on l.program_id = a.program_id and l.deleted_at is null
      and (l.id = c.list_id or c.list_id is null and l.is_for_others)),
  passed as (
    select distinct a.student_id, l.id as list_id, k.lineage from exam_attempt a join list l on l.student_id = a.student_id
    join skill k on k.program_id = a.program_id and k.id = a.skill_id
    where a.program_id = ${programId} and a.state = 'passed'),
  listed as materialized (
    select m.list_id, t.lineage, t.is_mandatory
    from major_study m join skill t on t.program_id = m.program_id and t.major_study_id = m.id and t.deleted_at is null
    where m.program_id = ${programId} and m.deleted_at is null and m.list_id in (select id from list)),
  -- Each exam looks its procedure up in two short lists, not in eighty rows.
  asked as (
    select list_id, count(*) filter (where is_mandatory) as mandatory,
      array_agg(lineage) filter (where is_mandatory) as mandatory_of,
      array_agg(lineage) filter (where not is_mandatory) as electives_of
    from listed group by 1),
  exams as (
    select p.student_id, sum(cardinality(array_positions(x.mandatory_of, p.lineage))) as mandatory_done,
      sum(cardinality(array_positions(x.electives_of, p.lineage))) as electives_done
    from passed p join asked x on x.list_id = p.list_id group by 1),
  held as (
    select e.student_id, count(*) as asked, count(*) filter (where e.is_met) as done from (${requirementsOf(programId, today)}) e
    group by 1)
  select w.id as "studentId",
    coalesce((select sum(h.approved_minutes) from student_hours h where h.program_id = ${programId} and h.student_id = w.id), 0)::integer as approved,
    coalesce((select sum(o.target_minutes) from part join rotation o on o.program_id = ${programId} and o.id = part.rotation_id
      and o.deleted_at is null where part.student_id = w.id), 0)::integer as target,
    coalesce(x.mandatory, 0)::integer as mandatory, coalesce(e.mandatory_done, 0)::integer as "mandatoryDone",
    coalesce(l.electives_needed, 0)::integer as electives,
    least(coalesce(e.electives_done, 0), coalesce(l.electives_needed, 0))::integer as "electivesDone",
    coalesce(m.asked, 0)::integer as requirements, coalesce(m.done, 0)::integer as "requirementsDone"
  from wanted w
  left join list l on l.student_id = w.id
  left join asked x on x.list_id = l.id
  left join exams e on e.student_id = w.id
  left join held m on m.student_id = w.id`

const check = (Done: number, Needed: number) => ({ Done, Needed, IsMet: Done >= Needed })

/** What clearance asks of these students, by student. */
export const readChecks = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<Map<number, ClearanceChecks>> => {
  const { rows } = await sql<CheckRow>`${checksOf(
    programId,
    sql`${[...studentIds]}`,
    programToday(programId),
  )}`.execute(db)
  return new Map(
    rows.map((row) => [
      row.studentId,
      {
        Hours: check(row.approved, row.target),
        Mandatory: check(row.mandatoryDone, row.mandatory),
        Electives: check(row.electivesDone, row.electives),
        Requirements: check(row.requirementsDone, row.requirements),
      },
    ]),
  )
}

/** The names of the requirements that a student does not meet today. */
export const listMissing = async (db: Db, programId: number, studentId: number): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    with wanted as (select ${studentId}::bigint as id)
    select distinct e.name from (${requirementsOf(programId, programToday(programId))}) e where not e.is_met order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

type Recorded<K extends 'Rotations' | 'Competencies' | 'Evaluations' | 'Requirements'> = NonNullable<
  RecordContent[K]
>[number] & { studentId: number }

const byStudent = <T extends { studentId: number }>(rows: readonly T[]) => {
  const grouped = Map.groupBy(rows, ({ studentId }) => studentId)
  return (studentId: number): Omit<T, 'studentId'>[] =>
    (grouped.get(studentId) ?? []).map(({ studentId: _, ...row }) => row)
}

/** Approved hours by rotation and site, the earliest rotation first. */
const listRotations = async (db: Db, programId: number, studentIds: readonly number[]) => {
  const { rows } = await sql<Recorded<'Rotations'>>`
    with worked as (
      select s.student_id, s.rotation_id, s.site_id, sum(s.minutes - s.pending_minutes)::integer as minutes
      from time_sum s
      where s.program_id = ${programId} and s.student_id = any (${[...studentIds]}::bigint[])
        and s.kind in ('out', 'exception', 'makeup')
      group by 1, 2, 3 having sum(s.minutes - s.pending_minutes) > 0)
    select w.student_id as "studentId", coalesce(o.name, '') as "Name", o.start_date as "StartDate", o.end_date as "EndDate",
      json_agg(json_build_object('Name', coalesce(t.name, ''), 'ApprovedMinutes', w.minutes) order by t.name) as "Sites",
      sum(w.minutes)::integer as "ApprovedMinutes", coalesce(o.target_minutes, 0) as "TargetMinutes"
    from worked w
    left join rotation o on o.program_id = ${programId} and o.id = w.rotation_id
    left join site t on t.program_id = ${programId} and t.id = w.site_id
    group by w.student_id, w.rotation_id, o.name, o.start_date, o.end_date, o.target_minutes
    order by o.start_date nulls last, w.rotation_id`.execute(db)
  return byStudent(rows)
}

/** The passed exam of each procedure: the first one, which stays whatever becomes of later checks. */
const listCompetencies = async (db: Db, programId: number, studentIds: readonly number[]) => {
  const { rows } = await sql<Recorded<'Competencies'>>`
    select * from (
      select distinct on (a.student_id, k.lineage) a.student_id as "studentId", k.name as "Procedure",
        -- What the student's list does not have is shown as of the list in which it was passed.
        case when o.list_id is null or exists (select from major_study n join skill t on t.program_id = n.program_id
            and t.major_study_id = n.id and t.lineage = k.lineage and t.deleted_at is null
          where n.program_id = a.program_id and n.list_id = o.list_id and n.deleted_at is null)
          then m.name else m.name || ' (' || l.name || ')' end as "Study",
        k.is_mandatory as "IsMandatory", a.date as "PassedOn", a.is_simulated as "IsSimulated", a.patient as "Patient",
        coalesce(g.name, trim(u.first_name || ' ' || u.last_name), '') as "Examiner", coalesce(g.credential, '') as "Credential",
        m.position as study_position, m.id as study_id, k.position
      from exam_attempt a
      join skill k on k.program_id = a.program_id and k.id = a.skill_id
      join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
      join competency_list l on l.program_id = m.program_id and l.id = m.list_id
      left join competency_standing o on o.program_id = a.program_id and o.student_id = a.student_id
      left join exam_signature g on g.program_id = a.program_id and g.attempt_id = a.id
      left join account u on u.program_id = a.program_id and u.id = a.examiner_id
      where a.program_id = ${programId} and a.student_id = any (${[...studentIds]}::bigint[]) and a.state = 'passed'
      order by a.student_id, k.lineage, a.date, a.id) p
    order by study_position, study_id, position, "Procedure"`.execute(db)
  return byStudent(
    rows.map(
      ({
        study_position: _p,
        study_id: _s,
        position: _o,
        ...row
      }: Recorded<'Competencies'> & Record<string, unknown>) => row as Recorded<'Competencies'>,
    ),
  )
}

/** Means of the forms about a student, in percent of their scales; forms without names stay out. */
const listEvaluations = async (db: Db, programId: number, studentIds: readonly number[]) => {
  const { rows } = await sql<Recorded<'Evaluations'>>`
    select e.subject_id as "studentId", t.title as "Form", count(distinct e.id)::integer as "Count",
      round(100 * avg(x.scale_share), 1) as "Percent"
    from evaluation e
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and not t.is_anonymous
    join evaluation_answer x on x.program_id = e.program_id and x.evaluation_id = e.id and x.scale_share is not null
    where e.program_id = ${programId} and e.subject_id = any (${[...studentIds]}::bigint[]) and e.deleted_at is null and e.is_completed
    group by e.subject_id, t.id, t.title order by lower(t.title)`.execute(db)
  return byStudent(rows)
}

/** Requirements that are met today, with the day until which they are. */
const listHeldRequirements = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
  today: string,
) => {
  const { rows } = await sql<Recorded<'Requirements'>>`
    select s.student_id as "studentId", q.name as "Name", s.expires_on as "ValidUntil"
    from student_requirement s
    join requirement q on q.program_id = s.program_id and q.id = s.requirement_id and q.deleted_at is null
    where s.program_id = ${programId} and s.student_id = any (${[...studentIds]}::bigint[]) and s.status in ('accepted', 'inProgress')
      and s.site_id = 0 and ${isHeldOn(sql`${today}::date`)}
    order by lower(q.name)`.execute(db)
  return byStudent(rows)
}

/** What the records of these students would say today. */
export const readContents = async (
  db: Db,
  { Id, Name, CollegeName }: { Id: number; Name: string; CollegeName: string },
  persons: readonly RecordedPerson[],
  { checks, today }: { checks: ReadonlyMap<number, ClearanceChecks>; today: string },
): Promise<Map<number, Omit<RecordContent, 'Clearance'>>> => {
  const ids = persons.map(({ id }) => id)
  const [rotations, competencies, evaluations, requirements] = await Promise.all([
    listRotations(db, Id, ids),
    listCompetencies(db, Id, ids),
    listEvaluations(db, Id, ids),
    listHeldRequirements(db, Id, ids, today),
  ])
  return new Map(
    persons.map((person) => {
      const { Hours } = checks.get(person.id) ?? { Hours: check(0, 0) }
      return [
        person.id,
        {
          FirstName: person.first,
          LastName: person.last,
          StudentNumber: person.number,
          Program: Name,
          College: CollegeName,
          Cohort: person.cohort,
          GraduatedOn: person.graduatedOn,
          ApprovedMinutes: Hours.Done,
          TargetMinutes: Hours.Needed,
          Rotations: rotations(person.id),
          Competencies: competencies(person.id),
          Evaluations: evaluations(person.id),
          Requirements: requirements(person.id),
        },
      ]
    }),
  )
}

const clearance = sql`clearance c where c.program_id = u.program_id and c.student_id = u.id and c.withdrawn_at is null`
const record = sql`clinical_record r where r.program_id = u.program_id and r.student_id = u.id and r.revoked_at is null
  and r.replaced_at is null`
const inState: Record<'not-cleared' | 'cleared' | 'exception' | 'recorded' | 'all', RawBuilder<unknown>> = {
  'not-cleared': sql`not exists (select from ${clearance})`,
  cleared: sql`exists (select from ${clearance})`,
  exception: sql`exists (select from ${clearance} and c.exception <> '')`,
  recorded: sql`exists (select from ${record})`,
  all: sql`true`,
}

/** A page of students by name with their clearance; what it asks is only looked up for those on the page. */
export const pageClearance = async (
  db: Db,
  programId: number,
  {
    page,
    pageSize,
    search,
    Cohort,
    State,
  }: {
    page: number
    pageSize: number
    search?: string | undefined
    Cohort?: string | undefined
    State: keyof typeof inState
  },
) => {
  const where = sql`u.program_id = ${programId} and u.deleted_at is null
      and ${Cohort ? sql`u.cohort = ${Cohort}` : sql`true`}
      and ${search ? isFound(sql`u.first_name || ' ' || u.last_name`, search) : sql`true`}
      and ${inState[State]}`
  const isStudent = sql`u.access_level = ${sql.lit(Level.Student)} and u.deactivated_at is null`
  const isAlumnus = sql`u.access_level = ${sql.lit(Level.Alumnus)}`
  const order = sql`order by lower(u.last_name), lower(u.first_name), u.id`
  // An index has the order: only the page is joined to more.
  const listed = sql<Omit<ClearanceRow, 'Checks'>>`
    select u.id as "StudentId", listed_name(u.last_name, u.first_name) as "Student", coalesce(u.cohort, '') as "Cohort",
      e.ends_on as "PlannedEnd", u.access_level = ${sql.lit(Level.Alumnus)} as "IsAlumnus",
      (c.signed_at at time zone p.time_zone)::date as "ClearedOn",
      c.name as "ClearedBy", c.exception as "Exception", r.number as "RecordNumber", r.clearance_id is not null as "IsFinal"
    from (select u.* from account u where ${where} and (${isStudent} or ${isAlumnus})
      ${order} limit ${pageSize} offset ${(page - 1) * pageSize}) u
    left join lateral (select * from ${clearance}) c on true
    left join lateral (select * from ${record}) r on true
    join program p on p.id = u.program_id
    left join cohort_end e on e.program_id = u.program_id and e.cohort = u.cohort
    ${order}`.execute(db)
  // Each level by itself, since an index holds those of one.
  const counts = sql<{
    total: number
  }>`select (select count(*) from account u where ${where} and ${isStudent})
    + (select count(*) from account u where ${where} and ${isAlumnus}) as total`.execute(db)
  const [{ rows }, counted] = await Promise.all([listed, counts])
  const checks = await readChecks(
    db,
    programId,
    rows.map(({ StudentId }) => StudentId),
  )
  return {
    // They were asked for by these ids.
    Items: rows.map((row) => ({ ...row, Checks: checks.get(row.StudentId)! })),
    Total: counted.rows[0]?.total ?? 0,
    Page: page,
    PageSize: pageSize,
  }
}
