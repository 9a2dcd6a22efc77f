import { expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { importIntoProgram, undoImport } from '#contract/imports/imports.ts'
import * as contract from '#contract/placement/acceptances.ts'
import { explainCell, setCells } from '#contract/placement/drafts.ts'
import { getOwnPlacementResult, listOwnPlacement } from '#contract/placement/own-placement.ts'
import {
  checkPlacementPlan,
  createPlacementPlan,
  deletePlacementPlan,
  getPlacementPlanById,
  listPlanStudents,
  savePlanStudent,
} from '#contract/placement/plans.ts'
import { addShiftAssignments, listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { makePerson, makeShift, makeStudent } from '#server/test/factories.ts'
import {
  changePlan,
  makeDraftOf,
  makePlan,
  planMonday,
  rankFor,
  startPlanning,
} from '#server/test/placement-plan.ts'
import { notifyOfRankings } from '../placement.jobs.ts'

const placing = startPlanning()

const at = () => ({ programId: placing.made.program.Id, planId: placing.made.plan.Id })
const accept = (draftId: number, body: object = {}) =>
  placing.made.coordinator.call(contract.acceptDraft, { params: { ...at(), draftId }, body })
const accepted = async (draftId: number, body: object = {}) =>
  placing.made.coordinator.ok(contract.acceptDraft, { params: { ...at(), draftId }, body })
const undo = (acceptanceId: number) =>
  placing.made.coordinator.call(contract.undoAcceptance, { params: { ...at(), acceptanceId } })
const publish = (body: object) =>
  placing.made.coordinator.call(contract.publishPlan, { params: at(), body: { IsPublished: true, ...body } })
const shiftCount = async () =>
  (
    await placing.made.coordinator.ok(listShiftAssignments, {
      params: { programId: placing.made.program.Id },
      query: { FromDate: planMonday, ThroughDate: addDays(planMonday, 27) },
    })
  ).Total
const plan = () => placing.made.coordinator.ok(getPlacementPlanById, { params: at() })
const points = async () =>
  (await placing.made.coordinator.ok(listPlanStudents, { params: at(), query: {} })).Items.map(
    ({ Points }) => Points,
  )

test('accepting makes every shift of the draft once, in its rotation, and undoing takes all of them back', async () => {
  const { Draft } = await makeDraftOf(placing.made)
  const first = await accepted(Draft.Id)
  // Three students, two blocks, two weeks with two days each.
  expect(first).toMatchObject({ Cells: 6, Shifts: 24, Draft: 'A', UndoneAt: null })
  expect(await shiftCount()).toBe(24)
  expect((await plan()).AcceptedCount).toBe(6)
  expect((await accept(Draft.Id)).status).toBe(422)
  const blocked = await placing.made.coordinator.call(deletePlacementPlan, { params: at() })
  expect(blocked.status).toBe(409)
  expect((await undo(first.Id)).body).toEqual({ Removed: 24, Kept: 0, IsHidden: false })
  expect(await shiftCount()).toBe(0)
  expect((await plan()).AcceptedCount).toBe(0)
  expect((await undo(first.Id)).status).toBe(409)
  expect((await undo(2_000_000)).status).toBe(404)
  expect((await accepted(Draft.Id)).Shifts).toBe(24)
})

test('what has begun whole cannot be undone, and stays published', async () => {
  const { Draft } = await makeDraftOf(placing.made)
  const { Id } = await accepted(Draft.Id)
  await placing.made.coordinator.ok(contract.publishPlan, { params: at(), body: { IsPublished: true } })
  const move = (by: string) =>
    placing.installation.owner.query(
      `update shift_assignment set starts_at = starts_at + $2::interval, ends_at = ends_at + $2::interval where program_id = $1`,
      [placing.made.program.Id, by],
    )
  const listed = async () =>
    (await placing.made.coordinator.ok(contract.listAcceptances, { params: at() })).Acceptances
  expect(await listed()).toMatchObject([{ Shifts: 24, Ahead: 24, Begun: 0 }])
  await move('-10 years')
  expect(await listed()).toMatchObject([{ Shifts: 24, Ahead: 0, Begun: 24 }])
  expect(await undo(Id)).toMatchObject({ status: 409, body: { Code: 'begun' } })
  expect(await plan()).toMatchObject({ AcceptedCount: 6, PublishedAt: expect.any(String) })
  await move('10 years')
  expect((await undo(Id)).body).toMatchObject({ Removed: 24, IsHidden: true })
})

test('shifts of an undone acceptance do not keep an import of students from being undone', async () => {
  const { coordinator, program } = placing.made
  const params = { programId: program.Id }
  const { body: run } = await coordinator.call(
    importIntoProgram,
    { params, query: { Kind: 'students' } },
    {
      files: [
        {
          field: 'file',
          name: 'students.csv',
          content: 'First,Last,Email,Cohort\nAnna,Lee,anna@example.org,2033\nBo,Lee,bo@example.org,2033\n',
        },
      ],
    },
  )
  const { ImportId } = run as { ImportId: number }
  const planOf2033 = await changePlan(placing.made, () => ({ Cohort: '2033' }))
  expect(planOf2033.status).toBe(200)
  const { Draft } = await makeDraftOf(placing.made)
  const { Id } = await accepted(Draft.Id)
  const undoImportOf = () => coordinator.call(undoImport, { params: { ...params, importId: ImportId } })
  const refused = await undoImportOf()
  expect((refused.body as any).Message).toContain('Anna Lee is placed on shifts')
  expect((await undo(Id)).status).toBe(200)
  expect(((await undoImportOf()).body as any).Message).toContain('Anna Lee is in a placement plan')
  await coordinator.ok(deletePlacementPlan, { params: at() })
  expect(await undoImportOf()).toMatchObject({ status: 204 })
})

test('why a student has a place stays as it was when it was accepted, until that is undone', async () => {
  const { coordinator, students } = placing.made
  await rankFor(placing.made, 0, [0, 1])
  await rankFor(placing.made, 1, [0, 1, 2])
  await rankFor(placing.made, 2, [0, 2])
  const { Draft } = await makeDraftOf(placing.made)
  const whyOf = async () =>
    Promise.all(
      students.flatMap(({ Id: StudentId }) =>
        [0, 1].map((Block) =>
          coordinator.ok(explainCell, {
            params: { ...at(), draftId: Draft.Id },
            query: { StudentId, Block },
          }),
        ),
      ),
    )
  const texts = (told: Awaited<ReturnType<typeof whyOf>>) =>
    told.map(({ Why, StudentText }) => ({
      Why: Why.map(({ IsPossible: _, ...each }) => each),
      StudentText,
    }))
  const before = await whyOf()
  expect(before.map(({ AcceptedDate }) => AcceptedDate)).toEqual(Array(6).fill(null))
  const { Id, AcceptedAt } = await accepted(Draft.Id)
  const after = await whyOf()
  expect(texts(after)).toEqual(texts(before))
  expect(new Set(after.map(({ AcceptedDate }) => AcceptedDate))).toEqual(new Set([AcceptedAt]))
  expect(after.flatMap(({ Why }) => Why).some(({ IsPossible }) => IsPossible)).toBe(false)
  await undo(Id)
  expect(await whyOf()).toEqual(before)
})

test('blocks and students can be accepted one after the other; what is accepted stays when the draft is solved again', async () => {
  const { Draft } = await makeDraftOf(placing.made)
  expect(await accepted(Draft.Id, { Blocks: [0] })).toMatchObject({ Cells: 3, Shifts: 12 })
  expect(await accepted(Draft.Id, { StudentIds: [placing.made.students[0]!.Id] })).toMatchObject({
    Cells: 1,
    Shifts: 4,
  })
  expect(await accepted(Draft.Id)).toMatchObject({ Cells: 2, Shifts: 8 })
  await rankFor(placing.made, 0, [2])
  const other = await makeDraftOf(placing.made, { Name: 'B' })
  expect(other.Rows.flatMap(({ Cells }) => Cells.map(({ IsAccepted }) => IsAccepted))).toEqual(
    Array.from({ length: 6 }, () => true),
  )
})

test('clocks that change inside a block: days stay, nights have the hours that pass', async () => {
  const { owner } = placing.installation
  const { program, shifts, sites, coordinator, rotation, students } = placing.made
  // New York puts its clocks forward in the night to Sunday, March 14, 2032.
  await owner.query(
    `update site_shift set start_time = '23:00', end_time = '07:30', weekdays = '{6}' where program_id = $1 and id = $2`,
    [program.Id, shifts[0]!.Id],
  )
  await owner.query(`update site set time_zone = 'America/New_York' where program_id = $1`, [program.Id])
  const { Id: planId } = await coordinator.ok(createPlacementPlan, {
    params: { programId: program.Id },
    body: {
      Name: 'Nights',
      RotationId: rotation.Id,
      Template: 'ranked',
      StartDate: planMonday,
      EndDate: addDays(planMonday, 27),
      WeeksPerBlock: 2,
      StudentIds: [students[0]!.Id],
      Rules: {
        Groups: [{ Name: 'All', ShiftsPerWeek: 1, Weekdays: [6] }],
        SiteIds: [sites[0]!.Id],
      },
    },
  })
  placing.made = { ...placing.made, plan: { ...placing.made.plan, Id: planId } }
  const { Draft } = await makeDraftOf(placing.made)
  expect(Draft.Figures).toMatchObject({ Placed: 2, Cells: 2 })
  expect((await accepted(Draft.Id)).Shifts).toBe(4)
  const { rows } = await owner.query(
    `select date::text, to_char(starts_at at time zone 'America/New_York', 'MM-DD HH24:MI') as begins,
      to_char(ends_at at time zone 'America/New_York', 'MM-DD HH24:MI') as ends, extract(epoch from ends_at - starts_at)::int / 60 as minutes
     from shift_assignment where program_id = $1 and removed_at is null order by date`,
    [program.Id],
  )
  expect(rows).toEqual([
    { date: '2032-03-06', begins: '03-06 23:00', ends: '03-07 07:30', minutes: 510 },
    { date: '2032-03-13', begins: '03-13 23:00', ends: '03-14 07:30', minutes: 450 },
    { date: '2032-03-20', begins: '03-20 23:00', ends: '03-21 07:30', minutes: 510 },
    { date: '2032-03-27', begins: '03-27 23:00', ends: '03-28 07:30', minutes: 510 },
  ])
})

test('a place that was taken by hand meanwhile is named, and nothing half is kept', async () => {
  const { Draft, Rows } = await makeDraftOf(placing.made)
  const stranger = await makeStudent(placing.installation.owner, placing.made.program, { cohort: '1999' })
  const taken = Rows[0]!.Cells[0]!.SiteShiftId
  await placing.made.coordinator.ok(addShiftAssignments, {
    params: { programId: placing.made.program.Id },
    body: {
      RotationId: placing.made.rotation.Id,
      SiteShiftId: taken,
      StudentIds: [stranger.Id],
      Dates: [planMonday],
      AllOrNothing: true,
    },
  })
  const refused = await accept(Draft.Id)
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    Refused: [expect.objectContaining({ Message: expect.stringContaining('has no free place in block 1') })],
  })
  expect(await shiftCount()).toBe(1)
  expect((await plan()).AcceptedCount).toBe(0)
  expect((await accepted(Draft.Id, { Blocks: [1] })).Cells).toBe(3)
})

