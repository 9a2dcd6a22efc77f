import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type * as contract from '#contract/graduates/graduates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, setRowDeleted } from '#server/core/database/rows.ts'

const toRow = (input: contract.GraduateInput) => ({
  first_name: input.FirstName,
  last_name: input.LastName,
  student_number: input.StudentNumber,
  cohort: input.Cohort,
  exam: input.Exam,
  notes: input.Notes,
  entered_on: input.EnteredOn,
  graduated_on: input.GraduatedOn,
  withdrew_on: input.WithdrewOn,
  withdrawal_reason: input.WithdrawalReason,
  first_attempt_on: input.FirstAttemptOn,
  first_attempt_result: input.FirstAttemptResult,
  passed_on: input.PassedOn,
  high_cut_on: input.HighCutOn,
  placement: input.Placement,
  started_work_on: input.StartedWorkOn,
})

/** Adds a person and answers the id. */
export const addGraduate = (
  db: Db,
  programId: number,
  input: contract.GraduateInput,
  accountId: number,
): Promise<number> =>
  addRow(db, 'graduate', { program_id: programId, ...toRow(input), created_by: accountId })

/**
 * Adds the students and alumni of a cohort who have no row yet. An alumnus gets both dates; a student who is still here gets
 * the day of entry alone. What alumni have told about their work comes with them.
 */
export const addCohort = async (
  db: Db,
  programId: number,
  { Cohort, EnteredOn, GraduatedOn }: { Cohort: string; EnteredOn: string; GraduatedOn: string | null },
  accountId: number,
): Promise<{ Added: number; Known: number }> => {
  const { rows } = await sql<{ added: number; people: number }>`
    with people as materialized (
      select a.id, a.first_name, a.last_name, coalesce(a.student_number, '') as student_number,
        case when a.access_level = ${Level.Alumnus} then ${GraduatedOn}::date end as graduated_on, e.status, e.start_date, e.credential
      from account a left join employment e on e.program_id = a.program_id and e.account_id = a.id
      where a.program_id = ${programId} and a.access_level in (${Level.Student}, ${Level.Alumnus}) and a.deleted_at is null
        and lower(a.cohort) = lower(${Cohort}) and a.first_name <> '' and a.last_name <> ''),
    added as (
      insert into graduate (program_id, account_id, first_name, last_name, student_number, cohort, entered_on, graduated_on, exam,
        placement, started_work_on, created_by)
      select ${programId}, p.id, p.first_name, p.last_name, p.student_number, ${Cohort}, ${EnteredOn}::date, p.graduated_on,
        coalesce(p.credential, ''),
        -- Not looking for work is no reason by itself to leave somebody out: staff asks for it.
        case when p.graduated_on is not null and p.status <> 'notSeeking' then case p.status when 'other' then 'otherField' else p.status end end,
        case when p.graduated_on is not null and p.status in ('field', 'other') then p.start_date end, ${accountId}
      from people p
      where not exists (select from graduate g where g.program_id = ${programId} and g.account_id = p.id and g.deleted_at is null)
      on conflict do nothing returning 1)
    select (select count(*) from added)::integer as added, (select count(*) from people)::integer as people`.execute(
    db,
  )
  // Counts answer one row.
  const { added, people } = rows[0]!
  return { Added: added, Known: people - added }
}

/** Changes what is known of a person. */
export const saveGraduate = async (
  db: Db,
  programId: number,
  graduateId: number,
  input: contract.GraduateInput,
  accountId: number,
): Promise<void> => {
  await db
    .updateTable('graduate')
    .set({ ...toRow(input), updated_by: accountId })
    .where('program_id', '=', programId)
    .where('id', '=', graduateId)
    .execute()
}

/**
 * What somebody told about their work, among the graduates: every rate is counted there. Not looking for work is no reason by itself to
 * leave somebody out, so that staff ask for it; a reason that staff have found stays.
 */
export const tellPlacement = async (
  db: Db,
  programId: number,
  accountId: number,
  { Status, StartDate }: { Status: string; StartDate: string | null },
): Promise<void> => {
  const hasJob = Status === 'field' || Status === 'other'
  await sql`update graduate set placement = ${Status === 'other' ? 'otherField' : Status === 'notSeeking' ? null : Status},
      started_work_on = ${hasJob ? StartDate : null}::date, updated_by = ${accountId}
    where program_id = ${programId} and account_id = ${accountId} and graduated_on is not null and deleted_at is null
      and not (${Status === 'notSeeking'} and placement in ('unreachable', 'notMoving', 'termsRefused'))`.execute(
    db,
  )
}

/** Deletes a row, or brings it back. @returns whether it was the other way before */
export const setGraduateDeleted = (
  db: Db,
  programId: number,
  graduateId: number,
  isDeleted: boolean,
): Promise<boolean> => setRowDeleted(db, 'graduate', { programId, id: graduateId }, isDeleted)
