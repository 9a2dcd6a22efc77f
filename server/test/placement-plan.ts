import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/placement/drafts.ts'
import { createPlacementPlan, type PlacementPlan, savePlanStudent } from '#contract/placement/plans.ts'
import type { createDraftRunner } from '#server/modules/placement/draft-runs.ts'
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
import type { Caller, Installation } from './installation.ts'

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

/** @param more of the plan: put over what is sent, by what was made for it */
export const makePlan = async (
  installation: Installation,
  runner: MadePlan['runner'],
  more: (made: Pick<MadePlan, 'program' | 'sites' | 'rotation'>) => object | Promise<object> = () => ({}),
): Promise<MadePlan> => {
  const { owner, as } = installation
  const program = await makeProgram(owner, {
    time_zone: 'America/New_York',
    options: { AgreementRule: 'off' },
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
