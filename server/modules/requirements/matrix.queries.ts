import { type RawBuilder, sql } from 'kysely'
import { daysBetween } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { type MatrixRow, matrixPageSize, signOf } from '#contract/requirements/matrix.ts'
import {
  isMet,
  type RequirementKind,
  type Rule,
  type StandingStatus,
  stateOn,
} from '#contract/requirements/requirement-rules.ts'
import { type Db, plannedForItsValues } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'
import type { SiteScope } from '../sites/scope.queries.ts'
import { requirementsOf } from './asked.queries.ts'
import { isAskedOn } from './season.queries.ts'
import { isExpiringOn, isHeldOn, isMetOn } from './states.queries.ts'

/** A requirement of everybody, as a column. */
export interface MatrixRequirement {
  Id: number
  Name: string
  Kind: RequirementKind
  BlocksPlacement: boolean
  Rule: Rule
  LevelIds: number[]
  Cohorts: string[]
}

export const listColumns = async (
  db: Db,
  programId: number,
  requirementId?: number,
): Promise<MatrixRequirement[]> => {
  const { rows } = await sql<MatrixRequirement>`
    select q.id as "Id", q.name as "Name", q.kind as "Kind", q.blocks_placement as "BlocksPlacement", q.rule as "Rule",
      q.level_ids::int[] as "LevelIds", q.cohorts as "Cohorts"
    from requirement q
    where q.program_id = ${programId} and q.deleted_at is null and q.scope = 'program'
      and ${requirementId === undefined ? sql`true` : sql`q.id = ${requirementId}`}
    order by q.position, lower(q.name), q.id`.execute(db)
  return rows
}

export interface MatrixFilter {
  programId: number
  on: string
  scope: SiteScope
  Show?: 'notReady' | 'waiting' | 'expiring' | undefined
  RequirementId?: number | undefined
  StudentLevelIds: readonly number[]
  Cohort?: string | undefined
  search: string
}

/** What applies to a student; of one requirement where it is named. */
const appliesTo = (
  { RequirementId }: MatrixFilter,
  student: string,
) => sql`q.deleted_at is null and q.scope = 'program'
  and ${RequirementId === undefined ? sql`true` : sql`q.id = ${RequirementId}`}
  and applies_to(q.level_ids, q.cohorts, ${sql.ref(`${student}.student_level_id`)}::smallint, ${sql.ref(`${student}.cohort`)})`

/** What sites ask of the students of `wanted (id)` from the day on, and is not met: the rest of what the student's own page shows. */
const openAtSites = ({ programId, on, RequirementId }: MatrixFilter) => sql`
  select e.student_id, e.requirement_id, e.name, e.site_id from (${requirementsOf(programId, sql`${on}::date`)}) e
  where e.site_id is not null and not e.is_met and ${RequirementId === undefined ? sql`true` : sql`e.requirement_id = ${RequirementId}`}`

