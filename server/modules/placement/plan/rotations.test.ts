import { expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { acceptDraft, publishPlan } from '#contract/placement/acceptances.ts'
import { explainCell, exportDraft } from '#contract/placement/drafts.ts'
import { getOwnPlacementResult } from '#contract/placement/own-placement.ts'
import * as contract from '#contract/placement/plans.ts'
import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { makeProgram, makeRotation, makeRow } from '#server/test/factories.ts'
import {
  type MadePlan,
  makeDraftOf,
  makePlan,
  planMonday,
  rankFor,
  startPlacing,
} from '#server/test/placement-plan.ts'
import {
  samplePlan,
  sampleRotation,
  sampleShift,
  sampleSite,
  sampleStudent,
} from '#server/test/sample-plans.ts'
import { indexPlan } from './indexed-plan.rules.ts'

const placing = startPlacing()

const group = (more: object = {}) => ({ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5], ...more })
const experience = (Name: string, RotationId: number) => ({ Name, Blocks: 1, RotationIds: [RotationId] })

/** The plan with two rotations: Medicine for the area of Harbor and Lakeside, Surgery for the one of Mercy. */
const makeTwo = async (rules: (rotations: { medicine: number; surgery: number }) => object = () => ({})) => {
  const { owner } = placing.installation
  let surgery = 0
  const made = await makePlan(placing.installation, placing.runner, async ({ program, sites, rotation }) => {
    const dates = { start_date: planMonday, end_date: addDays(planMonday, 27) }
    const other = await makeRotation(owner, program, { name: 'Surgery', ...dates })
    surgery = other.Id
    await owner.query("update rotation set name = 'Medicine' where id = $1", [rotation.Id])
    for (const [index, name] of ['Wards', 'Theaters'].entries()) {
      const { id: area } = await makeRow(owner, 'area', { program_id: program.Id, name })
      const own = index === 0 ? [sites[0]!.Id, sites[2]!.Id] : [sites[1]!.Id]
      await owner.query('update site set area_id = $1 where id = any ($2::bigint[])', [area, own])
      await makeRow(owner, 'rotation_area', {
        program_id: program.Id,
        rotation_id: index === 0 ? rotation.Id : other.Id,
        area_id: area,
      })
    }
    return {
      MoreRotationIds: [other.Id],
      Rules: { Groups: [group(rules({ medicine: rotation.Id, surgery: other.Id }))] },
    }
  })
  return { made, medicine: made.rotation.Id, surgery }
}

const at = (made: MadePlan) => ({ programId: made.program.Id, planId: made.plan.Id })

test('a plan of two rotations makes each shift in the one that its site is for, and names it everywhere', async () => {
  const { made, medicine, surgery } = await makeTwo()
  expect(made.plan).toMatchObject({
    RotationId: medicine,
    Rotation: 'Medicine',
    Rotations: [
      { Id: medicine, Name: 'Medicine' },
      { Id: surgery, Name: 'Surgery' },
    ],
  })
  await rankFor(made, 0, [0, 1, 2])
  await rankFor(made, 1, [1, 0, 2])
  await rankFor(made, 2, [2, 0, 1])
  const { Draft, Rows } = await makeDraftOf(made)
  expect(Rows.map(({ Cells }) => Cells.map(({ RotationId }) => RotationId))).toEqual([
    [medicine, medicine],
    [surgery, surgery],
    [medicine, medicine],
  ])
  const params = { ...at(made), draftId: Draft.Id }
  const { Why } = await made.coordinator.ok(explainCell, {
    params,
    query: { StudentId: made.students[1]!.Id, Block: 0 },
  })
  expect(Why.find(({ IsOwn }) => IsOwn)?.Text).toContain('Surgery')
  const file = await made.coordinator.call(exportDraft, { params, query: { Format: 'csv' } })
  expect(String(file.body)).toContain('Blocks in Surgery')
  await made.coordinator.ok(acceptDraft, { params, body: {} })
  const { Items } = await made.coordinator.ok(listShiftAssignments, {
    params: { programId: made.program.Id },
    query: { FromDate: planMonday, ThroughDate: addDays(planMonday, 27), pageSize: 100 },
  })
  expect(Items).toHaveLength(24)
  for (const { RotationId, SiteId } of Items)
    expect(RotationId).toBe(SiteId === made.sites[1]!.Id ? surgery : medicine)
  await made.coordinator.ok(publishPlan, { params: at(made), body: { IsPublished: true } })
  const ben = await placing.installation.as(made.students[1]!)
  expect(await ben.ok(getOwnPlacementResult, { params: { planId: made.plan.Id } })).toMatchObject({
    Rotations: ['Medicine', 'Surgery'],
    Blocks: [
      { Site: 'Mercy', Rotation: 'Surgery' },
      { Site: 'Mercy', Rotation: 'Surgery' },
    ],
  })
})

