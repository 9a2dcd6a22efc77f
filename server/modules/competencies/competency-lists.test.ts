import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as lists from '#contract/competencies/competency-lists.ts'
import { summaryOfList } from '#contract/competencies/competency-rules.ts'
import * as items from '#contract/competencies/exam-items.ts'
import * as contract from '#contract/competencies/procedures.ts'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import { copyProgram } from '#contract/programs/program-copy.ts'
import { blank, type Design, designOf } from '#server/test/competency-design.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let design: Design

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  design = designOf(coordinator, program.Id)
})

const inProgram = () => ({ params: { programId: program.Id } })
const all = (deleted = false) =>
  coordinator.ok(lists.listCompetencyLists, { ...inProgram(), query: { deleted } })
const one = async (id: number) => (await all()).find(({ Id }) => Id === id)!
const bodyOf = ({ Id: _, StudentCount: _count, Sections, ...list }: lists.CompetencyList) => ({
  ...list,
  SectionElectives: Sections.map(({ Id, ElectivesNeeded }) => ({ MajorStudyId: Id, ElectivesNeeded })),
})
type ListBody = ReturnType<typeof bodyOf>
const save = (list: lists.CompetencyList, part: Partial<ListBody>, basis?: lists.CompetencyList) =>
  coordinator.call(
    lists.updateCompetencyList,
    { params: { ...inProgram().params, listId: list.Id }, body: { ...bodyOf(list), ...part } },
    basis && { headers: { 'if-match': fingerprint(basis) } },
  )

test('a new list has the defaults of the field, and the first is that of all students', async () => {
  await makeStudent(installation.owner, program, { cohort: '2027' })
  const list = await design.list('ARRT 2027')
  expect(list).toMatchObject({
    Name: 'ARRT 2027',
    EffectiveOn: '2027-01-01',
    IsForOthers: true,
    StudentCount: 1,
    Cohorts: [],
    ElectivesNeeded: 0,
    MostSimulated: 10,
    Examiners: ['supervisor', 'faculty', 'coordinator'],
    VisitedWithinDays: 0,
    RetryDays: 1,
    RecheckMonths: 0,
    PediatricMaxAge: 6,
    GeriatricMinAge: 65,
    GeriatricNeedsImpairment: true,
    CommentBelow: null,
    PassingPercent: null,
    Sections: [],
  })
  expect(await all()).toEqual([list])
  expect(await design.list('ARRT 2028')).toMatchObject({ IsForOthers: false, StudentCount: 0 })
})

