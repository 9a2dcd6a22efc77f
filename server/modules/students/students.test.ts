import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { leaveProgram, previewLeaving, undoLeaving } from '#contract/people/leaving.ts'
import { getUser, updateUser } from '#contract/people/people.ts'
import { getHome } from '#contract/reports/reports.ts'
import * as contract from '#contract/students/students.ts'
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
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { changeActions, fieldsOf } from './changes.rules.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let student: MadePerson
let site: { Id: number; Name: string }
let otherSite: { Id: number; Name: string }
let rotation: { Id: number; Name: string }
const shifts = new Map<number, { Id: number; SiteId: number }>()

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  shifts.clear()
  program = await makeProgram(installation.owner, { time_zone: 'UTC' })
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  student = await makeStudent(installation.owner, program, { cohort: '2027', phone: '(508) 555-0142' })
  site = await makeSite(installation.owner, program, { name: 'Harbor General' })
  otherSite = await makeSite(installation.owner, program, { name: 'Mill River' })
  rotation = await makeRotation(installation.owner, program, {
    start_date: '2000-01-01',
    end_date: '2099-12-31',
    target_minutes: 600,
  })
})

const params = (more: object = {}) => ({ programId: program.Id, studentId: student.Id, ...more })
const row = (table: string, values: Record<string, unknown>) =>
  makeRow(installation.owner, table, { program_id: program.Id, ...values })

/** A shift of eight hours that begins so many hours from now; its assignment. */
const place = async (hours: number, at = site, who = student): Promise<{ id: number; starts: Date }> => {
  const shift =
    shifts.get(at.Id) ?? (await makeShift(installation.owner, program, { site: at, capacity: 50 }))
  shifts.set(at.Id, shift)
  const starts = new Date(Date.now() + hours * 3_600_000)
  const { id } = await row('shift_assignment', {
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: at.Id,
    student_id: who.Id,
    date: starts.toISOString().slice(0, 10),
    starts_at: starts.toISOString(),
    ends_at: new Date(starts.getTime() + 8 * 3_600_000).toISOString(),
  })
  return { id, starts }
}

/** A worked pair of an assignment, `late` minutes after its begin. */
const work = async ({ id, starts }: { id: number; starts: Date }, at = site, late = 0, who = student) => {
  const base = {
    student_id: who.Id,
    site_id: at.Id,
    assignment_id: id,
    rotation_id: rotation.Id,
    date: starts.toISOString().slice(0, 10),
    status: 'approved',
  }
  const begun = await row('time_record', {
    ...base,
    kind: 'in',
    occurred_at: new Date(starts.getTime() + late * 60_000).toISOString(),
    offset_minutes: late,
  })
  const ended = await row('time_record', {
    ...base,
    kind: 'out',
    occurred_at: new Date(starts.getTime() + 8 * 3_600_000).toISOString(),
    minutes: 480,
    partner_id: begun.id,
  })
  await installation.owner.query('update time_record set partner_id = $1 where program_id = $2 and id = $3', [
    ended.id,
    program.Id,
    begun.id,
  ])
}

/** A completed evaluation about the student, with this share of its one scale. */
const evaluate = async (
  share: number,
  { at = site, date = '2026-03-01', isAnonymous = false, evaluator = null as number | null } = {},
) => {
  const template = await row('evaluation_template', {
    title: 'Clinical performance',
    evaluator_role: 'supervisor',
    subject_role: 'student',
    is_anonymous: isAnonymous,
  })
  const category = await row('evaluation_category', { template_id: template.id, name: 'Work', position: 1 })
  const scale = await row('score_type', { template_id: template.id, title: 'Scale' })
  const item = await row('evaluation_item', {
    template_id: template.id,
    category_id: category.id,
    kind: 'scored',
    position: 1,
    text: 'Positions well',
    score_type_id: scale.id,
  })
  const form = await row('evaluation_form', {
    template_id: template.id,
    hash: Buffer.from('a'),
    content: '{}',
  })
  const { id } = await row('evaluation', {
    template_id: template.id,
    evaluator_id: evaluator,
    subject_id: student.Id,
    site_id: at.Id,
    date,
    is_completed: true,
    form_id: form.id,
    submitted_at: `${date}T12:00:00Z`,
  })
  await row('evaluation_answer', { evaluation_id: id, item_id: item.id, score: 4, scale_share: share })
  return id
}

