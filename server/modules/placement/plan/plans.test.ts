import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { importIntoProgram } from '#contract/imports/imports.ts'
import * as own from '#contract/placement/own-placement.ts'
import { suggestPlanPreset } from '#contract/placement/plan-presets.ts'
import * as contract from '#contract/placement/plans.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { notifyOfRankings } from '../placement.jobs.ts'
import { listOwnPlans } from './rankings.queries.ts'

/** A Monday far ahead of any day on which this runs. */
const monday = '2032-03-01'

let installation: Installation
let program: MadeProgram
let rotation: { Id: number }
let sites: { Id: number; Name: string }[]
let students: MadePerson[]
let coordinator: Caller
let ada: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner, as } = installation
  program = await makeProgram(owner, { time_zone: 'America/New_York', options: { AgreementRule: 'off' } })
  rotation = await makeRotation(owner, program, { start_date: monday, end_date: addDays(monday, 83) })
  sites = []
  for (const name of ['Harbor', 'Mercy', 'Lakeside']) {
    const site = await makeSite(owner, program, { name, code: name.slice(0, 3).toUpperCase() })
    sites.push(site)
    await makeShift(owner, program, {
      site,
      capacity: 2,
      weekdays: [1, 2, 3, 4, 5],
      start_date: monday,
      end_date: addDays(monday, 83),
    })
  }
  students = []
  for (const first of ['Ada', 'Ben', 'Cleo'])
    students.push(
      await makeStudent(owner, program, {
        first_name: first,
        last_name: 'Adams',
        cohort: '2032',
        zip: '02110',
      }),
    )
  coordinator = await as(await makePerson(owner, Level.Coord, { program }))
  ada = await as(students[0]!)
})

const params = () => ({ programId: program.Id })
const input = (more: object = {}): contract.PlacementPlanInput => ({
  Name: 'Clinical II',
  RotationId: rotation.Id,
  Template: 'ranked',
  StartDate: monday,
  EndDate: addDays(monday, 27),
  WeeksPerBlock: 2,
  Cohort: '2032',
  Rules: { Groups: [{ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3, 4, 5] }] },
  ...more,
})
const add = (more: object = {}) =>
  coordinator.ok(contract.createPlacementPlan, { params: params(), body: input(more) })
const open = { OpensDate: '2020-01-06', OpensTime: '08:00', ClosesDate: '2090-01-06', ClosesTime: '17:00' }
const closeAt = (planId: number, when: string) =>
  installation.owner.query(
    `update placement_plan set closes_at = ${when} where program_id = $1 and id = $2`,
    [program.Id, planId],
  )
const rank = (planId: number, ids: number[], more: object = {}, caller = ada) =>
  caller.call(own.saveOwnRanking, { params: { planId }, body: { SiteIds: ids, ...more } })
const ready = (planId: number) =>
  coordinator.ok(contract.checkPlacementPlan, { params: { ...params(), planId } })
const texts = async (planId: number) => (await ready(planId)).Problems.map(({ Text }) => Text)
const people = (planId: number, query: object = {}) =>
  coordinator.ok(contract.listPlanStudents, { params: { ...params(), planId }, query })

test('a plan takes the active students of a cohort and divides its dates into blocks', async () => {
  const plan = await add()
  expect(plan).toMatchObject({ State: 'planning', OpensAt: null, AnsweredCount: 0, AcceptedCount: 0 })
  expect(plan.StudentIds).toEqual(students.map(({ Id }) => Id))
  expect(plan.Blocks).toEqual([
    { StartDate: monday, EndDate: addDays(monday, 13) },
    { StartDate: addDays(monday, 14), EndDate: addDays(monday, 27) },
  ])
  const { Items } = await coordinator.ok(contract.listPlacementPlans, { params: params() })
  expect(Items).toEqual([expect.objectContaining({ Id: plan.Id, StudentCount: 3, BlockCount: 2 })])
})

