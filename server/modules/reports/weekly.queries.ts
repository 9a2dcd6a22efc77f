import { sql } from 'kysely'
import type { WeeklyFigures, WeeklySort } from '#contract/reports/weekly-reports.ts'
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

/** The figures of the programs in the week from a Monday 'YYYY-MM-DD' on, in one statement; of a page, or of all. */
export const listWeekly = async (
  db: Db,
  monday: string,
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
  const { rows } = await sql<WeeklyFigures>`with shown as materialized (${shown})
    select s.id as "ProgramId", s.college as "College", s.program as "Program", f.active_people as "ActivePeople",
      f.sign_ins as "SignIns", f.recorded_minutes as "RecordedMinutes", f.approved_minutes as "ApprovedMinutes",
      f.waiting as "Waiting", f.evaluations_completed as "EvaluationsCompleted",
      f.evaluations_late as "EvaluationsLate"
    from shown s join weekly_figures((select array_agg(id) from shown), ${monday}::date) f on f.program_id = s.id
    order by s.place`.execute(db)
  return rows
}