test('rules are saved as they are given, and refused where they cannot be', async () => {
  const list = await design.list('ARRT')
  const head = await design.section(list.Id, 'Head')
  const rules = {
    Registry: 'ARRT',
    ElectivesNeeded: 15,
    MostSimulated: null,
    Examiners: ['coordinator' as const, 'faculty' as const],
    VisitedWithinDays: 30,
    RetryDays: 7,
    RecheckMonths: 12,
    PediatricMaxAge: 5,
    GeriatricMinAge: 70,
    GeriatricNeedsImpairment: false,
    CommentBelow: 2.5,
    PassingPercent: 75,
  }
  const changed = await save(list, {
    ...rules,
    SectionElectives: [{ MajorStudyId: head, ElectivesNeeded: 1 }],
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({
    ...rules,
    Examiners: ['faculty', 'coordinator'],
    Sections: [{ Name: 'Head', ElectivesNeeded: 1 }],
  })
  for (const bad of [
    { Name: '' },
    { Examiners: [] },
    { PassingPercent: 0 },
    { ElectivesNeeded: -1 },
    { CommentBelow: 1.234 },
    { GeriatricMinAge: 12 },
    { EffectiveOn: '2027-02-31' },
  ])
    expect([bad, (await save(list, bad as Partial<ListBody>)).status]).toEqual([bad, 400])
  const foreign = await save(list, { SectionElectives: [{ MajorStudyId: 999_999, ElectivesNeeded: 1 }] })
  expect([foreign.status, await one(list.Id)]).toEqual([422, changed.body])
  await design.list('Other')
  expect((await save(list, { Name: 'OTHER' })).status).toBe(409)
})

test('a save that began from an older list is refused, and says who changed it', async () => {
  const list = await design.list('ARRT')
  await save(list, { ElectivesNeeded: 15 }, list)
  const stale = await save(list, { ElectivesNeeded: 3 }, list)
  expect([stale.status, (stale.body as { Code?: string }).Code]).toEqual([409, 'stale'])
  expect((await one(list.Id)).ElectivesNeeded).toBe(15)
})

test('a cohort has one list, and keeps it when another one becomes that of all others', async () => {
  for (const cohort of ['2026', '2027', '2027', null])
    await makeStudent(installation.owner, program, { cohort })
  const old = await design.list('Old')
  const next = await design.list('Next')
  await save(old, { Cohorts: ['2026'] })
  expect((await one(old.Id)).StudentCount).toBe(4)
  await save(next, { IsForOthers: true })
  // 2027 had the old list only because it was that of all others: now it is its own. Who has no cohort follows.
  expect(await one(old.Id)).toMatchObject({ Cohorts: ['2026', '2027'], IsForOthers: false, StudentCount: 3 })
  expect(await one(next.Id)).toMatchObject({ Cohorts: [], IsForOthers: true, StudentCount: 1 })
  await save(await one(next.Id), { Cohorts: ['2027', '2028'] })
  expect(await one(old.Id)).toMatchObject({ Cohorts: ['2026'], StudentCount: 1 })
  expect((await save(await one(next.Id), { IsForOthers: false })).status).toBe(422)
})

test('a list of students is not deleted; another one is, and comes back under its free name', async () => {
  const list = await design.list('ARRT')
  const next = await design.list('Next')
  expect((await design.remove('list', [list.Id])).status).toBe(409)
  await save(next, { Cohorts: ['2029'] })
  expect((await design.remove('list', [next.Id])).status).toBe(409)
  await save(await one(next.Id), { Cohorts: [] })
  expect((await design.remove('list', [next.Id])).body).toEqual({ Changed: 1, Deactivated: 0 })
  expect((await all(true)).map(({ Name }) => Name)).toEqual(['Next'])
  expect(
    (
      await coordinator.call(contract.listProcedures, {
        params: { ...inProgram().params, listId: next.Id },
        query: {},
      })
    ).status,
  ).toBe(404)
  await design.list('next')
  expect((await design.restore('list', [next.Id])).status).toBe(409)
  expect((await all()).map(({ Name }) => Name)).toEqual(['next', 'ARRT'])
})

test('a new version holds all of the old one, its procedures stay the same ones, and it goes its own way', async () => {
  const old = await design.list('ARRT 2027')
  await save(old, { ElectivesNeeded: 15, PassingPercent: 75 })
  const chest = await design.section(old.Id, 'Chest', ['Routine', 'Ribs'])
  await design.levels(old.Id, 'Observed\nPerformed')
  const [routine] = await design.procedures(old.Id)
  const level = (await design.levelsOf(old.Id))[1]!.In[0]!.Id
  await design.change(old.Id, routine!, { CountedLevelIds: [level], MayBeSimulated: true })
  const score = await design.score()
  await design.items(routine!.Id, score, 'Positions')
  await coordinator.ok(contract.createPathologies, {
    params: { ...inProgram().params, listId: old.Id },
    body: { Lines: 'Pneumonia', ProcedureIds: [routine!.Id] },
  })
  const version = await coordinator.ok(lists.createCompetencyList, {
    ...inProgram(),
    body: { Name: 'ARRT 2028', Registry: 'ARRT', EffectiveOn: '2028-01-01', FromListId: old.Id },
  })
  expect(version).toMatchObject({ ElectivesNeeded: 15, PassingPercent: 75, IsForOthers: false, Cohorts: [] })
  const plain = async (listId: number) =>
    (await design.procedures(listId)).map(
      ({ Name, MayBeSimulated, CountedLevelIds, ItemCount, PathologyCount }) => ({
        Name,
        MayBeSimulated,
        levels: CountedLevelIds?.length ?? 0,
        ItemCount,
        PathologyCount,
      }),
    )
  expect(await plain(version.Id)).toEqual(await plain(old.Id))
  expect((await plain(old.Id))[0]).toEqual({
    Name: 'Routine',
    MayBeSimulated: true,
    levels: 1,
    ItemCount: 1,
    PathologyCount: 1,
  })
  const lineages = async (listId: number) =>
    (
      await installation.owner.query(
        `select s.lineage from skill s join major_study m on m.program_id = s.program_id and m.id = s.major_study_id
          where s.program_id = $1 and m.list_id = $2 order by s.position`,
        [program.Id, listId],
      )
    ).rows
  expect(await lineages(version.Id)).toEqual(await lineages(old.Id))
  await design.remove('major-study', [chest])
  expect([(await design.procedures(old.Id)).length, (await design.procedures(version.Id)).length]).toEqual([
    0, 2,
  ])
  const nowhere = { Name: 'X', Registry: '', EffectiveOn: '2028-01-01', FromListId: 999_999 }
  expect((await coordinator.call(lists.createCompetencyList, { ...inProgram(), body: nowhere })).status).toBe(
    404,
  )
})

test('a copy into another program keeps the versions of a procedure together, twice without doubling', async () => {
  const old = await design.list('ARRT 2027')
  await design.section(old.Id, 'Chest', ['Routine'])
  const other = await makeProgram(installation.owner)
  const superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const copy = () =>
    superAdmin.ok(copyProgram, {
      query: { sourceProgramId: program.Id, destinationProgramId: other.Id, dataTypes: ['ma20'] },
    })
  // The destination has made a procedure of its own by that name before: the copied version is one of that.
  const elsewhere = designOf(
    await installation.as(await makePerson(installation.owner, Level.Coord, { program: other })),
    other.Id,
  )
  const theirs = await elsewhere.list('ARRT 2027')
  await elsewhere.section(theirs.Id, 'Chest', ['Routine'])
  await coordinator.ok(lists.createCompetencyList, {
    ...inProgram(),
    body: { Name: 'ARRT 2028', Registry: '', EffectiveOn: '2028-01-01', FromListId: old.Id },
  })
  await copy()
  const again = await copy()
  expect(again.Copied.map(({ Count }) => Count)).toEqual([0, 0])
  const { rows } = await installation.owner.query(
    'select count(*)::int as skills, count(distinct lineage)::int as lineages from skill where program_id = $1',
    [other.Id],
  )
  expect(rows).toEqual([{ skills: 2, lineages: 1 }])
})

const planned = fc.record({
  section: fc.nat(3),
  isMandatory: fc.boolean(),
  logs: fc.nat(2),
  hasItem: fc.boolean(),
})
test('what a list asks in all agrees with a count by hand', async () => {
  const score = await design.score()
  let nth = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(planned, { maxLength: 14 }),
      fc.array(fc.nat(4), { minLength: 4, maxLength: 4 }),
      fc.nat(8),
      async (procedures, least, needed) => {
        nth += 1
        const { id: listId } = await makeRow(installation.owner, 'competency_list', {
          program_id: program.Id,
          name: `List ${nth}`,
          effective_on: '2027-01-01',
          electives_needed: needed,
        })
        const sections: number[] = []
        for (const [index, electives_needed] of least.entries()) {
          const row = { program_id: program.Id, list_id: listId, name: `S${index}`, position: index }
          const is_patient_care = index === 3
          const made = await makeRow(installation.owner, 'major_study', {
            ...row,
            electives_needed,
            is_patient_care,
          })
          sections.push(made.id)
          if (index === 1)
            await makeRow(installation.owner, 'participation_level', {
              program_id: program.Id,
              major_study_id: made.id,
              name: 'Observed',
              position: 1,
              is_counted: false,
            })
        }
        for (const [index, each] of procedures.entries()) {
          const skill = await makeRow(installation.owner, 'skill', {
            program_id: program.Id,
            major_study_id: sections[each.section],
            name: `P${index}`,
            position: index,
            is_mandatory: each.isMandatory,
            unlock_count: each.logs,
          })
          if (each.hasItem)
            await makeRow(installation.owner, 'comp_exam_item', {
              program_id: program.Id,
              skill_id: skill.id,
              text: 'Item',
              score_id: score.Id,
              position: 1,
            })
        }
        const electives = procedures.filter(({ isMandatory }) => !isMandatory)
        const mandatory = procedures.filter(({ isMandatory }) => isMandatory)
        const of = (some: typeof procedures, section: number) =>
          some.filter((each) => each.section === section).length
        const impossible = least.filter(
          (count, section) => count > 0 && count > of(electives, section),
        ).length
        const stuck = procedures.filter(({ section, logs }) => section === 1 && logs > 0).length
        const total = least.reduce((sum, count) => sum + count, 0)
        const asked = summaryOfList(await one(listId))
        expect(asked).toMatchObject({
          PatientCare: of(mandatory, 3),
          Mandatory: mandatory.length - of(mandatory, 3),
          ElectivesListed: electives.length,
          ElectivesNeeded: needed,
          InAll: mandatory.length + needed,
          WithoutItems: procedures.filter(({ hasItem }) => !hasItem).length,
          Minimums: least.flatMap((Needed, index) => (Needed > 0 ? [{ Section: `S${index}`, Needed }] : [])),
        })
        const kinds = asked.Problems.map(({ Kind }) => Kind)
        expect([
          kinds.includes('electives'),
          kinds.includes('minimums'),
          kinds.filter((kind) => kind === 'section').length,
          asked.Problems.flatMap((each) => (each.Kind === 'unreachable' ? [each.Procedures] : [])),
        ]).toEqual([needed > electives.length, total > needed, impossible, stuck > 0 ? [stuck] : []])
      },
    ),
    { numRuns: 15 },
  )
})