test('a plan outside its rotation, without students, or with a foreign site is refused', async () => {
  const status = async (more: object) =>
    (await coordinator.call(contract.createPlacementPlan, { params: params(), body: input(more) })).status
  expect(await status({ StartDate: addDays(monday, -7) })).toBe(422)
  expect(await status({ Cohort: '1999' })).toBe(422)
  expect(await status({ RotationId: 2_000_000 })).toBe(404)
  const foreign = await makeStudent(installation.owner)
  expect(await status({ Cohort: '', StudentIds: [foreign.Id] })).toBe(404)
  const elsewhere = await makeSite(installation.owner, await makeProgram(installation.owner))
  expect(await status({ Rules: { ...input().Rules, SiteIds: [elsewhere.Id] } })).toBe(404)
  expect(await status({ OpensDate: monday })).toBe(400)
  expect(await status({ ...open, ClosesDate: '2019-01-01' })).toBe(400)
})

test('opening and closing are on the program’s clock, daylight saving included', async () => {
  const plan = await add({
    OpensDate: '2032-01-05',
    OpensTime: '08:00',
    ClosesDate: '2032-07-05',
    ClosesTime: '17:00',
  })
  expect(new Date(plan.OpensAt!).toISOString()).toBe('2032-01-05T13:00:00.000Z')
  expect(new Date(plan.ClosesAt!).toISOString()).toBe('2032-07-05T21:00:00.000Z')
  expect(plan).toMatchObject({ OpensDate: '2032-01-05', OpensTime: '08:00', ClosesTime: '17:00' })
})

test('a student ranks while the window is open, and is refused from the very moment it closes', async () => {
  const plan = await add(open)
  const [harbor, mercy, lakeside] = sites
  expect((await rank(plan.Id, [mercy!.Id])).status).toBe(200)
  expect((await rank(plan.Id, [mercy!.Id, harbor!.Id], { Reason: 'No car', IsSubmitted: true })).status).toBe(
    200,
  )
  expect(await people(plan.Id)).toMatchObject({
    MissingCount: 2,
    Items: [{ SiteIds: [mercy!.Id, harbor!.Id], Reason: 'No car' }, { SiteIds: [] }, { SiteIds: [] }],
  })
  await closeAt(plan.Id, 'clock_timestamp()')
  const late = await rank(plan.Id, [lakeside!.Id])
  expect(late.status).toBe(409)
  expect(await ada.ok(own.getOwnRanking, { params: { planId: plan.Id } })).toMatchObject({
    State: 'closed',
    SiteIds: [mercy!.Id, harbor!.Id],
  })
  expect((await rank(plan.Id, [lakeside!.Id, lakeside!.Id])).status).toBe(400)
})

test('what is submitted is confirmed by email, and a draft is not', async () => {
  const plan = await add(open)
  await rank(plan.Id, [sites[0]!.Id])
  const mails = async () =>
    (
      await installation.owner.query(
        "select html from mail where program_id = $1 and label = 'PLACEMENT_ranking_receipt'",
        [program.Id],
      )
    ).rows
  expect(await mails()).toEqual([])
  await rank(plan.Id, [sites[0]!.Id, sites[1]!.Id], { IsSubmitted: true })
  const [mail] = await mails()
  expect(mail.html).toContain('1. Harbor, 2. Mercy')
  expect((await rank(plan.Id, [], { IsSubmitted: true })).status).toBe(422)
})

test('a student sees only sites that take part, with miles from their ZIP code, and no plan of others', async () => {
  const plan = await add({ ...open, Rules: { ...input().Rules, SiteIds: [sites[0]!.Id, sites[1]!.Id] } })
  await installation.owner.query(
    "insert into place values ('02110', 'Boston', 'MA', 'Suffolk', 42.3572, -71.0536) on conflict do nothing",
  )
  const ranking = await ada.ok(own.getOwnRanking, { params: { planId: plan.Id } })
  expect(ranking.Sites.map(({ Site }) => Site)).toEqual(['Harbor', 'Mercy'])
  expect(ranking.Sites[0]!.Miles).toBeGreaterThan(40)
  expect(ranking.Sites[0]!.Miles).toBeLessThan(60)
  expect((await rank(plan.Id, [sites[2]!.Id])).status).toBe(404)
  const stranger = await installation.as(await makeStudent(installation.owner, program))
  expect((await stranger.call(own.getOwnRanking, { params: { planId: plan.Id } })).status).toBe(404)
  expect(await stranger.ok(own.listOwnPlacement)).toEqual({ Plans: [] })
  expect((await ada.ok(own.listOwnPlacement)).Plans).toHaveLength(1)
})

