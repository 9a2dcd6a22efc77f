import { sql } from 'kysely'
import type { getCompetencyHistory } from '#contract/competencies/competency-grid.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'

type History = AnswerOf<typeof getCompetencyHistory>
type Attempt = History['Attempts'][number]

/** The procedure in this version of its list and in all others. */
const versions = (programId: number, procedureId: number) => sql`
  (select k.id from skill t join skill k on k.program_id = t.program_id and k.lineage = t.lineage
    where t.program_id = ${programId} and t.id = ${procedureId})`

/** Whoever signed, or else whose account it was. */
const examiner = sql`coalesce(g.name || case when g.credential = '' then '' else ', ' || g.credential end,
  nullif(trim(e.first_name || ' ' || e.last_name), ''))`

export const listAttempts = async (
  db: Db,
  programId: number,
  studentId: number,
  procedureId: number,
): Promise<Attempt[]> => {
  const { rows } = await sql<Attempt>`
    select x.id as "Id", x.number as "Number", x.date as "Date", x.state as "State", x.is_simulated as "IsSimulated",
      x.recheck_id is not null as "IsRecheck", s.name as "Site", ${examiner} as "Examiner", x.comment as "Comment"
    from exam_attempt x
    left join site s on s.program_id = x.program_id and s.id = x.site_id
    left join exam_signature g on g.program_id = x.program_id and g.attempt_id = x.id
    left join account e on e.program_id = x.program_id and e.id = x.examiner_id
    where x.program_id = ${programId} and x.student_id = ${studentId} and x.skill_id in ${versions(programId, procedureId)}
    order by x.date desc, x.id desc`.execute(db)
  return rows
}

/** Whether a procedure is checked in the lab before its exam, and when it was. */
export const readLabCheck = async (
  db: Db,
  programId: number,
  studentId: number,
  procedureId: number,
): Promise<Pick<History, 'NeedsLabCheck' | 'LabCheck'>> => {
  const { rows } = await sql<Pick<History, 'NeedsLabCheck' | 'LabCheck'>>`
    select t.needs_lab_check as "NeedsLabCheck", (
        select json_build_object('Date', c.checked_on, 'Faculty', trim(f.first_name || ' ' || f.last_name))
        from lab_check c join account f on f.program_id = c.program_id and f.id = c.faculty_id
        where c.program_id = t.program_id and c.student_id = ${studentId} and c.deleted_at is null
          and c.skill_id in ${versions(programId, procedureId)}
        order by c.checked_on limit 1) as "LabCheck"
    from skill t where t.program_id = ${programId} and t.id = ${procedureId}`.execute(db)
  return rows[0] ?? { NeedsLabCheck: false, LabCheck: null }
}

export interface RecordStudent {
  id: number
  name: string
  studentNumber: string | null
  cohort: string | null
  listId: number
  list: string
  registry: string
}

/** Students and graduates with their lists, in the order of names. Those without a list are left out. */
export const listRecordStudents = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<RecordStudent[]> => {
  const { rows } = await sql<RecordStudent>`
    select a.id, a.first_name || ' ' || a.last_name as name, a.student_number as "studentNumber", a.cohort, l.id as "listId",
      l.name as list, l.registry
    from account a
    left join competency_list_cohort c on c.program_id = a.program_id and c.cohort = a.cohort
    join competency_list l on l.program_id = a.program_id and l.deleted_at is null
      and (l.id = c.list_id or c.list_id is null and l.is_for_others)
    where a.program_id = ${programId} and a.id = any (${[...ids]}::bigint[]) and a.deleted_at is null
      and a.access_level in (${Level.Student}, ${Level.Alumnus})
    order by lower(a.last_name), lower(a.first_name), a.id`.execute(db)
  return rows
}

export interface PassedExam {
  studentId: number
  procedureId: number
  date: string
  isSimulated: boolean
  patient: 'adult' | 'pediatric' | 'geriatric'
  site: string | null
  examiner: string | null
}

/**
 * The exams that count of each student, by the procedures of the student's list: the first on a patient, or else the first simulated
 * one. Exams of earlier versions of a procedure are its own.
 */
export const listPassedExams = async (
  db: Db,
  programId: number,
  students: readonly RecordStudent[],
): Promise<PassedExam[]> => {
  const { rows } = await sql<PassedExam>`
    select distinct on (o.student_id, t.id) o.student_id as "studentId", t.id as "procedureId", x.date,
      x.is_simulated as "isSimulated", x.patient, s.name as site, ${examiner} as examiner
    from unnest(${students.map(({ id }) => id)}::bigint[], ${students.map(({ listId }) => listId)}::bigint[]) o (student_id, list_id)
    join exam_attempt x on x.program_id = ${programId} and x.student_id = o.student_id and x.state = 'passed'
    join skill k on k.program_id = x.program_id and k.id = x.skill_id
    join skill t on t.program_id = k.program_id and t.lineage = k.lineage and t.deleted_at is null
    join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.list_id = o.list_id and m.deleted_at is null
    left join site s on s.program_id = x.program_id and s.id = x.site_id
    left join exam_signature g on g.program_id = x.program_id and g.attempt_id = x.id
    left join account e on e.program_id = x.program_id and e.id = x.examiner_id
    order by o.student_id, t.id, x.is_simulated, x.date, x.id`.execute(db)
  return rows
}