describe('the student’s page', () => {
  test('says who it is, and whether the hours are on track', async () => {
    await work(await place(-24))
    expect(await coordinator.ok(contract.getStudent, { params: params() })).toMatchObject({
      Id: student.Id,
      StudentLevel: 'Level 1',
      Cohort: '2027',
      PhoneNumber: '(508) 555-0142',
      IsActive: true,
      IsOnTrack: false,
    })
    await place(24)
    const { IsOnTrack } = await coordinator.ok(contract.getStudent, { params: params() })
    expect(IsOnTrack).toBe(true)
  })

  test('says of somebody who has left since when, and not whether the hours are enough', async () => {
    await work(await place(-24))
    const at = { programId: program.Id, userId: student.Id }
    const { Today } = await coordinator.ok(previewLeaving, { params: at, query: { HandToId: null } })
    await coordinator.ok(leaveProgram, { params: at, body: { LastDay: Today, HandToId: null } })
    const told = () => coordinator.ok(contract.getStudent, { params: params() })
    expect(await told()).toMatchObject({ IsActive: false, LastDay: Today, IsOnTrack: null })
    await coordinator.ok(undoLeaving, { params: at })
    expect(await told()).toMatchObject({ IsActive: true, LastDay: null, IsOnTrack: false })
  })

  test('tells hours, forecast and attendance of this student alone', async () => {
    const classmate = await makeStudent(installation.owner, program)
    await work(await place(-48, site, classmate), site, 0, classmate)
    await work(await place(-48), site, 12)
    await work(await place(-72))
    await place(-96)
    await place(30)
    const absent = await place(-120)
    await row('time_record', {
      student_id: student.Id,
      site_id: site.Id,
      assignment_id: absent.id,
      rotation_id: rotation.Id,
      kind: 'absence',
      occurred_at: absent.starts.toISOString(),
      date: absent.starts.toISOString().slice(0, 10),
      minutes: 480,
    })
    const hours = await coordinator.ok(contract.getStudentHours, { params: params() })
    expect(hours.All).toMatchObject({ StudentId: student.Id, Approved: 960 })
    expect(hours.Rotation).toMatchObject({
      Name: rotation.Name,
      Hours: { Approved: 960, Target: 600, Parts: { AssignedShifts: 1, PastDays: 4, AbsentDays: 1 } },
    })
    expect(hours.Attendance).toMatchObject({ Worked: 2, Late: 1, LateMinutes: 12, Absent: 1, Missed: 1 })
    expect(hours.Weeks).toHaveLength(8)
    expect(hours.Weeks.reduce((sum, week) => sum + week.ApprovedMinutes, 0)).toBe(960)
  })

  test('lists next and past shifts by page, and says what became of them', async () => {
    await place(20)
    await place(44)
    await work(await place(-20))
    await place(-44)
    const list = (When: 'next' | 'past', page = 1) =>
      coordinator.ok(contract.listStudentShifts, { params: params(), query: { When, page, pageSize: 1 } })
    expect(await list('next')).toMatchObject({
      Total: 2,
      Items: [{ State: 'ahead', Site: 'Harbor General' }],
    })
    expect(await list('past')).toMatchObject({ Total: 2, Items: [{ State: 'worked' }] })
    expect((await list('past', 2)).Items).toMatchObject([{ State: 'missed' }])
  })

  test('a past shift with a clock-in alone is unmatched and not worked, and neither is one left without a clock-in', async () => {
    const [begun, left] = [await place(-20), await place(-44)]
    for (const [kind, { id, starts }] of [
      ['in', begun],
      ['out', left],
    ] as const)
      await row('time_record', {
        student_id: student.Id,
        site_id: site.Id,
        assignment_id: id,
        rotation_id: rotation.Id,
        kind,
        occurred_at: starts.toISOString(),
        date: starts.toISOString().slice(0, 10),
      })
    const { Items } = await coordinator.ok(contract.listStudentShifts, {
      params: params(),
      query: { When: 'past' },
    })
    expect(Items.map(({ State }) => State)).toEqual(['unmatched', 'unmatched'])
    const { Attendance } = await coordinator.ok(contract.getStudentHours, { params: params() })
    expect(Attendance).toMatchObject({ Worked: 0, Unmatched: 2, Missed: 0 })
  })

  test('shows evaluations with their trend, and no score of a form without names', async () => {
    await evaluate(0.75, { date: '2026-02-01' })
    await evaluate(0.5, { date: '2026-01-01' })
    await evaluate(0.1, { date: '2026-03-01', isAnonymous: true })
    const found = await coordinator.ok(contract.listStudentEvaluations, { params: params(), query: {} })
    expect(found.Items.map(({ Percent }) => Percent)).toEqual([null, 75, 50])
    expect(found.Trend.map(({ Percent }) => Percent)).toEqual([50, 75])
    expect(found).toMatchObject({ Completed: 3, Open: 0, Total: 3 })
  })

  test('shows what has expired or is missing of the requirements', async () => {
    const requirement = await row('requirement', { name: 'CPR', blocks_placement: true })
    await row('requirement', { name: 'Drug screen' })
    await row('student_requirement', {
      student_id: student.Id,
      requirement_id: requirement.id,
      status: 'accepted',
      expires_on: '2020-01-01',
    })
    const found = await coordinator.ok(contract.listStudentRequirements, { params: params() })
    expect(found.Requirements).toMatchObject([
      { Name: 'CPR', BlocksPlacement: true, State: 'expired' },
      { Name: 'Drug screen', State: 'missing' },
    ])
    expect(found.BackgroundChecks).toMatchObject([{ State: 'missing', StudentId: student.Id }])
  })

  test('shows emails to the student with what became of them, never their text', async () => {
    const mail = { account_id: student.Id, recipient: 'a@example.org', html: '<p>secret</p>', sender: 'Dana' }
    await row('mail', { ...mail, subject: 'First', status: 3, sent_at: '2026-01-01T00:00:00Z' })
    await row('mail', { ...mail, subject: 'Second', status: 4, created_at: '2026-01-02T00:00:00Z' })
    const { Items } = await coordinator.ok(contract.listStudentEmails, { params: params(), query: {} })
    expect(Items.map(({ Subject, Status }) => [Subject, Status]).toSorted()).toEqual([
      ['First', 'sent'],
      ['Second', 'failed'],
    ])
    expect(JSON.stringify(Items)).not.toContain('secret')
  })

  test('shows who changed what of the account, and leaves views out', async () => {
    const before = await coordinator.ok(getUser, { params: { programId: program.Id, userId: student.Id } })
    const { Id: _id, UserName: _name, IsActive: _active, IsTestUser: _test, ...rest } = before
    await coordinator.ok(updateUser, {
      params: { programId: program.Id, userId: student.Id },
      body: { ...rest, ZipCode: '02740', PhoneNumber: '(508) 555-0199' },
    })
    const { Items } = await coordinator.ok(contract.listStudentChanges, { params: params(), query: {} })
    expect(Items).toHaveLength(1)
    expect(Items[0]!.What).toBe('Change a person')
    expect(Items[0]!.Fields).toEqual([
      { Field: 'Zip code', Before: '–', After: '02740' },
      { Field: 'Phone number', Before: '(508) 555-0142', After: '(508) 555-0199' },
    ])
  })
})

