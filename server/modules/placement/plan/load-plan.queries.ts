import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import type { BlockRanking, PlanRules, RanksPer, Template } from '#contract/placement/plans.ts'
import type { Weights } from '#contract/placement/weights.ts'
import { dayKey, sharedKey } from '#contract/scheduling/scheduling-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { firstDayOfSites, listOwedBySite } from '../../competencies/procedure-sites.queries.ts'
import { readProgramDay } from '../../competencies/standing.queries.ts'
import {
  findRotationFacts,
  findStudentFacts,
  getPlacingProgram,
  listDaysOffBetween,
} from '../../scheduling/placement.queries.ts'
import type { AgreedPlaces } from './agreed-places.rules.ts'
import { listHeldElsewhere } from './elsewhere.across.ts'
import type { Plan, PlannedShift, PlannedSite, PlanPlacement, PlanRotation } from './plan.rules.ts'

/** From how many earlier plans points carry over. */
const carriedPlans = 4

/** What students are owed from the plans before this one, as SQL: one row per student with points. */
export const pointsBefore = (programId: number, planId: number) => sql`
  select x.student_id, sum(x.points)::int as points
  from (select p.student_id, p.points, row_number() over (partition by p.student_id order by l.start_date desc, l.id desc) as place
    from placement_points p join placement_plan l on l.program_id = p.program_id and l.id = p.plan_id and l.deleted_at is null
    where p.program_id = ${programId} and p.plan_id <> ${planId}
      and (l.start_date, l.id) < (select start_date, id from placement_plan where program_id = ${programId} and id = ${planId})) x
  where x.place <= ${carriedPlans} group by x.student_id`

export interface PlanRow {
  id: number
  name: string
  rotation_id: number
  template: Template
  start_date: string
  end_date: string
  weeks_per_block: number
  rules: PlanRules
  ranks_per: RanksPer
  most_ranks: number
  rotation_ids: number[]
}

/**
 * Where a site `s` is, as SQL: its own coordinates, or else those of its ZIP code, which are close enough for distances. They are not
 * saved to the site, since that would restrict its time clock.
 */
export const sitePlace = {
  join: sql`left join place sz on s.latitude is null and sz.zip = left(s.zip, 5)`,
  latitude: sql`coalesce(s.latitude, sz.latitude)`,
  longitude: sql`coalesce(s.longitude, sz.longitude)`,
}

/** The ids of the rotations of a plan `p`, the first one first, as SQL. */
export const rotationIdsOfPlan = sql`(p.rotation_id || array(select m.rotation_id from placement_rotation m
  where m.program_id = p.program_id and m.plan_id = p.id order by m.place))::int[]`

export const getPlanRow = async (db: Db, programId: number, planId: number): Promise<PlanRow> => {
  const { rows } =
    await sql<PlanRow>`select p.id, p.name, p.rotation_id, p.template, p.start_date, p.end_date, p.weeks_per_block,
      p.rules, p.ranks_per, p.most_ranks, ${rotationIdsOfPlan} as rotation_ids
    from placement_plan p where p.program_id = ${programId} and p.id = ${planId} and p.deleted_at is null`.execute(
      db,
    )
  const [row] = rows
  if (!row) throw fail(placementFailures.no_plan)
  return row
}

interface PlanStudentRow {
  Id: number
  Name: string
  SiteIds: number[]
  BlockRankings: BlockRanking[]
  Points: number
  Latitude: number | null
  Longitude: number | null
  Pins: { Block: number; SiteId: number }[]
  Excluded: number[]
}

const listStudents = async (db: Db, programId: number, planId: number): Promise<PlanStudentRow[]> =>
  (
    await sql<PlanStudentRow>`
    with owed as (${pointsBefore(programId, planId)})
    select u.id as "Id", listed_name(u.last_name, u.first_name) as "Name",
      coalesce(f.site_ids, '{}')::int[] as "SiteIds", coalesce(f.block_rankings, '[]') as "BlockRankings", s.pins as "Pins", s.excluded::int[] as "Excluded",
      coalesce(o.points, 0) as "Points", z.latitude as "Latitude", z.longitude as "Longitude"
    from placement_student s
    join account u on u.program_id = s.program_id and u.id = s.student_id and u.access_level = ${Level.Student}
      and u.deleted_at is null and u.deactivated_at is null
    join placement_plan plan on plan.program_id = s.program_id and plan.id = s.plan_id
      and coalesce(u.leaves_on, 'infinity') >= plan.end_date
    left join placement_preference f on f.program_id = s.program_id and f.plan_id = s.plan_id and f.student_id = s.student_id
    left join owed o on o.student_id = s.student_id
    left join place z on z.zip = left(u.zip, 5)
    where s.program_id = ${programId} and s.plan_id = ${planId}
    order by lower(u.last_name), lower(u.first_name), u.id`.execute(db)
  ).rows

