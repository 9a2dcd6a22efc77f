import { beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { acceptDraft, undoAcceptance } from '#contract/placement/acceptances.ts'
import * as contract from '#contract/placement/drafts.ts'
import { makeCollege, makePerson } from '#server/test/factories.ts'
import {
  changePlan,
  type MadePlan,
  makeDraftOf,
  makePlan,
  rankFor,
  shareFirstSites,
  startPlacing,
} from '#server/test/placement-plan.ts'
import { requeueLostDrafts } from './drafts.jobs.ts'

const placing = startPlacing()
/** Radiography has three sites, the first with room for all and the others for one; Nursing only the first. Harbor is one and the same. */
let radiography: MadePlan
let nursing: MadePlan

const open = () => ({ IsOpenToOthers: true })
const named = async (name: string, college: { Id: number }) => ({
  name: `${name} ${college.Id}`,
  college_id: college.Id,
})
const roomAt = (made: MadePlan, places: readonly number[]) =>
  Promise.all(
    made.shifts.map(({ Id }, at) =>
      placing.installation.owner.query('update site_shift set capacity = $2 where id = $1', [
        Id,
        places[at] ?? 0,
      ]),
    ),
  )

beforeEach(async () => {
  const college = await makeCollege(placing.installation.owner)
  radiography = await makePlan(
    placing.installation,
    placing.runner,
    open,
    await named('Radiography', college),
  )
  nursing = await makePlan(placing.installation, placing.runner, open, await named('Nursing', college))
  await roomAt(radiography, [3, 1, 1])
  await roomAt(nursing, [3, 0, 0])
  await shareFirstSites(radiography, nursing, 3)
  for (const student of [0, 1, 2]) {
    await rankFor(radiography, student, [0, 1, 2])
    await rankFor(nursing, student, [0])
  }
})

const at = ({ program, plan }: MadePlan) => ({ programId: program.Id, planId: plan.Id })
const withNursing = () => [{ ProgramId: nursing.program.Id, PlanId: nursing.plan.Id }]
const begin = (more: Partial<contract.DraftInput> = {}) =>
  radiography.coordinator.call(contract.createDraft, {
    params: at(radiography),
    body: { Name: 'Both', With: withNursing(), ...more },
  })
const solve = (made: MadePlan, draftId: number) =>
  placing.runner.run({ programId: made.program.Id, draftId }, placing.installation.services)
const lastOf = async (made: MadePlan) => {
  const { Drafts } = await made.coordinator.ok(contract.listDrafts, { params: at(made) })
  return Drafts.at(-1)!
}
const readLast = async (made: MadePlan) => {
  const { Id } = await lastOf(made)
  return made.coordinator.ok(contract.getDraft, { params: { ...at(made), draftId: Id } })
}
const beginOk = async (more: Partial<contract.DraftInput> = {}): Promise<contract.Draft> => {
  const answer = await begin(more)
  expect(answer.status).toBe(200)
  return answer.body as contract.Draft
}
const solveBoth = async (more: Partial<contract.DraftInput> = {}) => {
  const draft = await beginOk(more)
  await solve(radiography, draft.Id)
  return { one: await readLast(radiography), other: await readLast(nursing) }
}
type Got = Awaited<ReturnType<typeof readLast>>
const countAt = ({ Rows, Shifts }: Got, site: string, block: number): number =>
  Rows.filter(({ Cells }) =>
    Cells.some(
      ({ Block, SiteShiftId }) =>
        Block === block && Shifts.find((shift) => shift.SiteShiftId === SiteShiftId)?.Site === site,
    ),
  ).length
const rankSum = ({ Draft: { Figures } }: Got): number =>
  (Figures?.Ranks ?? []).reduce((sum, count, rank) => sum + count * (rank + 1), 0)
const accept = (made: MadePlan, draftId: number) =>
  made.coordinator.call(acceptDraft, { params: { ...at(made), draftId }, body: {} })
const countSolutions = async (made: MadePlan): Promise<number> =>
  (
    await placing.installation.owner.query(
      'select count(*)::int from shift_assignment where program_id = $1 and removed_at is null',
      [made.program.Id],
    )
  ).rows[0].count

/** The best of a block by looking at all ways: as many placed as possible, then the least sum of ranks. */
const bestOfBlock = () => {
  let best = { placed: 0, ranks: 0 }
  for (let way = 0; way < 4 ** 3 * 2 ** 3; way++) {
    const own = [way % 4, Math.floor(way / 4) % 4, Math.floor(way / 16) % 4]
    const others = [Math.floor(way / 64) % 2, Math.floor(way / 128) % 2, Math.floor(way / 256) % 2]
    const used = [1, 2, 3].map((site) => own.filter((each) => each === site).length)
    const atHarbor = (used[0] ?? 0) + others.filter((each) => each === 1).length
    if (atHarbor > 3 || (used[1] ?? 0) > 1 || (used[2] ?? 0) > 1) continue
    const all = [...own, ...others]
    const placed = all.filter((each) => each > 0).length
    const ranks = all.reduce((sum, each) => sum + each, 0)
    if (placed > best.placed || (placed === best.placed && ranks < best.ranks)) best = { placed, ranks }
  }
  return best
}

describe('the right answer', () => {
  test('one after the other the second program loses all; together as many are placed as any way places', async () => {
    const alone = await makeDraftOf(radiography)
    expect([countAt(alone, 'Harbor', 0), countAt(alone, 'Harbor', 1)]).toEqual([3, 3])
    const accepted = await accept(radiography, alone.Draft.Id)
    expect(accepted.status).toBe(200)
    const second = await makeDraftOf(nursing)
    expect(second.Draft.Figures?.Placed).toBe(0)
    await radiography.coordinator.ok(undoAcceptance, {
      params: { ...at(radiography), acceptanceId: (accepted.body as { Id: number }).Id },
    })
    const { one, other } = await solveBoth()
    expect([one.Draft.State, other.Draft.State]).toEqual(['done', 'done'])
    const best = bestOfBlock()
    expect(best).toEqual({ placed: 5, ranks: 8 })
    expect((one.Draft.Figures?.Placed ?? 0) + (other.Draft.Figures?.Placed ?? 0)).toBe(2 * best.placed)
    expect(rankSum(one) + rankSum(other)).toBe(2 * best.ranks)
    for (const block of [0, 1])
      expect(countAt(one, 'Harbor', block) + countAt(other, 'Harbor', block)).toBe(3)
    expect([one.Draft.Figures?.Gap, other.Draft.Figures?.Gap]).toEqual([0, 0])
  })

  test('the same seed gives the same drafts', async () => {
    const first = await solveBoth({ Seed: 7 })
    const again = await solveBoth({ Seed: 7 })
    expect(again.one.Rows).toEqual(first.one.Rows)
    expect(again.other.Rows).toEqual(first.other.Rows)
  })

  test('a step of rank counts as much in both programs, whatever they weigh; blocks that do not begin together share their weeks', async () => {
    // Nursing weighs ranks ten times less, and has one block of four weeks instead of two of two.
    const changed = await changePlan(nursing, ({ Rules }) => ({
      WeeksPerBlock: 4,
      Rules: {
        ...Rules,
        Weights: { Rank: 6, Distance: 0, Fairness: 0, Changes: 0, Load: 0, Needs: 0 },
      },
    }))
    expect(changed.status).toBe(200)
    const { one, other } = await solveBoth()
    expect(other.Draft.Weights.Rank).toBe(6)
    for (const block of [0, 1])
      expect(countAt(one, 'Harbor', block) + countAt(other, 'Harbor', 0)).toBeLessThanOrEqual(3)
    // Five of six are placed in every week.
    expect((one.Draft.Figures?.Placed ?? 0) + 2 * (other.Draft.Figures?.Placed ?? 0)).toBe(10)
  })
})

describe('what each program sees', () => {
  test('each has a draft of its own that names the other program, and nobody of it', async () => {
    const { one, other } = await solveBoth()
    expect(one.Draft).toMatchObject({
      Name: 'Both',
      IsJoint: false,
      // Three students are too few to be told in number.
      Together: [{ Program: nursing.program.Name, Students: null }],
    })
    expect(other.Draft).toMatchObject({
      Name: `With ${radiography.program.Name}`.slice(0, 60),
      CreatedBy: '',
      Together: [{ Program: radiography.program.Name, Students: null }],
    })
    const ids = nursing.students.map(({ Id }) => Id)
    expect(one.Rows.some(({ StudentId }) => ids.includes(StudentId))).toBe(false)
    const foreign = await radiography.coordinator.call(contract.getDraft, {
      params: { ...at(nursing), draftId: other.Draft.Id },
    })
    expect(foreign.status).toBe(404)
    const { rows } = await placing.installation.owner.query(
      `select program_id::int as id, detail ->> 'SolvedWith' as other from audit
       where program_id = any ($1) and detail ? 'SolvedWith' order by program_id`,
      [[radiography.program.Id, nursing.program.Id]],
    )
    expect(rows).toEqual([
      { id: radiography.program.Id, other: nursing.program.Name },
      { id: nursing.program.Id, other: radiography.program.Name },
    ])
    const { rows: told } = await placing.installation.owner.query(
      `select text from notification where program_id = $1 and kind = 'placement_together'`,
      [nursing.program.Id],
    )
    expect(told).toEqual([
      { text: expect.stringContaining(`${radiography.program.Name} solves Clinical II`) },
    ])
  })

  test('why a place is not given stays true: another program has it, also once it is accepted, until it gives it up', async () => {
    const { one, other } = await solveBoth()
    const without = one.Rows.find(({ Cells }) => !Cells.some(({ Block }) => Block === 0))
    const block = 0
    expect(other.Rows.some(({ Cells }) => Cells.some(({ Block }) => Block === block))).toBe(true)
    const loser =
      without ??
      one.Rows.find(({ Cells }) => Cells.some(({ Block, Rank }) => Block === block && (Rank ?? 0) > 1))!
    const why = () =>
      radiography.coordinator.ok(contract.explainCell, {
        params: { ...at(radiography), draftId: one.Draft.Id },
        query: { StudentId: loser.StudentId, Block: block },
      })
    const told = expect.stringMatching(
      /^(All places are taken by another program\.|Another program has places there\. (The only place|All 2 places) that it leaves (is|are) taken: )/,
    )
    const [harbor] = (await why()).Why
    expect(harbor).toMatchObject({ Site: 'Harbor', Text: told })
    expect((await why()).StudentText).not.toMatch(/\d/)
    expect((await accept(nursing, other.Draft.Id)).status).toBe(200)
    expect((await why()).Why[0]).toMatchObject({ Site: 'Harbor', Text: told })
    // Nothing is counted twice: what was accepted is no longer held by the draft as well.
    expect((await accept(radiography, one.Draft.Id)).status).toBe(200)
    expect((await countSolutions(radiography)) + (await countSolutions(nursing))).toBe(
      4 * ((one.Draft.Figures?.Placed ?? 0) + (other.Draft.Figures?.Placed ?? 0)),
    )
  })

  test('a draft that the other program deletes holds no places any longer', async () => {
    const { one, other } = await solveBoth()
    const [row] = one.Rows.filter(({ Cells }) => !Cells.some(({ Block }) => Block === 0))
    const student = row ?? one.Rows[0]!
    const harbor = one.Shifts.find(({ Site }) => Site === 'Harbor')!.SiteShiftId
    const move = () =>
      radiography.coordinator.call(contract.setCells, {
        params: { ...at(radiography), draftId: one.Draft.Id },
        body: { Block: 0, Cells: one.Rows.map(({ StudentId }) => ({ StudentId, SiteShiftId: harbor })) },
      })
    const refused = await move()
    expect(refused).toMatchObject({
      status: 422,
      body: {
        Message: expect.stringContaining('has no free place in block 1: another program has places there.'),
      },
    })
    expect(student).toBeDefined()
    await nursing.coordinator.ok(contract.deleteDraft, {
      params: { ...at(nursing), draftId: other.Draft.Id },
    })
    expect((await move()).status).toBe(200)
  })

  test('solve again moves only the own students, around the places that the other draft holds', async () => {
    const { one, other } = await solveBoth()
    await radiography.coordinator.ok(contract.runDraft, {
      params: { ...at(radiography), draftId: one.Draft.Id },
    })
    await solve(radiography, one.Draft.Id)
    const again = await readLast(radiography)
    expect(again.Draft).toMatchObject({ State: 'done', Figures: { Placed: one.Draft.Figures?.Placed } })
    expect((await readLast(nursing)).Rows).toEqual(other.Rows)
    const whatIf = await makeDraftOf(radiography, { Name: 'What if', FromDraftId: one.Draft.Id })
    expect(whatIf.Draft.Figures?.Placed).toBe(one.Draft.Figures?.Placed)
    for (const block of [0, 1])
      expect(countAt(again, 'Harbor', block) + countAt(other, 'Harbor', block)).toBe(3)
  })
})

describe('who may', () => {
  test('only open plans of the college at a shared site in the same weeks are offered, and others are refused by name or not there', async () => {
    const offered = () => radiography.coordinator.ok(contract.listOtherPlans, { params: at(radiography) })
    expect(await offered()).toEqual({
      Plans: [
        expect.objectContaining({
          Program: nursing.program.Name,
          Plan: 'Clinical II',
          Students: null,
          Sites: ['Harbor'],
        }),
      ],
      NotOpen: [],
    })
    await placing.installation.owner.query(
      'update placement_plan set is_open_to_others = false where id = $1',
      [nursing.plan.Id],
    )
    expect(await offered()).toEqual({ Plans: [], NotOpen: [nursing.program.Name] })
    const closed = await begin()
    expect(closed).toMatchObject({
      status: 403,
      body: { Message: expect.stringContaining(`${nursing.program.Name} has not opened Clinical II`) },
    })
    expect(
      (await radiography.coordinator.ok(contract.listDrafts, { params: at(radiography) })).Drafts,
    ).toEqual([])
    const faculty = await placing.installation.as(
      await makePerson(placing.installation.owner, Level.Faculty, { program: radiography.program }),
    )
    const body = { Name: 'Both', With: withNursing() }
    expect((await faculty.call(contract.createDraft, { params: at(radiography), body })).status).toBe(403)
    expect((await faculty.call(contract.listOtherPlans, { params: at(radiography) })).status).toBe(403)
    // Whoever may plan in all programs needs nobody to open anything.
    const admin = await placing.installation.as(
      await makePerson(placing.installation.owner, Level.SuperAdmin),
    )
    expect((await admin.call(contract.createDraft, { params: at(radiography), body })).status).toBe(200)
  })

  test('a program of another college is never offered, nor one that shares nothing or plans other weeks', async () => {
    const foreign = await makePlan(placing.installation, placing.runner, open)
    await shareFirstSites(radiography, foreign, 3).catch(() => undefined)
    const strange = await begin({ With: [{ ProgramId: foreign.program.Id, PlanId: foreign.plan.Id }] })
    expect(strange.status).toBe(404)
    const { Plans } = await radiography.coordinator.ok(contract.listOtherPlans, { params: at(radiography) })
    expect(Plans.map(({ PlanId }) => PlanId)).toEqual([nursing.plan.Id])
    const mixed = await begin({ With: [{ ProgramId: foreign.program.Id, PlanId: nursing.plan.Id }] })
    expect(mixed.status).toBe(404)
    await placing.installation.owner.query(
      `update placement_plan set start_date = start_date + 28, end_date = end_date + 28 where id = $1`,
      [nursing.plan.Id],
    )
    expect((await begin()).status).toBe(404)
    const twice = [...withNursing(), ...withNursing()]
    expect((await begin({ With: twice })).status).toBe(400)
  })

  test('a plan that has as many drafts as it can have is named, and nothing is made on either side', async () => {
    await placing.installation.owner.query(
      `insert into placement_draft (program_id, plan_id, name, input, state)
       select $1, $2, 'D ' || n, '{"Effort": "quick", "Weights": {}, "Places": []}', 'done' from generate_series(1, 20) n`,
      [nursing.program.Id, nursing.plan.Id],
    )
    expect(await begin()).toMatchObject({
      status: 409,
      body: { Message: expect.stringContaining(nursing.program.Name) },
    })
    expect(
      (await radiography.coordinator.ok(contract.listDrafts, { params: at(radiography) })).Drafts,
    ).toEqual([])
  })
})

describe('what happens meanwhile', () => {
  /** Holds the process of a run still while something changes, and lets it go on. */
  const changeWhileSolving = async (change: () => Promise<unknown>) => {
    const draft = await beginOk()
    const running = solve(radiography, draft.Id)
    await expect.poll(() => placing.runner.processes().length, { timeout: 20_000 }).toBe(1)
    const [pid] = placing.runner.processes() as [number]
    process.kill(pid, 'SIGSTOP')
    await change()
    process.kill(pid, 'SIGCONT')
    await running
  }
  const close = () =>
    placing.installation.owner.query('update placement_plan set is_open_to_others = false where id = $1', [
      nursing.plan.Id,
    ])

  test('a plan that is closed to others before the run: both drafts say so, and nothing is placed', async () => {
    const draft = await beginOk()
    await close()
    await solve(radiography, draft.Id)
    for (const made of [radiography, nursing]) {
      const { Draft, Placed } = await readLast(made)
      expect(Draft).toMatchObject({
        State: 'failed',
        Figures: null,
        Error: expect.stringContaining(
          `The plan of ${nursing.program.Name} can no longer be solved together`,
        ),
      })
      expect(Placed).toEqual([0, 0])
    }
    // Solve again is then a run of the own plan alone.
    await radiography.coordinator.ok(contract.runDraft, {
      params: { ...at(radiography), draftId: draft.Id },
    })
    await solve(radiography, draft.Id)
    expect((await readLast(radiography)).Draft).toMatchObject({ State: 'done', Figures: { Placed: 6 } })
  })

  test('a plan that is closed to others during the run is left out; the other draft is kept and says so', async () => {
    await changeWhileSolving(close)
    expect((await readLast(nursing)).Draft).toMatchObject({
      State: 'failed',
      Figures: null,
      Error: expect.stringContaining('no longer open to be solved together'),
    })
    const kept = await readLast(radiography)
    expect(kept.Draft.State).toBe('done')
    expect(kept.Draft.Figures?.Placed).toBeGreaterThan(0)
    expect(kept.Draft.Figures?.Problems[0]).toContain(`${nursing.program.Name} no longer takes part`)
  })

  test('a draft that is deleted during the run leaves the others, whichever began it', async () => {
    await changeWhileSolving(async () => {
      const { Id } = await lastOf(radiography)
      await radiography.coordinator.ok(contract.deleteDraft, {
        params: { ...at(radiography), draftId: Id },
      })
    })
    const kept = await readLast(nursing)
    expect(kept.Draft).toMatchObject({ State: 'done', IsJoint: false })
    expect(kept.Draft.Figures?.Problems[0]).toContain(`${radiography.program.Name} no longer takes part`)
  })

  test('a plan that changes during the run: its draft says what, the other that it did', async () => {
    await changeWhileSolving(() =>
      placing.installation.owner.query('update account set deactivated_at = now() where id = $1', [
        nursing.students[0]!.Id,
      ]),
    )
    expect((await readLast(nursing)).Draft.Figures?.Problems[0]).toBe(
      'Adams, Ada left the plan while this draft was made. Solve it again to use what holds now.',
    )
    const other = (await readLast(radiography)).Draft.Figures?.Problems[0]
    expect(other).toBe(
      `${nursing.program.Name} changed its plan while these were solved together. Solve again to use what holds now.`,
    )
  })

  test('either program stops the run for both, and either goes on with both', async () => {
    const draft = await beginOk()
    const theirs = await lastOf(nursing)
    const params = { ...at(nursing), draftId: theirs.Id }
    expect((await nursing.coordinator.ok(contract.stopDraft, { params })).State).toBe('stopped')
    expect((await lastOf(radiography)).State).toBe('stopped')
    await solve(radiography, draft.Id)
    expect((await lastOf(radiography)).State).toBe('stopped')
    expect((await nursing.coordinator.ok(contract.runDraft, { params })).IsJoint).toBe(true)
    expect((await lastOf(radiography)).State).toBe('queued')
    // The job is theirs, the run is of both.
    await solve(nursing, theirs.Id)
    expect([(await lastOf(radiography)).State, (await lastOf(nursing)).State]).toEqual(['done', 'done'])
  })

  test('a process that is killed gives both drafts back, and the next run goes on; a lost worker is noticed', async () => {
    const draft = await beginOk()
    const running = solve(radiography, draft.Id)
    await expect.poll(() => placing.runner.processes().length, { timeout: 20_000 }).toBe(1)
    process.kill(placing.runner.processes()[0]!, 'SIGKILL')
    await running
    expect([(await lastOf(radiography)).State, (await lastOf(nursing)).State]).toEqual(['queued', 'queued'])
    await placing.installation.owner.query(
      `update placement_draft set state = 'running', beat_at = now() - interval '2 minutes' where program_id = any ($1)`,
      [[radiography.program.Id, nursing.program.Id]],
    )
    await requeueLostDrafts.work({}, placing.installation.services)
    expect([(await lastOf(radiography)).State, (await lastOf(nursing)).State]).toEqual(['queued', 'queued'])
    await solve(nursing, (await lastOf(nursing)).Id)
    expect([(await lastOf(radiography)).State, (await lastOf(nursing)).State]).toEqual(['done', 'done'])
  })
})