/** Students of whom something is as the filter says. */
const shows: Record<NonNullable<MatrixFilter['Show']>, (filter: MatrixFilter) => RawBuilder<unknown>> = {
  // What is asked follows from level and cohort, of which there are few; what is held is counted once for all students.
  notReady: (filter) => sql`u.id in (
    with asked as materialized (
      select g.level, g.cohort, array(select q.id from requirement q
        where q.program_id = ${filter.programId} and ${isAskedOn(sql`${filter.on}::date`)}
          and ${appliesTo(filter, 'g')}) as ids
      from (select distinct w.student_level_id as level, w.cohort, w.student_level_id
        from account w where w.program_id = ${filter.programId} and w.access_level = ${Level.Student} and w.deleted_at is null) g),
    held as (
      select s.student_id, array_agg(s.requirement_id) as ids from student_requirement s
      where s.program_id = ${filter.programId} and s.site_id = 0 and ${isHeldOn(sql`${filter.on}::date`)}
      group by s.student_id)
    select w.id from account w
    join asked a on a.level is not distinct from w.student_level_id and a.cohort is not distinct from w.cohort
    left join held h on h.student_id = w.id
    where w.program_id = ${filter.programId} and w.access_level = ${Level.Student} and w.deleted_at is null
      and cardinality(a.ids) > 0 and not coalesce(h.ids @> a.ids, false)
    union all
    -- What is sent and nobody has decided about is not met, also where nothing is asked on the day.
    select s.student_id from student_requirement s
    join account w on w.program_id = s.program_id and w.id = s.student_id
    join requirement q on q.program_id = s.program_id and q.id = s.requirement_id and ${appliesTo(filter, 'w')}
    where s.program_id = ${filter.programId} and s.site_id = 0 and s.is_waiting and not ${isMetOn(sql`${filter.on}::date`)}
    union all
    select e.student_id from (
      with wanted as materialized (select distinct a.student_id as id from shift_assignment a
        where a.program_id = ${filter.programId} and a.removed_at is null and a.date >= ${filter.on}::date
          and exists (select from site_requirement r where r.program_id = a.program_id and r.site_id = a.site_id and r.is_asked))
      ${openAtSites(filter)}) e)`,
  waiting: (filter) => sql`u.id in (select s.student_id from student_requirement s
    join requirement q on q.program_id = s.program_id and q.id = s.requirement_id and q.deleted_at is null
      and ${filter.RequirementId === undefined ? sql`true` : sql`q.id = ${filter.RequirementId}`}
    where s.program_id = ${filter.programId} and s.is_waiting)`,
  expiring: (filter) => sql`u.id in (select s.student_id from student_requirement s
    join account w on w.program_id = s.program_id and w.id = s.student_id
    join requirement q on q.program_id = s.program_id and q.id = s.requirement_id and ${appliesTo(filter, 'w')}
    where s.program_id = ${filter.programId} and s.site_id = 0 and ${isExpiringOn(sql`${filter.on}::date`)})`,
}

const matching = (filter: MatrixFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`u.program_id = ${filter.programId} and u.access_level = ${Level.Student} and u.deleted_at is null and u.deactivated_at is null`,
      filter.scope.supervisorId !== null &&
        sql`exists (select from shift_assignment a
          join supervisor_site w on w.program_id = a.program_id and w.site_id = a.site_id and w.account_id = ${filter.scope.supervisorId}
          where a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null)`,
      filter.StudentLevelIds.length > 0 &&
        sql`u.student_level_id = any (${[...filter.StudentLevelIds]}::bigint[])`,
      filter.Cohort !== undefined && sql`u.cohort = ${filter.Cohort}`,
      filter.search.trim() !== '' && isFound(sql`u.first_name || ' ' || u.last_name`, filter.search),
      filter.Show && shows[filter.Show](filter),
    ].filter((part) => part !== undefined && part !== false),
    sql` and `,
  )

/** Only what narrows the list down is worth a plan of its own. */
const planned = ({ Show, search }: MatrixFilter) =>
  Show || search.trim() !== '' ? plannedForItsValues : sql``

interface StudentRow {
  Id: number
  Student: string
  StudentLevel: string
  LevelId: number | null
  Cohort: string
  key: string
  AtSites: MatrixRow['AtSites']
}

type Cell = [id: number, status: StandingStatus, expires: string | null, waits: boolean, returned: boolean]

