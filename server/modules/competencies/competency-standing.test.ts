import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getStudentClinicalRecord } from '#contract/clinical-records/clinical-records.ts'
import { exportCompetencyRecords, getCompetencyGrid } from '#contract/competencies/competency-grid.ts'
import {
  type CompetencyList,
  createCompetencyList,
  listCompetencyLists,
  updateCompetencyList,
} from '#contract/competencies/competency-lists.ts'
import { cellOf } from '#contract/competencies/grid-states.ts'
import * as moves from '#contract/competencies/list-moves.ts'
import { getStudentStanding } from '#contract/competencies/procedure-logs.ts'
import { type DesignChange, previewDesign } from '#contract/competencies/procedures.ts'
import { Level } from '#contract/core/levels.ts'
import { getUser, updateUser } from '#contract/people/people.ts'
import {
  changeCompetencies,
  competencyChange,
  makeAttempt,
  redesign,
} from '#server/test/competency-changes.ts'
import { makePerson, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { startExams } from '#server/test/procedure-exams.ts'
import { type Logging, startLogging } from '#server/test/procedure-logging.ts'
import { raceChanges } from '#server/test/racing.ts'
import { makeRequirement, send } from '#server/test/requirement-proofs.ts'
import { recount, wrongSums } from '#server/test/stored-sums.ts'
import { competencySums } from './competency-sums.commands.ts'
import { checkCompetencySums } from './sums.jobs.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const wrong = async (programId: number): Promise<number> => {
  const [row] = await wrongSums(installation.owner, competencySums, programId)
  return row?.keys ?? 0
}

const kept = async (programId: number, studentId: number) => {
  const { rows } = await installation.owner.query<{
    cells: string
    passed: number
    done: number
    logged: number
  }>(
    'select cells, passed, done, logged, ready from competency_standing where program_id = $1 and student_id = $2',
    [programId, studentId],
  )
  return rows[0]
}

/** The cells of a student as the rule of the contract says them from what their card shows. */
const cellsByRule = async ({ program, coordinator }: Logging, studentId: number): Promise<string> => {
  const { Procedures } = await coordinator.ok(getStudentStanding, {
    params: { programId: program.Id, studentId },
  })
  return Procedures.toSorted((one, other) => one.Id - other.Id)
    .map(cellOf)
    .join('')
}

/** Two versions of a list, of which the second is for cohort A at times, and three students. */
const startCompeting = async () => {
  const at = await startLogging(installation)
  const { coordinator, program } = at
  const lists = [at.listId, await newVersion(at)]
  const students = [
    at.student.Id,
    (await makeStudent(installation.owner, program)).Id,
    (await makeStudent(installation.owner, program, { cohort: 'A' })).Id,
  ]
  return { at, coordinator, competing: { programId: program.Id, students, lists } }
}
const newVersion = async ({ coordinator, inProgram, listId }: Logging): Promise<number> => {
  const { Id } = await coordinator.ok(createCompetencyList, {
    ...inProgram,
    body: { Name: 'ARRT, next', Registry: '', EffectiveOn: '2028-01-01', FromListId: listId },
  })
  return Id
}

test('whatever is logged, examined and changed in lists, what is kept is what a recount says', {
  timeout: 240_000,
}, async () => {
  const { competing } = await startCompeting()
  const kinds = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(competencyChange, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (changes, workers) => {
        for (const { kind } of changes) kinds.add(kind)
        await raceChanges(
          installation,
          changes,
          (each) => changeCompetencies(installation, competing, each),
          workers,
        )
        expect(await wrong(competing.programId)).toBe(0)
      },
    ),
    { numRuns: 30 },
  )
  expect(kinds.size).toBeGreaterThan(15)
})

