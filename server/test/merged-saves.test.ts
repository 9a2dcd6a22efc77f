import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { basedSave, fingerprint } from '#contract/core/basis.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import * as evaluations from '#contract/evaluations/evaluations.ts'
import { importIntoProgram } from '#contract/imports/imports.ts'
import { createApiKey } from '#contract/keys/keys.ts'
import * as people from '#contract/people/people.ts'
import { saveStudentLevels } from '#contract/people/student-levels.ts'
import * as requirements from '#contract/requirements/requirement-design.ts'
import * as rotations from '#contract/scheduling/rotations.ts'
import * as sites from '#contract/sites/sites.ts'
import { listLanguageEntries, saveLanguageEntries } from '#contract/terminology/terminology.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeSite,
  makeStudent,
} from './factories.ts'
import { type Caller, type Installation, type Reply, startInstallation } from './installation.ts'

/** Rounds of each of the five things: two hundred in all. */
const rounds = 40

let installation: Installation
let program: MadeProgram
let dana: Caller
let sam: Caller

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  const admin = async (first_name: string) =>
    installation.as(
      await makePerson(installation.owner, Level.Admin, { program, first_name, last_name: 'Reyes' }),
    )
  dana = await admin('Dana')
  sam = await admin('Sam')
  const levels = Array.from({ length: 20 }, (_each, index) => ({ Id: index + 1, Name: `Level ${index + 1}` }))
  await dana.ok(saveStudentLevels, { params: { programId: program.Id }, body: levels })
})
afterAll(() => installation?.stop())

interface Thing {
  save: AnyEndpoint
  params: Record<string, number>
  read: () => Promise<Record<string, unknown>>
  /** Values of fields that go together whatever the others are; another one for each number. */
  fields: Record<string, (number: number) => unknown>
}
const whole = (endpoint: AnyEndpoint, params: Record<string, number>) => () =>
  dana.ok(endpoint as never, { params } as never) as Promise<Record<string, unknown>>

const things: Record<string, () => Promise<Thing>> = {
  sites: async () => {
    const { Id } = await makeSite(installation.owner, program)
    const params = { programId: program.Id, siteId: Id }
    const fields: Thing['fields'] = {
      Name: (number) => `Harbor ${number}`,
      Code: (number) => `H${number}`,
      City: (number) => `Salem ${number}`,
      Notes: (number) => (number % 5 === 0 ? '' : `Call first ${number}`),
      Precision: (number) => 100 + number,
      Lab: (number) => number % 2 === 0,
    }
    return { save: sites.updateSite, params, read: whole(sites.getSite, params), fields }
  },
  users: async () => {
    const { Id } = await makeStudent(installation.owner, program)
    const params = { programId: program.Id, userId: Id }
    const fields: Thing['fields'] = {
      FirstName: (number) => `Ana ${number}`,
      MiddleName: (number) => `Maria ${number}`,
      PhoneNumber: (number) => (number % 5 === 0 ? '' : `508-555-${1000 + number}`),
      Cohort: (number) => String(2020 + number),
      StudentLevelId: (number) => (number % 20) + 1,
    }
    return { save: people.updateUser, params, read: whole(people.getUser, params), fields }
  },
  rotations: async () => {
    const { Id } = await makeRotation(installation.owner, program)
    const params = { programId: program.Id, rotationId: Id }
    const fields: Thing['fields'] = {
      Name: (number) => `Block ${number}`,
      Notes: (number) => `Bring badges ${number}`,
      TargetMinutes: (number) => number * 60,
      StudentLevelIds: (number) => [(number % 20) + 1],
      Cohorts: (number) => [String(2020 + number)],
    }
    return { save: rotations.updateRotation, params, read: whole(rotations.getRotation, params), fields }
  },
  'evaluation templates': async () => {
    const { Id } = await dana.ok(evaluations.createEvaluationTemplate, {
      params: { programId: program.Id },
      body: { Title: 'Performance', EvaluatorRole: 'supervisor', SubjectRole: 'student' },
    })
    const params = { programId: program.Id, templateId: Id }
    const fields: Thing['fields'] = {
      Title: (number) => `Performance ${number}`,
      Instructions: (number) => `<p>Of this shift ${number}</p>`,
      DueDays: (number) => number + 8,
      RemindMost: (number) => number % 20,
      StudentLevelIds: (number) => [(number % 20) + 1],
      MayBeAsked: (number) => number % 2 === 0,
    }
    const read = whole(evaluations.getEvaluationTemplate, params)
    return { save: evaluations.updateEvaluationTemplate, params, read, fields }
  },
  requirements: async () => {
    const { Id } = await dana.ok(requirements.createRequirement, {
      params: { programId: program.Id },
      body: { Name: 'CPR', Kind: 'certification', Rule: { Kind: 'until' } },
    })
    const params = { programId: program.Id, requirementId: Id }
    const fields: Thing['fields'] = {
      Name: (number) => `CPR ${number}`,
      Rule: (number) => ({ Kind: 'months', Months: number + 1 }),
      Instructions: (number) => `Both sides ${number}`,
      Cohorts: (number) => [String(2020 + number)],
      NeedsFile: (number) => number % 2 === 0,
    }
    const read = async () => {
      const all = await dana.ok(requirements.listRequirements, {
        params: { programId: program.Id },
        query: {},
      })
      return all.find((each) => each.Id === Id) as Record<string, unknown>
    }
    return { save: requirements.updateRequirement, params, read, fields }
  },
}