/** A page of students by name, with what is kept of them, packed. */
export const pageMatrix = async (
  db: Db,
  filter: MatrixFilter,
  columns: readonly MatrixRequirement[],
  {
    after,
    size = matrixPageSize,
    knowsAll,
  }: { after?: string | undefined; size?: number; knowsAll: boolean },
): Promise<{ Rows: MatrixRow[]; Next: string | null; Total: number | null }> => {
  const { rows } = await sql<StudentRow & { total: number | null; cells: Cell[] | null }>`${planned(filter)}
    with page as materialized (
      select u.program_id, u.id as "Id", listed_name(u.last_name, u.first_name) as "Student", u.student_level_id as "LevelId",
        coalesce(u.cohort, '') as "Cohort", lower(u.last_name) || chr(1) || lower(u.first_name) || chr(1) || u.id as key,
        row_number() over (order by lower(u.last_name), lower(u.first_name), u.id) as place,
        ${after === undefined ? sql`count(*) over ()` : sql`null::bigint`} as total
      from account u
      where ${matching(filter)}
        and ${after === undefined ? sql`true` : sql`(lower(u.last_name), lower(u.first_name), u.id) > (${after.split('\u0001')[0] ?? ''}, ${after.split('\u0001')[1] ?? ''}, ${Number(after.split('\u0001')[2]) || 0})`}
      order by lower(u.last_name), lower(u.first_name), u.id limit ${size + 1}),
    wanted as (select "Id" as id from page),
    open_at_sites as materialized (
      select e.student_id, json_agg(json_build_object('RequirementId', e.requirement_id, 'Name', e.name, 'Site', t.name)
        order by lower(e.name), lower(t.name), t.id) as "AtSites"
      from (${openAtSites(filter)}) e join site t on t.program_id = ${filter.programId} and t.id = e.site_id group by 1)
    select p."Id", p."Student", p."LevelId", p."Cohort", p.key, p.total, coalesce(l.name, '') as "StudentLevel", c.cells,
      coalesce(o."AtSites", '[]') as "AtSites"
    from page p
    left join student_level l on l.program_id = p.program_id and l.id = p."LevelId"
    left join lateral (select json_agg(json_build_array(s.requirement_id, s.status, s.expires_on, s.is_waiting, s.is_returned)) as cells
      from student_requirement s where s.program_id = p.program_id and s.student_id = p."Id" and s.site_id = 0) c on true
    left join open_at_sites o on o.student_id = p."Id"
    order by p.place`.execute(db)
  const found = rows.slice(0, size)
  return {
    Rows: found.map((row) => packed(row, columns, filter.on, knowsAll)),
    Next: rows.length > size ? found.at(-1)!.key : null,
    Total: after === undefined ? (rows[0]?.total ?? 0) : null,
  }
}

/** Of students with all they may know: the sign of each column, and in how many days it ends. */
const packed = (
  { cells, Id, Student, StudentLevel, Cohort, LevelId, AtSites }: StudentRow & { cells: Cell[] | null },
  columns: readonly MatrixRequirement[],
  on: string,
  knowsAll: boolean,
): MatrixRow => {
  const kept = new Map((cells ?? []).map((cell) => [cell[0], cell]))
  let States = ''
  const Ends: string[] = []
  for (const column of columns) {
    const [, Status, ExpiresOn, IsWaiting, IsReturned] =
      kept.get(column.Id) ?? ([0, 'missing', null, false, false] as const)
    const applies =
      (column.LevelIds.length === 0 || (LevelId !== null && column.LevelIds.includes(LevelId))) &&
      (column.Cohorts.length === 0 || column.Cohorts.includes(Cohort))
    const state = stateOn(column.Rule, { Status, ExpiresOn, IsWaiting, IsReturned }, on)
    States += !applies ? '-' : knowsAll ? signOf(state) : signOf(isMet(state) ? 'accepted' : 'missing')
    Ends.push(applies && knowsAll && ExpiresOn !== null ? String(daysBetween(on, ExpiresOn)) : '')
  }
  return { Id, Student, StudentLevel, Cohort, States, Ends: knowsAll ? Ends.join(',') : '', AtSites }
}

/** The first day of each student at each site, in the rotations that go on or lie ahead. */
export const listFirstDays = async (
  db: Db,
  programId: number,
  today: string,
  rotationId: number | undefined,
) => {
  const { rows } = await sql<{
    RotationId: number
    Rotation: string
    SiteId: number
    Site: string
    StudentId: number
    Student: string
    Date: string
  }>`${plannedForItsValues}
    select r.id as "RotationId", r.name as "Rotation", t.id as "SiteId", t.name as "Site", u.id as "StudentId",
      listed_name(u.last_name, u.first_name) as "Student", f.date as "Date"
    from (
      select a.rotation_id, a.site_id, a.student_id, min(a.date) as date from shift_assignment a
      where a.program_id = ${programId} and a.removed_at is null and a.date >= ${today}::date
        and ${rotationId === undefined ? sql`true` : sql`a.rotation_id = ${rotationId}`}
      group by 1, 2, 3) f
    join rotation r on r.program_id = ${programId} and r.id = f.rotation_id and r.deleted_at is null
    join site t on t.program_id = ${programId} and t.id = f.site_id
    join account u on u.program_id = ${programId} and u.id = f.student_id and u.deleted_at is null and u.deactivated_at is null
    order by f.date, lower(t.name), lower(u.last_name), u.id`.execute(db)
  return rows
}