describe('notes of staff', () => {
  const list = (caller: Caller) =>
    caller.ok(contract.listStudentNotes, { params: params(), query: {} }).then(({ Items }) => Items)

  test('are added, deleted and restored, and each is told in the changes', async () => {
    const note = await coordinator.ok(contract.addStudentNote, {
      params: params(),
      body: { Text: '  Wants pediatrics next term.  ' },
    })
    expect(note).toMatchObject({ Text: 'Wants pediatrics next term.', IsDeletable: true })
    const at = { params: params({ noteId: note.Id }) } as { params: any }
    await coordinator.ok(contract.deleteStudentNote, at)
    expect(await list(coordinator)).toEqual([])
    await coordinator.ok(contract.restoreStudentNote, at)
    expect(await list(coordinator)).toEqual([note])
    const { Items } = await coordinator.ok(contract.listStudentChanges, { params: params(), query: {} })
    expect(Items.map(({ What }) => What)).toEqual([
      'Bring a deleted note back',
      'Delete a note',
      'Add a note about a student',
    ])
  })

  test('belong to their authors: faculty delete their own only, coordinators all', async () => {
    const one = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    const other = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    const note = await one.ok(contract.addStudentNote, { params: params(), body: { Text: 'Late twice.' } })
    const at = { params: params({ noteId: note.Id }) } as { params: any }
    expect(await list(other)).toMatchObject([{ IsDeletable: false }])
    expect((await other.call(contract.deleteStudentNote, at)).status).toBe(403)
    expect(await list(one)).toMatchObject([{ IsDeletable: true }])
    expect((await coordinator.call(contract.deleteStudentNote, at)).status).toBe(204)
    expect((await other.call(contract.restoreStudentNote, at)).status).toBe(403)
  })

  test('refuse nothing but blanks, and more than 2,000 characters', async () => {
    for (const Text of ['   ', 'x'.repeat(2001)]) {
      const { status } = await coordinator.call(contract.addStudentNote, { params: params(), body: { Text } })
      expect(status).toBe(400)
    }
  })
})

