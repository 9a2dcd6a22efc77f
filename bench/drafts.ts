import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { makeProgram, makeRotation, makeRow, makeShift, makeSite } from '#server/test/factories.ts'
import { api, get } from './calls.ts'
import type { Installation, SignedIn } from './installation.ts'
import { drain, median, type Request, send } from './load.ts'
import type { Figure } from './table.ts'

const monday = '2032-03-01'
const students = 300
const blocks = 12
const siteCount = 10
const shiftsOfSite = 4
const requirements = 4
const turns = 25

const group = {
  Name: 'All',
  StudentLevelIds: [],
  ShiftsPerWeek: 2,
  Weekdays: [1, 2, 3, 4, 5],
  Types: [],
  Experiences: [
    {
      Name: 'Evening',
      SiteIds: [],
      AreaIds: [],
      Types: ['evening'],
      Blocks: 1,
      MostBlocks: null,
      RotationIds: [],
      Weight: null,
    },
  ],
  MostBlocksPerSite: 4,
  FewestBlocksPerSite: null,
}

interface Made {
  coordinator: SignedIn
  program: string
  path: string
  studentIds: number[]
  shiftIds: number[]
  siteIds: number[]
}

/** A program of its own with a plan of 300 students in 12 blocks on 40 shifts, and a draft of it. */
const fill = async (at: Installation): Promise<Made> => {
  const { owner } = at
  const program = await makeProgram(owner, {
    time_zone: 'America/New_York',
    options: { AgreementRule: 'off' },
  })
  const own = { program_id: program.Id }
  const dates = { start_date: monday, end_date: addDays(monday, blocks * 7 - 1) }
  const rotation = await makeRotation(owner, program, dates)
  const siteIds: number[] = []
  const shiftIds: number[] = []
  for (let s = 0; s < siteCount; s++) {
    const site = await makeSite(owner, program, { latitude: 41 + s / 20 })
    siteIds.push(site.Id)
    for (let n = 0; n < shiftsOfSite; n++) {
      const isEvening = n === shiftsOfSite - 1
      const shift = await makeShift(owner, program, {
        site,
        capacity: 9,
        weekdays: n % 2 === 0 ? [1, 2] : [3, 4],
        ...(isEvening && { type: 'evening', start_time: '15:00', end_time: '23:00' }),
        ...dates,
      })
      shiftIds.push(shift.Id)
    }
  }
  const { rows: people } = await owner.query(
    `insert into account (program_id, user_name, access_level, student_level_id, cohort, first_name, last_name, email)
    select $1, 'draft' || n, $2, 1, '2032', 'Student', 'Number ' || lpad(n::text, 4, '0'), 'draft' || n || '@example.edu'
    from generate_series(1, $3::int) n returning id::integer`,
    [program.Id, Level.Student, students],
  )
  const studentIds = people.map(({ id }) => id)
  for (let n = 0; n < requirements; n++) {
    const { id } = await makeRow(owner, 'requirement', { ...own, name: `Proof ${n}`, blocks_placement: true })
    await owner.query(
      `insert into student_requirement (program_id, student_id, requirement_id, status, completed_on, expires_on)
      select $1, u, $2, 'accepted', '2032-01-01', '2033-01-01' from unnest($3::bigint[]) u`,
      [program.Id, id, studentIds],
    )
  }
  const plan = await makeRow(owner, 'placement_plan', {
    ...own,
    name: 'Bench',
    rotation_id: rotation.Id,
    template: 'ranked',
    ...dates,
    weeks_per_block: 1,
    rules: { Groups: [group], SiteIds: [], MostEveningPercent: 50, Weights: null },
  })
  await owner.query(
    'insert into placement_student (program_id, plan_id, student_id) select $1, $2, u from unnest($3::bigint[]) u',
    [program.Id, plan.id, studentIds],
  )
  await owner.query(
    `insert into placement_preference (program_id, plan_id, student_id, site_ids)
    select $1, $2, u, array(select s from unnest($4::bigint[]) s order by (s * 7919 + u * 104729) % 1009 limit 5)
    from unnest($3::bigint[]) u`,
    [program.Id, plan.id, studentIds, siteIds],
  )
  const draft = await makeRow(owner, 'placement_draft', {
    ...own,
    plan_id: plan.id,
    name: 'Bench',
    input: {
      Effort: 'quick',
      Weights: { Rank: 60, Distance: 20, Fairness: 50, Changes: 0, Load: 0, Needs: 0 },
      Places: [],
    },
    state: 'done',
  })
  // The students in turns over the shifts, so that everyone keeps the rules.
  await owner.query(
    `insert into placement_cell (program_id, draft_id, student_id, block, site_shift_id, weekdays, rank)
    select $1, $2, u.id, b, h.id, h.weekdays, array_position(f.site_ids, h.site_id)
    from unnest($3::bigint[]) with ordinality u (id, n) cross join generate_series(0, $5::int - 1) b
    join unnest($4::bigint[]) with ordinality t (id, n) on t.n - 1 = (u.n + b * 5) % cardinality($4::bigint[])
    join site_shift h on h.program_id = $1 and h.id = t.id
    join placement_preference f on f.program_id = $1 and f.plan_id = $6 and f.student_id = u.id`,
    [program.Id, draft.id, studentIds, shiftIds, blocks, plan.id],
  )
  // Each shift open on every day of the plan on which it runs.
  await owner.query(
    `insert into open_shift (program_id, rotation_id, site_shift_id, date, places, taken, closes_at)
    select $1, $2, h.id, d::date, 3, h.id % 4, d - interval '1 day'
    from site_shift h cross join generate_series($3::timestamp, $4::timestamp, interval '1 day') d
    where h.program_id = $1 and h.id = any ($5::bigint[]) and extract(dow from d)::int = any (h.weekdays)`,
    [program.Id, rotation.Id, dates.start_date, dates.end_date, shiftIds],
  )
  await owner.query(
    'analyze open_shift, placement_cell, placement_student, placement_preference, student_requirement, account',
  )
  const coordinator = await makeRow(owner, 'account', {
    ...own,
    user_name: 'benchplanner',
    access_level: Level.Coord,
    first_name: 'Bench',
    last_name: 'Planner',
    email: 'planner@example.edu',
  })
  const [signedIn] = await at.signIn([Number(coordinator.id)])
  return {
    // One id goes in.
    coordinator: signedIn!,
    program: `/programs/${program.Id}`,
    path: `/programs/${program.Id}/placement-plans/${plan.id}/drafts/${draft.id}`,
    studentIds,
    shiftIds,
    siteIds,
  }
}