test('refusals of several rules at once each name their own students, day and rule', async () => {
  const { owner } = placing.installation
  const { program, coordinator, sites, shifts, students, rotation } = placing.made
  const { Draft, Rows } = await makeDraftOf(placing.made)
  const cellOf = (index: number, block: number) =>
    Rows.find(({ StudentId }) => StudentId === students[index]!.Id)!.Cells.find(
      ({ Block }) => Block === block,
    )!
  const siteOf = (shiftId: number) => sites[shifts.findIndex(({ Id }) => Id === shiftId)]!.Id
  // Meanwhile: Ada is excluded from the second site, Ben has another shift on his second Tuesday, and Cleo's first site is full.
  await coordinator.ok(savePlanStudent, {
    params: { ...at(), studentId: students[0]!.Id },
    body: { Pins: [], ExcludedSiteIds: [siteOf(cellOf(0, 1).SiteShiftId)], SiteIds: [] },
  })
  const elsewhere = await makeShift(owner, program, {
    site: sites[0],
    capacity: 9,
    weekdays: [1, 2],
    start_date: planMonday,
    end_date: addDays(planMonday, 27),
    code: 'OTHER',
  })
  const stranger = await makeStudent(owner, program, { cohort: '1999' })
  const add = (StudentId: number, SiteShiftId: number, date: string) =>
    coordinator.ok(addShiftAssignments, {
      params: { programId: program.Id },
      body: {
        RotationId: rotation.Id,
        SiteShiftId,
        StudentIds: [StudentId],
        Dates: [date],
        AllOrNothing: true,
      },
    })
  await add(students[1]!.Id, elsewhere.Id, addDays(planMonday, 15))
  await add(stranger.Id, cellOf(2, 0).SiteShiftId, addDays(planMonday, 7))
  const { status, body } = await accept(Draft.Id)
  expect(status).toBe(422)
  const { Refused } = body as unknown as {
    Refused: { StudentId: number; Date: string; Rule: string; Message: string }[]
  }
  const told = (index: number) => Refused.filter(({ StudentId }) => StudentId === students[index]!.Id)
  const second = addDays(planMonday, 14)
  const excluded = siteOf(cellOf(0, 1).SiteShiftId)
  expect(told(0)).toEqual(
    [planMonday, second]
      .filter((_, block) => siteOf(cellOf(0, block).SiteShiftId) === excluded)
      .map((date) => ({
        StudentId: students[0]!.Id,
        Date: date,
        Rule: 'excluded',
        Message: expect.stringContaining('Adams, Ada'),
      })),
  )
  expect(told(1)).toEqual([
    {
      StudentId: students[1]!.Id,
      Date: second,
      Rule: 'overlap',
      Message: expect.stringContaining('Adams, Ben'),
    },
  ])
  expect(told(2)).toEqual([
    {
      StudentId: students[2]!.Id,
      Date: planMonday,
      Rule: 'capacity',
      Message: expect.stringContaining('no free place in block 1'),
    },
  ])
  expect(Refused).toHaveLength(told(0).length + 2)
})

