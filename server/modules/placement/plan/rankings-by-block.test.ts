import { beforeEach, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { importIntoProgram, undoImport } from '#contract/imports/imports.ts'
import { acceptDraft } from '#contract/placement/acceptances.ts'
import { explainCell, exportDraft } from '#contract/placement/drafts.ts'
import * as own from '#contract/placement/own-placement.ts'
import * as contract from '#contract/placement/plans.ts'
import { makeShift, makeSite } from '#server/test/factories.ts'
import type { Caller } from '#server/test/installation.ts'
import { makeDraftOf, planMonday, rankFor, startPlanning } from '#server/test/placement-plan.ts'

const placing = startPlanning(() => ({ ...open, RanksPer: 'block' }))
let ada: Caller

const open = { OpensDate: '2020-01-06', OpensTime: '08:00', ClosesDate: '2090-01-06', ClosesTime: '17:00' }

beforeEach(async () => {
  ada = await placing.installation.as(placing.made.students[0]!)
})

const params = () => ({ programId: placing.made.program.Id, planId: placing.made.plan.Id })
const ids = (...order: number[]) => order.map((s) => placing.made.sites[s]!.Id)
const rank = (BlockRankings: { Block: number; SiteIds: number[] }[], more: object = {}, caller = ada) =>
  caller.call(own.saveOwnRanking, {
    params: { planId: placing.made.plan.Id },
    body: { SiteIds: [], BlockRankings, ...more },
  })
const ranking = () => ada.ok(own.getOwnRanking, { params: { planId: placing.made.plan.Id } })
const students = async () =>
  (await placing.made.coordinator.ok(contract.listPlanStudents, { params: params(), query: {} })).Items
const rankBlocks = (student: number, ...blocks: number[][]) =>
  rankFor(placing.made, student, [], {
    BlockRankings: blocks.map((order, Block) => ({ Block, SiteIds: ids(...order) })),
  })
const demand = async () =>
  (await placing.made.coordinator.ok(contract.checkPlacementPlan, { params: params() })).Demand

test('a student ranks each block, sees which sites have a shift in it, and is sent what was submitted', async () => {
  const { owner } = placing.installation
  const late = await makeSite(owner, placing.made.program, { name: 'Zion', code: 'ZIO' })
  await makeShift(owner, placing.made.program, {
    site: late,
    capacity: 1,
    weekdays: [1, 2],
    start_date: addDays(planMonday, 14),
    end_date: addDays(planMonday, 27),
  })
  const before = await ranking()
  expect(before).toMatchObject({ RanksPer: 'block', SiteIds: [], BlockRankings: [] })
  expect(before.Blocks).toHaveLength(2)
  expect(before.Sites.map(({ Site, Blocks }) => [Site, Blocks])).toEqual([
    ['Harbor', [0, 1]],
    ['Lakeside', [0, 1]],
    ['Mercy', [0, 1]],
    ['Zion', [1]],
  ])
  const given = [
    { Block: 1, SiteIds: [late.Id] },
    { Block: 0, SiteIds: ids(1, 0) },
  ]
  expect((await rank(given, { IsSubmitted: true })).status).toBe(200)
  expect((await ranking()).BlockRankings).toEqual([
    { Block: 0, SiteIds: ids(1, 0) },
    { Block: 1, SiteIds: [late.Id] },
  ])
  const { rows } = await owner.query(
    "select html from mail where program_id = $1 and label = 'PLACEMENT_ranking_receipt'",
    [placing.made.program.Id],
  )
  expect(rows[0].html).toContain('Block 1: 1. Mercy, 2. Harbor; Block 2: 1. Zion')
  expect((await students())[0]).toMatchObject({ SiteIds: [], SubmittedAt: expect.any(String) })
})

test('a ranking that the plan does not ask for is refused, and nothing of it is kept', async () => {
  const status = async (body: Parameters<typeof rank>[0], more: object = {}) =>
    (await rank(body, more)).status
  expect(await status([], { SiteIds: ids(0) })).toBe(409)
  expect(await status([{ Block: 2, SiteIds: ids(0) }])).toBe(404)
  expect(await status([{ Block: 0, SiteIds: [2_000_000] }])).toBe(404)
  expect(
    await status([
      { Block: 0, SiteIds: ids(0) },
      { Block: 0, SiteIds: ids(1) },
    ]),
  ).toBe(400)
  expect(await status([{ Block: 0, SiteIds: ids(0, 0) }])).toBe(400)
  expect(await status([{ Block: 0, SiteIds: [] }], { IsSubmitted: true })).toBe(422)
  await placing.installation.owner.query('update placement_plan set most_ranks = 1 where id = $1', [
    placing.made.plan.Id,
  ])
  expect(await status([{ Block: 1, SiteIds: ids(0, 1) }])).toBe(422)
  expect((await ranking()).SavedAt).toBeNull()
})

test('each block is placed by its own ranking, and the draft says so to staff, to the student and in its file', async () => {
  await rankBlocks(0, [0, 1, 2], [1, 2, 0])
  await rankBlocks(1, [1, 0, 2], [2, 0, 1])
  await rankBlocks(2, [2, 0, 1], [0, 1, 2])
  const { Draft, Rows } = await makeDraftOf(placing.made)
  expect(Draft.Figures).toMatchObject({ Placed: 6, MeanRank: 1, Ranks: [6, 0, 0, 0, 0], Gap: 0 })
  const siteOf = new Map(placing.made.shifts.map(({ Id }, index) => [Id, index]))
  expect(Rows.map(({ Cells }) => Cells.map(({ SiteShiftId }) => siteOf.get(SiteShiftId)))).toEqual([
    [0, 1],
    [1, 2],
    [2, 0],
  ])
  expect(Rows.flatMap(({ Cells }) => Cells.map(({ Rank, HasRanked }) => [Rank, HasRanked]))).toEqual(
    Array.from({ length: 6 }, () => [1, true]),
  )
  const at = { ...params(), draftId: Draft.Id }
  const { Why, StudentText } = await placing.made.coordinator.ok(explainCell, {
    params: at,
    query: { StudentId: placing.made.students[0]!.Id, Block: 1 },
  })
  expect(Why).toMatchObject([{ Site: 'Mercy', Rank: 1, IsOwn: true }])
  expect(StudentText).toBe('Your first choice.')
  const file = await placing.made.coordinator.call(exportDraft, { params: at, query: { Format: 'csv' } })
  expect(String(file.body)).toContain('(1)')
})

test('who ranks some blocks is owed points for these alone', async () => {
  await rankBlocks(0, [0], [0])
  await rankBlocks(1, [0], [])
  await rankBlocks(2, [0], [0])
  const { Draft } = await makeDraftOf(placing.made)
  await placing.made.coordinator.ok(acceptDraft, { params: { ...params(), draftId: Draft.Id }, body: {} })
  const { rows } = await placing.installation.owner.query(
    `select p.student_id::int as id, p.points::int from placement_points p where p.plan_id = $1 order by 1`,
    [placing.made.plan.Id],
  )
  const { rows: cells } = await placing.installation.owner.query(
    `select (e->>'StudentId')::int as id, (e->>'Block')::int as block, (e->>'Rank')::int as rank
    from placement_acceptance a, jsonb_array_elements(a.cells) as e where a.plan_id = $1`,
    [placing.made.plan.Id],
  )
  // Four points for each rank below the first, on average over the blocks that were ranked.
  const owed = placing.made.students.map(({ Id }, index) => {
    const counted = cells.filter(({ id, block }) => id === Id && (index !== 1 || block === 0))
    const steps = counted.map(({ rank: reached }) => (reached === null ? 5 : reached - 1))
    return { id: Id, points: Math.round((4 * steps.reduce((sum, each) => sum + each, 0)) / counted.length) }
  })
  expect(rows).toEqual(owed.filter(({ points }) => points > 0))
})

test('demand is told by block, and in all of them together', async () => {
  await rankBlocks(0, [0, 1], [0])
  await rankBlocks(1, [0], [1])
  const found = new Map((await demand()).map(({ Site, ...each }) => [Site, each]))
  expect(found.get('Harbor')).toMatchObject({ FirstChoices: 3, FirstByBlock: [2, 1], Ranked: 2 })
  expect(found.get('Mercy')).toMatchObject({ FirstChoices: 1, FirstByBlock: [0, 1], Ranked: 2 })
  expect(found.get('Lakeside')).toMatchObject({ FirstChoices: 0, FirstByBlock: [0, 0], Ranked: 0 })
})

test('a plan that is to rank in the other way carries over what is ranked', async () => {
  await rankBlocks(0, [1, 0], [2])
  const change = (RanksPer: contract.RanksPer) =>
    placing.made.coordinator.ok(contract.updatePlacementPlan, {
      params: params(),
      body: {
        ...open,
        Name: placing.made.plan.Name,
        RotationId: placing.made.rotation.Id,
        Template: 'ranked',
        StartDate: placing.made.plan.StartDate,
        EndDate: placing.made.plan.EndDate,
        WeeksPerBlock: placing.made.plan.WeeksPerBlock,
        Cohort: placing.made.plan.Cohort,
        Rules: placing.made.plan.Rules,
        RanksPer,
      },
    })
  expect((await change('plan')).RanksPer).toBe('plan')
  expect((await students())[0]).toMatchObject({ SiteIds: ids(1, 0), BlockRankings: [] })
  expect((await rank([{ Block: 0, SiteIds: ids(0) }])).status).toBe(409)
  await change('block')
  expect((await students())[0]).toMatchObject({
    SiteIds: [],
    BlockRankings: [
      { Block: 0, SiteIds: ids(1, 0) },
      { Block: 1, SiteIds: ids(1, 0) },
    ],
  })
})

test('a file ranks single blocks, and all others by a row without a block', async () => {
  const [student] = placing.made.students
  const { rows: named } = await placing.installation.owner.query(
    'select user_name from account where id = $1',
    [student!.Id],
  )
  const name = named[0].user_name as string
  const send = (...lines: string[]) =>
    placing.made.coordinator.call(
      importIntoProgram,
      { params: { programId: placing.made.program.Id }, query: { Kind: 'rankings' } },
      {
        files: [
          {
            field: 'file',
            name: 'rankings.csv',
            content: `Student,Plan,Block,First choice,Second choice\n${lines.join('\n')}`,
          },
        ],
      },
    )
  const messages = async (...lines: string[]) =>
    ((await send(...lines)).body as { Errors: { Message: string }[] }).Errors.map(({ Message }) => Message)
  const row = (block: string, ...sites: string[]) => [name, 'Clinical II', block, ...sites].join(',')
  expect((await send(row('', 'HAR', 'MER'), row('2', 'LAK', ''))).body).toMatchObject({
    Added: 1,
    Changed: 0,
  })
  const ranked = async () => (await students())[0]?.BlockRankings
  expect(await ranked()).toEqual([
    { Block: 0, SiteIds: ids(0, 1) },
    { Block: 1, SiteIds: ids(2) },
  ])
  // A block without a row stays.
  expect((await send(row('1', 'MER', ''))).body).toMatchObject({ Added: 0, Changed: 1 })
  expect(await ranked()).toEqual([
    { Block: 0, SiteIds: ids(1) },
    { Block: 1, SiteIds: ids(2) },
  ])
  expect(await messages(row('3', 'HAR', ''))).toEqual(['Clinical II has 2 blocks.'])
  expect(await messages(row('1', 'HAR', ''), row('1', 'MER', ''))).toEqual([
    'This is the same student and plan, and the same block, as in row 2.',
  ])
  await placing.installation.owner.query("update placement_plan set ranks_per = 'plan' where id = $1", [
    placing.made.plan.Id,
  ])
  expect(await messages(row('1', 'HAR', ''))).toEqual([
    'Clinical II is ranked once for all blocks. Leave the block empty.',
  ])
})

test('a file changes what a student ranks in two plans at once, and undoing it brings both back', async () => {
  const { coordinator, program } = placing.made
  const other = await coordinator.ok(contract.createPlacementPlan, {
    params: { programId: program.Id },
    body: {
      Name: 'Clinical III',
      RotationId: placing.made.rotation.Id,
      Template: 'ranked',
      StartDate: placing.made.plan.StartDate,
      EndDate: placing.made.plan.EndDate,
      WeeksPerBlock: 2,
      Cohort: '2032',
      Rules: placing.made.plan.Rules,
    },
  })
  await rankBlocks(0, [0], [1])
  await coordinator.ok(contract.savePlanStudent, {
    params: { programId: program.Id, planId: other.Id, studentId: placing.made.students[0]!.Id },
    body: { Pins: [], ExcludedSiteIds: [], SiteIds: ids(2) },
  })
  const { rows: named } = await placing.installation.owner.query(
    'select user_name from account where id = $1',
    [placing.made.students[0]!.Id],
  )
  const name = named[0].user_name as string
  const { body } = await coordinator.call(
    importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'rankings' } },
    {
      files: [
        {
          field: 'file',
          name: 'rankings.csv',
          content: `Student,Plan,Block,First choice\n${name},Clinical II,,MER\n${name},Clinical III,,HAR`,
        },
      ],
    },
  )
  expect(body).toMatchObject({ Added: 0, Changed: 2 })
  const ranked = async () => {
    const { Items } = await coordinator.ok(contract.listPlanStudents, {
      params: { programId: program.Id, planId: other.Id },
      query: {},
    })
    return [(await students())[0]?.BlockRankings.map(({ SiteIds }) => SiteIds), Items[0]?.SiteIds]
  }
  expect(await ranked()).toEqual([[ids(1), ids(1)], ids(0)])
  await coordinator.ok(undoImport, {
    params: { programId: program.Id, importId: (body as { ImportId: number }).ImportId },
  })
  expect(await ranked()).toEqual([[ids(0), ids(1)], ids(2)])
})
