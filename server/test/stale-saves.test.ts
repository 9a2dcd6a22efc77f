import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import * as areas from '#contract/areas/areas.ts'
import { listTermTargets, saveTermTargets } from '#contract/competencies/competency-grid.ts'
import {
  createCompetencyScore,
  listCompetencyScores,
  updateCompetencyScore,
} from '#contract/competencies/exam-items.ts'
import { fingerprint } from '#contract/core/basis.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { updateFibItem, updateGroup, updateItem } from '#contract/evaluations/evaluation-items.ts'
import {
  createEvaluationTemplate,
  getEvaluationTemplate,
  updateEvaluationTemplate,
} from '#contract/evaluations/evaluations.ts'
import { listScoreTypes, updateScoreType } from '#contract/evaluations/score-types.ts'
import * as effectiveness from '#contract/graduates/effectiveness.ts'
import { profiles } from '#contract/graduates/measure-profiles.ts'
import { allEndpoints } from '#contract/index.ts'
import { getUser, updateUser } from '#contract/people/people.ts'
import { saveStudentLevels } from '#contract/people/student-levels.ts'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import * as programs from '#contract/programs/programs.ts'
import { getProgressRules, saveProgressRules } from '#contract/progress/progress.ts'
import { createAgreement, getAgreement, updateAgreement } from '#contract/sites/agreements.ts'
import { getSite, updateSite } from '#contract/sites/sites.ts'
import { designOf } from './competency-design.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'

let installation: Installation
let program: MadeProgram
let dana: Caller
let sam: Caller
let director: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  const make = async (FirstName: string) =>
    installation.as(
      await makePerson(installation.owner, Level.Coord, {
        program,
        first_name: FirstName,
        last_name: 'Reyes',
      }),
    )
  dana = await make('Dana')
  sam = await make('Sam')
  director = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
})

const make = (Name: string) =>
  dana.ok(areas.createArea, {
    params: { programId: program.Id },
    body: { Name, IsActive: true, AreNotificationsEnabled: false },
  })
const save = (caller: Caller, seen: areas.Area, change: Partial<areas.AreaInput>) =>
  caller.call(
    areas.updateArea,
    {
      params: { programId: program.Id, areaId: seen.Id },
      body: { Name: seen.Name, IsActive: seen.IsActive, AreNotificationsEnabled: false, ...change },
    },
    { headers: { 'if-match': fingerprint(seen) } },
  )
const nameOf = async (id: number) =>
  (await dana.ok(areas.listAreas, { params: { programId: program.Id }, query: { all: true } })).find(
    ({ Id }) => Id === id,
  )?.Name

test('A6 a save that started from an older state is refused, says who changed it, and changes nothing', async () => {
  const area = await make('Imaging')
  expect((await save(dana, area, { Name: 'Imaging North' })).status).toBe(200)
  const late = await save(sam, area, { Name: 'Imaging South' })
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({
    Code: 'stale',
    ChangedBy: 'Dana Reyes',
    ChangedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    Message: 'Dana Reyes changed this after you opened it. Your changes are not saved yet.',
  })
  expect(await nameOf(area.Id)).toBe('Imaging North')
})

test('A6 of ten saves from the same state at once exactly one is kept', async () => {
  const area = await make('Imaging')
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_each, index) =>
      save(index % 2 ? dana : sam, area, { Name: `Imaging ${index}` }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  const kept = answers.find(({ status }) => status === 200)!.body.Name
  expect(await nameOf(area.Id)).toBe(kept)
})

test('A6 people who joined meanwhile do not make a save stale', async () => {
  const area = await make('Imaging')
  await makePerson(installation.owner, Level.Student, { program, area_id: area.Id })
  expect((await save(sam, area, { Name: 'Imaging South' })).status).toBe(200)
})

test('A6 a save of something that was deleted meanwhile answers 404', async () => {
  const area = await make('Imaging')
  await dana.ok(areas.deleteArea, { params: { programId: program.Id, areaId: area.Id } })
  expect((await save(sam, area, { Name: 'Imaging South' })).status).toBe(404)
})

