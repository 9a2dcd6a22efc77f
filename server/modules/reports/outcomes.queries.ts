import { sql } from 'kysely'
import { z } from 'zod'
import { alphabetical } from '#contract/core/alphabet.ts'
import type { EvaluationMeans, SiteUse } from '#contract/reports/outcomes.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Both ends included. */
export interface Days {
  from: string
  through: string
}
export interface RotationRow {
  id: number
  name: string
  start_date: string
  end_date: string
}

const rotations = (db: Db, programId: number) =>
  db
    .selectFrom('rotation')
    .select(['id', 'name', 'start_date', 'end_date'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)

/** The rotations that have begun, the latest first: the periods to choose from. */
export const listBegunRotations = (db: Db, programId: number, today: string): Promise<RotationRow[]> =>
  rotations(db, programId)
    .where('start_date', '<=', today)
    .orderBy('start_date', 'desc')
    .orderBy('id', 'desc')
    .limit(12)
    .execute()

/** The rotation that runs on the last day of a period; where none does, the one that ended last within it. */
export const rotationOf = (
  db: Db,
  programId: number,
  { from, through }: Days,
): Promise<RotationRow | undefined> =>
  rotations(db, programId)
    .where('start_date', '<=', through)
    .where('end_date', '>=', from)
    .orderBy(sql`end_date >= ${through}::date`, 'desc')
    .orderBy(sql`case when end_date >= ${through}::date then start_date else end_date end`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The rotation that ended last before a day. */
export const rotationBefore = (db: Db, programId: number, day: string): Promise<RotationRow | undefined> =>
  rotations(db, programId)
    .where('end_date', '<', day)
    .orderBy('end_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many outcomes the plan of a year has, and how many of them have a result. */
export const countPlan = async (
  db: Db,
  programId: number,
  year: number,
): Promise<{ Outcomes: number; WithResult: number }> => {
  const { rows } = await sql<{ Outcomes: number; WithResult: number }>`
    select count(*) as "Outcomes", count(*) filter (where o.result <> '') as "WithResult"
    from plan_goal g join plan_outcome o on o.program_id = g.program_id and o.goal_id = g.id and o.deleted_at is null
    where g.program_id = ${programId} and g.year = ${year} and g.deleted_at is null`.execute(db)
  return rows[0]!
}

const use = z.object({ Placed: z.number(), Places: z.number(), Idle: z.number() })

/**
 * How sites are used in a period and in the one before. Assignments are counted by the counters kept for each shift and day,
 * places by the shifts offered on the days that are not off; a site gives no more places than it has.
 */
export const readSiteUse = async (
  db: Db,
  programId: number,
  now: Days,
  before: Days,
): Promise<Pick<SiteUse, 'Active' | 'Now' | 'Before' | 'Sites'>> => {
  const { rows } = await sql<{ Active: number; Now: object; Before: object; Sites: SiteUse['Sites'] }>`
    with period (is_now, from_day, through_day) as (values (true, ${now.from}::date, ${now.through}::date),
        (false, ${before.from}::date, ${before.through}::date)),
    days as materialized (
      select p.is_now, d::date as date
      from period p cross join generate_series(p.from_day, p.through_day, interval '1 day') d
      where not exists (select from day_off o where o.program_id = ${programId}
        and d::date between o.start_date and o.end_date)),
    offered as (
      select d.is_now, d.date, s.site_id, sum(s.capacity) as places
      from site_shift s join days d on d.date between s.start_date and s.end_date
        and extract(dow from d.date)::smallint = any (s.weekdays)
      where s.program_id = ${programId} and s.deleted_at is null
      group by 1, 2, 3),
    places as (
      select o.is_now, o.site_id, sum(least(o.places, coalesce(t.capacity, 2147483647))) as places
      from offered o join site t on t.program_id = ${programId} and t.id = o.site_id and t.deleted_at is null
      group by 1, 2),
    placed as (
      select d.date >= ${now.from}::date as is_now, s.site_id, sum(d.placed) as placed
      from site_shift s join shift_day d on d.program_id = s.program_id and d.site_shift_id = s.id
        and d.date between ${before.from}::date and ${now.through}::date and d.placed > 0
      where s.program_id = ${programId} group by 1, 2),
    used as materialized (
      select coalesce(a.is_now, b.is_now) as is_now, coalesce(a.site_id, b.site_id) as site_id,
        coalesce(a.placed, 0) as placed, coalesce(b.places, 0) as places
      from placed a full join places b on b.is_now = a.is_now and b.site_id = a.site_id),
    active as materialized (
      select t.id from site t where t.program_id = ${programId} and t.is_active and t.deleted_at is null),
    sums as (
      select p.is_now, json_build_object(
        'Placed', coalesce((select sum(u.placed) from used u where u.is_now = p.is_now), 0),
        'Places', coalesce((select sum(u.places) from used u where u.is_now = p.is_now), 0),
        'Idle', (select count(*) from active t where not exists (
          select from used u where u.is_now = p.is_now and u.site_id = t.id and u.placed > 0))) as sums
      from period p)
    select (select count(*) from active) as "Active", (select sums from sums where is_now) as "Now",
      (select sums from sums where not is_now) as "Before",
      coalesce((select json_agg(json_build_object('SiteId', t.id, 'Site', t.name, 'Placed', u.placed, 'Places', u.places)
          order by u.placed desc, lower(t.name), t.id)
        from (select * from used where is_now and placed > 0 order by placed desc, site_id limit 8) u
        join site t on t.program_id = ${programId} and t.id = u.site_id), '[]') as "Sites"`.execute(db)
  const { Active, Now, Before, Sites } = rows[0]!
  return { Active, Now: use.parse(Now), Before: use.parse(Before), Sites }
}

type MeanRow = Omit<EvaluationMeans['Sites'][number], 'BeforePercent'> & { BeforePercent: number | null }

/** What evaluations of a period and of the one before come to, as Results counts them, from the sums kept with every change. */
export const readEvaluationMeans = async (
  db: Db,
  programId: number,
  now: Days,
  before: Days,
): Promise<Omit<EvaluationMeans, 'FromDate' | 'ThroughDate' | 'BeforeFrom' | 'BeforeThrough'>> => {
  const percent = (filter = sql``) =>
    sql`round(sum(s.shares) ${filter} / nullif(100 * sum(s.answers) ${filter}, 0), 1)`
  const isNow = sql`filter (where s.is_now)`
  const isBefore = sql`filter (where not s.is_now)`
  const totals = (period: ReturnType<typeof sql>) => sql`(select json_build_object(
    'Answers', coalesce(sum(s.answers) ${period}, 0), 'Percent', ${percent(period)},
    'Low', coalesce(sum(s.low) ${period}, 0)) from sums s)`
  const means = (id: ReturnType<typeof sql>, names: ReturnType<typeof sql>) => sql`coalesce((
    select json_agg(m) from (
      select n.id as "Id", n.name as "Name", m.answers as "Answers", m.percent as "Percent", m.before as "BeforePercent"
      from (select ${id} as id, sum(s.answers) ${isNow} as answers, ${percent(isNow)} as percent,
          ${percent(isBefore)} as before
        from sums s group by 1) m
      join ${names} n on n.program_id = ${programId} and n.id = m.id
      where m.answers > 0) m), '[]')`
  const { rows } = await sql<{
    Now: EvaluationMeans['Now']
    Before: EvaluationMeans['Before']
    Trend: EvaluationMeans['Trend']
    Templates: MeanRow[]
    Sites: MeanRow[]
    IsHeldBack: boolean
  }>`
    with days as (
      select date, template_id, site_id, answers, shares, low from evaluation_sum
      where program_id = ${programId} and date between ${before.from}::date and ${now.through}::date
      union all
      select date, template_id, site_id, answers, shares, low from evaluation_three
      where program_id = ${programId} and waiting = 0 and date between ${before.from}::date and ${now.through}::date),
    sums as materialized (
      select d.date >= ${now.from}::date as is_now, to_char(d.date, 'YYYY-MM') as month, d.template_id, d.site_id,
        sum(d.answers) as answers, sum(d.shares) as shares, sum(d.low) as low
      from days d group by 1, 2, 3, 4)
    select ${totals(isNow)} as "Now", ${totals(isBefore)} as "Before",
      coalesce((select json_agg(t order by t."Month") from (
        select s.month as "Month", ${percent()} as "Percent" from sums s group by 1 having sum(s.answers) > 0) t), '[]') as "Trend",
      ${means(sql`s.template_id`, sql`(select program_id, id, title as name from evaluation_template)`)} as "Templates",
      ${means(sql`s.site_id`, sql`site`)} as "Sites",
      exists (select from evaluation_three where program_id = ${programId} and waiting > 0) as "IsHeldBack"`.execute(
    db,
  )
  const { Templates, Sites, ...rest } = rows[0]!
  return { ...rest, Templates: lowestFirst(Templates), Sites: lowestFirst(Sites) }
}

const maxMeans = 8

const lowestFirst = (rows: readonly MeanRow[]): MeanRow[] =>
  rows
    .toSorted((one, other) => one.Percent - other.Percent || alphabetical(one.Name, other.Name))
    .slice(0, maxMeans)