test('pins, exclusions and a ranking that staff set; faculty read them and change nothing', async () => {
  const plan = await add()
  const body = {
    Pins: [{ Block: 1, SiteId: sites[0]!.Id }],
    ExcludedSiteIds: [sites[2]!.Id],
    Note: 'Works at Lakeside',
    SiteIds: [sites[1]!.Id],
  }
  const at = { params: { ...params(), planId: plan.Id, studentId: students[0]!.Id } }
  await coordinator.ok(contract.savePlanStudent, { ...at, body })
  expect((await people(plan.Id)).Items[0]).toMatchObject({ ...body, SubmittedAt: expect.any(String) })
  expect(
    (
      await coordinator.call(contract.savePlanStudent, {
        ...at,
        body: { ...body, Pins: [{ Block: 2, SiteId: sites[0]!.Id }] },
      })
    ).status,
  ).toBe(422)
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(contract.savePlanStudent, { ...at, body })).status).toBe(403)
  expect(
    (await faculty.ok(contract.listPlanStudents, { params: { ...params(), planId: plan.Id } })).Total,
  ).toBe(3)
})

test('what a save of a student or of a site’s answer leaves out stays: two people, and a student who ranks meanwhile', async () => {
  const plan = await add()
  const at = { ...params(), planId: plan.Id }
  const ofStudent = (body: object) =>
    coordinator.ok(contract.savePlanStudent, { params: { ...at, studentId: students[0]!.Id }, body })
  await ofStudent({ SiteIds: [sites[1]!.Id], Note: 'Has no car' })
  await Promise.all([
    ofStudent({ Pins: [{ Block: 0, SiteId: sites[0]!.Id }] }),
    ofStudent({ ExcludedSiteIds: [sites[2]!.Id] }),
  ])
  expect((await people(plan.Id)).Items[0]).toMatchObject({
    SiteIds: [sites[1]!.Id],
    Note: 'Has no car',
    Pins: [{ Block: 0, SiteId: sites[0]!.Id }],
    ExcludedSiteIds: [sites[2]!.Id],
  })
  const ofSite = (body: object) =>
    coordinator.ok(contract.savePlacementSite, { params: { ...at, siteId: sites[0]!.Id }, body })
  await Promise.all([ofSite({ Takes: 6, AtLeast: 2 }), ofSite({ Reserved: 1 }), ofSite({ Technologists: 9 })])
  expect((await ready(plan.Id)).Demand.find(({ SiteId }) => SiteId === sites[0]!.Id)).toMatchObject({
    Takes: 6,
    AtLeast: 2,
    Reserved: 1,
    Technologists: 9,
  })
})

test('a plan that has changed since it was read is not overwritten', async () => {
  const plan = await add()
  const at = { params: { ...params(), planId: plan.Id } }
  await coordinator.ok(contract.updatePlacementPlan, { ...at, body: input({ Name: 'Clinical III' }) })
  const stale = await coordinator.call(
    contract.updatePlacementPlan,
    { ...at, body: input({ Name: 'Mine' }) },
    { headers: { 'if-match': fingerprint(plan) } },
  )
  expect(stale.status).toBe(409)
})

test('further rotations that a change leaves out stay', async () => {
  const later = await makeRotation(installation.owner, program, {
    start_date: addDays(monday, 84),
    end_date: addDays(monday, 167),
  })
  const plan = await add({ MoreRotationIds: [later.Id], EndDate: addDays(monday, 111) })
  expect(plan.Rotations).toHaveLength(2)
  const at = { params: { ...params(), planId: plan.Id } }
  const body = input({ Name: 'Clinical III', EndDate: plan.EndDate })
  expect((await coordinator.ok(contract.updatePlacementPlan, { ...at, body })).Rotations).toEqual(
    plan.Rotations,
  )
})