test('A6 the options of a program are compared as a whole', async () => {
  const params = { programId: program.Id }
  const before = await dana.ok(programs.getProgramOptions, { params })
  const change = (caller: Caller, part: Partial<ProgramOptions>) =>
    caller.call(
      programs.saveProgramOptions,
      { params, body: { ...before, ...part } },
      { headers: { 'if-match': fingerprint(before) } },
    )
  expect((await change(dana, { EmployeeRegistryNumberName: 'Badge' })).status).toBe(200)
  expect((await change(sam, { EmployeeRegistryNumberName: 'License' })).status).toBe(409)
})

/**
 * Single-use links have no second writer; time records and logged procedures are compared under the student's own lock; a name at a provider
 * is one value, and so is coming back; the students of a plan are read by the page.
 */
const otherwiseGuarded = [
  '/registrations/:token',
  '/programs/:programId/time-records/:recordId',
  '/programs/:programId/procedure-logs/:logId',
  '/procedure-log/:logId',
  '/connections/:connectionId/people/:userId',
  '/saml/:samlId/users/:userId',
  '/programs/:programId/evaluation-templates/:templateId/score-types/:scoreTypeId',
  '/programs/:programId/placement-plans/:planId/students/:studentId',
]

/** What a save does besides what is read, and what it takes for another purpose: nobody else can have changed it. */
const notRead: Record<string, readonly string[]> = {
  '/programs/:programId/affiliate-agreements/:agreementId': ['RemovesFile'],
  '/programs/:programId/competency-lists/:listId': ['Mapping'],
  '/connections/:connectionId': ['ClientSecret', 'RemoveSecret'],
  '/eula': ['isPlaintext'],
  '/programs/:programId/procedure-logs/:logId': ['Reason'],
  '/programs/:programId/users/:userId': ['AllowsSharedStudentNumber'],
  // Compared as a whole.
  '/programs/:programId/effectiveness/profile': ['Profile'],
  '/placement/mine/:planId/ranking': ['IsSubmitted'],
}

type Schema = Record<string, z.ZodType>
const schemaIn = (schema: unknown): Schema =>
  schema instanceof z.ZodArray ? schemaIn(schema.element) : schema instanceof z.ZodObject ? schema.shape : {}
const basedSaves = allEndpoints.flatMap(({ path, basis, body, takes }) => {
  if (!basis) return []
  const whole = schemaIn(basis.read.answer)
  const read = basis.within ? schemaIn(whole[basis.within]) : whole
  const sent: Schema =
    takes === 'multipart'
      ? Object.assign({}, ...Object.values(schemaIn(body)).map(schemaIn))
      : body instanceof z.ZodString
        ? { body }
        : schemaIn(body)
  return [{ path, basis, read, sent, names: Object.keys(sent).filter((name) => name !== 'Seen') }]
})

test('A6 what a save writes is compared with what it was seen as, field by field', () => {
  const unknown = basedSaves.flatMap(({ path, basis, read, names }) => {
    const missing = names.filter((name) => !(name in read) && !(name in (basis.elsewhere ?? {})))
    return missing.length > 0 ? [[path, missing]] : []
  })
  expect(Object.fromEntries(unknown)).toEqual(notRead)
})

const isOptional = (schema: z.ZodType): boolean => {
  const { success, data } = schema.safeParse(undefined)
  return success && data === undefined
}

test('A6 a read always has the fields that a save is compared in, and all of them fit into a header', () => {
  const uncertain = basedSaves.flatMap(({ path, basis, read, names }) =>
    names
      .filter((name) => read[name] && !basis.elsewhere?.[name] && isOptional(read[name]))
      .map((name) => `${path} ${name}`),
  )
  expect(uncertain).toEqual([])
  const longest = 'z'.repeat(11)
  for (const { names } of basedSaves)
    expect(names.map((name) => `"${name}=${longest}"`).join(', ').length).toBeLessThan(2_000)
})