test('a cell says the same as the rule by which the card is shown', { timeout: 240_000 }, async () => {
  const { at, competing } = await startCompeting()
  await fc.assert(
    fc.asyncProperty(fc.array(competencyChange, { minLength: 10, maxLength: 40 }), async (changes) => {
      await installation.owner.query('update account set deleted_at = null where program_id = $1', [
        at.program.Id,
      ])
      for (const each of changes) await changeCompetencies(installation, competing, each)
      await installation.owner.query('update account set deleted_at = null where program_id = $1', [
        at.program.Id,
      ])
      for (const student of competing.students) {
        const cells = (await kept(at.program.Id, student))?.cells
        expect(cells).toBe(await cellsByRule(at, student))
      }
    }),
    { numRuns: 30 },
  )
})

test('a change of what a list asks says before it is saved whom it concerns, and saves nothing', async () => {
  const at = await startLogging(installation)
  const params = { programId: at.program.Id, listId: at.listId }
  const log = await at.log({ Count: 3 })
  expect((await at.verify(at.supervisor, [log])).status).toBe(200)
  const before = await kept(at.program.Id, at.student.Id)
  const { coordinator, routine, ribs } = at
  const effect = (Change: DesignChange, caller: Caller = coordinator) =>
    caller.call(previewDesign, { params, body: { Change } })
  const students = { Students: 1, Changed: 1 }
  const losesReady = { StudentId: at.student.Id, Before: { Done: 0, Ready: 1 }, After: { Done: 0, Ready: 0 } }
  const [procedure] = await at.design.procedures(at.listId)
  const { Id: ProcedureId, ItemCount: _items, PathologyCount: _pathologies, ...rules } = procedure!
  const asked = (after: number) => ({ Before: 3, After: after })
  const [level] = (await at.design.levelsOf(at.listId)).filter(({ Name }) => Name === 'Performed')
  for (const change of [
    { Kind: 'procedure', ProcedureId, ...rules, LogsNeeded: 4 },
    { Kind: 'procedures', Ids: [routine, ribs], Changes: { LogsNeeded: 4 } },
    { Kind: 'level', LevelId: level!.Id, Name: level!.Name, IsCounted: false, MajorStudyIds: null },
  ] satisfies DesignChange[])
    expect((await effect(change)).body, change.Kind).toMatchObject({
      ...students,
      Asked: asked(3),
      People: [losesReady],
    })
  expect((await effect({ Kind: 'removal', Part: 'procedure', Ids: [ribs] })).body).toEqual({
    Students: 1,
    Asked: asked(2),
    Changed: 0,
    People: [],
  })
  expect((await effect({ Kind: 'electives', ElectivesNeeded: 2 })).body).toMatchObject({ Asked: asked(5) })
  // Wording moves nobody.
  expect(
    (await effect({ Kind: 'procedure', ProcedureId, ...rules, Name: 'Chest, two views' })).body,
  ).toMatchObject({
    Changed: 0,
    Asked: asked(3),
  })
  expect(await kept(at.program.Id, at.student.Id)).toEqual(before)
  expect(await at.design.procedures(at.listId)).toContainEqual(procedure)
  expect((await effect({ Kind: 'procedures', Ids: [routine], Changes: {} })).status).toBe(400)
  expect((await effect({ Kind: 'removal', Part: 'procedure', Ids: [ribs] }, at.faculty)).status).toBe(403)
})

test('what is logged opens an exam once it is verified and checked in the lab', async () => {
  const at = await startLogging(installation)
  const { owner } = installation
  const cells = async () => (await kept(at.program.Id, at.student.Id))?.cells
  expect(await cells()).toBe('nnn')
  const two = await at.log({ Count: 2 })
  expect(await cells()).toBe('1nn')
  const one = await at.log({ Count: 1 })
  await at.log({ Count: 5, LevelId: at.observed, ProcedureId: at.ribs })
  expect(await cells()).toBe('w3n')
  await at.verify(at.supervisor, [one, two])
  expect(await cells()).toBe('r3n')
  await redesign(installation, at.program.Id, 'update skill set needs_lab_check = true where id = $1', [
    at.routine,
  ])
  expect(await cells()).toBe('l3n')
  await owner.query(
    'insert into lab_check (program_id, student_id, skill_id, checked_on, faculty_id) values ($1, $2, $3, current_date, $2)',
    [at.program.Id, at.student.Id, at.routine],
  )
  expect(await cells()).toBe('r3n')
})