test('a new plan begins with what the discipline of its program usually asks; faculty ask nothing', async () => {
  const suggested = async (name: string | null) => {
    const { owner } = installation
    const modality =
      name === null
        ? null
        : ((await owner.query('select id from modality where name = $1', [name])).rows[0]?.id ??
          (await makeRow(owner, 'modality', { name })).id)
    await owner.query('update program set modality_id = $1 where id = $2', [modality, program.Id])
    return coordinator.ok(suggestPlanPreset, { params: params() })
  }
  expect(await suggested('Radiography')).toEqual({ Discipline: 'Radiography', Preset: 'wheel' })
  expect(await suggested('Nursing')).toEqual({ Discipline: 'Nursing', Preset: 'nursing' })
  expect((await suggested('Diagnostic Medical Sonography')).Preset).toBe('sonography')
  expect(await suggested(null)).toEqual({ Discipline: null, Preset: 'wheel' })
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(suggestPlanPreset, { params: params() })).status).toBe(403)
})

test('a plan keeps what its drafts begin to weigh, and limits of experiences', async () => {
  const Weights = { Rank: 10, Distance: 20, Fairness: 30, Changes: 40, Load: 50, Needs: 60 }
  const [group] = input().Rules.Groups
  const Experiences = [{ Name: 'Nights', Types: ['night'], Blocks: 1, MostBlocks: 2 }]
  const plan = await add({ Rules: { Groups: [{ ...group, Experiences }], Weights } })
  expect(plan.Rules).toMatchObject({
    Weights,
    Groups: [{ Experiences: [{ MostBlocks: 2, RotationIds: [] }] }],
  })
})

test('a deleted plan is gone until it is restored', async () => {
  const plan = await add()
  const at = { params: { ...params(), planId: plan.Id } }
  await coordinator.ok(contract.deletePlacementPlan, at)
  expect((await coordinator.call(contract.getPlacementPlanById, at)).status).toBe(404)
  await coordinator.ok(contract.restorePlacementPlan, at)
  expect((await coordinator.ok(contract.getPlacementPlanById, at)).Name).toBe('Clinical II')
})

test('what cannot be at once is refused, and says what to change: groups, answers of sites, pins', async () => {
  const group = (more: object) => ({ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3], ...more })
  const refused = async (...Groups: object[]) => {
    const { status, body } = await coordinator.call(contract.createPlacementPlan, {
      params: params(),
      body: input({ Rules: { Groups } }),
    })
    expect(status).toBe(422)
    return (body as unknown as { Message: string }).Message
  }
  expect(await refused(group({ ShiftsPerWeek: 5, Weekdays: [1] }))).toBe(
    'All asks for 5 shifts a week on 1 weekday. Nothing was saved. Allow more weekdays, or ask for fewer shifts.',
  )
  expect(await refused(group({ FewestBlocksPerSite: 2, MostBlocksPerSite: 1 }))).toContain(
    'at least 2 blocks at each site and at most 1',
  )
  expect(await refused(group({ FewestBlocksPerSite: 3 }))).toContain('and the plan has 2')
  expect(
    await refused(group({ Types: ['day'], Experiences: [{ Name: 'Nights', Types: ['night'], Blocks: 1 }] })),
  ).toContain('Nights asks for a type of shift that All leaves out')
  const surgery = { Name: 'Surgery', SiteIds: [sites[0]!.Id], Blocks: 2 }
  expect(await refused(group({ Experiences: [{ ...surgery, Blocks: 9 }] }))).toBe(
    'Surgery asks for 9 blocks, and the plan has 2. Nothing was saved. Ask for fewer, or make the plan longer.',
  )
  expect(await refused(group({ MostBlocksPerSite: 1, Experiences: [surgery] }))).toBe(
    'Surgery asks for 2 blocks at 1 site, and All allows at most 1 at each site. Nothing was saved. Name more sites, or raise the most.',
  )
  expect(await refused(group({}), group({ Name: 'Rest' }))).toContain('both for all other levels')
  expect(
    await refused(group({ StudentLevelIds: [1, 2] }), group({ Name: 'Rest', StudentLevelIds: [2] })),
  ).toContain('All and Rest are for the same level')

  const plan = await add({
    Rules: { Groups: [group({})], SiteIds: [sites[0]!.Id, sites[1]!.Id], MostEveningPercent: 25 },
  })
  const at = { ...params(), planId: plan.Id }
  const say = (body: object) =>
    coordinator.call(contract.savePlacementSite, {
      params: { ...at, siteId: sites[0]!.Id },
      body: { Takes: 3, Reserved: 0, Technologists: null, ...body },
    })
  expect(await say({ AtLeast: 9 })).toMatchObject({
    status: 422,
    body: { Message: expect.stringContaining('at least 9 students or none') },
  })
  expect((await say({ Reserved: 2, AtLeast: 2 })).status).toBe(422)
  expect((await say({ Reserved: 4 })).status).toBe(422)
  expect((await say({ AtLeast: 3 })).status).toBe(204)
  const student = (more: object) =>
    coordinator.call(contract.savePlanStudent, {
      params: { ...at, studentId: students[0]!.Id },
      body: { Pins: [{ Block: 1, SiteId: sites[0]!.Id }], ExcludedSiteIds: [], SiteIds: [], ...more },
    })
  expect((await student({ ExcludedSiteIds: [sites[0]!.Id] })).body).toMatchObject({
    Message:
      'Harbor is pinned in block 2 and excluded for the same student. Nothing was saved. Take out the pin or the exclusion.',
  })
  expect((await student({ Pins: [{ Block: 0, SiteId: sites[2]!.Id }] })).body).toMatchObject({
    Message: expect.stringContaining('Lakeside is pinned in block 1 and does not take part'),
  })
  expect((await people(plan.Id)).Items[0]).toMatchObject({ Pins: [], ExcludedSiteIds: [] })
})