const listShifts = async (
  db: Db,
  programId: number,
  fromDate: string,
  throughDate: string,
): Promise<PlannedShift[]> =>
  (
    await sql<PlannedShift>`
    select h.id as "Id", h.code as "Code", h.site_id as "SiteId", h.type as "Type", h.weekdays::int[] as "Weekdays",
      h.start_date as "StartDate", h.end_date as "EndDate", h.capacity as "Capacity",
      to_char(h.start_time, 'HH24:MI') as "StartTime", to_char(h.end_time, 'HH24:MI') as "EndTime"
    from site_shift h
    join site s on s.program_id = h.program_id and s.id = h.site_id and s.deleted_at is null and s.is_active
    where h.program_id = ${programId} and h.deleted_at is null and h.start_date <= ${throughDate} and h.end_date >= ${fromDate}
    order by h.code, h.id`.execute(db)
  ).rows

const listSites = async (db: Db, programId: number, planId: number): Promise<PlannedSite[]> =>
  (
    await sql<PlannedSite>`
    select s.id as "Id", s.name as "Name", s.code as "Code", s.area_id as "AreaId", s.time_zone as "TimeZone",
      ${sitePlace.latitude} as "Latitude", ${sitePlace.longitude} as "Longitude", s.capacity as "Capacity",
      w.takes as "Takes", coalesce(w.reserved, 0) as "Reserved", w.technologists as "Technologists",
      w.at_least as "AtLeast",
      coalesce((select json_agg(json_build_object('SiteId', g.site_id, 'InitialDate', g.initial_date,
          'TerminationDate', g.termination_date, 'Capacity', g.capacity) order by g.id)
        from affiliate_agreement g where g.program_id = s.program_id and g.site_id = s.id and g.is_active and g.is_approved
          and g.deleted_at is null), '[]') as "Agreements"
    from site s
    ${sitePlace.join}
    left join placement_site w on w.program_id = s.program_id and w.plan_id = ${planId} and w.site_id = s.id
    where s.program_id = ${programId} and s.deleted_at is null and s.is_active
    order by lower(s.name), s.id`.execute(db)
  ).rows

/** What sites offered for all their shifts and the program accepted, oldest decision first. */
const listAgreed = async (
  db: Db,
  programId: number,
  { from, through }: { from: string; through: string },
): Promise<AgreedPlaces[]> =>
  (
    await sql<AgreedPlaces>`select site_id as "SiteId", student_level_id as "StudentLevelId", offered_from as "StartDate",
      offered_through as "EndDate", offered_places as "Places"
    from place_request
    where program_id = ${programId} and is_accepted and site_shift_id is null and offered_from <= ${through}::date
      and offered_through >= ${from}::date
    order by decided_at, id`.execute(db)
  ).rows

/** Cells that were accepted and not undone, with the ids of their assignments that are still there. */
const listAccepted = async (db: Db, programId: number, planId: number) => {
  const { rows } = await sql<{
    cells: { StudentId: number; Block: number; SiteShiftId: number }[]
    ids: number[]
  }>`select cells, assignment_ids::int[] as ids from placement_acceptance
    where program_id = ${programId} and plan_id = ${planId} and undone_at is null order by id`.execute(db)
  return { cells: rows.flatMap(({ cells }) => cells), ids: rows.flatMap(({ ids }) => ids) }
}