test('a passed exam turns the cell and counts toward what the list asks, electives no further than needed', async () => {
  const at = await startLogging(installation)
  const { owner } = installation
  await at.log({ Count: 2 })
  await redesign(installation, at.program.Id, 'update skill set is_mandatory = false where id = $1', [
    at.ribs,
  ])
  expect(await kept(at.program.Id, at.student.Id)).toEqual({
    cells: '1nn',
    passed: 0,
    done: 0,
    logged: 2,
    ready: 0,
  })
  const one = { studentId: at.student.Id }
  await makeAttempt(owner, at.program.Id, { ...one, skillId: at.routine, state: 'failed' })
  await makeAttempt(owner, at.program.Id, { ...one, skillId: at.ribs, isSimulated: true })
  expect(await kept(at.program.Id, at.student.Id)).toMatchObject({ cells: 'fsn', passed: 1, done: 0 })
  await makeAttempt(owner, at.program.Id, { ...one, skillId: at.routine })
  await redesign(
    installation,
    at.program.Id,
    'update competency_list set electives_needed = 1 where program_id = $1',
  )
  expect(await kept(at.program.Id, at.student.Id)).toMatchObject({ cells: 'psn', passed: 2, done: 2 })
})

test('whoever has no list any more has no row, and neither has anybody else', async () => {
  const at = await startLogging(installation)
  expect(await kept(at.program.Id, at.student.Id)).toBeDefined()
  await redesign(
    installation,
    at.program.Id,
    'update competency_list set is_for_others = false where program_id = $1',
  )
  expect(await kept(at.program.Id, at.student.Id)).toBeUndefined()
  await redesign(
    installation,
    at.program.Id,
    'update competency_list set is_for_others = true where program_id = $1',
  )
  expect(await kept(at.program.Id, at.student.Id)).toMatchObject({ cells: 'nnn' })
})

test('a wrong row is found by its program, and recounted', async () => {
  const at = await startLogging(installation)
  const check = () => checkCompetencySums.work({}, installation.services)
  await installation.owner.query("update competency_standing set cells = 'ppp' where program_id = $1", [
    at.program.Id,
  ])
  await expect(check()).rejects.toThrow(`program ${at.program.Id}: 1 of competency_standing`)
  await recount(installation, competencySums, at.program.Id)
  expect(await wrong(at.program.Id)).toBe(0)
})

test('an exam that an examiner approves turns the cell of the grid and the card, and so does one that is not approved', async () => {
  const exams = await startExams(installation)
  const { coordinator, program, student, listId } = exams
  const cells = async () =>
    (await coordinator.ok(getCompetencyGrid, { params: { programId: program.Id, listId } })).Students.Cells
  await exams.ready()
  expect(await cells()).toEqual(['rnn'])
  const failed = await exams.asked()
  await exams.grade(exams.supervisor, failed.Id, exams.failing({ Remediation: 'Practice markers' }))
  expect(await cells()).toEqual(['fnn'])
  await installation.owner.query('update exam_attempt set retry_from = date where id = $1', [failed.Id])
  const { Id } = await exams.asked()
  await exams.grade(exams.supervisor, Id, exams.decision())
  expect(await cells()).toEqual(['pnn'])
  const { Procedures } = await coordinator.ok(getStudentStanding, {
    params: { programId: program.Id, studentId: student.Id },
  })
  expect(Procedures.map(({ Exam }) => Exam)).toEqual(['passed', null, null])
})