test('the check names pins without places, and evenings that the most of them leaves no room for', async () => {
  const plan = await add({
    Rules: {
      Groups: [
        {
          Name: 'All',
          ShiftsPerWeek: 2,
          Weekdays: [1, 2],
          Experiences: [{ Name: 'Evenings', Types: ['evening'], Blocks: 1 }],
        },
      ],
      MostEveningPercent: 25,
    },
  })
  const at = { ...params(), planId: plan.Id }
  for (const { Id } of students)
    await coordinator.ok(contract.savePlanStudent, {
      params: { ...at, studentId: Id },
      body: { Pins: [{ Block: 0, SiteId: sites[0]!.Id }], ExcludedSiteIds: [], SiteIds: [] },
    })
  const { Problems } = await ready(plan.Id)
  expect(Problems).toContainEqual(
    expect.objectContaining({
      Kind: 'stops',
      Text: '3 students are pinned to Harbor in block 1, which has 2 places then. Take out pins, or add places.',
      StudentIds: students.map(({ Id }) => Id),
    }),
  )
  expect(Problems.map(({ Text }) => Text)).toContainEqual(
    'All: Evenings asks for 1 block in the evening, at night or on weekends, and at most 25\u00a0% of 2 blocks is 0.',
  )
})

test('once placements are out nobody ranks: not the student, not staff, not a file, not by a new window', async () => {
  await installation.owner.query('update account set student_number = $2 where id = $1', [
    students[0]!.Id,
    'N7',
  ])
  const plan = await add(open)
  const at = { params: { ...params(), planId: plan.Id, studentId: students[0]!.Id } }
  const [first, second] = sites.map(({ Id }) => Id)
  expect((await rank(plan.Id, [first!])).status).toBe(200)
  await installation.owner.query(
    'update placement_plan set published_at = now() where program_id = $1 and id = $2',
    [program.Id, plan.Id],
  )
  const late = await rank(plan.Id, [second!])
  expect(late.status).toBe(409)
  expect((late.body as unknown as { Message: string }).Message).toContain('The placements are out')
  const save = (SiteIds: number[]) =>
    coordinator.call(contract.savePlanStudent, {
      ...at,
      body: { Pins: [], ExcludedSiteIds: [sites[2]!.Id], SiteIds },
    })
  expect((await save([second!])).status).toBe(409)
  expect((await save([first!])).status).toBe(204)
  const file = await coordinator.call(
    importIntoProgram,
    { params: params(), query: { Kind: 'rankings' } },
    {
      files: [
        {
          field: 'file',
          name: 'rankings.csv',
          content: `Student ID,Plan,First choice\nN7,Clinical II,MER`,
        },
      ],
    },
  )
  expect((file.body as { Errors: { Message: string }[] }).Errors[0]?.Message).toBe(
    'The placements of Clinical II are out, so what was ranked stays.',
  )
  expect(
    (await coordinator.call(contract.remindPlanStudents, { params: { ...params(), planId: plan.Id } }))
      .status,
  ).toBe(409)
  const again = await coordinator.call(contract.updatePlacementPlan, {
    params: { ...params(), planId: plan.Id },
    body: input({ ...open, ClosesDate: '2090-02-06' }),
  })
  expect(again).toMatchObject({ status: 409, body: { Code: 'published' } })
  expect((await people(plan.Id)).Items[0]).toMatchObject({ SiteIds: [first] })
})

