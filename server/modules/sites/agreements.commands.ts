import { sql } from 'kysely'
import { reminderSteps } from '#contract/sites/agreements-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { today } from './agreements.queries.ts'

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