test('writers that race for the last places overbook no day and leave no half plan', async () => {
  const { Draft, Rows } = await makeDraftOf(placing.made)
  const strangers = await Promise.all(
    [0, 1, 2, 3].map(() => makeStudent(placing.installation.owner, placing.made.program, { cohort: '1999' })),
  )
  const place = (student: { Id: number }) =>
    placing.made.coordinator.call(addShiftAssignments, {
      params: { programId: placing.made.program.Id },
      body: {
        RotationId: placing.made.rotation.Id,
        SiteShiftId: Rows[0]!.Cells[0]!.SiteShiftId,
        StudentIds: [student.Id],
        Dates: [addDays(planMonday, 7), addDays(planMonday, 8)],
        AllOrNothing: true,
      },
    })
  const results = await Promise.all([accept(Draft.Id), ...strangers.map(place), accept(Draft.Id)])
  const { rows } = await placing.installation.owner.query(
    'select count(*)::int as count from shift_day where program_id = $1 and placed > capacity',
    [placing.made.program.Id],
  )
  expect(rows[0].count).toBe(0)
  const done = [results[0], results.at(-1)].filter((each) => each?.status === 200).length
  expect(done).toBeLessThanOrEqual(1)
  expect([2, 24]).toContain(await shiftCount())
})