test('a site with a ZIP code has a way without coordinates; the check names sites and students without a place', async () => {
  const { owner } = installation
  const bare = { latitude: null, longitude: null }
  const near = await makeSite(owner, program, { name: 'Near', code: 'NEA', zip: '02110-1234', ...bare })
  const lost = await makeSite(owner, program, { name: 'Lost', code: 'LOS', zip: '', ...bare })
  for (const site of [near, lost])
    await makeShift(owner, program, {
      site,
      weekdays: [1, 2],
      start_date: monday,
      end_date: addDays(monday, 83),
    })
  const plan = await add(open)
  const { Sites } = await ada.ok(own.getOwnRanking, { params: { planId: plan.Id } })
  const milesTo = (id: number) => Sites.find(({ SiteId }) => SiteId === id)?.Miles
  // Who lives in the same ZIP code.
  expect(milesTo(near.Id)).toBe(0)
  expect(milesTo(lost.Id)).toBeNull()
  const { rows } = await owner.query('select latitude from site where id = $1', [near.Id])
  expect(rows).toEqual([{ latitude: null }])
  await owner.query("update account set zip = '' where id = $1", [students[1]!.Id])
  expect(await texts(plan.Id)).toEqual([
    'Lost has no known place, so distance does not count there. Give a ZIP code or coordinates.',
    'Adams, Ben has no known ZIP code, so distance does not count for them.',
  ])
})

test('the check says how many places are short, and who has nowhere to go and why', async () => {
  const plan = await add()
  expect(await texts(plan.Id)).toEqual([])
  for (const { Id } of sites)
    await coordinator.ok(contract.savePlacementSite, {
      params: { ...params(), planId: plan.Id, siteId: Id },
      body: { Takes: Id === sites[0]!.Id ? 2 : 0, Reserved: 0, Technologists: null },
    })
  expect(await texts(plan.Id)).toContainEqual(
    'More students than places in blocks 1–2: 1 short. Add shifts or places, or plan fewer students.',
  )
  await coordinator.ok(contract.savePlanStudent, {
    params: { ...params(), planId: plan.Id, studentId: students[0]!.Id },
    body: { Pins: [], ExcludedSiteIds: sites.map(({ Id }) => Id), SiteIds: [] },
  })
  expect(await texts(plan.Id)).toContainEqual(
    'Adams, Ada has nowhere to go in blocks 1–2: excluded from Harbor, Mercy and Lakeside.',
  )
})