/** Lists of rows in bodies that replace none: their rows stay unless they are named, or the whole is one thing, which only its own page sends. */
const replacesNone: Record<string, string> = {
  '/programs/:programId/competency-lists/:listId SectionElectives': 'names what it changes',
  '/programs/:programId/competency-lists/:listId Mapping': 'keeps nothing of its own',
  '/programs/:programId/site-requirements/:siteId Requirements': 'names what it changes',
  '/programs/:programId/student-levels ': 'names what it changes',
  '/language-profiles/:profileId/entries ': 'names what it changes',
  '/programs/:programId/progress-rules Cohorts': 'names what it changes',
  '/lti-connections/:connectionId RoleLevels': 'one choice of a connection, closed to keys',
  '/programs/:programId/custom-reports/:reportId Definition.Filters': 'one definition',
  '/placement/mine/:planId/ranking BlockRankings': 'one ranking',
  '/programs/:programId/placement-plans/:planId Rules.Groups': 'one set of rules',
  '/programs/:programId/placement-plans/:planId Rules.Groups.Experiences': 'one set of rules',
}

type Described = {
  type?: string
  items?: Described
  properties?: Record<string, Described>
  anyOf?: Described[]
}
const rowLists = (json: Described | undefined, at: string[] = []): string[] => [
  ...(json?.type === 'array' && json.items?.properties ? [at.join('.')] : []),
  ...(json?.items ? rowLists(json.items, at) : []),
  ...(json?.anyOf ?? []).flatMap((one) => rowLists(one, at)),
  ...Object.entries(json?.properties ?? {}).flatMap(([name, part]) =>
    name === 'Seen' ? [] : rowLists(part, [...at, name]),
  ),
]
const keptLists = allEndpoints.flatMap(({ path, basis }) =>
  Object.keys(basis?.rows ?? {}).map((list) => `${path} ${list}`),
)

test('A6 no list of rows in a change replaces rows that its caller has not seen', () => {
  const lists = allEndpoints.flatMap(({ path, basis, body }) =>
    basis && body
      ? rowLists(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Described).map(
          (list) => `${path} ${list}`,
        )
      : [],
  )
  expect([...new Set(lists)].toSorted()).toEqual([...keptLists, ...Object.keys(replacesNone)].toSorted())
})

/** New things, acts, answers of a moment, and lists that change what they name: there is nothing to keep. */
const setOnPurpose = [
  '/connections/:connectionId/programs/:programId/provisioning Groups',
  '/programs/:programId/rechecks Cohort',
  '/programs/:programId/rechecks StudentIds',
  '/programs/:programId/rechecks ProcedureId',
  '/programs/:programId/rechecks Count',
  '/evaluations/:evaluationId/answers Answers',
  '/evaluations/:evaluationId/answers Submit',
  '/evaluations/:evaluationId/answers SignedName',
  '/auth/email Password',
  '/incidents/mine SiteId',
  '/incidents/mine Action',
  '/incidents/mine Told',
  '/programs/:programId/users/:userId/leaving HandToId',
  '/saml/:samlId/users/:userId SamlNameId',
  '/saml/:samlId/users/:userId Delete',
]

