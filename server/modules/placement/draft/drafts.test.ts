import { beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { acceptDraft } from '#contract/placement/acceptances.ts'
import { checkPlanRules } from '#contract/placement/conflicts.ts'
import * as contract from '#contract/placement/drafts.ts'
import { deletePlacementPlan, savePlanStudent } from '#contract/placement/plans.ts'
import { makePerson, makeProgram, makeSite } from '#server/test/factories.ts'
import { type MadePlan, makeDraftOf, rankFor, startPlanning } from '#server/test/placement-plan.ts'
import { requeueLostDrafts } from './drafts.jobs.ts'

const placing = startPlanning()
let { program, sites, students, coordinator, plan } = {} as MadePlan

beforeEach(async () => {
  ;({ program, sites, students, coordinator, plan } = placing.made)
})

const at = () => ({ programId: program.Id, planId: plan.Id })
const of = (draftId: number) => ({ ...at(), draftId })
const rank = (student: number, order: number[], more: object = {}) =>
  rankFor(placing.made, student, order, more)
const make = (more: Partial<contract.DraftInput> = {}) => makeDraftOf(placing.made, more)
const solveAgain = (draftId: number) =>
  placing.runner.run({ programId: program.Id, draftId }, placing.installation.services)
const get = (draftId: number) => coordinator.ok(contract.getDraft, { params: of(draftId) })
const countSolutions = async (): Promise<number> => {
  const { rows } = await placing.installation.owner.query(
    'select count(*)::int from shift_assignment where program_id = $1 and removed_at is null',
    [program.Id],
  )
  return rows[0].count
}
type Got = Awaited<ReturnType<typeof get>>
const siteOf = ({ Rows, Shifts }: Got, student: number, block: number): string | undefined => {
  const cell = Rows.find(({ StudentId }) => StudentId === students[student]!.Id)?.Cells.find(
    ({ Block }) => Block === block,
  )
  return Shifts.find(({ SiteShiftId }) => SiteShiftId === cell?.SiteShiftId)?.Site
}
const why = (draftId: number, student: number, block: number) =>
  coordinator.ok(contract.explainCell, {
    params: of(draftId),
    query: { StudentId: students[student]!.Id, Block: block },
  })

test('a draft places all by their ranks at the optimum, and the same seed gives the same', async () => {
  await rank(0, [0, 1, 2])
  await rank(1, [0, 1, 2])
  await rank(2, [1, 2, 0])
  const got = await make()
  expect(got.Draft).toMatchObject({ State: 'done', Step: 50, Steps: 50, LockedCount: 0 })
  expect(got.Draft.Figures).toMatchObject({
    Placed: 6,
    Cells: 6,
    Gap: 0,
    Missing: 0,
    Problems: [],
    Remedies: [],
  })
  // Ada and Ben both want Harbor: one of them has the second choice, or Cleo has.
  expect(got.Draft.Figures?.MeanRank).toBeCloseTo(5 / 3)
  expect(got.Placed).toEqual([3, 3])
  const again = await make({ Name: 'B' })
  expect(again.Rows).toEqual(got.Rows)
  const { Drafts } = await coordinator.ok(contract.listDrafts, { params: at() })
  expect(Drafts.map(({ Name }) => Name)).toEqual(['A', 'B'])
})

test('the mean rank is told with and without the places that nobody ranked', async () => {
  await rank(0, [0])
  await rank(1, [0])
  const { Draft } = await make()
  // Of Ada and Ben one has Harbor in each block, the other a site below the five that may be ranked. Cleo ranked nothing.
  expect(Draft.Figures).toMatchObject({
    MeanRank: 1,
    MeanRankWithUnranked: (1 + 6) / 2,
    Ranks: [2, 0, 0, 0, 4],
  })
})

test('nobody is put where a rule refuses, and whoever has no place is named with what would help', async () => {
  await rank(0, [0], { ExcludedSiteIds: [sites[0]!.Id] })
  await placing.installation.owner.query(
    `update site_shift set capacity = 0 where program_id = $1 and site_id = $2`,
    [program.Id, sites[2]!.Id],
  )
  const got = await make()
  expect(got.Draft.Figures?.Placed).toBe(4)
  expect(siteOf(got, 0, 0)).not.toBe('Harbor')
  expect(got.Draft.Figures?.Problems).toHaveLength(got.Draft.Figures!.Problems.length)
  expect(got.Draft.Figures?.Problems[0]).toMatch(/^Adams, \w+ has no place in blocks? /)
  const [remedy] = got.Draft.Figures?.Remedies ?? []
  expect(remedy?.Text).toMatch(/^One more place at \w+ in block/)
  // What it names is true: a what-if with these places has all placed there.
  const places = got.Draft.Figures!.Remedies.flatMap(({ Places }) => Places)
  const more = await make({ Name: 'What if', FromDraftId: got.Draft.Id, Places: places })
  expect(more.Draft.Figures?.Placed).toBe(6)
  expect(more.Draft.ParentId).toBe(got.Draft.Id)
})

test('rules that cannot be kept together are named with the fewest changes, in the plan and in its draft', async () => {
  const rules = () =>
    coordinator
      .ok(checkPlanRules, { params: at() })
      .then(({ Conflict }) => Conflict?.Rules.map(({ Text }) => Text))
  expect(await rules()).toEqual([])
  await rank(0, [0], { ExcludedSiteIds: [sites[0]!.Id, sites[1]!.Id, sites[2]!.Id] })
  const lift = expect.stringMatching(/^Adams, Ada: lift the exclusion from (Harbor|Mercy|Lakeside)$/)
  expect(await rules()).toEqual([lift])
  const { Draft } = await make()
  expect(Draft.Figures?.Conflict).toMatchObject({
    Rules: [{ Text: lift, Kind: 'planStudent', StudentId: students[0]!.Id }],
    IsSmallest: true,
  })
  const stranger = await placing.installation.as(await makePerson(placing.installation.owner, Level.Coord))
  expect((await stranger.call(checkPlanRules, { params: at() })).status).toBe(404)
  const student = await placing.installation.as(students[0]!)
  expect((await student.call(checkPlanRules, { params: at() })).status).toBe(403)
})

test('a locked cell stays when the draft is solved again, and the rest goes around it', async () => {
  await rank(0, [0])
  await rank(1, [1])
  const first = await make()
  expect(siteOf(first, 0, 0)).toBe('Harbor')
  const harbor = first.Shifts.find(({ Site }) => Site === 'Harbor')!.SiteShiftId
  const ada = students[0]!.Id
  const holder = { StudentId: ada, SiteShiftId: null }
  await coordinator.ok(contract.setCells, { params: of(first.Draft.Id), body: { Block: 0, Cells: [holder] } })
  await coordinator.ok(contract.setCells, {
    params: of(first.Draft.Id),
    body: {
      Block: 0,
      Cells: [{ StudentId: students[2]!.Id, SiteShiftId: harbor }],
    },
  })
  expect((await get(first.Draft.Id)).Draft.LockedCount).toBe(1)
  await coordinator.ok(contract.runDraft, { params: of(first.Draft.Id) })
  await solveAgain(first.Draft.Id)
  const again = await get(first.Draft.Id)
  expect(siteOf(again, 2, 0)).toBe('Harbor')
  expect(siteOf(again, 0, 0)).toBe('Lakeside')
  expect(siteOf(again, 0, 1)).toBe('Harbor')
  expect(again.Draft.Figures?.Placed).toBe(6)
  const cell = { StudentId: students[2]!.Id, Block: 0 }
  const unlocked = await coordinator.ok(contract.lockCells, {
    params: of(first.Draft.Id),
    body: { Cells: [cell], IsLocked: false },
  })
  expect(unlocked.LockedCount).toBe(0)
})

test('a change by hand is undone with its locks in one call: places and locks are as they were', async () => {
  const { Draft, Rows } = await make()
  const [one, other] = Rows.filter(({ Cells }) => Cells.some(({ Block }) => Block === 0))
  const shiftOf = (row: typeof one) => row?.Cells.find(({ Block }) => Block === 0)?.SiteShiftId ?? null
  const put = (first: number | null, second: number | null, locks: [boolean, boolean] | []) =>
    coordinator.ok(contract.setCells, {
      params: of(Draft.Id),
      body: {
        Block: 0,
        Cells: [
          { StudentId: one!.StudentId, SiteShiftId: first, IsLocked: locks[0] },
          { StudentId: other!.StudentId, SiteShiftId: second, IsLocked: locks[1] },
        ],
      },
    })
  const locksOf = async () =>
    (await get(Draft.Id)).Rows.filter(({ StudentId }) =>
      [one!.StudentId, other!.StudentId].includes(StudentId),
    ).map((row) => row.Cells.some(({ Block, IsLocked }) => Block === 0 && IsLocked))
  await put(shiftOf(other), shiftOf(one), [])
  expect(await locksOf()).toEqual([true, false])
  await put(shiftOf(one), shiftOf(other), [false, true])
  expect(await locksOf()).toEqual([false, true])
  await put(shiftOf(one), null, [false, true])
  expect((await get(Draft.Id)).Draft.LockedCount).toBe(0)
})

test('a change by hand that breaks a rule is refused with the rule', async () => {
  const { Draft, Shifts, Rows } = await make()
  const [first, second] = Rows
  const taken = first!.Cells[0]!.SiteShiftId
  const set = (StudentId: number, SiteShiftId: number | null) =>
    coordinator.call(contract.setCells, {
      params: of(Draft.Id),
      body: { Block: 0, Cells: [{ StudentId, SiteShiftId }] },
    })
  const full = await set(second!.StudentId, taken)
  expect(full.status).toBe(422)
  expect(JSON.stringify(full.body)).toContain('has no free place in block 1. Nothing was changed.')
  const { SiteId } = Shifts.find(({ SiteShiftId }) => SiteShiftId === taken)!
  await coordinator.ok(savePlanStudent, {
    params: { ...at(), studentId: second!.StudentId },
    body: { Pins: [], ExcludedSiteIds: [SiteId], SiteIds: [] },
  })
  expect((await set(first!.StudentId, null)).status).toBe(200)
  const excluded = await set(second!.StudentId, taken)
  expect(excluded.status).toBe(422)
  expect(JSON.stringify(excluded.body)).toContain('cannot be there: is excluded from this site.')
  expect((await set(2_000_000, taken)).status).toBe(404)
  expect((await set(first!.StudentId, 2_000_000)).status).toBe(404)
})

test('a cell says truly why: who came first, what a rule refuses, and what it would cost to give the place anyway', async () => {
  await rank(0, [0, 1])
  await rank(1, [0, 1, 2])
  await rank(2, [0, 2, 1], { ExcludedSiteIds: [sites[0]!.Id] })
  const got = await make()
  expect(siteOf(got, 0, 0)).toBe('Harbor')
  const ben = await why(got.Draft.Id, 1, 0)
  expect(ben.Why).toEqual([
    expect.objectContaining({ Site: 'Harbor', Rank: 1, IsPossible: true, IsOwn: false }),
    expect.objectContaining({ Site: 'Mercy', Rank: 2, IsOwn: true }),
  ])
  expect(ben.Why[0]?.Text).toBe('The only place is taken: 1 by the goals of the whole draft.')
  expect(ben.StudentText).not.toMatch(/Ada|Cleo|\d/)
  const cleo = await why(got.Draft.Id, 2, 0)
  expect(cleo.Why[0]).toMatchObject({
    Site: 'Harbor',
    Text: 'Not possible: is excluded from this site.',
    IsPossible: false,
  })
  const cost = await coordinator.ok(contract.forceCell, {
    params: of(got.Draft.Id),
    query: { StudentId: students[1]!.Id, Block: 0, SiteId: sites[0]!.Id },
  })
  expect(cost.Moves.map(({ Student, From, To }) => [Student, From, To])).toEqual([
    ['Adams, Ben', 'MER', 'HAR'],
    ['Adams, Ada', 'HAR', 'MER'],
  ])
  expect(cost.MeanRankAfter).toBe(cost.MeanRankBefore)
  expect(cost.Cost).toBe(0)
  const refused = await coordinator.call(contract.forceCell, {
    params: of(got.Draft.Id),
    query: { StudentId: students[2]!.Id, Block: 0, SiteId: sites[0]!.Id },
  })
  expect(refused.status).toBe(422)
})

test('a reason is never old: whatever another process has written counts in the next answer', async () => {
  const { owner } = placing.installation
  for (const student of [0, 1, 2]) await rank(student, [0, 1, 2])
  const got = await make()
  const text = async () => (await why(got.Draft.Id, 1, 0)).Why.find(({ IsOwn }) => !IsOwn)?.Text
  expect(await text()).toBe('The only place is taken: 1 by the goals of the whole draft.')
  const harbor = [program.Id, sites[0]!.Id]
  await owner.query('update site_shift set capacity = 2 where program_id = $1 and site_id = $2', harbor)
  expect(await text()).toBe('A place is free, and the draft would be better with it.')
  await owner.query('update site_shift set capacity = 1 where program_id = $1 and site_id = $2', harbor)
  await owner.query('update placement_student set excluded = $3 where program_id = $1 and student_id = $2', [
    program.Id,
    students[1]!.Id,
    [sites[0]!.Id],
  ])
  expect(await text()).toBe('Not possible: is excluded from this site.')
  await owner.query(`update placement_student set excluded = '{}' where program_id = $1`, [program.Id])
  await owner.query(`update site_shift set type = 'night' where program_id = $1 and site_id = $2`, harbor)
  await owner.query(
    `update placement_plan set rules = jsonb_set(rules, '{Groups,0,Types}', '["day"]') where program_id = $1`,
    [program.Id],
  )
  expect(await text()).toBe('No shift there fits the plan.')
})

test('a draft is a file: each student with their places, ranks, points and what they have of everything', async () => {
  await rank(0, [0, 1])
  const { Draft } = await make()
  const file = (Format: 'csv' | 'xlsx' | 'pdf') =>
    coordinator.call(contract.exportDraft, { params: of(Draft.Id), query: { Format } })
  const csv = await file('csv')
  const [head = '', ada = '', ...others] = String(csv.body).trim().split(/\r?\n/)
  expect(head).toContain(
    'Student,Level,Points before,Points of this draft,Blocks placed,Mean rank,Mean rank with not ranked,Blocks not ranked,First choices',
  )
  expect(head).toContain('Blocks at Harbor')
  expect(ada).toMatch(/^"Adams, Ada",Level 1,0,0,2,1,1,0,2,0,/)
  expect(ada).toContain('HAR, ')
  expect(others).toHaveLength(2)
  expect((await file('xlsx')).status).toBe(200)
  const pdf = await file('pdf')
  expect(String(pdf.body).slice(0, 5)).toBe('%PDF-')
  const student = await placing.installation.as(students[0]!)
  expect((await student.call(contract.exportDraft, { params: of(Draft.Id), query: {} })).status).toBe(403)
})

test('stopping, deleting and restoring: a waiting run is over at once, a deleted one leaves the list', async () => {
  const draft = await coordinator.ok(contract.createDraft, { params: at(), body: { Name: 'A' } })
  expect(draft).toMatchObject({ State: 'queued', Figures: null })
  const locked = await coordinator.call(contract.runDraft, { params: of(draft.Id) })
  expect(locked.status).toBe(409)
  expect((await coordinator.ok(contract.stopDraft, { params: of(draft.Id) })).State).toBe('stopped')
  expect((await coordinator.call(contract.stopDraft, { params: of(draft.Id) })).status).toBe(409)
  await solveAgain(draft.Id)
  expect((await get(draft.Id)).Draft.State).toBe('stopped')
  await coordinator.ok(contract.runDraft, { params: of(draft.Id) })
  await solveAgain(draft.Id)
  expect((await get(draft.Id)).Draft.State).toBe('done')
  await coordinator.ok(contract.deleteDraft, { params: of(draft.Id) })
  expect((await coordinator.ok(contract.listDrafts, { params: at() })).Drafts).toEqual([])
  expect((await coordinator.ok(contract.restoreDraft, { params: of(draft.Id) })).Name).toBe('A')
})

test('a run whose worker died is begun again; after three times it says that it was broken off', async () => {
  const draft = await coordinator.ok(contract.createDraft, { params: at(), body: { Name: 'A' } })
  const lose = () =>
    placing.installation.owner.query(
      `update placement_draft set state = 'running', attempts = attempts + 1, beat_at = now() - interval '2 minutes'
       where program_id = $1 and id = $2`,
      [program.Id, draft.Id],
    )
  await lose()
  await requeueLostDrafts.work({}, placing.installation.services)
  expect((await get(draft.Id)).Draft.State).toBe('queued')
  await lose()
  await requeueLostDrafts.work({}, placing.installation.services)
  await lose()
  await requeueLostDrafts.work({}, placing.installation.services)
  expect((await get(draft.Id)).Draft).toMatchObject({
    State: 'failed',
    Error: 'The run was broken off three times. What it had found is kept.',
  })
})

test('a process that is killed gives its run back, and the next one goes on', async () => {
  const draft = await coordinator.ok(contract.createDraft, { params: at(), body: { Name: 'A' } })
  const running = solveAgain(draft.Id)
  await expect.poll(() => placing.runner.processes().length, { timeout: 20_000 }).toBe(1)
  process.kill(placing.runner.processes()[0]!, 'SIGKILL')
  await running
  expect((await get(draft.Id)).Draft.State).toBe('queued')
  await solveAgain(draft.Id)
  expect((await get(draft.Id)).Draft.State).toBe('done')
})

/** Holds the process of a run still while something changes, and lets it go on. */
const changeWhileSolving = async (draftId: number, change: () => Promise<unknown>) => {
  const running = solveAgain(draftId)
  await expect.poll(() => placing.runner.processes().length, { timeout: 20_000 }).toBe(1)
  const [pid] = placing.runner.processes() as [number]
  process.kill(pid, 'SIGSTOP')
  await change()
  process.kill(pid, 'SIGCONT')
  await running
}
const queue = () => coordinator.ok(contract.createDraft, { params: at(), body: { Name: 'A' } })

test('capacity that is lowered while a run is on: the draft says so, cannot be accepted, and solved again keeps to it', async () => {
  const draft = await queue()
  await changeWhileSolving(draft.Id, () =>
    placing.installation.owner.query('update site_shift set capacity = 0 where program_id = $1 and id = $2', [
      program.Id,
      placing.made.shifts[0]!.Id,
    ]),
  )
  const got = await get(draft.Id)
  expect(got.Draft).toMatchObject({ State: 'done', Figures: { Placed: 6 } })
  expect(got.Draft.Figures?.Problems[0]).toBe(
    'Places changed while this draft was made. Solve it again to use what holds now.',
  )
  const accepted = await coordinator.call(acceptDraft, { params: of(draft.Id), body: {} })
  expect(accepted.status).toBe(422)
  expect(await countSolutions()).toBe(0)
  await coordinator.ok(contract.runDraft, { params: of(draft.Id) })
  await solveAgain(draft.Id)
  const again = (await get(draft.Id)).Draft.Figures
  expect(again?.Placed).toBe(4)
  expect(again?.Problems.join(' ')).not.toContain('changed while')
})

test('a student who leaves while a run is on is named, has no shift made, and is gone when it is solved again', async () => {
  const draft = await queue()
  await changeWhileSolving(draft.Id, () =>
    placing.installation.owner.query(
      'update account set deactivated_at = now() where program_id = $1 and id = $2',
      [program.Id, students[0]!.Id],
    ),
  )
  const { Draft } = await get(draft.Id)
  expect(Draft.State).toBe('done')
  expect(Draft.Figures?.Problems[0]).toBe(
    'Adams, Ada left the plan while this draft was made. Solve it again to use what holds now.',
  )
  await coordinator.ok(acceptDraft, { params: of(draft.Id), body: {} })
  const { rows } = await placing.installation.owner.query(
    'select distinct student_id::int as id from shift_assignment where program_id = $1 and removed_at is null order by 1',
    [program.Id],
  )
  expect(rows.map(({ id }) => id)).toEqual([students[1]!.Id, students[2]!.Id])
  await coordinator.ok(contract.runDraft, { params: of(draft.Id) })
  await solveAgain(draft.Id)
  expect((await get(draft.Id)).Draft.Figures).toMatchObject({ Placed: 4, Cells: 4, Problems: [] })
})

test('a run says how long it takes once its own steps show it, and for how long it runs', async () => {
  const draft = await queue()
  expect(draft).toMatchObject({ RunSeconds: null })
  expect(draft.ExpectedSeconds).toBe(0)
  await placing.installation.owner.query('update placement_draft set expected_seconds = 5000 where id = $1', [
    draft.Id,
  ])
  await changeWhileSolving(draft.Id, async () => {
    const running = (await get(draft.Id)).Draft
    expect(running.State).toBe('running')
    expect(running.RunSeconds).toBeGreaterThanOrEqual(0)
  })
  const { Draft } = await get(draft.Id)
  expect(Draft.RunSeconds).toBeNull()
  // It is over before it has done a step of its own, so nothing is said.
  expect(Draft.ExpectedSeconds).toBe(0)
  expect(Draft.Step).toBe(Draft.Steps)
})

test('a plan that is deleted while a run is on ends the run, and nothing fails', async () => {
  const draft = await queue()
  await changeWhileSolving(draft.Id, () => coordinator.ok(deletePlacementPlan, { params: at() }))
  const { rows } = await placing.installation.owner.query(
    'select state from placement_draft where program_id = $1 and id = $2',
    [program.Id, draft.Id],
  )
  expect(rows).toEqual([{ state: 'done' }])
})

test('a draft says how far each place is from the student, where both are known', async () => {
  const { owner } = placing.installation
  await owner.query(
    "insert into place values ('02110', 'Boston', 'MA', 'Suffolk', 42.3572, -71.0536) on conflict do nothing",
  )
  await owner.query("update account set zip = '02110' where id = $1", [students[0]!.Id])
  await owner.query('update site set latitude = 41.824, longitude = -71.4128 where program_id = $1', [
    program.Id,
  ])
  const { Rows } = await make()
  for (const { StudentId, Cells } of Rows)
    for (const { Miles } of Cells)
      if (StudentId === students[0]!.Id) expect(Math.round(Miles!)).toBe(41)
      else expect(Miles).toBeNull()
})

test('faculty read drafts and change nothing; students and other programs see none', async () => {
  const { owner, as } = placing.installation
  const { Draft } = await make()
  const faculty = await as(await makePerson(owner, Level.Faculty, { program }))
  expect((await faculty.ok(contract.getDraft, { params: of(Draft.Id) })).Rows).toHaveLength(3)
  expect((await faculty.call(contract.runDraft, { params: of(Draft.Id) })).status).toBe(403)
  const ada = await as(students[0]!)
  expect((await ada.call(contract.listDrafts, { params: at() })).status).toBe(403)
  const other = await makeProgram(owner)
  const stranger = await as(await makePerson(owner, Level.Coord, { program: other }))
  expect((await stranger.call(contract.getDraft, { params: of(Draft.Id) })).status).toBe(404)
  expect(
    (await stranger.call(contract.getDraft, { params: { ...of(Draft.Id), programId: other.Id } })).status,
  ).toBe(404)
  const foreign = await makeSite(owner, other)
  const bad = await coordinator.call(contract.createDraft, {
    params: at(),
    body: { Name: 'B', Places: [{ SiteId: foreign.Id, Places: 1 }] },
  })
  expect(bad.status).toBe(404)
  const weird = { Name: '', Seed: 0 }
  expect((await coordinator.call(contract.createDraft, { params: at(), body: weird })).status).toBe(400)
})