test('a what-if that counts on places that there are not is refused', async () => {
  const [harbor] = placing.made.sites
  for (const student of [0, 1]) await rankFor(placing.made, student, [0])
  const { Draft } = await makeDraftOf(placing.made, { Places: [{ SiteId: harbor!.Id, Places: 1 }] })
  expect(Draft.Figures?.MeanRank).toBe(1)
  const refused = await accept(Draft.Id)
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).toContain('Harbor has no free place in block 1.')
  expect(await shiftCount()).toBe(0)
})

test('publishing shows each student their own places and reasons, by email once, and nothing of others', async () => {
  const { coordinator, students } = placing.made
  await rankFor(placing.made, 0, [0, 1])
  await rankFor(placing.made, 1, [0, 1, 2])
  await rankFor(placing.made, 2, [1, 2])
  const ben = await placing.installation.as(students[1]!)
  const result = () => ben.call(getOwnPlacementResult, { params: { planId: placing.made.plan.Id } })
  expect((await publish({})).status).toBe(409)
  const { Draft } = await makeDraftOf(placing.made)
  await accepted(Draft.Id)
  expect((await result()).status).toBe(404)
  expect((await ben.ok(listOwnPlacement)).Plans).toEqual([])
  expect((await publish({})).status).toBe(200)
  const mails = async () =>
    (
      await placing.installation.owner.query(
        `select count(*)::int as count from mail where program_id = $1 and label = 'PLACEMENT_published'`,
        [placing.made.program.Id],
      )
    ).rows[0].count
  expect(await mails()).toBe(3)
  await notifyOfRankings.work({}, placing.installation.services)
  expect(await mails()).toBe(3)
  const own = await ben.ok(getOwnPlacementResult, { params: { planId: placing.made.plan.Id } })
  expect(own.Blocks).toHaveLength(2)
  expect(own.Blocks[0]).toMatchObject({ Block: 0, Weekdays: [1, 2], Site: expect.stringMatching(/./) })
  expect(JSON.stringify(own.Blocks.map(({ Reason }) => Reason))).not.toMatch(/Ada|Cleo|Adams|\d/)
  expect((await ben.ok(listOwnPlacement)).Plans).toMatchObject([{ State: 'published' }])
  await coordinator.ok(contract.publishPlan, { params: at(), body: { IsPublished: false } })
  expect((await result()).status).toBe(404)
  const { body } = await publish({ Date: '2090-01-02', Time: '08:00' })
  expect(new Date((body as { PublishedAt: string }).PublishedAt).toISOString()).toBe(
    '2090-01-02T13:00:00.000Z',
  )
  expect((await result()).status).toBe(404)
  expect((await publish({ Date: '2090-01-02' })).status).toBe(400)
})