/** A student of cohort A who passed everything of the first list, and a second one with other sections, names and procedures. */
const startMoving = async () => {
  const at = await startLogging(installation)
  const { owner } = installation
  const { coordinator, program, inProgram, design, student } = at
  const [, , pediatric] = (await design.procedures(at.listId)).map(({ Id }) => Id)
  const inA = (id: number) =>
    owner.query("update account set cohort = 'A' where program_id = $1 and id = $2", [program.Id, id])
  const moved = await makeStudent(owner, program, { first_name: 'Mia', last_name: 'Moved' })
  await inA(moved.Id)
  for (const skillId of [at.routine, at.ribs, pediatric!])
    for (const studentId of [moved.Id, student.Id])
      await makeAttempt(owner, program.Id, { studentId, skillId })
  const next = (await design.list('ARRT 2030')).Id
  const thorax = await design.section(next, 'Thorax', ['CHEST  routine', 'Rib series', 'Decubitus'])
  const [chest, series, decubitus] = (await design.procedures(next)).map(({ Id }) => Id) as [
    number,
    number,
    number,
  ]
  const ofList = (listId: number) => ({ params: { programId: program.Id, listId } })
  const lists = () => coordinator.ok(listCompetencyLists, { ...inProgram, query: {} })
  const give = async (
    listId: number,
    part: Partial<CompetencyList> & { Mapping?: { ProcedureId: number; ToProcedureId: number | null }[] },
  ) => {
    const {
      Id: _,
      StudentCount: _count,
      Sections,
      ...list
    } = (await lists()).find(({ Id }) => Id === listId)!
    return coordinator.call(updateCompetencyList, {
      ...ofList(listId),
      body: { ...list, SectionElectives: [], ...part },
    })
  }
  const preview = (Mapping: { ProcedureId: number; ToProcedureId: number | null }[] = []) =>
    coordinator.call(moves.previewListMove, {
      ...ofList(next),
      body: { Cohorts: ['A'], IsForOthers: false, Mapping },
    })
  const standing = (studentId: number) =>
    coordinator.ok(getStudentStanding, { params: { programId: program.Id, studentId } })
  const passed = async (studentId: number): Promise<string[]> =>
    (await standing(studentId)).Procedures.filter(({ Exam }) => Exam === 'passed').map(({ Name }) => Name)
  return {
    ...at,
    next,
    thorax,
    chest,
    series,
    decubitus,
    pediatric: pediatric!,
    moved,
    ofList,
    give,
    preview,
    standing,
    passed,
    lists,
    inA,
  }
}

test('a move to another list is previewed with what counts, corrected, kept whole and undone', async () => {
  const at = await startMoving()
  const seen = await at.preview()
  expect(seen.body).toMatchObject({ Students: 1, Passed: 3, Counting: 1 })
  const byName = Object.fromEntries(
    seen.body.Procedures.map(({ Name, ToProcedureId, By, Passed }) => [Name, [ToProcedureId, By, Passed]]),
  )
  expect(byName).toEqual({
    'Chest Routine': [at.chest, 'name', 1],
    Ribs: [null, null, 1],
    'Pediatric Chest Routine': [null, null, 1],
  })
  expect(seen.body.People).toEqual([
    { StudentId: at.moved.Id, Student: 'Moved, Mia', Passed: 3, Counting: 1 },
  ])
  const Mapping = [{ ProcedureId: at.ribs, ToProcedureId: at.series }]
  expect((await at.preview(Mapping)).body).toMatchObject({ Students: 1, Passed: 3, Counting: 2 })
  expect((await at.preview([{ ProcedureId: at.ribs, ToProcedureId: at.ribs }])).status).toBe(422)
  expect(
    (await at.preview([...Mapping, { ProcedureId: at.pediatric, ToProcedureId: at.series }])).status,
  ).toBe(400)
  expect(await at.passed(at.moved.Id)).toHaveLength(3)

  expect((await at.give(at.next, { Cohorts: ['A'], Mapping })).status).toBe(200)
  expect(await at.passed(at.moved.Id)).toEqual(['CHEST  routine', 'Rib series'])
  expect((await at.standing(at.moved.Id)).Earlier).toMatchObject([
    { List: 'ARRT', MajorStudy: 'Chest', Name: 'Pediatric Chest Routine', PassedOn: at.today, Logged: 0 },
  ])
  expect((await kept(at.program.Id, at.moved.Id))?.passed).toBe(2)
  expect(await at.passed(at.student.Id)).toHaveLength(3)
  expect((await at.standing(at.student.Id)).Earlier).toEqual([])
  const { Checks, Draft } = await at.coordinator.ok(getStudentClinicalRecord, {
    params: { programId: at.program.Id, studentId: at.moved.Id },
  })
  expect(Checks.Mandatory).toEqual({ Done: 2, Needed: 3, IsMet: false })
  expect(Draft.Competencies.map(({ Procedure, Study }) => [Procedure, Study])).toEqual([
    ['Chest Routine', 'Chest'],
    ['Ribs', 'Chest'],
    ['Pediatric Chest Routine', 'Chest (ARRT)'],
  ])
  const record = await at.coordinator.call(exportCompetencyRecords, {
    ...at.inProgram,
    query: { StudentIds: [at.moved.Id] },
  })
  expect(record.status).toBe(200)
  expect(await wrong(at.program.Id)).toBe(0)

  const undo = () => at.coordinator.call(moves.undoListMove, at.ofList(at.next))
  expect((await undo()).status).toBe(200)
  expect([await at.passed(at.moved.Id), (await at.standing(at.moved.Id)).Earlier]).toEqual([
    ['Chest Routine', 'Ribs', 'Pediatric Chest Routine'],
    [],
  ])
  expect((await undo()).status).toBe(409)
  expect((await at.preview()).body).toMatchObject({ Passed: 3, Counting: 1 })
  const none = [{ ProcedureId: at.ribs, ToProcedureId: null }]
  expect((await at.preview(none)).body).toMatchObject({ Passed: 3, Counting: 1 })
  const apart = [{ ProcedureId: at.routine, ToProcedureId: null }]
  expect((await at.preview(apart)).body).toMatchObject({ Passed: 3, Counting: 0 })
  expect(await wrong(at.program.Id)).toBe(0)
})

