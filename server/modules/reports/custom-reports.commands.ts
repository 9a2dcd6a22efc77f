import { sql } from 'kysely'
import type { CustomReport } from '#contract/reports/custom-reports.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey } from '#server/core/database/rows.ts'
import type { Reader } from './custom-reports.queries.ts'

interface Input {
  Name: string
  Definition: object
  IsShared: boolean
}

const values = ({ Name, Definition, IsShared }: Input) => ({
  name: Name,
  definition: JSON.stringify(Definition),
  is_shared: IsShared,
})

/** Adds a report that belongs to the reader; answers its id. */
export const addCustomReport = (db: Db, { programId, accountId }: Reader, input: Input): Promise<number> =>
  addRow(db, 'custom_report', {
    ...values(input),
    program_id: programId,
    owner_id: accountId,
    created_by: accountId,
  })

export const changeCustomReport = (db: Db, key: RowKey, input: Input): Promise<boolean> =>
  changeRow(db, 'custom_report', key, values(input))

/** Deletes a report of the reader's own softly, or brings it back; whether there was one to change. */
export const setCustomReportDeleted = async (
  db: Db,
  { programId, accountId }: Reader,
  reportId: number,
  isDeleted: boolean,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('custom_report')
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('id', '=', reportId)
    .where('owner_id', '=', accountId)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Orders the emails of a report for a reader, or none anymore; the first goes a week or a month from today. */
export const saveMailing = async (
  db: Db,
  { programId, accountId }: Reader,
  reportId: number,
  mailing: CustomReport['Mailing'],
): Promise<void> => {
  if (mailing === 'none') {
    await db
      .deleteFrom('custom_report_email')
      .where('program_id', '=', programId)
      .where('report_id', '=', reportId)
      .where('account_id', '=', accountId)
      .execute()
    return
  }
  await sql`insert into custom_report_email (program_id, report_id, account_id, frequency, next_on)
    select ${programId}, ${reportId}, ${accountId}, ${mailing},
      ((now() at time zone time_zone)::date + ${sql.lit(mailing === 'weekly' ? '1 week' : '1 month')}::interval)::date
    from program where id = ${programId}
    on conflict (program_id, report_id, account_id) do update set next_on = case
      when custom_report_email.frequency = excluded.frequency then custom_report_email.next_on else excluded.next_on end,
      frequency = excluded.frequency`.execute(db)
}

export interface DueEmail {
  ReportId: number
  Name: string
  AccountId: number
  FirstName: string
  Email: string
  Frequency: 'weekly' | 'monthly'
}

/**
 * The emails that are due on the program's day, and moves their next day on. Emails of reports and readers that are gone,
 * and of readers who see the report no longer, are left out; asked again, it answers nothing.
 */
export const takeDueEmails = async (db: Db, programId: number, least: number): Promise<DueEmail[]> => {
  const { rows } = await sql<DueEmail>`
    with day as (select (now() at time zone time_zone)::date as today from program where id = ${programId}),
    due as (
      update custom_report_email l
      set next_on = (day.today + case frequency when 'weekly' then interval '1 week' else interval '1 month' end)::date
      from day where l.program_id = ${programId} and l.next_on <= day.today
      returning l.report_id, l.account_id, l.frequency)
    select r.id as "ReportId", r.name as "Name", a.id as "AccountId", a.first_name as "FirstName", a.email as "Email",
      due.frequency as "Frequency"
    from due join custom_report r on r.program_id = ${programId} and r.id = due.report_id and r.deleted_at is null
    join account a on a.id = due.account_id and a.deleted_at is null and a.deactivated_at is null and a.email <> ''
      and a.access_level >= ${least}
    where r.is_shared or r.owner_id = a.id
    order by r.id, a.id`.execute(db)
  return rows
}