/** As a form does: all that the save takes of what was read, with a change. */
const formOf = (endpoint: AnyEndpoint, read: Record<string, unknown>, change: object) => {
  const names = Object.keys((endpoint.body as z.ZodObject).shape).filter((name) => name !== 'ModDate')
  return {
    ...Object.fromEntries(names.filter((name) => name in read).map((name) => [name, read[name]])),
    ...change,
  }
}
const saveAs = (
  caller: Caller,
  { save, params }: Thing,
  read: Record<string, unknown>,
  change: object,
): Promise<Reply<any>> =>
  caller.call(save as never, { params, body: formOf(save, read, change) } as never, { basedOn: read })

/** The same numbers in each run. */
const random = fc.sample(fc.nat(1_000_000), { numRuns: 5 * rounds * 4, seed: 7 })

test.each(Object.keys(things))(
  'two people who change different fields of %s at once lose nothing and are not refused; of the same field one is told',
  async (name) => {
    const thing = await things[name]!()
    const names = Object.keys(thing.fields)
    const numbers = random.slice(Object.keys(things).indexOf(name) * rounds * 4)
    for (let round = 0; round < rounds; round++) {
      const [first = 0, step = 0, kind = 0, order = 0] = numbers.slice(round * 4)
      const mine = names[first % names.length]!
      const other = names[(first + 1 + (step % (names.length - 1))) % names.length]!
      const before = await thing.read()
      const by = (field: string, number: number) => ({ [field]: thing.fields[field]!(number) })
      // Who types what is there has changed nothing, and who types what the other types is nobody's conflict.
      const values = [before[mine], ...[1, 2].map((each) => by(mine, 2 * round + each)[mine])]
      const isSame = kind % 3 === 0 && new Set(values.map((value) => JSON.stringify(value))).size === 3
      const [own, theirs] = [by(mine, 2 * round + 1), by(isSame ? mine : other, 2 * round + 2)]
      const both = [() => saveAs(dana, thing, before, own), () => saveAs(sam, thing, before, theirs)] as const
      const [danas, sams] = await (order % 2 === 0
        ? Promise.all([both[0](), both[1]()])
        : (async () => [await both[0](), await both[1]()] as const)())
      const after = await thing.read()
      const statuses = [danas.status, sams.status]
      if (!isSame) {
        expect(statuses, JSON.stringify([danas.body, sams.body])).toEqual([200, 200])
        expect(after).toMatchObject({ ...own, ...theirs })
        continue
      }
      expect(statuses.toSorted()).toEqual([200, 409])
      const [kept, late, winner] =
        danas.status === 200 ? [own, sams, 'Dana Reyes'] : [theirs, danas, 'Sam Reyes']
      expect(after).toMatchObject(kept)
      expect(late.body).toMatchObject({
        Code: 'stale',
        ChangedBy: winner,
        Fields: [{ Field: mine, ChangedBy: winner, Value: after[mine] }],
        Message: `${winner} changed this after you opened it. Your changes are not saved yet.`,
      })
    }
  },
  120_000,
)