test('an undo after other cohorts were given lists is refused and says what to do', async () => {
  const at = await startMoving()
  await at.give(at.next, { Cohorts: ['A'] })
  await at.give(at.listId, { Cohorts: ['A'] })
  const late = await at.coordinator.call(moves.undoListMove, at.ofList(at.next))
  expect([late.status, (late.body as { Code?: string }).Code]).toEqual([409, 'not_undone'])
  expect(await at.passed(at.moved.Id)).toHaveLength(3)
})

test('however a student comes to another list, what was passed by a procedure of the same name counts', async () => {
  const at = await startMoving()
  const { owner } = installation
  // The list is given while it is empty, and filled afterwards.
  const later = (await at.design.list('ARRT 2031')).Id
  await at.give(later, { Cohorts: ['A'] })
  expect([await at.passed(at.moved.Id), (await at.standing(at.moved.Id)).Earlier.length]).toEqual([[], 3])
  await at.design.section(later, 'Chest', ['ribs', 'Other'])
  expect(await at.passed(at.moved.Id)).toEqual(['ribs'])
  // A student is put into the cohort of another list.
  await at.inA(at.student.Id)
  expect(await at.passed(at.student.Id)).toEqual(['ribs'])
  // All students whose cohort has none get another list, by which nobody with a cohort is moved.
  await owner.query('update account set cohort = null where program_id = $1 and id = $2', [
    at.program.Id,
    at.student.Id,
  ])
  expect(await at.passed(at.student.Id)).toHaveLength(3)
  await at.give(at.next, { IsForOthers: true })
  expect(await at.passed(at.student.Id)).toEqual(['CHEST  routine'])
  expect((await at.coordinator.call(moves.undoListMove, at.ofList(at.next))).status).toBe(200)
  expect(await at.passed(at.student.Id)).toHaveLength(3)
  expect(await wrong(at.program.Id)).toBe(0)
})

