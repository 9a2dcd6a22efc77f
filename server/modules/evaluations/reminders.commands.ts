import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { type Remembered, withNames } from './reminders.queries.ts'

/** What a person is reminded of on a day. */
export interface Reminded {
  AccountId: number
  FirstName: string
  Email: string
  Evaluations: (Remembered & { Step: string })[]
}

/**
 * Takes what is to be reminded of on the program's day, by evaluator: what is new, due in the days that its template says, due
 * today, or overdue. Each step of each evaluation is taken once, and each person once a day.
 */
export const takeDue = async (db: Db, programId: number): Promise<Reminded[]> => {
  const { rows } = await sql<Reminded>`
    with today as (select (now() at time zone time_zone)::date as day from program where id = ${programId}),
    open as (
      select e.id, e.evaluator_id, coalesce(e.end_date, e.date) as end_date, e.end_date as due, t.title,
        coalesce(u.first_name || ' ' || u.last_name, s.name, '') as subject,
        case
          when e.end_date < today.day and (today.day - e.end_date - 1) / t.remind_every < t.remind_most
            then 'late' || case when today.day - e.end_date > t.remind_every
              then ((today.day - e.end_date - 1) / t.remind_every + 1)::text else '' end
          when e.end_date < today.day then null
          when e.end_date = today.day and t.remind_on_day then 'today'
          when e.end_date > today.day and e.end_date <= today.day + t.remind_before then 'soon'
          when e.occasion is not null and not exists (select from evaluation_reminder m
            where m.program_id = e.program_id and m.evaluation_id = e.id) then 'new'
        end as step
      from today, evaluation e ${withNames}
      where e.program_id = ${programId} and not e.is_completed and e.stopped_at is null and e.deleted_at is null
        and e.evaluator_id is not null and e.date <= today.day),
    due as (select o.id, o.evaluator_id, o.end_date, o.due, o.title, o.subject, o.step
      from open o where o.step is not null
        and not exists (select from evaluation_reminder m where m.program_id = ${programId} and m.evaluation_id = o.id
          and m.step = o.step and m.end_date = o.end_date)),
    person as (
      insert into evaluation_digest (program_id, account_id, day)
      select distinct ${programId}::bigint, d.evaluator_id, today.day from due d cross join today
      join account a on a.program_id = ${programId} and a.id = d.evaluator_id and a.deleted_at is null
        and a.deactivated_at is null
      on conflict do nothing returning account_id),
    taken as (
      insert into evaluation_reminder (program_id, evaluation_id, step, end_date)
      select ${programId}, d.id, d.step, d.end_date from due d join person p on p.account_id = d.evaluator_id
      on conflict do nothing returning evaluation_id)
    select a.id as "AccountId", a.first_name as "FirstName", a.email as "Email",
      jsonb_agg(jsonb_build_object('Title', d.title, 'Subject', d.subject, 'Due', d.due, 'Step', d.step)
        order by d.step like 'late%' desc, d.due nulls last, d.id) as "Evaluations"
    from taken t join due d on d.id = t.evaluation_id
    join account a on a.program_id = ${programId} and a.id = d.evaluator_id
    group by a.id, a.first_name, a.email order by a.id`.execute(db)
  return rows
}

/**
 * Takes the evaluations that are overdue for as long as their template waits before it tells coordinators, each once for a due
 * date, by evaluator.
 */
export const takeEscalated = async (
  db: Db,
  programId: number,
): Promise<{ Evaluator: string; Count: number; Oldest: string }[]> => {
  const { rows } = await sql<{ Evaluator: string; Count: number; Oldest: string }>`
    with today as (select (now() at time zone time_zone)::date as day from program where id = ${programId}),
    due as (
      select e.id, e.evaluator_id, e.end_date from today, evaluation e
      join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and t.escalate_after is not null
      where e.program_id = ${programId} and not e.is_completed and e.stopped_at is null and e.deleted_at is null
        and e.evaluator_id is not null and e.end_date <= today.day - t.escalate_after),
    taken as (
      insert into evaluation_reminder (program_id, evaluation_id, step, end_date)
      select ${programId}, id, 'escalated', end_date from due on conflict do nothing returning evaluation_id)
    select a.first_name || ' ' || a.last_name as "Evaluator", count(*) as "Count", min(d.end_date) as "Oldest"
    from taken t join due d on d.id = t.evaluation_id
    join account a on a.program_id = ${programId} and a.id = d.evaluator_id
    group by a.id, a.first_name, a.last_name order by min(d.end_date), a.id`.execute(db)
  return rows
}
