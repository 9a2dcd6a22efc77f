import { sql } from 'kysely'
import type { AgreementValues } from '#contract/sites/agreements.ts'
import { reminderSteps } from '#contract/sites/agreements-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'
import { today } from './agreements.queries.ts'

const values = (input: AgreementValues) => ({
  site_id: input.SiteId,
  initial_date: input.InitialDate,
  last_renewal_date: input.LastRenewalDate,
  terms: input.Terms,
  is_active: input.IsActive,
  is_approved: input.IsApproved,
  termination_date: input.TerminationDate,
  capacity: input.Capacity,
  contacts: JSON.stringify(input.Contacts),
  notes: input.Notes,
})

export const addAgreement = (
  db: Db,
  programId: number,
  accountId: number,
  input: AgreementValues,
  fileId: number | undefined,
): Promise<number> =>
  addRow(db, 'affiliate_agreement', {
    ...values(input),
    program_id: programId,
    file_id: fileId ?? null,
    created_by: accountId,
    updated_by: accountId,
  })

/** Changes an agreement; without a file it keeps the one that it has, unless that is to go. */
export const changeAgreement = (
  db: Db,
  key: RowKey,
  input: AgreementValues,
  fileId: number | undefined,
): Promise<boolean> =>
  changeRow(db, 'affiliate_agreement', key, {
    ...values(input),
    ...(fileId !== undefined ? { file_id: fileId } : input.RemovesFile ? { file_id: null } : {}),
  })

/** Gives an agreement its new dates; it is in force again. */
export const renewAgreement = (
  db: Db,
  key: RowKey,
  dates: { LastRenewalDate: string; TerminationDate: string },
): Promise<boolean> =>
  changeRow(db, 'affiliate_agreement', key, {
    last_renewal_date: dates.LastRenewalDate,
    termination_date: dates.TerminationDate,
    is_active: true,
  })

export const setAgreementDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'affiliate_agreement', key, isDeleted)

export interface EndingAgreement {
  Id: number
  Site: string
  TerminationDate: string
  Days: number
}

/**
 * The active agreements whose next reminder is due on the program's day, the soonest first, and keeps that it was sent. One
 * that comes late gets the step that fits, not those before it; asked again, it answers nothing.
 */
export const takeDueReminders = async (db: Db, programId: number): Promise<EndingAgreement[]> => {
  const { rows } = await sql<EndingAgreement>`
    with due as (
      select a.id, s.name, a.termination_date, a.termination_date - ${today} as days
      from affiliate_agreement a
      join program p on p.id = a.program_id and p.deleted_at is null
      join site s on s.program_id = a.program_id and s.id = a.site_id and s.deleted_at is null
      where a.program_id = ${programId} and a.deleted_at is null and a.is_active
        and a.termination_date between ${today} and ${today} + ${Math.max(...reminderSteps)}::integer),
    sent as (
      insert into agreement_reminder (program_id, agreement_id, termination_date, step)
      select ${programId}, d.id, d.termination_date,
        (select min(step) from unnest(${[...reminderSteps]}::integer[]) step where d.days <= step)
      from due d on conflict do nothing returning agreement_id)
    select d.id as "Id", d.name as "Site", d.termination_date as "TerminationDate", d.days as "Days"
    from due d join sent on sent.agreement_id = d.id
    order by d.termination_date, lower(d.name)`.execute(db)
  return rows
}