const tiles: readonly AnyEndpoint[] = [
  contract.getStudent,
  contract.getStudentHours,
  contract.listStudentShifts,
  contract.listStudentRecords,
  contract.listStudentEvaluations,
  contract.listStudentRequirements,
  contract.listStudentNotes,
  contract.listStudentEmails,
  contract.listStudentChanges,
]
const forSupervisors = new Set<AnyEndpoint>([
  contract.getStudent,
  contract.listStudentShifts,
  contract.listStudentRecords,
  contract.listStudentEvaluations,
])
const statusOf = async (caller: Caller, endpoint: AnyEndpoint, given: object) =>
  (await caller.call(endpoint, { params: given } as never)).status

describe('who sees a student’s page', () => {
  test.each([
    ['Faculty', 200],
    ['Director', 200],
    ['Admin', 200],
    ['SiteEmployee', 403],
    ['GenericEmployee', 403],
    ['Student', 403],
    ['Registrant', 403],
    ['Alumnus', 403],
  ] as const)('%s: %i on every tile', async (name, expected) => {
    const caller = await installation.as(await makePerson(installation.owner, Level[name], { program }))
    for (const tile of tiles) expect(await statusOf(caller, tile, params()), tile.path).toBe(expected)
  })

  test('students themselves see none of it, not even their own', async () => {
    const self = await installation.as(student)
    for (const tile of tiles) expect(await statusOf(self, tile, params()), tile.path).toBe(403)
  })

  test('students of another program, staff and nobody are not there', async () => {
    const foreign = await makeStudent(installation.owner)
    const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
    const faculty = await makePerson(installation.owner, Level.Faculty, { program })
    for (const tile of tiles) {
      expect(await statusOf(coordinator, tile, params({ studentId: foreign.Id })), tile.path).toBe(404)
      expect(await statusOf(coordinator, tile, params({ studentId: faculty.Id })), tile.path).toBe(404)
      expect(await statusOf(coordinator, tile, params({ studentId: 999_999_999 })), tile.path).toBe(404)
      expect(await statusOf(stranger, tile, params()), tile.path).toBe(404)
    }
    const note = { params: { programId: program.Id, studentId: foreign.Id }, body: { Text: 'x' } }
    expect((await coordinator.call(contract.addStudentNote, note)).status).toBe(404)
  })

  test('a supervisor sees their part: students with shifts at their sites, and of them what happens there', async () => {
    const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [site.Id]))
    for (const tile of tiles)
      expect(await statusOf(supervisor, tile, params()), tile.path).toBe(forSupervisors.has(tile) ? 404 : 403)
    await work(await place(-24))
    await work(await place(-48, otherSite), otherSite)
    await place(24, otherSite)
    await evaluate(0.5)
    await evaluate(0.9, { at: otherSite })
    for (const tile of tiles)
      expect(await statusOf(supervisor, tile, params()), tile.path).toBe(forSupervisors.has(tile) ? 200 : 403)
    expect(await supervisor.ok(contract.getStudent, { params: params() })).toMatchObject({ IsOnTrack: null })
    const past = await supervisor.ok(contract.listStudentShifts, {
      params: params(),
      query: { When: 'past' },
    })
    expect(past.Items.map(({ Site }) => Site)).toEqual(['Harbor General'])
    const next = await supervisor.ok(contract.listStudentShifts, { params: params(), query: {} })
    expect(next.Items).toEqual([])
    const records = await supervisor.ok(contract.listStudentRecords, { params: params(), query: {} })
    expect(new Set(records.Items.map(({ Location }) => Location))).toEqual(new Set(['Harbor General']))
    const evaluations = await supervisor.ok(contract.listStudentEvaluations, { params: params(), query: {} })
    expect(evaluations).toMatchObject({ Total: 1, Completed: 1, Trend: [{ Percent: 50 }] })
  })

  test('each view is audited on the student', async () => {
    for (const tile of tiles) await coordinator.ok(tile, { params: params() } as never)
    const { rows } = await installation.owner.query(
      'select distinct action from audit where program_id = $1 and subject_id = $2',
      [program.Id, student.Id],
    )
    expect(rows.map(({ action }) => action).toSorted()).toEqual(
      tiles.map(({ path }) => `GET ${path}`).toSorted(),
    )
  })
})