const listPlacedOf = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
  { from, through, own }: { from: string; through: string; own: readonly number[] },
): Promise<PlanPlacement[]> =>
  (
    await sql<PlanPlacement>`select student_id as "StudentId", site_shift_id as "SiteShiftId", date as "Date",
      (extract(epoch from starts_at) * 1000)::bigint as "StartsAt", (extract(epoch from ends_at) * 1000)::bigint as "EndsAt"
    from shift_assignment
    where program_id = ${programId} and removed_at is null and student_id = any (${[...studentIds]}::bigint[])
      and date between ${from}::date - 7 and ${through}::date + 7 and id <> all (${[...own]}::bigint[])`.execute(
      db,
    )
  ).rows

const listTaken = async (
  db: Db,
  programId: number,
  { from, through, own }: { from: string; through: string; own: readonly number[] },
) => {
  const { rows } = await sql<{ id: number; date: string; placed: number; capacity: number }>`
    with mine as (select site_shift_id, date, count(*)::int as count from shift_assignment
      where program_id = ${programId} and id = any (${[...own]}::bigint[]) and removed_at is null group by 1, 2)
    select d.site_shift_id as id, d.date, d.placed - coalesce(m.count, 0) as placed, d.capacity
    from shift_day d join site_shift h on h.program_id = d.program_id and h.id = d.site_shift_id and h.deleted_at is null
    left join mine m on m.site_shift_id = d.site_shift_id and m.date = d.date
    where d.program_id = ${programId} and d.date between ${from} and ${through}`.execute(db)
  return new Map(
    rows.map(({ id, date, placed, capacity }) => [dayKey(id, date), { Placed: placed, Capacity: capacity }]),
  )
}

/** A day of a site that the program shares. */
export interface SharedDay {
  SharedSiteId: number
  SiteId: number
  Date: string
  /** Places not taken by students of any program. */
  Free: number
  /** Students whom the plan itself has placed there. */
  Own: number
  /** Whether other programs have students there. */
  IsElsewhere: boolean
}

/**
 * The days of a program's shared sites. With `besideDraft`, students placed by drafts that were solved together with that draft count as
 * being there.
 */
const listShared = async (
  db: Db,
  programId: number,
  { from, through, own }: { from: string; through: string; own: readonly number[] },
  besideDraft: number | undefined,
): Promise<SharedDay[]> => {
  const held = new Map(
    (besideDraft === undefined ? [] : await listHeldElsewhere(db, programId, besideDraft)).map((day) => [
      sharedKey(day.SiteId, day.Date),
      day.Held,
    ]),
  )
  const { rows } = await sql<Omit<SharedDay, 'IsElsewhere'> & { Others: number }>`
    with shared as (select shared_site_id, site_id from shared_site_program where program_id = ${programId} and left_at is null),
    mine as (select site_id, date, count(*)::int as count from shift_assignment
      where program_id = ${programId} and id = any (${[...own]}::bigint[]) and removed_at is null group by 1, 2),
    program as (select site_id, date, count(*)::int as count from shift_assignment
      where program_id = ${programId} and site_id in (select site_id from shared) and removed_at is null
        and date between ${from} and ${through} group by 1, 2)
    select s.shared_site_id as "SharedSiteId", f.site_id as "SiteId", f.date as "Date", f.free as "Free",
      coalesce(m.count, 0) as "Own", f.capacity - f.free - coalesce(p.count, 0) as "Others"
    from shared_free(array(select site_id from shared),
      array(select generate_series(${from}::timestamp, ${through}::timestamp, interval '1 day')::date), false) f
    join shared s on s.site_id = f.site_id
    left join mine m on m.site_id = f.site_id and m.date = f.date
    left join program p on p.site_id = f.site_id and p.date = f.date`.execute(db)
  return rows.map(({ Others, ...day }) => {
    const here = held.get(keyOfDay(day)) ?? 0
    return { ...day, Free: day.Free - here, IsElsewhere: Others + here > 0 }
  })
}

const keyOfDay = ({ SiteId, Date: date }: Pick<SharedDay, 'SiteId' | 'Date'>): string =>
  sharedKey(SiteId, date)

/** What students still have to log, by site. */
const listOwed = async (db: Db, programId: number, ids: readonly number[]) => {
  const { today } = await readProgramDay(db, programId)
  const rows = await listOwedBySite(db, programId, ids, firstDayOfSites(today))
  return new Map(rows.map(({ StudentId, Total, Sites }) => [StudentId, { Total, BySite: new Map(Sites) }]))
}