test('another cohort or level is previewed on the student, nothing shown is lost, and a move back has all of it again', async () => {
  const at = await startMoving()
  await at.give(at.next, { Cohorts: ['A'] })
  const { owner } = installation
  const ofA = await makeRequirement(owner, at.program, { name: 'TB test', cohorts: ['A'] })
  await makeRequirement(owner, at.program, { name: 'Respirator fit', cohorts: ['A'] })
  const cpr = await makeRequirement(owner, at.program, { name: 'CPR', level_ids: [1] })
  await makeRequirement(owner, at.program, { name: 'Influenza' })
  const params = { programId: at.program.Id, userId: at.student.Id }
  const coordinator: Caller = at.coordinator
  const person = () => coordinator.ok(getUser, { params })
  const move = async (part: { Cohort: string | null; StudentLevelId: number | null }) => {
    const { Id: _id, UserName: _name, IsActive: _active, IsTestUser: _test, ...rest } = await person()
    return coordinator.ok(updateUser, { params, body: { ...rest, ...part } })
  }
  const preview = (Cohort: string | null, StudentLevelId: number | null, caller = coordinator) =>
    caller.call(moves.previewStudentMove, { params, body: { Cohort, StudentLevelId } })
  const proofs = async () =>
    (
      await owner.query<{ id: number; name: string }>(
        `select p.id, q.name from requirement_proof p join requirement q on q.id = p.requirement_id
         where p.student_id = $1 and p.deleted_at is null order by p.id`,
        [at.student.Id],
      )
    ).rows
  const exams = async () =>
    (
      await owner.query<{ id: number; state: string }>(
        'select id, state from exam_attempt where student_id = $1 order by id',
        [at.student.Id],
      )
    ).rows

  const { Cohort: home, StudentLevelId: level } = await person()
  await move({ Cohort: home, StudentLevelId: 1 })
  const student = await installation.as(at.student)
  await send(student, cpr)
  const before = { proofs: await proofs(), exams: await exams(), passed: await at.passed(at.student.Id) }
  expect([before.proofs.length, before.passed.length]).toEqual([1, 3])

  const told = await preview('A', 2)
  expect(told).toMatchObject({ status: 200 })
  expect(told.body).toEqual({
    FromList: 'ARRT',
    ToList: 'ARRT 2030',
    Passed: 3,
    Counting: 1,
    NotCounting: [
      { List: 'ARRT', MajorStudy: 'Chest', Name: 'Ribs' },
      { List: 'ARRT', MajorStudy: 'Chest', Name: 'Pediatric Chest Routine' },
    ],
    Asked: [
      { Name: 'Respirator fit', IsMet: false },
      { Name: 'TB test', IsMet: false },
    ],
    NoLongerAsked: ['CPR'],
  })
  // Nothing was saved.
  expect(await person()).toMatchObject({ Cohort: home, StudentLevelId: 1 })
  expect(await at.passed(at.student.Id)).toEqual(before.passed)
  expect((await preview(home, 1)).body).toMatchObject({ Asked: [], NoLongerAsked: [], NotCounting: [] })

  await move({ Cohort: 'A', StudentLevelId: 2 })
  expect((await at.passed(at.student.Id)).length).toBe((told.body as moves.StudentMovePreview).Counting)
  expect(new Set((await at.standing(at.student.Id)).Earlier.map(({ Name }) => Name))).toEqual(
    new Set(['Ribs', 'Pediatric Chest Routine']),
  )
  await send(student, ofA)
  await move({ Cohort: home, StudentLevelId: 1 })
  expect(await exams()).toEqual(before.exams)
  expect(await at.passed(at.student.Id)).toEqual(before.passed)
  expect((await proofs()).map(({ name }) => name)).toEqual(['CPR', 'TB test'])
  expect(await wrong(at.program.Id)).toBe(0)

  expect((await preview('A'.repeat(101), level)).status).toBe(400)
  expect((await preview(home, 1, student)).status).toBe(403)
  const elsewhere = await installation.as(await makePerson(owner, Level.Coord))
  expect((await preview(home, 1, elsewhere)).status).toBe(404)
  const staff = await makePerson(owner, Level.Faculty, { program: at.program })
  const ofStaff = await coordinator.call(moves.previewStudentMove, {
    params: { ...params, userId: staff.Id },
    body: { Cohort: 'A', StudentLevelId: null },
  })
  expect(ofStaff.status).toBe(404)
})
