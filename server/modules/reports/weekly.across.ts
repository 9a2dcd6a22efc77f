import { sql } from 'kysely'
import type { WeeklyFigures, WeeklySort } from '#contract/reports/weekly-reports.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

const matching = (db: Db, search: string) =>
  db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .where('p.deleted_at', 'is', null)
    .$if(search !== '', (query) => query.where(isFound(sql`c.name || ' - ' || p.name`, search)))

export const countWeekly = async (db: Db, search: string): Promise<number> => {
  const { total } = await matching(db, search)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The figures of the programs in the week from a day 'YYYY-MM-DD' on, in one statement; of a page, or of all. */
export const listWeekly = async (
  db: Db,
  weekStart: string,
  { search, sort }: { search: string; sort: WeeklySort },
  page?: { limit: number; offset: number },
): Promise<WeeklyFigures[]> => {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const isByCollege = sort.endsWith('College')
  const shown = matching(db, search)
    .select(['p.id', 'c.name as college', 'p.name as program'])
    .select(
      sql<number>`row_number() over (order by ${isByCollege ? sql`lower(c.name)` : sql`lower(p.name)`}
        ${sql.raw(direction)}, lower(p.name), p.id)`.as('place'),
    )
    .orderBy('place')
    .$if(page !== undefined, (query) => query.limit(page!.limit).offset(page!.offset))
  return acrossPrograms(
    db,
    sql<WeeklyFigures>`with shown as materialized (${shown})
    select s.id as "ProgramId", s.college as "College", s.program as "Program", a.people as "ActivePeople",
      a.sign_ins as "SignIns", t.recorded as "RecordedMinutes", t.approved as "ApprovedMinutes",
      w.waiting as "Waiting", e.completed as "EvaluationsCompleted", l.late as "EvaluationsLate"
    from shown s join program p on p.id = s.id
    cross join lateral (select ${weekStart}::date::timestamp at time zone p.time_zone as begins,
      (${weekStart}::date + 7)::timestamp at time zone p.time_zone as ends, (now() at time zone p.time_zone)::date as today) week
    cross join lateral (select count(distinct account_id) as people,
        count(*) filter (where action = 'signed in') as sign_ins from audit
      where audit.program_id = p.id and at >= week.begins and at < week.ends and account_id is not null) a
    cross join lateral (select coalesce(sum(minutes), 0) as recorded,
        coalesce(sum(minutes) filter (where status = 'approved'), 0) as approved from time_record r
      where r.program_id = p.id and r.date between ${weekStart}::date and ${weekStart}::date + 6 and r.deleted_at is null and r.is_matched
        and r.minutes > 0 and r.kind <> 'absence' and r.status <> 'rejected') t
    cross join lateral (select count(*) as waiting from time_record r
      where r.program_id = p.id and r.occurred_at >= week.begins and r.occurred_at < week.ends and r.deleted_at is null
        and r.status = 'pending') w
    cross join lateral (select count(*) as completed from evaluation v
      where v.program_id = p.id and v.submitted_at >= week.begins and v.submitted_at < week.ends
        and v.deleted_at is null and v.is_completed) e
    -- What was stopped is not late.
    cross join lateral (select count(*) as late from evaluation v
      where v.program_id = p.id and not v.is_completed
        and v.end_date between ${weekStart}::date and least(${weekStart}::date + 6, week.today - 1)
        and v.deleted_at is null and v.stopped_at is null) l
    order by s.place`,
  )
}