test('a save of nothing is kept and changes nothing, and so is what both have typed alike', async () => {
  for (const make of Object.values(things)) {
    const thing = await make()
    const before = await thing.read()
    expect((await saveAs(dana, thing, before, {})).status).toBe(200)
    const unchanged = await thing.read()
    expect({ ...unchanged, ModDate: 0, ModBy: 0 }).toEqual({ ...before, ModDate: 0, ModBy: 0 })
    const [field = ''] = Object.keys(thing.fields)
    const change = { [field]: thing.fields[field]!(1) }
    expect((await saveAs(dana, thing, before, change)).status).toBe(200)
    expect((await saveAs(sam, thing, before, change)).status).toBe(200)
  }
})

test('who changed a field is told of that field, also when somebody else has saved since', async () => {
  const thing = await things.sites!()
  const before = await thing.read()
  await saveAs(dana, thing, before, { City: 'Salem' })
  await saveAs(sam, thing, before, { Notes: 'Call first' })
  const late = await saveAs(dana, thing, before, { City: 'Lynn', Notes: 'Ring twice' })
  expect(late.body.Fields).toMatchObject([
    { Field: 'City', Value: 'Salem', ChangedBy: 'Dana Reyes' },
    { Field: 'Notes', Value: 'Call first', ChangedBy: 'Sam Reyes' },
  ])
  await installation.owner.query("update site set city = 'Boston' where id = $1", [thing.params.siteId])
  const unknown = await saveAs(dana, thing, before, { City: 'Lynn' })
  expect(unknown.body).toMatchObject({
    ChangedBy: null,
    Fields: [{ Field: 'City', Value: 'Boston', ChangedBy: null }],
  })
})

test('rules between fields are asked of both changes together', async () => {
  const { Id } = await makeRotation(installation.owner, program)
  const params = { programId: program.Id, rotationId: Id }
  const thing = {
    save: rotations.updateRotation,
    params,
    fields: {},
    read: whole(rotations.getRotation, params),
  }
  await saveAs(dana, thing, await thing.read(), { StartDate: '2026-01-01', EndDate: '2026-06-30' })
  const before = await thing.read()
  expect((await saveAs(dana, thing, before, { StartDate: '2026-05-01' })).status).toBe(200)
  expect(await saveAs(sam, thing, before, { EndDate: '2026-03-01' })).toMatchObject({
    status: 400,
    body: { Errors: [{ Field: 'EndDate', Message: 'End date must not be before the start date.' }] },
  })
})