/** The ranking of each block; empty if there is none. */
export const rankingsByBlock = (rankings: readonly BlockRanking[], blocks: number): number[][] => {
  const byBlock = Array.from({ length: blocks }, (): number[] => [])
  for (const { Block, SiteIds } of rankings) if (Block < blocks) byBlock[Block] = [...SiteIds]
  return byBlock
}

/** The rotations of a plan in its order, with their areas; those that were deleted are left out. */
const listRotations = async (db: Db, programId: number, ids: readonly number[]): Promise<PlanRotation[]> => {
  const found = new Map((await findRotationFacts(db, programId, ids)).map((each) => [each.Id, each]))
  const { rows } = await sql<{
    id: number
    areas: number[]
  }>`select rotation_id as id, array_agg(area_id::int order by area_id) as areas
    from rotation_area where program_id = ${programId} and rotation_id = any (${[...ids]}::bigint[]) group by 1`.execute(
    db,
  )
  const areas = new Map(rows.map((row) => [row.id, row.areas]))
  return ids.flatMap((id) => {
    const rotation = found.get(id)
    return rotation ? [{ ...rotation, AreaIds: areas.get(id) ?? [] }] : []
  })
}

/** A plan as `loadPlan` reads it, with the days of shared sites. */
export const loadSharingPlan = async (
  db: Db,
  programId: number,
  planId: number,
  { Needs }: Pick<Weights, 'Needs'> = { Needs: 0 },
  besideDraft?: number,
): Promise<{ plan: Plan; shared: SharedDay[] }> => {
  const row = await getPlanRow(db, programId, planId)
  const program = await getPlacingProgram(db, programId)
  const { start_date: from, end_date: through } = row
  const students = await listStudents(db, programId, planId)
  const ids = students.map(({ Id }) => Id)
  const Rotations = await listRotations(db, programId, row.rotation_ids)
  if (Rotations.length === 0) throw fail(placementFailures.no_rotation_of_plan)
  const studentFacts = new Map((await findStudentFacts(db, programId, ids)).map((each) => [each.Id, each]))
  const owed: Awaited<ReturnType<typeof listOwed>> =
    Needs > 0 ? await listOwed(db, programId, ids) : new Map()
  const accepted = await listAccepted(db, programId, planId)
  const Blocks = blocksOf(from, through, row.weeks_per_block)
  const range = { from, through, own: accepted.ids }
  const shared = await listShared(db, programId, range, besideDraft)
  const plan: Plan = {
    Name: row.name,
    Template: row.template,
    Blocks,
    Rules: row.rules,
    RanksPer: row.ranks_per,
    MostRanks: row.most_ranks,
    Rotations,
    Options: program.Options,
    ActiveFrom: program.ActiveFrom,
    ActiveThrough: program.ActiveThrough,
    DaysOff: await listDaysOffBetween(db, programId, from, through),
    Students: students.flatMap(({ BlockRankings, ...student }) => {
      const more = studentFacts.get(student.Id)
      const Owed = owed.get(student.Id)
      const ByBlock = row.ranks_per === 'block' && rankingsByBlock(BlockRankings, Blocks.length)
      return more ? [{ ...more, ...student, ...(ByBlock && { ByBlock }), ...(Owed && { Owed }) }] : []
    }),
    Sites: await listSites(db, programId, planId),
    Shifts: await listShifts(db, programId, from, through),
    Taken: await listTaken(db, programId, range),
    Placed: await listPlacedOf(db, programId, ids, range),
    Agreed: await listAgreed(db, programId, range),
    Shared: new Map(shared.map((day) => [keyOfDay(day), day.Free + day.Own])),
    Elsewhere: new Set(shared.filter(({ IsElsewhere }) => IsElsewhere).map(keyOfDay)),
    Accepted: accepted.cells,
  }
  return { plan, shared }
}

/**
 * A plan, read in a constant number of statements; what students still have to log is read only if it is weighed. With `besideDraft`,
 * shared places held by drafts that were solved together with that draft count as taken.
 */
export const loadPlan = async (
  db: Db,
  programId: number,
  planId: number,
  weights?: Pick<Weights, 'Needs'>,
  besideDraft?: number,
): Promise<Plan> => (await loadSharingPlan(db, programId, planId, weights, besideDraft)).plan