test('places are the least of shift, agreement, technologists and what the site said, less what is reserved', async () => {
  const plan = await add()
  const placesOf = async () => (await ready(plan.Id)).Demand[0]!.Places
  // Two on each pair of the week's five days.
  expect((await ready(plan.Id)).Demand.map(({ Site }) => Site)).toEqual(['Harbor', 'Lakeside', 'Mercy'])
  expect(await placesOf()).toEqual([4, 4])
  const at = { params: { ...params(), planId: plan.Id, siteId: sites[0]!.Id } }
  const say = (body: object) =>
    coordinator.ok(contract.savePlacementSite, {
      ...at,
      body: { Takes: null, Reserved: 0, Technologists: null, ...body },
    })
  await say({ Technologists: 1 })
  expect(await placesOf()).toEqual([2, 2])
  await say({ Reserved: 3 })
  expect(await placesOf()).toEqual([1, 1])
  await makeRow(installation.owner, 'affiliate_agreement', {
    program_id: program.Id,
    site_id: sites[0]!.Id,
    initial_date: '2030-01-01',
    termination_date: '2040-01-01',
    is_active: true,
    is_approved: true,
    capacity: 3,
  })
  await say({ Reserved: 1 })
  expect(await placesOf()).toEqual([2, 2])
})

test('sites that students rank and cannot get are in the demand and in the check, with the cause and what ends it', async () => {
  const { owner } = installation
  const closed = []
  for (const name of ['Ⅳ St. Ñandú’s', 'Evening only', 'Left out', 'Takes none', 'Closed down'])
    closed.push(await makeSite(owner, program, { name, code: name.slice(0, 3) }))
  const runs = { capacity: 4, start_date: monday, end_date: addDays(monday, 83) }
  for (const site of closed.slice(1))
    await makeShift(owner, program, {
      site,
      weekdays: [1, 2, 3],
      ...runs,
      ...(site === closed[1] && { type: 'evening' }),
    })
  const SiteIds = [...sites, ...closed.filter(({ Name }) => Name !== 'Left out')].map(({ Id }) => Id)
  const { Id: planId } = await coordinator.ok(contract.createPlacementPlan, {
    params: params(),
    body: input({
      Rules: { Groups: [{ Name: 'All', ShiftsPerWeek: 2, Weekdays: [1, 2, 3], Types: ['day'] }], SiteIds },
    }),
  })
  await coordinator.ok(contract.savePlacementSite, {
    params: { ...params(), planId, siteId: closed[3]!.Id },
    body: { Takes: 0, Reserved: 0, Technologists: null, AtLeast: null },
  })
  for (const { Id } of students.slice(0, 2))
    await coordinator.ok(contract.savePlanStudent, {
      params: { ...params(), planId, studentId: Id },
      body: { Pins: [], ExcludedSiteIds: [], SiteIds: closed.map((each) => each.Id) },
    })
  await owner.query('update site set is_active = false where program_id = $1 and id = $2', [
    program.Id,
    closed[4]!.Id,
  ])
  const { Demand, Problems } = await ready(planId)
  const rows = new Map(Demand.map((row) => [row.Site, row]))
  expect([...rows.keys()].toSorted()).toEqual(
    ['Harbor', 'Lakeside', 'Mercy', ...closed.slice(0, 4).map(({ Name }) => Name)].toSorted(),
  )
  const why = [
    ['Ⅳ St. Ñandú’s', 'has no shift on the dates of the plan', 'siteShift'],
    ['Evening only', 'has no shift on the weekdays and of the types of the groups', 'siteShift'],
    ['Left out', 'does not take part in the plan', 'plan'],
    ['Takes none', 'takes nobody in this plan', 'siteAnswer'],
  ] as const
  for (const [name, Closed, Fix] of why) {
    expect(rows.get(name)).toMatchObject({ Closed, Ranked: 2 })
    expect(new Set(rows.get(name)!.Places)).toEqual(new Set([0]))
    expect(Problems).toContainEqual(
      expect.objectContaining({
        Kind: 'warns',
        Fix,
        SiteIds: [closed.find(({ Name }) => Name === name)!.Id],
        Text: expect.stringContaining(`${name} ${Closed}. 2 students ranked it.`),
      }),
    )
  }
  expect(rows.get('Harbor')).toMatchObject({ Closed: '' })
  expect(Problems).toContainEqual(
    expect.objectContaining({
      Fix: 'site',
      SiteIds: [closed[4]!.Id],
      Text: expect.stringMatching(/^A site /),
    }),
  )
})

