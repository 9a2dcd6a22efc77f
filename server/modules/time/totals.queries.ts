import { sql } from 'kysely'
import type { TimeFilters, TimeGroup, TimeSort, TimeTotal } from '#contract/time/time-summaries.ts'
import type { Db } from '#server/core/database/pool.ts'

type Part = ReturnType<typeof sql>

export interface TimeSums {
  Approved: number
  Pending: number
  Absence: number
  Planned: number | null
  Students: number
  Records: number
}
export interface TimeWeek {
  Monday: string
  Approved: number
  Pending: number
}

const groups: Record<TimeGroup, { key: Part; id: Part; name: Part }> = {
  student: {
    key: sql`'student-' || f.student_id`,
    id: sql`min(f.student_id)`,
    name: sql`min(u.last_name || ', ' || u.first_name)`,
  },
  site: {
    key: sql`'site-' || coalesce(f.site_id::text, '-')`,
    id: sql`min(f.site_id)`,
    name: sql`coalesce(min(s.name), '')`,
  },
  area: {
    key: sql`'area-' || coalesce(s.area_id::text, '-')`,
    id: sql`min(s.area_id)`,
    name: sql`coalesce(min(r.name), '')`,
  },
  month: {
    key: sql`to_char(f.date, 'YYYY-MM')`,
    id: sql`null::bigint`,
    name: sql`to_char(f.date, 'YYYY-MM')`,
  },
  type: { key: sql`f.kind`, id: sql`null::bigint`, name: sql`f.kind` },
}

/** Every row of the grouping with the sums over all of them, and the last weeks with time in them. */
export const readTimeTotals = async (
  db: Db,
  programId: number,
  filter: TimeFilters,
  by: TimeGroup,
): Promise<{ rows: TimeTotal[]; totals: TimeSums; weeks: TimeWeek[] }> => {
  const { RotationId, AreaId, SiteId, StudentId, StudentLevelIds, Type, FromDate, ThroughDate } = filter
  const parts = (alias: string): Part => {
    const column = (name: string) => sql.ref(`${alias}.${name}`)
    const all = [
      sql`${column('program_id')} = ${programId}`,
      ...(RotationId ? [sql`${column('rotation_id')} = ${RotationId}`] : []),
      ...(SiteId ? [sql`${column('site_id')} = ${SiteId}`] : []),
      ...(AreaId
        ? [
            sql`${column('site_id')} in (select x.id from site x where x.program_id = ${programId} and x.area_id = ${AreaId})`,
          ]
        : []),
      ...(StudentId ? [sql`${column('student_id')} = ${StudentId}`] : []),
      ...(StudentLevelIds?.length
        ? [
            sql`${column('student_id')} in (select x.id from account x where x.program_id = ${programId}
              and x.student_level_id = any (${StudentLevelIds}::smallint[]))`,
          ]
        : []),
      ...(FromDate ? [sql`${column('date')} >= ${FromDate}::date`] : []),
      ...(ThroughDate ? [sql`${column('date')} <= ${ThroughDate}::date`] : []),
    ]
    return sql.join(all, sql` and `)
  }
  const hasPlan = !Type && by !== 'type'
  const hasTarget = by === 'student' && !(AreaId || SiteId || Type || FromDate || ThroughDate)
  const group = groups[by]
  const sums = sql`count(distinct f.student_id) as "Students", count(*) filter (where f.kind <> 'planned') as "Records",
    coalesce(sum(f.minutes) filter (where f.kind in ('out', 'exception', 'makeup') and f.status = 'approved'), 0) as "Approved",
    coalesce(sum(f.minutes) filter (where f.kind in ('out', 'exception', 'makeup') and f.status = 'pending'), 0) as "Pending",
    coalesce(sum(f.minutes) filter (where f.kind = 'absence'), 0) as "Absence",
    ${hasPlan ? sql`coalesce(sum(f.minutes) filter (where f.kind = 'planned'), 0)` : sql`null::bigint`} as "Planned"`
  const { rows } = await sql<{ rows: TimeTotal[]; totals: TimeSums; weeks: TimeWeek[] }>`
    with facts as materialized (
      select t.student_id, t.site_id, t.rotation_id, t.date, t.kind, t.status, t.minutes from time_record t
      where ${parts('t')} and t.deleted_at is null and t.status <> 'rejected' and t.is_matched and t.kind <> 'in'
        ${Type ? sql`and t.kind = ${Type}` : sql``}
      ${
        hasPlan
          ? sql`union all
            select a.student_id, a.site_id, a.rotation_id, a.date, 'planned', 'planned',
              (extract(epoch from a.ends_at - a.starts_at) / 60)::integer
            from shift_assignment a where ${parts('a')} and a.removed_at is null`
          : sql``
      }),
    asked as (
      select k.student_id, sum(o.target_minutes) as minutes
      from (select distinct f.student_id, f.rotation_id from facts f where f.rotation_id is not null) k
      join rotation o on o.program_id = ${programId} and o.id = k.rotation_id and o.deleted_at is null
      group by k.student_id),
    rows as (
      select ${group.key} as "Key", ${group.id} as "Id", ${group.name} as "Name", ${sums},
        ${hasTarget ? sql`coalesce(min(k.minutes), 0)` : sql`null::bigint`} as "Target"
      from facts f
      join account u on u.program_id = ${programId} and u.id = f.student_id
      left join site s on s.program_id = ${programId} and s.id = f.site_id
      left join area r on r.program_id = ${programId} and r.id = s.area_id
      ${hasTarget ? sql`left join asked k on k.student_id = f.student_id` : sql``}
      group by 1 ${by === 'month' || by === 'type' ? sql`, 3` : sql``}),
    weeks as (
      select date_trunc('week', f.date)::date as "Monday",
        coalesce(sum(f.minutes) filter (where f.status = 'approved'), 0) as "Approved",
        coalesce(sum(f.minutes) filter (where f.status = 'pending'), 0) as "Pending"
      from facts f where f.kind in ('out', 'exception', 'makeup') group by 1 order by 1 desc limit 10)
    select coalesce((select json_agg(rows) from rows), '[]') as rows, (select row_to_json(f) from (select ${sums} from facts f) f) as totals,
      coalesce((select json_agg(weeks order by "Monday") from weeks), '[]') as weeks`.execute(db)
  return rows[0]!
}

/** Rows in the order asked for; what is missing last, the same value by name. */
export const sortTotals = (rows: readonly TimeTotal[], sort: TimeSort): TimeTotal[] => {
  const isDown = sort.startsWith('-')
  const field = sort.replace('-', '') as 'Name' | 'Approved' | 'Planned'
  return rows.toSorted((one, other) => {
    const order =
      field === 'Name' ? one.Name.localeCompare(other.Name) : (one[field] ?? 0) - (other[field] ?? 0)
    return (isDown ? -order : order) || one.Name.localeCompare(other.Name)
  })
}
