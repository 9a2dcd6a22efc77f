import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Grading } from '#contract/competencies/exam-grading.ts'
import type { AttemptState, ExamWay, RecheckKind } from '#contract/competencies/exam-rules.ts'
import type { Attempt, AttemptItem, ExamDetail } from '#contract/competencies/exams.ts'
import { fullName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The columns of an attempt `a`, and what they are joined from. */
export const attemptColumns = sql`
  a.id as "Id", a.skill_id as "ProcedureId", k.name as "Procedure", m.name as "MajorStudy", a.number as "Number", a.state as "State",
  a.date as "Date", a.declared_at as "DeclaredAt", a.site_id as "SiteId", s.name as "Site", a.way as "Way", a.patient as "Patient",
  a.is_simulated as "IsSimulated", a.simulation_approved_at is not null as "IsSimulationApproved", c.kind as "RecheckKind",
  coalesce(g.name, ${fullName('r')}, ${fullName('x')}, '') as "Examiner", coalesce(a.examiner_id, r.account_id) as "ExaminerId",
  coalesce(g.credential, r.credential, '') as "Credential", a.graded_at as "GradedAt", a.score as "Score", a.highest as "Highest",
  a.comment as "Comment", a.remediation as "Remediation", ${fullName('y')} as "RemediationBy", a.retry_from as "RetryFrom",
  a.ended_reason as "EndedReason"`
export const attemptJoins = sql`
  join skill k on k.program_id = a.program_id and k.id = a.skill_id
  join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
  left join site s on s.program_id = a.program_id and s.id = a.site_id
  left join exam_recheck c on c.program_id = a.program_id and c.id = a.recheck_id
  left join exam_examiner r on r.program_id = a.program_id and r.id = a.roster_id
  left join account x on x.program_id = a.program_id and x.id = a.examiner_id
  left join exam_signature g on g.program_id = a.program_id and g.attempt_id = a.id
  left join account y on y.id = a.remediation_by`

export interface OfStudent {
  programId: number
  studentId: number
}

/** All attempts of a student, the newest first, each with the lineage of its procedure. */
export const listAttemptsOf = async (
  db: Db,
  { programId, studentId }: OfStudent,
): Promise<(Attempt & { Lineage: string })[]> => {
  const { rows } = await sql<Attempt & { Lineage: string }>`
    select ${attemptColumns}, k.lineage as "Lineage" from exam_attempt a ${attemptJoins}
    where a.program_id = ${programId} and a.student_id = ${studentId} order by a.id desc`.execute(db)
  return rows
}

export const findAttempt = async (
  db: Db,
  programId: number,
  attemptId: number,
): Promise<(Attempt & { StudentId: number; Student: string }) | undefined> => {
  const { rows } = await sql<Attempt & { StudentId: number; Student: string }>`
    select ${attemptColumns}, a.student_id as "StudentId", ${fullName('u')} as "Student"
    from exam_attempt a ${attemptJoins} join account u on u.program_id = a.program_id and u.id = a.student_id
    where a.program_id = ${programId} and a.id = ${attemptId}`.execute(db)
  return rows[0]
}

export const listItems = async (db: Db, programId: number, attemptId: number): Promise<AttemptItem[]> => {
  const { rows } =
    await sql<AttemptItem>`select position as "Position", text as "Text", is_critical as "IsCritical",
      scale as "Scale", value_id as "ValueId", comment as "Comment"
    from exam_attempt_item where program_id = ${programId} and attempt_id = ${attemptId} order by position`.execute(
      db,
    )
  return rows
}

/** Earlier attempts at the same procedure, also in earlier versions of the list, the newest first. */
const listPrevious = async (db: Db, programId: number, attemptId: number): Promise<Attempt[]> => {
  const { rows } = await sql<Attempt>`
    select ${attemptColumns} from exam_attempt o
    join skill q on q.program_id = o.program_id and q.id = o.skill_id
    join exam_attempt a on a.program_id = o.program_id and a.student_id = o.student_id and a.id < o.id ${attemptJoins}
    where o.program_id = ${programId} and o.id = ${attemptId} and k.lineage = q.lineage order by a.id desc limit 50`.execute(
    db,
  )
  return rows
}

/** An attempt with everything in it. */
export const readDetail = async (
  db: Db,
  programId: number,
  attemptId: number,
): Promise<(ExamDetail & { ShortCode: string }) | undefined> => {
  const [attempt, Items, Previous, { rows }] = await Promise.all([
    findAttempt(db, programId, attemptId),
    listItems(db, programId, attemptId),
    listPrevious(db, programId, attemptId),
    sql<{
      rules: Pick<ExamDetail, 'PassingPercent' | 'CommentBelow'>
      code: string
      signature: ExamDetail['Signature']
    }>`
      select jsonb_build_object('PassingPercent', a.passing_percent, 'CommentBelow', a.comment_below) as rules,
        case when a.state = 'open' then a.short_code else '' end as code,
        case when g.attempt_id is not null then jsonb_build_object('Text', g.text, 'Version', g.version, 'Name', g.name,
          'Credential', g.credential, 'CredentialNumber', g.credential_number, 'How', g.how,
          'SignedAt', to_char(g.signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'DisputedAt', to_char(g.disputed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as signature
      from exam_attempt a left join exam_signature g on g.program_id = a.program_id and g.attempt_id = a.id
      where a.program_id = ${programId} and a.id = ${attemptId}`.execute(db),
  ])
  if (!attempt || !rows[0]) return undefined
  const { rules, code, signature } = rows[0]
  return { ...attempt, ...rules, Items, Previous, Signature: signature, ShortCode: code }
}

/** An attempt with its rules, locked until the transaction ends. */
export interface LockedAttempt {
  id: number
  studentId: number
  student: string
  skillId: number
  procedure: string
  recheckId: number | null
  number: number
  state: AttemptState
  siteId: number | null
  isSimulated: boolean
  isSimulationApproved: boolean
  way: ExamWay
  examinerId: number | null
  rosterId: number | null
  /** The account of whoever is asked: by account, or the one of the roster's entry. */
  accountId: number | null
  passingPercent: number | null
  commentBelow: number | null
  startedAt: string | null
  isPatientCare: boolean
  examiners: string[]
  retryDays: number
  today: string
  timeZone: string
  program: string
}

const lockedColumns = sql`a.id, a.student_id as "studentId", ${fullName('u')} as student, a.skill_id as "skillId", k.name as procedure,
  a.recheck_id as "recheckId", a.number, a.state, a.site_id as "siteId", a.is_simulated as "isSimulated",
  a.simulation_approved_at is not null as "isSimulationApproved", a.way, a.examiner_id as "examinerId", a.roster_id as "rosterId",
  coalesce(a.examiner_id, (select r.account_id from exam_examiner r
    where r.program_id = a.program_id and r.id = a.roster_id and r.deleted_at is null)) as "accountId",
  a.passing_percent as "passingPercent", a.comment_below as "commentBelow", a.started_at as "startedAt",
  m.is_patient_care as "isPatientCare", l.examiners, l.retry_days as "retryDays", (now() at time zone p.time_zone)::date as today,
  p.time_zone as "timeZone", p.name as program`

/** An attempt with its rules. Its procedure may be deleted by now. */
export const findRuledAttempt = async (
  db: Db,
  programId: number,
  attemptId: number,
  { locks = false }: { locks?: boolean } = {},
): Promise<LockedAttempt | undefined> => {
  const { rows } = await sql<LockedAttempt>`
    select ${lockedColumns} from exam_attempt a
    join account u on u.program_id = a.program_id and u.id = a.student_id
    join skill k on k.program_id = a.program_id and k.id = a.skill_id
    join major_study m on m.program_id = k.program_id and m.id = k.major_study_id
    join competency_list l on l.program_id = m.program_id and l.id = m.list_id
    join program p on p.id = a.program_id
    where a.program_id = ${programId} and a.id = ${attemptId} ${locks ? sql`for update of a` : sql``}`.execute(
    db,
  )
  return rows[0]
}

/** Locks an attempt, so that nobody else decides it meanwhile. */
export const lockAttempt = (db: Db, programId: number, attemptId: number) =>
  findRuledAttempt(db, programId, attemptId, { locks: true })

/** The rules of the exams of a list, and what decides about them for one student besides logs and attempts. */
export interface ExamRules {
  id: number
  lineage: string
  isPatientCare: boolean
  mayBeSimulated: boolean
  mostSimulated: number | null
  isAlwaysDirect: boolean
  needsLabCheck: boolean
  hasLabCheck: boolean
  hasItems: boolean
  passingPercent: number | null
  commentBelow: number | null
  examiners: string[]
  visitedWithinDays: number
  recheck: { id: number; kind: RecheckKind; dueOn: string | null } | null
}

/** Lab checks and rechecks of earlier versions of a procedure are its own. */
export const listExamRules = async (
  db: Db,
  { programId, studentId }: OfStudent,
  listId: number,
): Promise<ExamRules[]> => {
  const { rows } = await sql<ExamRules>`
    with checked as materialized (
      select distinct k.lineage from lab_check b join skill k on k.program_id = b.program_id and k.id = b.skill_id
      where b.program_id = ${programId} and b.student_id = ${studentId} and b.deleted_at is null),
    rechecked as materialized (
      select k.lineage, jsonb_build_object('id', c.id, 'kind', c.kind, 'dueOn', c.due_on) as recheck
      from exam_recheck c join skill k on k.program_id = c.program_id and k.id = c.skill_id
      where c.program_id = ${programId} and c.student_id = ${studentId} and c.state in ('open', 'failed')),
    itemized as materialized (
      select distinct i.skill_id from major_study m join skill k on k.program_id = m.program_id and k.major_study_id = m.id
      join comp_exam_item i on i.program_id = k.program_id and i.skill_id = k.id and i.deleted_at is null
      where m.program_id = ${programId} and m.list_id = ${listId})
    select k.id, k.lineage, m.is_patient_care as "isPatientCare", k.may_be_simulated as "mayBeSimulated",
      l.most_simulated as "mostSimulated", k.is_always_direct as "isAlwaysDirect", k.needs_lab_check as "needsLabCheck",
      k.lineage in (select lineage from checked) as "hasLabCheck", k.id in (select skill_id from itemized) as "hasItems",
      coalesce(k.passing_percent, l.passing_percent) as "passingPercent", coalesce(k.comment_below, l.comment_below) as "commentBelow",
      l.examiners, l.visited_within_days as "visitedWithinDays",
      (select c.recheck from rechecked c where c.lineage = k.lineage limit 1) as recheck
    from competency_list l
    join major_study m on m.program_id = l.program_id and m.list_id = l.id and m.deleted_at is null
    join skill k on k.program_id = m.program_id and k.major_study_id = m.id and k.deleted_at is null
    where l.program_id = ${programId} and l.id = ${listId}`.execute(db)
  return rows
}

/** Letters and digits that nobody takes for one another. */
const signs = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const newShortCode = (): string =>
  Array.from({ length: 8 }, () => signs[randomInt(signs.length)]).join('')

/** What an examiner sees of an attempt. */
export const readGradingOf = async (
  db: Db,
  programId: number,
  attemptId: number,
): Promise<
  (Omit<Grading, 'Logged' | 'SameDay' | 'EndsAt'> & { StudentId: number; ProcedureId: number }) | undefined
> => {
  const detail = await readDetail(db, programId, attemptId)
  return (
    detail && {
      AttemptId: detail.Id,
      StudentId: detail.StudentId,
      ProcedureId: detail.ProcedureId,
      Student: detail.Student,
      Procedure: detail.Procedure,
      MajorStudy: detail.MajorStudy,
      Number: detail.Number,
      Date: detail.Date,
      Site: detail.Site,
      Patient: detail.Patient,
      IsSimulated: detail.IsSimulated,
      IsSimulationApproved: detail.IsSimulationApproved,
      IsRecheck: detail.RecheckKind !== null,
      PassingPercent: detail.PassingPercent,
      CommentBelow: detail.CommentBelow,
      Comment: detail.Comment,
      Items: detail.Items,
      Examiner: detail.Examiner,
      Credential: detail.Credential,
      Previous: detail.Previous,
    }
  )
}

/** The other procedures in which the student of an attempt is examined on its day. */
export const listSameDay = async (db: Db, programId: number, attemptId: number): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select k.name from exam_attempt o
    join exam_attempt a on a.program_id = o.program_id and a.student_id = o.student_id and a.date = o.date and a.id <> o.id
      and a.skill_id <> o.skill_id and a.state not in ('withdrawn', 'voided')
    join skill k on k.program_id = a.program_id and k.id = a.skill_id
    where o.program_id = ${programId} and o.id = ${attemptId} group by k.name order by min(a.id) limit 20`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

/** The verified logs of a procedure, in any version and at any level. */
export const countLogged = async (
  db: Db,
  { programId, studentId }: OfStudent,
  procedureId: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(s.verified), 0) as count from skill q
    join skill k on k.program_id = q.program_id and k.lineage = q.lineage
    join procedure_sum s on s.program_id = k.program_id and s.student_id = ${studentId} and s.skill_id = k.id
    where q.program_id = ${programId} and q.id = ${procedureId}`.execute(db)
  return rows[0]?.count ?? 0
}