test('A6 a change of one thing that says nothing of what it starts from sets nothing that it leaves out', () => {
  const paths = new Set(allEndpoints.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const defaults = allEndpoints.flatMap(({ method, path, basis, body }) => {
    const isChange = method === 'POST' && !basis && (/:\w+$/.test(path) || paths.has(path))
    const isOfOne = isChange && !allEndpoints.some((other) => other.path.startsWith(`${path}/:`))
    if (!isOfOne || !(body instanceof z.ZodObject)) return []
    const shape = body.shape as Record<string, z.ZodType>
    return Object.keys(shape)
      .filter((name) => shape[name]!.safeParse(undefined).data !== undefined)
      .map((name) => `${path} ${name}`)
  })
  expect(defaults).toEqual(setOnPurpose)
})

test('A6 every change that edits one thing in a form says what it starts from', () => {
  const reads = new Set(allEndpoints.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const isRead = (path: string) => reads.has(path) || reads.has(path.replace(/\/:\w+$/, ''))
  const silent = allEndpoints
    .filter(({ method, path, basis }) => method === 'POST' && !basis && isRead(path))
    .map(({ path }) => path)
    .filter((path) => /:\w+$/.test(path) && !otherwiseGuarded.includes(path))
  expect(silent).toEqual([])
})

/** A thing with two rows: who saves it, how its rows are sent, and where they are read. */
interface Rows {
  save: AnyEndpoint
  params: Record<string, number>
  body: (rows: unknown[], seen?: unknown[]) => unknown
  read: AnyEndpoint
  rows: (read: any) => { whole: unknown; rows: any[] }
  /** What tells a row. */
  name: string
  files?: []
}
const withSeen = (list: string, rows: unknown[], seen?: unknown[]) => ({
  [list]: rows,
  ...(seen && { Seen: { [list]: seen } }),
})
const rule = {
  DaysLate: 0,
  AbsencesAbove: 3,
  LateAbove: null,
  EvaluationBelow: 60,
  HasRequirements: true,
  HasRemediation: true,
}
const measuresOf = async (): Promise<Omit<Rows, 'rows' | 'body' | 'name'>> => ({
  save: effectiveness.saveEffectiveness,
  params: { programId: program.Id },
  read: effectiveness.getEffectiveness,
})
const asMeasure = ({ Id: _, Result: _result, ...measure }: any) => measure
const outcomes = (rows: unknown[], seen?: unknown[]) => ({
  IsPublic: false,
  Introduction: '',
  ...withSeen('Measures', rows, seen),
})
const measure = (Name: string) => ({
  ...profiles.jrcert.measures[0]!,
  Name,
  IsPublished: true,
  Entered: [2020, 2021].map((Year) => ({ Year, Numerator: 3, Denominator: 4, Mean: null })),
})

const kept: Record<string, () => Promise<Rows>> = {
  '/programs/:programId/competency-lists/:listId/term-targets Targets': async () => {
    const { Id: listId } = await designOf(dana, program.Id).list('ARRT')
    const params = { programId: program.Id, listId }
    const term = (Name: string) => ({
      Name,
      Cohort: null,
      FromDate: '2026-01-01',
      ThroughDate: '2026-05-01',
      Exams: 3,
    })
    const body = (rows: unknown[], seen?: unknown[]) => withSeen('Targets', rows, seen)
    await dana.ok(saveTermTargets, { params, body: { Targets: [term('Spring'), term('Summer')] } })
    const rows = (whole: any) => ({ whole, rows: whole.Targets })
    return { save: saveTermTargets, params, body, read: listTermTargets, rows, name: 'Name' }
  },
  '/programs/:programId/competency-scores/:scoreId Values': async () => {
    const Name = 'Exam'
    const { Id } = await dana.ok(createCompetencyScore, {
      params: { programId: program.Id },
      body: {
        Name,
        IsActive: true,
        Values: ['Fails', 'Passes', 'Excels'].map((Label) => ({ Label, Value: 1, IsPassing: true })),
      },
    })
    return {
      save: updateCompetencyScore,
      params: { programId: program.Id, scoreId: Id },
      body: (rows, seen) => ({ Name, IsActive: true, ...withSeen('Values', rows, seen) }),
      read: listCompetencyScores,
      rows: ([whole]) => ({ whole, rows: whole.Values }),
      name: 'Label',
    }
  },
  '/programs/:programId/evaluation-templates/:templateId/score-types/:scoreTypeId/changes Values':
    async () => {
      const Values = ['Disagree', 'Agree', 'Always'].map((Label, Value) => ({ Label, Value }))
      const template = await dana.ok(createEvaluationTemplate, {
        params: { programId: program.Id },
        body: {
          Title: 'Performance',
          EvaluatorRole: 'supervisor',
          SubjectRole: 'student',
          ScoreTypes: [{ Title: 'Agreement', Values }],
          Categories: [{ Name: 'Competence' }],
          Items: [{ Category: 0, Text: 'Verifies the patient', ScoreType: 0 }],
        },
      })
      return {
        save: updateScoreType,
        params: {
          programId: program.Id,
          templateId: template.Id,
          scoreTypeId: template.ScoreTypes[0]!.Id,
        },
        body: (rows, seen) => ({ Title: 'Agreement', ...withSeen('Values', rows, seen) }),
        read: listScoreTypes,
        rows: ([whole]) => ({ whole, rows: whole.Values }),
        name: 'Label',
      }
    },
  '/programs/:programId/affiliate-agreements/:agreementId agreement.Contacts': async () => {
    const { Id: SiteId } = await makeSite(installation.owner, program)
    const contact = (Name: string) => ({ Name, Role: 'Legal', Email: '', Phone: '' })
    const body = (rows: unknown[], seen?: unknown[]) => ({
      agreement: { SiteId, Terms: '2 years', ...withSeen('Contacts', rows, seen) },
    })
    const { Id } = await dana.ok(
      createAgreement,
      { params: { programId: program.Id }, body: body(['Ada', 'Ben'].map(contact)) as never },
      { files: [] },
    )
    return {
      save: updateAgreement,
      params: { programId: program.Id, agreementId: Id },
      body,
      read: getAgreement,
      rows: (whole) => ({ whole, rows: whole.Contacts }),
      name: 'Name',
      files: [],
    }
  },
  ...Object.fromEntries(
    Object.entries({
      Contacts: ['Name', [{ Name: 'Ana' }, { Name: 'Bo' }]],
      Departments: ['Name', [{ Name: 'CT' }, { Name: 'MRI' }]],
      Networks: [
        'Name',
        [
          { Name: 'Wards', Range: '10.1.0.0/16' },
          { Name: 'Hall', Range: '10.2.0.0/16' },
        ],
      ],
      Agreements: ['Terms', [{ Terms: 'first' }, { Terms: 'second' }]],
    } as const).map(([list, [name, made]]) => [
      `/programs/:programId/sites/:siteId ${list}`,
      async (): Promise<Rows> => {
        const params = { programId: program.Id, siteId: (await makeSite(installation.owner, program)).Id }
        const body = (rows: unknown[], seen?: unknown[]) => ({
          Name: 'Harbor',
          ...withSeen(list, rows, seen),
        })
        await dana.ok(updateSite, { params, body: body([...made]) as never })
        return {
          save: updateSite,
          params,
          body,
          read: getSite,
          rows: (whole) => ({ whole, rows: whole[list] }),
          name,
        }
      },
    ]),
  ),
  '/programs/:programId/progress-rules Levels': async () => {
    const params = { programId: program.Id }
    const body = (rows: unknown[], seen?: unknown[]) => ({
      ...rule,
      Cohorts: [],
      ...withSeen('Levels', rows, seen),
    })
    await dana.ok(saveStudentLevels, { params, body: [1, 2].map((Id) => ({ Id, Name: `Level ${Id}` })) })
    await dana.ok(saveProgressRules, {
      params,
      body: body([1, 2].map((StudentLevelId) => ({ StudentLevelId, ...rule }))) as never,
    })
    const rows = (whole: any) => ({ whole, rows: whole.Levels })
    return { save: saveProgressRules, params, body, read: getProgressRules, rows, name: 'StudentLevelId' }
  },
  '/programs/:programId/effectiveness Measures': async () => {
    const of = await measuresOf()
    await director.ok(
      of.save as never,
      {
        params: of.params,
        body: outcomes(['Pass', 'Pass at all'].map(measure)),
      } as never,
    )
    return {
      ...of,
      body: outcomes,
      rows: (whole) => ({ whole, rows: whole.Measures.map(asMeasure) }),
      name: 'Name',
    }
  },
  '/programs/:programId/effectiveness Measures.Entered': async () => {
    const of = await measuresOf()
    await director.ok(of.save as never, { params: of.params, body: outcomes([measure('Pass')]) } as never)
    const inMeasure = (Entered: unknown[]) => ({ ...measure('Pass'), Entered })
    return {
      ...of,
      body: (rows, seen) => outcomes([inMeasure(rows)], seen && [inMeasure(seen)]),
      rows: (whole) => ({ whole, rows: whole.Measures[0].Entered }),
      name: 'Year',
    }
  },
}

test.each(keptLists)('A6 a row of %s goes when it was seen, not because it was not sent', async (list) => {
  const { save: endpoint, params, body, read, rows, name, files } = await kept[list]!()
  const now = async () => rows(await director.ok(read as never, { params, query: {} } as never))
  const save = (sent: unknown[], seen?: unknown[], whole?: unknown) =>
    director.call(endpoint as never, { params, body: body(sent, seen) } as never, {
      ...(files && { files }),
      ...(whole !== undefined && { headers: { 'if-match': fingerprint(whole) } }),
    })
  const namesOf = async () => (await now()).rows.map((row) => row[name]).toSorted()
  const before = await now()
  const all = await namesOf()
  const [other, ...mine] = before.rows
  expect((await save(mine)).status).toBe(200)
  expect(await namesOf()).toEqual(all)
  expect((await save(mine, mine)).status).toBe(200)
  expect(await namesOf()).toEqual(all)
  expect((await save(mine, [other])).status).toBe(200)
  expect(await namesOf()).toEqual(mine.map((row) => row[name]).toSorted())
  const late = await save(mine, undefined, before.whole)
  expect([late.status, (late.body as { Code: string }).Code]).toEqual([409, 'stale'])
})

test('A6 of a row that two have changed, each keeps what only they changed', async () => {
  const { params, body } = await kept['/programs/:programId/competency-scores/:scoreId Values']!()
  const { Values: before } = (await dana.ok(listCompetencyScores, { params, query: {} } as never))[0]!
  const save = (caller: Caller, part: object) =>
    caller.call(updateCompetencyScore, {
      params,
      body: body(
        before.map((row, index) => (index === 0 ? { ...row, ...part } : row)),
        before,
      ),
    } as never)
  expect((await save(dana, { Label: 'With help' })).status).toBe(200)
  expect((await save(sam, { Value: 0.5 })).status).toBe(200)
  const { Values } = (await dana.ok(listCompetencyScores, { params, query: {} } as never))[0]!
  expect(Values[0]).toMatchObject({ Label: 'With help', Value: 0.5 })
  const late = await save(sam, { Label: 'Alone' })
  expect(late).toMatchObject({ status: 409, body: { Code: 'stale' } })
})

test('A6 what a row leaves out stays as it is, also by who says what they have seen', async () => {
  const of = await kept['/programs/:programId/affiliate-agreements/:agreementId agreement.Contacts']!()
  const save = async (rows: unknown[], seen?: unknown[]) => {
    const input = { params: of.params, body: of.body(rows, seen) }
    await dana.ok(updateAgreement, input as never, { files: [] })
    return (await dana.ok(getAgreement, { params: of.params } as never)).Contacts
  }
  const before = await save([{ Name: 'Ada', Role: 'Legal', Email: 'ada@harbor.example', Phone: '5550101' }])
  expect(await save([{ Name: 'Ada', Phone: '5550102' }])).toEqual([
    { ...before[0], Phone: '5550102' },
    before[1],
  ])
  expect(await save([{ Name: 'Ada' }, before[1]], before)).toEqual([
    { ...before[0], Phone: '5550102' },
    before[1],
  ])
})

test('A6 what a save leaves out and does not go with what it says is told, and nothing is set back', async () => {
  const params = { programId: program.Id }
  const whom = { Title: 'Performance', EvaluatorRole: 'supervisor', SubjectRole: 'student' } as const
  const { Id: templateId } = await dana.ok(createEvaluationTemplate, {
    params,
    body: { ...whom, Instructions: 'For this shift.', IsAutomatic: true, AutomaticFrom: '2026-09-01' },
  })
  const read = () => dana.ok(getEvaluationTemplate, { params: { ...params, templateId } })
  const before = await read()
  const refused = await dana.call(updateEvaluationTemplate, {
    params: { ...params, templateId },
    body: { ...whom, IsAnonymous: true },
  })
  expect(refused).toMatchObject({ status: 400, body: { Errors: [{ Field: 'IsAutomatic' }] } })
  expect(await read()).toEqual(before)
})

test('A6 rules between fields are asked of what a save leaves out as it is', async () => {
  const params = { programId: program.Id }
  const person = await makePerson(installation.owner, Level.Faculty, { program, last_name: 'Okafor' })
  const user = { params: { ...params, userId: person.Id } }
  const { EmailAddress, AreaId, AccessLevel } = await dana.ok(getUser, user)
  const body = { EmailAddress, AreaId, AccessLevel }
  expect(await dana.ok(updateUser, { ...user, body })).toMatchObject({ LastName: 'Okafor' })
  const unnamed = { ...body, FirstName: '', LastName: '' }
  expect(await dana.call(updateUser, { ...user, body: unnamed })).toMatchObject({
    status: 400,
    body: { Errors: [{ Field: 'LastName' }] },
  })
  const nobody = { params: { ...params, userId: 999_999_999 }, body }
  expect((await dana.call(updateUser, nobody)).status).toBe(404)
})

test('A6 an item and a group of a form keep what a save leaves out', async () => {
  const template = await dana.ok(createEvaluationTemplate, {
    params: { programId: program.Id },
    body: {
      Title: 'Performance',
      EvaluatorRole: 'supervisor',
      SubjectRole: 'student',
      ScoreTypes: [{ Title: 'Agreement', Values: [{ Label: 'Yes', Value: 1 }] }],
      Groups: [{ Name: 'Safety', IsMandatory: true }],
      Categories: [{ Name: 'Competence' }],
      Items: [{ Category: 0, Text: 'Verifies the patient', ScoreType: 0, Group: 0, IsMandatory: true }],
      FibItems: [
        { Category: 0, Text: 'Which room', InputType: 'choice', Choices: ['1', '2'], IsMandatory: true },
      ],
    },
  })
  const of = { programId: program.Id, templateId: template.Id }
  const change = (endpoint: AnyEndpoint, params: object, body: object) =>
    dana.ok(endpoint as never, { params: { ...of, ...params }, body } as never)
  const [scored, fib] = template.Items
  const [group] = template.Groups
  const { CategoryId, ScoreTypeId } = scored!
  const text = { CategoryId, Text: 'Another text' }
  const changed = { ...text, ScoreTypeId }
  expect(await change(updateItem, { itemId: scored!.Id }, changed)).toEqual({ ...scored, ...changed })
  const choice = { ...text, InputType: 'choice' }
  expect(await change(updateFibItem, { itemId: fib!.Id }, choice)).toEqual({ ...fib, ...choice })
  expect(await change(updateGroup, { groupId: group!.Id }, { Name: 'Care' })).toEqual({
    ...group,
    Name: 'Care',
  })
})

test('A6 twelve saves of the same at once are all kept, the first ones too', async () => {
  const save = () =>
    dana.call(saveProgressRules, { params: { programId: program.Id }, body: { ...rule, Cohorts: [] } })
  const statuses = async () =>
    (await Promise.all(Array.from({ length: 12 }, save))).map(({ status }) => status)
  expect([await statuses(), await statuses()]).toEqual(Array(2).fill(Array(12).fill(200)))
})