test('coordinators and above design; faculty and supervisors read; students and other programs have nothing', async () => {
  const list = await design.list('ARRT')
  const path = `/programs/${program.Id}/competency-lists`
  const body = { Name: 'Mine', Registry: '', EffectiveOn: '2027-01-01' }
  for (const [level, reads, designs] of [
    [Level.Director, 200, 200],
    [Level.Faculty, 200, 403],
    [Level.Supervisor, 200, 403],
    [Level.Student, 403, 403],
  ] as const) {
    const who = await installation.as(await makePerson(installation.owner, level, { program }))
    expect([level, (await who.send('GET', path)).status]).toEqual([level, reads])
    expect([level, (await who.send('GET', `${path}/${list.Id}/procedures`)).status]).toEqual([level, reads])
    expect([level, (await who.send('POST', path, { body })).status]).toEqual([level, designs])
    expect([
      level,
      (
        await who.send('POST', `/programs/${program.Id}/competency-parts/removals`, {
          body: { Part: 'score', Ids: [1] },
        })
      ).status,
    ]).toEqual([level, designs])
  }
  const other = await makeProgram(installation.owner)
  const stranger = await installation.as(
    await makePerson(installation.owner, Level.Coord, { program: other }),
  )
  expect((await stranger.send('GET', path)).status).toBe(404)
  // A list of another program is not found in one's own either.
  expect(
    (await stranger.send('GET', `/programs/${other.Id}/competency-lists/${list.Id}/procedures`)).status,
  ).toBe(404)
  expect(
    (
      await stranger.send('POST', `/programs/${other.Id}/competency-parts/removals`, {
        body: { Part: 'list', Ids: [list.Id] },
      })
    ).body,
  ).toEqual({ Changed: 0, Deactivated: 0 })
  expect(await one(list.Id)).toMatchObject({ Name: 'ARRT', IsForOthers: true })
})

test('the procedures go out in the columns in which they come in', async () => {
  const list = await design.list('ARRT')
  const chest = await design.section(list.Id, 'Chest')
  await coordinator.ok(contract.createProcedures, {
    params: { ...inProgram().params, listId: list.Id },
    body: { ...blank(chest), Lines: 'Routine', LogsNeeded: 5, MayBeSimulated: true },
  })
  const file = await coordinator.send(
    'GET',
    `/programs/${program.Id}/competency-lists/${list.Id}/export?Format=csv`,
  )
  expect([file.status, String(file.body).replace('\uFEFF', '').trim()]).toEqual([
    200,
    'Section,Procedure,Mandatory,LoggedBeforeExam,Simulation\r\nChest,Routine,Y,5,Y',
  ])
  expect((await coordinator.call(items.listCompetencyScores, { ...inProgram(), query: {} })).body).toEqual([])
})