test('what is undone whole is no longer published: it is published anew, and everybody is told of what is accepted later', async () => {
  const { owner } = placing.installation
  const { Draft } = await makeDraftOf(placing.made)
  const ben = await placing.installation.as(placing.made.students[1]!)
  const told = async () =>
    (
      await owner.query(
        `select count(*)::int as count from mail where program_id = $1 and label = 'PLACEMENT_published'`,
        [placing.made.program.Id],
      )
    ).rows[0].count
  const [first, second] = [
    await accepted(Draft.Id, { Blocks: [0] }),
    await accepted(Draft.Id, { Blocks: [1] }),
  ]
  expect((await publish({})).status).toBe(200)
  expect(await told()).toBe(3)
  // One block is left, so the plan stays published, and what is accepted meanwhile is seen and told at once.
  expect((await undo(first.Id)).body).toMatchObject({ IsHidden: false })
  const again = await accepted(Draft.Id, { Blocks: [0], StudentIds: [placing.made.students[1]!.Id] })
  expect(await told()).toBe(4)
  expect((await ben.ok(listOwnPlacement)).Plans).toMatchObject([{ State: 'published' }])
  await undo(again.Id)
  expect((await undo(second.Id)).body).toMatchObject({ IsHidden: true })
  expect(await plan()).toMatchObject({ AcceptedCount: 0, PublishedAt: null })
  expect((await ben.ok(listOwnPlacement)).Plans).toEqual([])
  expect(await publish({})).toMatchObject({ status: 409 })
  await accepted(Draft.Id)
  const read = () => ben.call(getOwnPlacementResult, { params: { planId: placing.made.plan.Id } })
  expect((await read()).status).toBe(404)
  expect((await publish({})).status).toBe(200)
  expect((await read()).status).toBe(200)
  expect(await told()).toBe(7)
})