test('an experience that nobody can have is named', async () => {
  const plan = await add({
    Rules: {
      Groups: [
        {
          Name: 'All',
          ShiftsPerWeek: 2,
          Weekdays: [1, 2],
          Experiences: [{ Name: 'evening', Types: ['evening'], Blocks: 1 }],
        },
      ],
    },
  })
  expect(await texts(plan.Id)).toContainEqual(
    'evening has 0 places in all blocks, and 3 are needed: 3 short.',
  )
  expect(await texts(plan.Id)).toContainEqual('3 students can be placed at no site with evening.')
})

test('students are invited once when a ranking opens, and reminded by hand and once before it closes', async () => {
  const plan = await add(open)
  const count = async (label: string) =>
    Number(
      (
        await installation.owner.query('select count(*) from mail where program_id = $1 and label = $2', [
          program.Id,
          `PLACEMENT_ranking_${label}`,
        ])
      ).rows[0].count,
    )
  const run = async () => {
    await notifyOfRankings.work({}, installation.services)
    await notifyOfRankings.work({}, installation.services)
  }
  await run()
  expect([await count('open'), await count('reminder')]).toEqual([3, 0])
  await rank(plan.Id, [sites[0]!.Id], { IsSubmitted: true })
  const at = { params: { ...params(), planId: plan.Id } }
  expect(await coordinator.ok(contract.remindPlanStudents, at)).toEqual({ Sent: 2 })
  expect(await count('reminder')).toBe(2)
  await closeAt(plan.Id, "now() + interval '20 hours'")
  await run()
  expect([await count('open'), await count('reminder')]).toEqual([3, 4])
  await closeAt(plan.Id, 'clock_timestamp()')
  expect((await coordinator.call(contract.remindPlanStudents, at)).status).toBe(409)
})

test('rankings of a whole cohort come from a CSV, are changed by another, and undone', async () => {
  const { owner } = installation
  for (let index = 0; index < 297; index++)
    await makeStudent(owner, program, { cohort: '2032', student_number: `N${index}` })
  const plan = await add()
  const rows = (order: string) =>
    `Student ID,Plan,First choice,Second choice\n${Array.from({ length: 297 }, (_, index) => `N${index},Clinical II,${order}`).join('\n')}`
  const send = (content: string) =>
    coordinator.call(
      importIntoProgram,
      { params: params(), query: { Kind: 'rankings' } },
      { files: [{ field: 'file', name: 'rankings.csv', content }] },
    )
  expect((await send(rows('HAR,Mercy'))).body).toMatchObject({ Added: 297, Changed: 0 })
  expect((await people(plan.Id)).MissingCount).toBe(3)
  expect((await send(rows('MER,HAR'))).body).toMatchObject({ Added: 0, Changed: 297 })
  const { Demand } = await ready(plan.Id)
  expect(Demand.find(({ Site }) => Site === 'Mercy')).toMatchObject({ FirstChoices: 297, Ranked: 297 })
  const wrong = await send(
    'Student ID,Plan,First choice\nN0,Clinical II,Nowhere\nN1,Other,HAR\nN2,Clinical II,HAR',
  )
  expect((wrong.body as { Errors: { Message: string }[] }).Errors.map(({ Message }) => Message)).toEqual([
    'No active site has the code or name “Nowhere”.',
    'No placement plan is named “Other”.',
  ])
})

test('a window that closes while a student saves lets nothing in afterwards', async () => {
  const plan = await add(open)
  const client = await installation.owner.connect()
  try {
    await client.query('begin')
    await client.query(
      'update placement_plan set closes_at = clock_timestamp() where program_id = $1 and id = $2',
      [program.Id, plan.Id],
    )
    const waiting = rank(plan.Id, [sites[0]!.Id])
    await client.query('commit')
    expect((await waiting).status).toBe(409)
  } finally {
    client.release()
  }
  const [kept] = await transaction(
    installation.services.pool,
    { accountId: null, programIds: [program.Id] },
    (db) => listOwnPlans(db, program.Id, students[0]!.Id, plan.Id),
  )
  expect(kept).toMatchObject({ SiteIds: [], SavedAt: null })
})