/** What somebody waits for who works on a draft of 300 students in 12 blocks on 40 shifts. */
export const draftFigures = async (at: Installation): Promise<Figure[]> => {
  const { coordinator, program, path, studentIds, shiftIds, siteIds } = await fill(at)
  const { origin } = at.ours
  const took = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const ask = (request: Request) => send(origin, request)
  const set = (turn: number, SiteShiftId: number | null): Request => ({
    method: 'POST',
    path: `${api}${path}/cells`,
    headers: coordinator.headers,
    // The index is within the list.
    body: JSON.stringify({ Block: 3, Cells: [{ StudentId: studentIds[turn]!, SiteShiftId }] }),
  })
  const whyOf = (turn: number) =>
    get(coordinator, `${path}/why?StudentId=${studentIds[(turn * 7) % students]}&Block=${turn % blocks}`)
  const first = await took(() => ask(whyOf(0)))
  const each: Record<'why' | 'cost' | 'change' | 'grid' | 'openShifts', number[]> = {
    why: [],
    cost: [],
    change: [],
    grid: [],
    openShifts: [],
  }
  for (let turn = 1; turn <= turns; turn++) {
    each.why.push(await took(() => ask(whyOf(turn))))
    const student = studentIds[(turn * 7) % students]
    const site = siteIds[turn % siteIds.length]
    each.cost.push(
      await took(() =>
        ask(get(coordinator, `${path}/cost?StudentId=${student}&Block=${turn % blocks}&SiteId=${site}`)),
      ),
    )
    // Their own place is free again by the first change.
    await ask(set(turn, null))
    // The index is within the list.
    each.change.push(await took(() => ask(set(turn, shiftIds[(turn + 1 + 15) % shiftIds.length]!))))
    each.grid.push(await took(() => drain(origin, get(coordinator, path))))
    each.openShifts.push(
      await took(() =>
        drain(
          origin,
          get(coordinator, `${program}/open-shifts?pageSize=50&page=${1 + (turn % 15)}&sort=Site`),
        ),
      ),
    )
  }
  const names = {
    why: 'asking why of a cell',
    cost: 'asking what another site would cost',
    change: 'changing a cell by hand',
    grid: 'reading its grid',
    openShifts: 'a page of its open shifts, by site',
  }
  return (Object.keys(names) as (keyof typeof names)[]).map((name) => {
    const value = median(each[name])
    return {
      what: `draft of 300 students × 12 blocks × 40 shifts: ${names[name]}`,
      value,
      text: `${value.toFixed(0)} ms`,
      must: 100,
      stretch: 50,
      bar: '≤ 100 / ≤ 50 ms',
      note: `at most ${Math.max(...each[name]).toFixed(0)} ms${name === 'why' ? `; the first of a process ${first.toFixed(0)} ms` : ''}`,
    }
  })
}