test('a rule that only warns places students and says so in the check and in the draft; one that blocks places nobody and counts no place', async () => {
  const { owner } = placing.installation
  const { program, coordinator } = placing.made
  const setOptions = (options: object) =>
    owner.query('update program set options = $2 where id = $1', [program.Id, JSON.stringify(options)])
  const check = () => coordinator.ok(checkPlacementPlan, { params: at() })
  await owner.query('update account set zip = $2 where program_id = $1', [program.Id, '02110'])
  await owner.query('update site set zip = $2 where program_id = $1', [program.Id, '02110'])
  // No site has an agreement, and shifts are longer than a day may be.
  const rules = (AgreementRule: string, HoursPerDayRule: string) =>
    setOptions({ AgreementRule, HoursPerDayRule, MostHoursPerDay: 4 })
  for (const [agreement, hours] of [
    ['block', 'off'],
    ['off', 'block'],
  ] as const) {
    await rules(agreement, hours)
    const { Problems, Demand } = await check()
    expect(Demand.flatMap(({ Places }) => Places)).toEqual(Array(6).fill(0))
    expect(Problems.filter(({ Kind }) => Kind === 'stops')).toHaveLength(1)
    expect((await makeDraftOf(placing.made, { Name: agreement })).Draft.Figures).toMatchObject({ Placed: 0 })
  }
  await rules('warn', 'warn')
  const { Problems, Demand } = await check()
  expect(Demand.flatMap(({ Places }) => Places)).toEqual(Array(6).fill(1))
  expect(Problems.map(({ Kind, Text, Fix }) => ({ Kind, Text, Fix }))).toEqual([
    {
      Kind: 'warns',
      Text: 'No agreement is in force with Harbor, Lakeside and Mercy in blocks 1–2. The program only warns about it, so students are placed all the same.',
      Fix: 'agreement',
    },
    {
      Kind: 'warns',
      Text: '3 students would have more than 4 hours a day at Harbor, Lakeside and Mercy in blocks 1–2. The program only warns about it, so students are placed all the same.',
      Fix: 'program',
    },
  ])
  const { Draft } = await makeDraftOf(placing.made, { Name: 'warn' })
  expect(Draft.Figures).toMatchObject({ Placed: 6 })
  expect(new Set(Draft.Figures!.Causes!.map(({ Text }) => Text))).toEqual(
    new Set(Problems.map(({ Text }) => Text)),
  )
  expect(await accepted(Draft.Id)).toMatchObject({ Cells: 6, Shifts: 24 })
})

test('points are owed for low ranks once accepted, gone once undone', async () => {
  await rankFor(placing.made, 0, [0, 1])
  await rankFor(placing.made, 1, [0, 1])
  const { Draft } = await makeDraftOf(placing.made)
  const { Id } = await accepted(Draft.Id)
  const owed = async () =>
    (
      await placing.installation.owner.query(
        'select sum(points)::int as sum from placement_points where program_id = $1 and plan_id = $2',
        [placing.made.program.Id, placing.made.plan.Id],
      )
    ).rows[0].sum
  // In each of two blocks one of both has the second choice: four points for whom it is always, two each when they take turns.
  expect(await owed()).toBe(4)
  // A plan does not count its own.
  expect(await points()).toEqual([0, 0, 0])
  await undo(Id)
  expect(await owed()).toBeNull()
})

test('what somebody else has by now, or has begun, stays when an acceptance is undone', async () => {
  const { Draft } = await makeDraftOf(placing.made)
  const { Id } = await accepted(Draft.Id)
  await placing.installation.owner.query(
    `update shift_assignment set removed_at = now() where program_id = $1 and id =
      (select min(id) from shift_assignment where program_id = $1)`,
    [placing.made.program.Id],
  )
  expect((await undo(Id)).body).toEqual({ Removed: 23, Kept: 1, IsHidden: false })
})

test('faculty read what was accepted and accept nothing; a draft of another plan is not there', async () => {
  const { Draft } = await makeDraftOf(placing.made)
  const faculty = await placing.installation.as(
    await makePerson(placing.installation.owner, Level.Faculty, { program: placing.made.program }),
  )
  expect(
    (await faculty.call(contract.acceptDraft, { params: { ...at(), draftId: Draft.Id }, body: {} })).status,
  ).toBe(403)
  expect((await faculty.ok(contract.listAcceptances, { params: at() })).Acceptances).toEqual([])
  const other = await makePlan(placing.installation, placing.runner)
  const theirs = await other.coordinator.call(contract.acceptDraft, {
    params: { programId: other.program.Id, planId: other.plan.Id, draftId: Draft.Id },
    body: {},
  })
  expect(theirs.status).toBe(404)
  const cell = { StudentId: placing.made.students[0]!.Id, SiteShiftId: null }
  await placing.made.coordinator.ok(setCells, {
    params: { ...at(), draftId: Draft.Id },
    body: { Block: 0, Cells: [cell] },
  })
  expect((await accepted(Draft.Id)).Cells).toBe(5)
})