test('a key that says what it started from merges like a form, and one that says nothing writes what it sends', async () => {
  const thing = await things.sites!()
  const { Key } = await dana.ok(createApiKey, {
    params: { programId: program.Id },
    body: { Name: 'Warehouse', Rights: ['sites.read', 'sites.write'], ExpireDays: 1 },
  })
  const byKey = (read: Record<string, unknown>, change: object, match?: string) => {
    const body = formOf(thing.save, read, change)
    return installation.anonymous.call(thing.save as never, { params: thing.params, body } as never, {
      headers: {
        authorization: `Bearer ${Key}`,
        ...(match !== undefined && { 'if-match': match }),
      },
    }) as Promise<Reply<any>>
  }
  const marks = (read: Record<string, unknown>, change: object) =>
    basedSave(thing.save, formOf(thing.save, read, change), read).match
  const before = await thing.read()
  await saveAs(sam, thing, before, { City: 'Salem' })
  const merged = await byKey(before, { Code: 'K1' }, marks(before, { Code: 'K1' }))
  expect(merged.body).toMatchObject({ City: 'Salem', Code: 'K1' })
  const late = await byKey(before, { City: 'Lynn' }, marks(before, { City: 'Lynn' }))
  expect(late).toMatchObject({ status: 409, body: { Fields: [{ Field: 'City', ChangedBy: 'Sam Reyes' }] } })
  expect((await byKey(before, { City: 'Lynn' }, fingerprint(before))).status).toBe(409)
  const form = await saveAs(sam, thing, before, { Code: 'K2' })
  expect(form.body.Fields).toMatchObject([
    { Field: 'Code', ChangedBy: 'Dana Reyes (Warehouse)', Value: 'K1' },
  ])
  expect((await byKey(before, { City: 'Lynn' })).status).toBe(200)
  expect(await thing.read()).toMatchObject({ City: 'Lynn', Code: before.Code })
})

test('a form and an import that change different fields of a person both count, and the same field is told', async () => {
  const { Id } = await makeStudent(installation.owner, program, {
    student_number: 'F1',
    email: 'f1@harbor.example',
  })
  const params = { programId: program.Id, userId: Id }
  const thing = { save: people.updateUser, params, fields: {}, read: whole(people.getUser, params) }
  const before = await thing.read()
  await dana.ok(
    importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'students' } },
    {
      files: [
        {
          field: 'file',
          name: 'phones.csv',
          content: `Student ID,First Name,Last Name,Email,Phone\nF1,${before.FirstName},${before.LastName},f1@harbor.example,508-555-0101`,
        },
      ],
    },
  )
  expect((await saveAs(sam, thing, before, { MiddleName: 'Maria' })).body).toMatchObject({
    PhoneNumber: '508-555-0101',
    MiddleName: 'Maria',
  })
  const late = await saveAs(sam, thing, before, { PhoneNumber: '508-555-0202' })
  expect(late).toMatchObject({
    status: 409,
    body: { Fields: [{ Field: 'PhoneNumber', Value: '508-555-0101' }] },
  })
})

test('labels of levels and words of a language are merged row by row', async () => {
  const params = { programId: program.Id }
  const level = (caller: Caller, seen: unknown, Id: number, Name: string) =>
    caller.call(saveStudentLevels, { params, body: [{ Id, Name }] }, { basedOn: seen })
  await dana.ok(saveStudentLevels, { params, body: [{ Id: 20, Name: '' }] })
  const before = await dana.ok(people.listStudentLevels, { params })
  expect((await level(dana, before, 1, 'First year')).status).toBe(204)
  expect((await level(sam, before, 2, 'Second year')).status).toBe(204)
  expect(await level(sam, before, 1, 'Juniors')).toMatchObject({
    status: 409,
    body: { Fields: [{ Field: '1', ChangedBy: 'Dana Reyes' }] },
  })
  expect((await level(dana, before, 20, 'Twentieth year')).status).toBe(204)
  expect((await level(sam, before, 20, 'Seniors')).status).toBe(409)

  const superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const { id: profileId } = await makeRow(installation.owner, 'language_profile', { name: 'Imaging' })
  const at = { params: { profileId }, query: { Language: 'es' as const } }
  const entries = await superAdmin.ok(listLanguageEntries, at)
  const word = (Value: string, index: number) =>
    superAdmin.call(
      saveLanguageEntries,
      { ...at, body: [{ KeyId: entries[index]!.KeyId, Value, Singular: '', Plural: 's' }] },
      { basedOn: entries },
    )
  expect((await word('Sede', 0)).status).toBe(200)
  expect((await word('Zona', 1)).status).toBe(200)
  expect((await word('Centro', 0)).status).toBe(409)
})
