import { sql } from 'kysely'
import { type NotExaminer, type Candidate as Who, whyNotExaminer } from '#contract/competencies/exam-rules.ts'
import { notExaminerTexts } from '#contract/competencies/exam-texts.ts'
import type { Candidate } from '#contract/competencies/exams.ts'
import { Level } from '#contract/core/levels.ts'
import type { Language } from '#contract/language/language.ts'
import { inLanguage, sentence } from '#contract/language/texts.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Somebody who could examine, with what decides whether they may. */
export interface ExaminerRow {
  rosterId: number | null
  accountId: number | null
  firstName: string
  lastName: string
  email: string
  credential: string
  credentialNumber: string
  examines: 'all' | 'patient-care' | null
  expiresOn: string | null
  level: number | null
  isExcluded: boolean
}

const roleOf = (level: number | null): Who['Role'] => {
  if (level === null || level < Level.Supervisor || level >= Level.SuperAdmin) return null
  if (level < Level.Faculty) return 'supervisor'
  return level < Level.Coord ? 'faculty' : 'coordinator'
}

/** The exam for which somebody is asked. */
export interface ExamOf {
  studentId: number
  siteId: number | null
  isPatientCare: boolean
  /** Who examines by the list of the student. */
  examiners: readonly string[]
  today: string
}

const isActive = sql`u.deleted_at is null and u.deactivated_at is null`
const [lowest, highest] = [Level.Supervisor, Level.SuperAdmin]

/** The roster of the site, its supervisors who are not on it, and faculty and coordinators, by name. */
const listPeople = async (
  db: Db,
  programId: number,
  { siteId, studentId }: Pick<ExamOf, 'siteId' | 'studentId'>,
): Promise<ExaminerRow[]> => {
  const { rows } = await sql<ExaminerRow>`
    with people as (
      select r.id as "rosterId", u.id as "accountId", r.first_name as "firstName", r.last_name as "lastName", r.email, r.credential,
        r.credential_number as "credentialNumber", r.examines, r.expires_on as "expiresOn", u.access_level as level,
        coalesce(u.email, '') as "otherEmail"
      from exam_examiner r left join account u on u.program_id = r.program_id and u.id = r.account_id and ${isActive}
      where r.program_id = ${programId} and r.site_id = ${siteId}::bigint and r.deleted_at is null
      union all
      select null, u.id, u.first_name, u.last_name, u.email, '', '', null, null, u.access_level, ''
      from account u
      where u.program_id = ${programId} and ${isActive} and u.access_level >= ${lowest} and u.access_level < ${highest}
        and (u.access_level >= ${Level.Faculty} or exists (select from supervisor_site v
          where v.program_id = u.program_id and v.account_id = u.id and v.site_id = ${siteId}::bigint))
        and not exists (select from exam_examiner r where r.program_id = u.program_id and r.account_id = u.id
          and r.site_id = ${siteId}::bigint and r.deleted_at is null))
    select "rosterId", "accountId", "firstName", "lastName", people.email, credential, "credentialNumber", examines, "expiresOn", level,
      exists (select from exam_exclusion e where e.program_id = ${programId} and e.student_id = ${studentId}
        and e.email in (lower(people.email), lower(people."otherEmail")))
      or coalesce(lower(own.email) in (lower(people.email), lower(people."otherEmail")), false) as "isExcluded"
    from people
    -- Nobody examines themselves, under whichever account: codes for one mailbox are not read by another person.
    left join account own on own.program_id = ${programId} and own.id = ${studentId} and own.email <> ''
    order by "rosterId" is null, lower("lastName"), lower("firstName"), "rosterId", "accountId"`.execute(db)
  return rows
}

/** Everybody who could examine, each with the reason why they may not. */
export const listExaminersOf = async (
  db: Db,
  programId: number,
  exam: ExamOf,
): Promise<{ person: ExaminerRow; why: NotExaminer | undefined }[]> => {
  const people = await listPeople(db, programId, exam)
  const SiteHasRoster = people.some(({ rosterId }) => rosterId !== null)
  return people.map((person) => ({
    person,
    why: whyNotExaminer(
      {
        Roster: person.examines === null ? null : { Examines: person.examines, ExpiresOn: person.expiresOn },
        Role: roleOf(person.level),
        IsExcluded: person.isExcluded,
        HasEmail: person.email !== '',
      },
      {
        Today: exam.today,
        IsPatientCare: exam.isPatientCare,
        SiteHasRoster,
        Examiners: exam.examiners,
      },
    ),
  }))
}

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()

/** As much of an address as tells its owner which it is: 'a…@harbor.org'. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/, '$1…@')

/**
 * Students choose among everybody who may, and see why others of the site may not; faculty and coordinators who may not are
 * left out.
 */
export const candidatesOf = (
  found: readonly { person: ExaminerRow; why: NotExaminer | undefined }[],
  language: Language,
): Candidate[] =>
  found.flatMap(({ person, why }) =>
    why && person.rosterId === null && (why === 'role' || (person.level ?? 0) >= Level.Faculty)
      ? []
      : {
          ExaminerId: person.rosterId === null ? person.accountId : null,
          RosterId: person.rosterId,
          Name: fullName(person),
          Credential: person.credential,
          Email: maskedEmail(person.email),
          HasAccount: roleOf(person.level) !== null,
          Why: why ? inLanguage(sentence(notExaminerTexts[why]), language) : null,
        },
  )

/** One of them, by roster or by account. */
export const pickExaminer = (
  found: readonly { person: ExaminerRow; why: NotExaminer | undefined }[],
  { rosterId, accountId }: { rosterId: number | null; accountId: number | null },
) =>
  found.find(({ person }) =>
    rosterId === null
      ? person.rosterId === null && person.accountId === accountId && accountId !== null
      : person.rosterId === rosterId,
  )
