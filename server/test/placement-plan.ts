import { afterAll, beforeAll, beforeEach } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/placement/drafts.ts'
import {
  createPlacementPlan,
  getPlacementPlanById,
  type PlacementPlan,
  type PlacementPlanInput,
  savePlanStudent,
  updatePlacementPlan,
} from '#contract/placement/plans.ts'
import { joinSharedSite, shareSite } from '#contract/shared-sites/shared-sites.ts'
import { createDraftRunner } from '#server/modules/placement/draft/drafts.jobs.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeShift,
  makeSite,
  makeStudent,
} from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'

/** A Monday far ahead of any day on which tests run. */
export const planMonday = '2032-03-01'

/** A program with three sites of one place each, Ada, Ben and Cleo, and a plan of two blocks for them. */
export interface MadePlan {
  installation: Installation
  runner: ReturnType<typeof createDraftRunner>
  program: MadeProgram
  rotation: { Id: number }
  sites: { Id: number; Name: string }[]
  shifts: { Id: number }[]
  students: MadePerson[]
  coordinator: Caller
  plan: PlacementPlan
}

/**
 * @param more of the plan: put over what is sent, by what was made for it
 * @param columns of the program
 */
export const makePlan = async (
  installation: Installation,
  runner: MadePlan['runner'],
  more: (made: Pick<MadePlan, 'program' | 'sites' | 'rotation'>) => object | Promise<object> = () => ({}),
  columns: object = {},
): Promise<MadePlan> => {
  const { owner, as } = installation
  const program = await makeProgram(owner, {
    time_zone: 'America/New_York',
    options: { AgreementRule: 'off' },
    ...columns,
  })
  const dates = { start_date: planMonday, end_date: addDays(planMonday, 27) }
  const rotation = await makeRotation(owner, program, dates)
  const sites = []
  const shifts = []
  for (const name of ['Harbor', 'Mercy', 'Lakeside']) {
    const site = await makeSite(owner, program, { name, code: name.slice(0, 3).toUpperCase() })
    sites.push(site)
    shifts.push(await makeShift(owner, program, { site, capacity: 1, weekdays: [1, 2], ...dates }))
  }
  const students = []
  for (const first of ['Ada', 'Ben', 'Cleo'])
    students.push(
      await makeStudent(owner, program, { first_name: first, last_name: 'Adams', cohort: '2032' }),
    )
  const coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  const plan = await coordinator.ok(createPlacementPlan, {
    params: { programId: program.Id },
    body: {
      Name: 'Clinical II',
      RotationId: rotation.Id,
      Template: 'ranked',
      StartDate: dates.start_date,
      EndDate: dates.end_date,
      WeeksPerBlock: 2,
      Cohort: '2032',
      Rules: { Groups: [{ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5] }] },
      ...(await more({ program, sites, rotation })),
    },
  })
  return { installation, runner, program, rotation, sites, shifts, students, coordinator, plan }
}

/** An installation for the tests of a file, with what solves plans as the worker does. */
export interface Placing {
  installation: Installation
  runner: MadePlan['runner']
}

/** Starts both before the tests of the file, and ends them after these; they are there within tests. */
export const startPlacing = (): Placing => {
  const placing = {} as Placing
  beforeAll(async () => {
    placing.installation = await startInstallation()
    placing.runner = createDraftRunner()
  })
  afterAll(async () => {
    await placing.runner?.stop()
    await placing.installation?.stop()
  })
  return placing
}

/** The same, with a plan that is made anew for each test: `made` of what is answered. */
export const startPlanning = (more?: Parameters<typeof makePlan>[2]): Placing & { made: MadePlan } => {
  const planning = startPlacing() as Placing & { made: MadePlan }
  beforeEach(async () => {
    planning.made = await makePlan(planning.installation, planning.runner, more)
  })
  return planning
}

/** Saves the plan with something else in it; its rules and dates stay otherwise. */
export const changePlan = async (
  { coordinator, program, plan: { Id } }: Pick<MadePlan, 'coordinator' | 'program' | 'plan'>,
  more: (plan: PlacementPlan) => Partial<PlacementPlanInput>,
) => {
  const params = { programId: program.Id, planId: Id }
  const plan = await coordinator.ok(getPlacementPlanById, { params })
  const { Name, RotationId, Template, StartDate, EndDate, WeeksPerBlock, Cohort, Rules, IsOpenToOthers } =
    plan
  const same = {
    Name,
    RotationId,
    Template,
    StartDate,
    EndDate,
    WeeksPerBlock,
    Cohort,
    Rules,
    IsOpenToOthers,
  }
  return coordinator.call(updatePlacementPlan, { params, body: { ...same, ...more(plan) } })
}

/** Ranks sites for a student by their places in the plan's list. */
export const rankFor = (
  { coordinator, program, plan, students, sites }: MadePlan,
  student: number,
  order: readonly number[],
  more: object = {},
) =>
  coordinator.ok(savePlanStudent, {
    params: { programId: program.Id, planId: plan.Id, studentId: students[student]!.Id },
    body: { Pins: [], ExcludedSiteIds: [], SiteIds: order.map((s) => sites[s]!.Id), ...more },
  })

/** Has two programs share their first sites, with so many places a day. */
export const shareFirstSites = async (one: MadePlan, other: MadePlan, Capacity: number): Promise<void> => {
  const { owner, as } = one.installation
  const [first, second] = await Promise.all(
    [one, other].map(async ({ program }) => as(await makePerson(owner, Level.Director, { program }))),
  )
  const { Code } = await first!.ok(shareSite, {
    params: { programId: one.program.Id },
    body: { SiteId: one.sites[0]!.Id, Capacity },
  })
  await second!.ok(joinSharedSite, {
    params: { programId: other.program.Id },
    body: { Code, SiteId: other.sites[0]!.Id },
  })
}

/** Has a draft made, and solves it as the worker does. */
export const makeDraftOf = async (
  { coordinator, program, plan, runner, installation }: MadePlan,
  more: Partial<contract.DraftInput> = {},
) => {
  const params = { programId: program.Id, planId: plan.Id }
  const draft = await coordinator.ok(contract.createDraft, { params, body: { Name: 'A', ...more } })
  await runner.run({ programId: program.Id, draftId: draft.Id }, installation.services)
  return coordinator.ok(contract.getDraft, { params: { ...params, draftId: draft.Id } })
}
