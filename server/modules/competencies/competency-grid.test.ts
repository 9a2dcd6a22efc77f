import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/competencies/competency-grid.ts'
import { createCompetencyList, updateCompetencyList } from '#contract/competencies/competency-lists.ts'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { transaction } from '#server/core/database/pool.ts'
import { makeAttempt, redesign } from '#server/test/competency-changes.ts'
import { makePerson, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { type Logging, startLogging } from '#server/test/procedure-logging.ts'
import { firstDayOfSites, listOwedBySite } from './procedure-sites.queries.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

type Query = Partial<contract.CompetencyGridFilters> & { sort?: contract.CompetencySort }

const gridOf = (at: Logging, caller: Caller = at.coordinator) => {
  const params = { programId: at.program.Id, listId: at.listId }
  return {
    params,
    head: (query: Query = {}) => caller.ok(contract.getCompetencyGridHead, { params, query }),
    page: (query: Query & { Offset?: number; Limit?: number } = {}) =>
      caller.ok(contract.getCompetencyGrid, { params, query }),
    names: async (query: Query & { Offset?: number; Limit?: number } = {}) =>
      (await caller.ok(contract.getCompetencyGrid, { params, query })).Students.LastName,
  }
}

/** Three students: Abbott of cohort A has passed Chest Routine, Baker has logged it, Cole has nothing. */
const startGrid = async () => {
  const at = await startLogging(installation)
  const { owner } = installation
  await owner.query("update account set last_name = 'Baker', first_name = 'Bo' where id = $1", [
    at.student.Id,
  ])
  const area = await makeRow(owner, 'area', { program_id: at.program.Id, name: 'Imaging' })
  const abbott = await makeStudent(owner, at.program, {
    last_name: 'Abbott',
    first_name: 'Ann',
    cohort: 'A',
    student_level_id: 2,
    student_number: 'S-100',
  })
  const cole = await makeStudent(owner, at.program, { last_name: 'Cole', first_name: 'Cy', area_id: area.id })
  await makeAttempt(owner, at.program.Id, { studentId: abbott.Id, skillId: at.routine, date: at.today })
  const entry = await at.log({ Count: 3 })
  await at.verify(at.supervisor, [entry])
  return { at, abbott, cole, area, entry, grid: gridOf(at) }
}

test('the head has the columns of the list and how many students have which state', async () => {
  const { at, grid } = await startGrid()
  const head = await grid.head()
  expect(head.Procedures.map(({ Name, At }) => [Name, At])).toEqual([
    ['Chest Routine', 0],
    ['Ribs', 1],
    ['Pediatric Chest Routine', 2],
  ])
  expect(head).toMatchObject({ Needed: 3, StudentCount: 3, BehindCount: 0, HasTargets: false })
  expect(head.Counts.passed).toEqual([1, 0, 0])
  expect(head.Counts.ready).toEqual([1, 0, 0])
  expect(head.Counts['not-begun']).toEqual([1, 3, 3])
  await at.design.order('procedure', head.Procedures.map(({ Id }) => Id).toReversed())
  const turned = await grid.head()
  expect(turned.Procedures.map(({ At }) => At)).toEqual([2, 1, 0])
  expect(turned.Columns).toBe(head.Columns)
})

test('a list that is not there, or of another program, has no grid', async () => {
  const { at } = await startGrid()
  const other = await startLogging(installation)
  for (const listId of [other.listId, 999_999]) {
    const params = { programId: at.program.Id, listId }
    for (const endpoint of [contract.getCompetencyGrid, contract.getCompetencyGridHead])
      expect((await at.coordinator.call(endpoint, { params, query: {} })).status).toBe(404)
  }
})

test('a page has packed rows by the same columns as the head', async () => {
  const { at, grid, abbott } = await startGrid()
  const { Columns, Students } = await grid.page()
  expect(Columns).toBe((await grid.head()).Columns)
  expect(Students.LastName).toEqual(['Abbott', 'Baker', 'Cole'])
  expect(Students.Cells).toEqual(['pnn', 'rnn', 'nnn'])
  expect(Students.Passed).toEqual([1, 0, 0])
  expect(Students.Done).toEqual([1, 0, 0])
  expect(Students.Ready).toEqual([0, 1, 0])
  expect(Students.Logged).toEqual([0, 3, 0])
  expect(Students.Id[0]).toBe(abbott.Id)
  expect(await grid.names({ Offset: 1, Limit: 1 })).toEqual(['Baker'])
  await at.design.remove('procedure', [at.ribs])
  expect((await grid.page()).Columns).not.toBe(Columns)
  expect((await grid.page()).Students.Cells).toEqual(['pn', 'rn', 'nn'])
})

test('the grid is narrowed by cohort, level, area, name, and by the state of a procedure or a major study', async () => {
  const { at, grid, area } = await startGrid()
  expect(await grid.names({ Cohort: 'A' })).toEqual(['Abbott'])
  expect(await grid.names({ StudentLevelId: 1 })).toEqual(['Baker', 'Cole'])
  expect(await grid.names({ AreaId: area.id })).toEqual(['Cole'])
  expect(await grid.names({ search: 'ann abb' })).toEqual(['Abbott'])
  expect(await grid.names({ search: 's-1' })).toEqual(['Abbott'])
  expect(await grid.names({ search: '100%' })).toEqual([])
  expect(await grid.names({ State: 'passed' })).toEqual(['Abbott'])
  expect(await grid.names({ State: 'ready', ProcedureId: at.routine })).toEqual(['Baker'])
  expect(await grid.names({ State: 'ready', ProcedureId: at.ribs })).toEqual([])
  expect(await grid.names({ State: 'ready', MajorStudyId: at.chest })).toEqual(['Baker'])
  expect(await grid.names({ State: 'failed', MajorStudyId: at.chest })).toEqual([])
  expect((await grid.head({ State: 'ready' })).StudentCount).toBe(1)
})

test('the grid is sorted by name, passed exams, open exams and logs', async () => {
  const { grid } = await startGrid()
  expect(await grid.names({ sort: '-Name' })).toEqual(['Cole', 'Baker', 'Abbott'])
  expect(await grid.names({ sort: 'Passed' })).toEqual(['Baker', 'Cole', 'Abbott'])
  expect(await grid.names({ sort: '-Ready' })).toEqual(['Baker', 'Abbott', 'Cole'])
  expect(await grid.names({ sort: '-Logged' })).toEqual(['Baker', 'Abbott', 'Cole'])
})

test('who is below 80 % of the term targets is behind, also by the targets of a cohort', async () => {
  const { at, grid } = await startGrid()
  const term = (Cohort: string | null, Exams: number) => ({
    Name: 'Clinical II',
    Cohort,
    FromDate: addDays(at.today, -60),
    ThroughDate: addDays(at.today, -1),
    Exams,
  })
  const save = (
    Targets: ReturnType<typeof term>[],
    caller: Caller = at.coordinator,
    seen: ReturnType<typeof term>[] = [],
  ) =>
    caller.call(contract.saveTermTargets, { params: grid.params, body: { Targets, Seen: { Targets: seen } } })
  expect((await save([term(null, 1)])).status).toBe(200)
  expect(await at.coordinator.ok(contract.listTermTargets, { params: grid.params })).toEqual({
    Targets: [term(null, 1)],
  })
  expect(await grid.head()).toMatchObject({ HasTargets: true, BehindCount: 2 })
  expect(await grid.names({ IsBehind: true })).toEqual(['Baker', 'Cole'])
  expect((await grid.page()).Students).toMatchObject({
    Expected: [1, 1, 1],
    IsBehind: [false, true, true],
  })
  await save([term('A', 2)], at.coordinator, [term(null, 1)])
  expect(await grid.names({ IsBehind: true })).toEqual(['Abbott'])
  expect((await grid.page()).Students.Expected).toEqual([2, null, null])
  const backward = { ...term(null, 1), ThroughDate: addDays(at.today, -90) }
  expect((await save([backward])).status).toBe(400)
  expect((await save([term(null, 1)], at.faculty)).status).toBe(403)
  expect(await grid.names({ IsBehind: true })).toEqual(['Abbott'])
})

test('students of another list are in the grid of theirs', async () => {
  const { at, grid } = await startGrid()
  const {
    Id,
    StudentCount: _students,
    Sections: _sections,
    ...rules
  } = await at.coordinator.ok(createCompetencyList, {
    ...at.inProgram,
    body: { Name: 'Next', Registry: '', EffectiveOn: '2028-01-01', FromListId: at.listId },
  })
  await at.coordinator.ok(updateCompetencyList, {
    params: { programId: at.program.Id, listId: Id },
    body: { ...rules, Cohorts: ['A'], SectionElectives: [] },
  })
  expect(await grid.names()).toEqual(['Baker', 'Cole'])
  const { Students } = await at.coordinator.ok(contract.getCompetencyGrid, {
    params: { programId: at.program.Id, listId: Id },
  })
  expect(Students).toMatchObject({ LastName: ['Abbott'], Cells: ['pnn'] })
})

test('the history of a procedure has logs, exams, the lab check and what others changed', async () => {
  const { at, grid, abbott } = await startGrid()
  const { owner } = installation
  const read = (studentId: number, procedureId: number, caller = at.coordinator) =>
    caller.call(contract.getCompetencyHistory, {
      params: { programId: at.program.Id, studentId, procedureId },
    })
  const entry = await at.log({ Count: 2 })
  await at.confirm(at.supervisor, entry, { Count: 1 })
  const own = (await read(at.student.Id, at.routine)).body
  expect(own).toMatchObject({
    Student: 'Bo Baker',
    Procedure: 'Chest Routine',
    Counted: 4,
    EntryCount: 2,
    Attempts: [],
  })
  expect(own.Entries.map(({ Count }: { Count: number }) => Count)).toEqual([1, 3])
  expect(own.Changes).toMatchObject([{ LogId: entry.Id, Count: 2, Reason: 'Count corrected' }])
  await redesign(installation, at.program.Id, 'update skill set needs_lab_check = true where id = $1', [
    at.routine,
  ])
  await owner.query(
    `insert into lab_check (program_id, student_id, skill_id, checked_on, faculty_id)
    select $1, $2, $3, $4, id from account where program_id = $1 and access_level = $5`,
    [at.program.Id, abbott.Id, at.routine, at.yesterday, Level.Faculty],
  )
  const passed = (await read(abbott.Id, at.routine)).body
  expect(passed).toMatchObject({
    Entries: [],
    Attempts: [{ Number: 1, State: 'passed', IsSimulated: false, Date: at.today }],
    NeedsLabCheck: true,
    LabCheck: { Date: at.yesterday },
  })
  expect((await read(at.student.Id, 999_999)).status).toBe(404)
  expect((await read(999_999, at.routine)).status).toBe(404)
  expect((await read(at.student.Id, at.routine, at.supervisor)).status).toBe(403)
  expect(grid.params.listId).toBe(at.listId)
})

test('sites are known by what was logged there in 13 weeks, and nobody gets what was logged nowhere', async () => {
  const { at, grid } = await startGrid()
  const { owner } = installation
  const read = async () => {
    const { Procedures } = await at.coordinator.ok(contract.listProcedureSites, { params: grid.params })
    return Procedures.map(({ Name, Count, SiteCount, Students }) => [Name, Count, SiteCount, Students])
  }
  expect(await read()).toEqual([
    ['Chest Routine', 3, 1, 1],
    ['Ribs', 0, 0, 3],
    ['Pediatric Chest Routine', 0, 0, 3],
  ])
  await owner.query('update procedure_log set date = current_date - 100 where program_id = $1', [
    at.program.Id,
  ])
  expect((await read())[0]).toEqual(['Chest Routine', 0, 0, 1])
})

test('a student sees where what they still owe can be had, their own coming shifts first', async () => {
  const { at, cole } = await startGrid()
  const { owner } = installation
  await owner.query(
    `insert into procedure_log (program_id, student_id, skill_id, level_id, date, count, key, site_id)
    values ($1, $2, $3, $4, current_date, 9, gen_random_uuid(), $5), ($1, $2, $3, $4, current_date, 2, gen_random_uuid(), $6)`,
    [at.program.Id, cole.Id, at.ribs, at.performed, at.other.Id, at.site.Id],
  )
  const { Procedures } = await at.ada.ok(contract.listOwnPlaces, {})
  expect(Procedures).toEqual([
    {
      ProcedureId: at.ribs,
      Sites: [
        { SiteId: at.site.Id, Name: at.site.Name, Count: 2, NextDate: at.today },
        { SiteId: at.other.Id, Name: at.other.Name, Count: 9, NextDate: null },
      ],
    },
  ])
  const seen = await at.coordinator.ok(contract.listStudentPlaces, {
    params: { programId: at.program.Id, studentId: at.student.Id },
  })
  expect(seen.Procedures).toEqual(Procedures)
  // For placing students: of all at once.
  const owed = await transaction(
    installation.services.pool,
    { accountId: null, programIds: [at.program.Id] },
    (db) => listOwedBySite(db, at.program.Id, [at.student.Id, cole.Id], firstDayOfSites(at.today)),
  )
  const own = owed.find(({ StudentId }) => StudentId === at.student.Id)
  expect(own?.Total).toBe(1)
  expect(new Map(own?.Sites)).toEqual(
    new Map([
      [at.site.Id, 1],
      [at.other.Id, 1],
    ]),
  )
  const missing = await at.coordinator.call(contract.listStudentPlaces, {
    params: { programId: at.program.Id, studentId: 999_999 },
  })
  expect(missing.status).toBe(404)
})

test('the filtered grid is exported with a column for each procedure', async () => {
  const { at, grid } = await startGrid()
  const { body } = await at.coordinator.call(contract.exportCompetencyGrid, {
    params: grid.params,
    query: { Format: 'csv', Cohort: 'A' },
  })
  const [head, ...rows] = String(body).trim().split('\r\n')
  expect(head).toContain('Chest Routine')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain('Abbott,Ann,A,1,1,3,0,0,Passed')
})

test('the competency record of students is one PDF', async () => {
  const { at, abbott, cole } = await startGrid()
  const read = (StudentIds: number[], caller = at.coordinator) =>
    caller.call(contract.exportCompetencyRecords, { ...at.inProgram, query: { StudentIds } })
  expect((await read([abbott.Id])).status).toBe(200)
  expect((await read([abbott.Id, cole.Id, at.student.Id])).status).toBe(200)
  expect((await read([])).status).toBe(400)
  expect((await read([abbott.Id, 999_999])).status).toBe(404)
  const foreign = await makeStudent(installation.owner)
  expect((await read([foreign.Id])).status).toBe(404)
  expect((await read([abbott.Id], at.supervisor)).status).toBe(403)
})

test('the grid of another program does not exist', async () => {
  const { at, grid } = await startGrid()
  const other = await startLogging(installation)
  const call = (caller: Caller, params: { programId: number; listId: number }) =>
    caller.call(contract.getCompetencyGridHead, { params })
  expect((await call(other.coordinator, grid.params)).status).toBe(404)
  expect((await call(other.coordinator, { programId: other.program.Id, listId: at.listId })).status).toBe(404)
  expect((await call(at.ada, grid.params)).status).toBe(403)
  const director = await installation.as(
    await makePerson(installation.owner, Level.Director, { program: at.program }),
  )
  expect((await call(director, grid.params)).status).toBe(200)
})