describe('A10 expired requirements', () => {
  test('are exactly what home counts, for staff', async () => {
    const requirement = await row('requirement', { name: 'CPR', blocks_placement: true })
    const harmless = await row('requirement', { name: 'Survey' })
    const gone = await makeStudent(installation.owner, program, { deactivated_at: '2026-01-01T00:00:00Z' })
    const graduate = await makePerson(installation.owner, Level.Alumnus, { program })
    const expired = { status: 'accepted', expires_on: '2020-01-01' }
    const others = {
      lasting: { status: 'accepted', expires_on: '2099-12-31' },
      waived: { ...expired, status: 'waived' },
    }
    for (const [name, kept] of Object.entries(others)) {
      const { id } = await row('requirement', { name, blocks_placement: true })
      await row('student_requirement', { student_id: student.Id, requirement_id: id, ...kept })
    }
    for (const who of [student, gone, graduate])
      await row('student_requirement', { student_id: who.Id, requirement_id: requirement.id, ...expired })
    await row('student_requirement', { student_id: student.Id, requirement_id: harmless.id, ...expired })
    const inProgram = { params: { programId: program.Id } }
    const list = await coordinator.ok(contract.listExpiredRequirements, { ...inProgram, query: {} })
    expect(list).toMatchObject({ Total: 1, Items: [{ StudentId: student.Id, Requirement: 'CPR' }] })
    expect((await coordinator.ok(getHome, inProgram)).ExpiredRequirements.Count).toBe(1)
    expect(list.Items[0]!.Waiting).toBeNull()
    const proof = await row('requirement_proof', {
      student_id: student.Id,
      requirement_id: requirement.id,
      version: 1,
      events: '[]',
      key: randomUUID(),
    })
    const { Items } = await coordinator.ok(contract.listExpiredRequirements, { ...inProgram, query: {} })
    expect(Items).toMatchObject([{ Waiting: { ProofId: proof.id, SentAt: expect.any(String) } }])
  })
})

describe('A60 a supervisor’s students', () => {
  test('each with hours of this week, the next shift and what is due, at their sites only', async () => {
    const person = await makeSupervisor(installation.owner, program, [site.Id])
    const supervisor = await installation.as(person)
    const list = (query: object = {}) =>
      supervisor.ok(contract.listSupervisedStudents, { params: { programId: program.Id }, query })
    expect((await list()).Items).toEqual([])
    const elsewhere = await makeStudent(installation.owner, program)
    await place(24, otherSite, elsewhere)
    await place(20)
    await work({ id: (await place(-9)).id, starts: new Date(Date.now() - 9 * 3_600_000) })
    const template = await row('evaluation_template', {
      title: 'Weekly',
      evaluator_role: 'supervisor',
      subject_role: 'student',
    })
    await row('evaluation', {
      template_id: template.id,
      evaluator_id: person.Id,
      subject_id: student.Id,
      site_id: site.Id,
      date: '2026-01-01',
    })
    const { Items, Total } = await list()
    expect(Total).toBe(1)
    expect(Items).toMatchObject([
      { Id: student.Id, NextShift: { Site: 'Harbor General', ShiftType: 'day' }, EvaluationsDue: 1 },
    ])
    // On the first hours of a Sunday the shift of nine hours ago belongs to the week before.
    const started = new Date(Date.now() - 9 * 3_600_000)
    const isThisWeek = started.getUTCDay() !== 6 || new Date().getUTCDay() === 6
    expect(Items[0]!.WeekMinutes).toBe(isThisWeek ? 480 : 0)
    expect((await list({ search: 'nobody at all' })).Total).toBe(0)
  })
})

describe('what a history tells', () => {
  test('differences of plain values by name; nothing where nothing was kept', () => {
    expect(fieldsOf(null)).toEqual([])
    expect(fieldsOf({ Before: { A: 1 } })).toEqual([])
    expect(
      fieldsOf({
        Before: { IsActive: true, StudentLevelId: 1, Same: 'x', Deep: {} },
        After: { IsActive: false, StudentLevelId: null, Same: 'x', Deep: { a: 1 }, New: 1 },
      }),
    ).toEqual([
      { Field: 'Is active', Before: 'Yes', After: 'No' },
      { Field: 'Student level', Before: '1', After: '–' },
    ])
  })

  test('filling forms is no part of it', () => {
    expect(changeActions.some((action) => action.includes('/answers'))).toBe(false)
    expect(changeActions.every((action) => !action.startsWith('GET '))).toBe(true)
  })
})