test('an experience may ask for a rotation: both blocks are shared out so that as many as can have one in it', async () => {
  const { made, surgery } = await makeTwo((ids) => ({ Experiences: [experience('Surgery', ids.surgery)] }))
  const { Draft, Rows } = await makeDraftOf(made)
  // One place in each of two blocks, for three students.
  expect(Rows.filter(({ Cells }) => Cells.some(({ RotationId }) => RotationId === surgery))).toHaveLength(2)
  expect(Draft.Figures).toMatchObject({ Placed: 6, Missing: 1 })
})

test('rotations that are not there, are twice, or are asked for and not chosen are refused or counted once', async () => {
  const { made, medicine, surgery } = await makeTwo()
  const body = (more: object): contract.PlacementPlanInput => ({
    Name: 'Other',
    RotationId: medicine,
    MoreRotationIds: [surgery],
    Template: 'ranked',
    StartDate: planMonday,
    EndDate: addDays(planMonday, 27),
    WeeksPerBlock: 2,
    Cohort: '2032',
    Rules: { Groups: [group()] },
    ...more,
  })
  const create = (more: object) =>
    made.coordinator.call(contract.createPlacementPlan, {
      params: { programId: made.program.Id },
      body: body(more),
    })
  const foreign = await makeRotation(
    placing.installation.owner,
    await makeProgram(placing.installation.owner),
  )
  expect((await create({ MoreRotationIds: [foreign.Id] })).status).toBe(404)
  expect(
    (await create({ Rules: { Groups: [group({ Experiences: [experience('X', foreign.Id)] })] } })).status,
  ).toBe(422)
  expect((await create({ EndDate: addDays(planMonday, 28) })).status).toBe(422)
  const most = { Name: 'X', Blocks: 2, MostBlocks: 1 }
  expect((await create({ Rules: { Groups: [group({ Experiences: [most] })] } })).status).toBe(422)
  const twice = await create({ MoreRotationIds: [medicine, surgery, surgery] })
  expect((twice.body as contract.PlacementPlan).Rotations.map(({ Id }) => Id)).toEqual([medicine, surgery])
})

test('rotations one after the other, of levels and of areas: each place is for the first that takes the student then', () => {
  const half = '2032-03-07'
  const plan = samplePlan({
    Rotations: [
      sampleRotation(1, { EndDate: half, StudentLevelIds: [1] }),
      sampleRotation(2, { StartDate: '2032-03-08', StudentLevelIds: [1] }),
      sampleRotation(3, { StudentLevelIds: [2], AreaIds: [7] }),
    ],
    Students: [sampleStudent(1), sampleStudent(2, { StudentLevelId: 2, LevelName: 'Level 2' })],
    Sites: [sampleSite(1, { AreaId: 7 }), sampleSite(2)],
    Shifts: [sampleShift(1, 1), sampleShift(2, 2)],
  })
  const indexed = indexPlan(plan)
  const served = (i: number) =>
    plan.Blocks.map((_, b) => indexed.options.map((__, o) => indexed.rotationAt(i, b, o)))
  expect(served(0)).toEqual([
    [0, 0],
    [1, 1],
  ])
  // The second student is in the third rotation alone, which is for one of the sites.
  expect(served(1)).toEqual([
    [2, -1],
    [2, -1],
  ])
  expect(indexed.faultOf(1, 0, 1)).toBe('is taken by none of its rotations')
  const across = indexPlan({ ...plan, Blocks: [{ StartDate: '2032-03-02', EndDate: '2032-03-08' }] })
  expect(across.faultOf(0, 0, 1)).toBe('lies outside the rotations that it is for')
  const elsewhere = indexPlan({
    ...plan,
    Rotations: plan.Rotations.slice(2).concat(sampleRotation(4, { AreaIds: [8] })),
  })
  expect(elsewhere.faultOf(0, 0, 1)).toBe('is in no area of the plan’s rotations')
})

test('where an experience asks for a rotation, a shift that is for another one later counts in its own blocks alone', () => {
  const plan = samplePlan({
    Rotations: [sampleRotation(1, { EndDate: '2032-03-07' }), sampleRotation(2, { StartDate: '2032-03-08' })],
    Students: [sampleStudent(1)],
    Sites: [sampleSite(1)],
    Shifts: [sampleShift(1, 1)],
  })
  const [only] = plan.Rules.Groups
  const asked = indexPlan({
    ...plan,
    Rules: {
      ...plan.Rules,
      Groups: [
        {
          ...only!,
          Experiences: [
            {
              Name: 'Later',
              SiteIds: [],
              AreaIds: [],
              Types: [],
              Blocks: 1,
              MostBlocks: null,
              Weight: null,
              RotationIds: [2],
            },
          ],
        },
      ],
    },
  })
  expect(asked.options.map(({ blocks }) => blocks)).toEqual([
    [true, false],
    [false, true],
  ])
  expect([...asked.optionPlaces]).toEqual([1, 0, 0, 1])
  expect([...asked.needs[0]!.has]).toEqual([0, 1])
  expect([...asked.allowed]).toEqual([1, 0, 0, 1])
})
