import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getLeftMenu } from '#contract/session/session.ts'
import * as contract from '#contract/terminology/terminology.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller
let profileNumber = 0

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

const profile = () =>
  admin.ok(contract.createLanguageProfile, { body: { Id: 0, Name: `Words ${++profileNumber}` } })
const keyOf = (key: contract.TermKey) => contract.termDefaults[key].keyId

test('D3-162 D3-283 D3-284 D3-285 D3-286 profiles are added, renamed, listed and deleted', async () => {
  const made = await profile()
  const at = { params: { profileId: made.Id } }
  await admin.ok(contract.updateLanguageProfile, { ...at, body: { Id: made.Id, Name: 'Nursing' } })
  expect(await admin.ok(contract.listLanguageProfiles)).toContainEqual({ Id: made.Id, Name: 'Nursing' })
  const twin = await admin.call(contract.createLanguageProfile, { body: { Id: 0, Name: 'NURSING' } })
  expect(twin.status).toBe(409)
  await admin.ok(contract.deleteLanguageProfile, at)
  expect((await admin.call(contract.listLanguageEntries, at)).status).toBe(404)
})

test('D3-211 D3-212 the name of a profile is required and at most 50 characters', async () => {
  for (const Name of ['', '  ', 'x'.repeat(51)]) {
    expect((await admin.call(contract.createLanguageProfile, { body: { Name } })).status).toBe(400)
  }
})

test('D1-006 D1-007 D2-002 D3-001 D3-163 D3-287 D3-288 a profile changes the words of its programs in all three forms', async () => {
  const made = await profile()
  const at = { params: { profileId: made.Id } }
  const entries = await admin.ok(contract.listLanguageEntries, at)
  expect(entries.map(({ Key }) => Key)).toEqual(contract.termKeys)
  await admin.ok(contract.saveLanguageEntries, {
    ...at,
    body: [{ KeyId: keyOf('site'), Value: 'facilit', Singular: 'y', Plural: 'ies' }],
  })
  const program = await makeProgram(installation.owner, { language_profile_id: made.Id })
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  const terms = await student.ok(contract.getTerms, { params: { programId: program.Id } })
  expect(terms.site).toEqual({ Singular: 'facility', Plural: 'facilities', Group: 'facilities' })
  expect(terms.student).toEqual({ Singular: 'student', Plural: 'students', Group: 'students' })
})

test('D1-008 the menu of a program speaks its words', async () => {
  const made = await profile()
  await admin.ok(contract.saveLanguageEntries, {
    params: { profileId: made.Id },
    body: [{ KeyId: keyOf('site'), Value: 'clinical setting', Singular: '', Plural: 's' }],
  })
  const program = await makeProgram(installation.owner, { language_profile_id: made.Id })
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const { Items } = await coordinator.ok(getLeftMenu)
  expect(Items.map(({ Name }) => Name)).toContain('Clinical settings')
})

test('D3-215 D3-216 an empty plural means s, and an empty text brings the default back', async () => {
  const made = await profile()
  const at = { params: { profileId: made.Id } }
  const save = (Value: string, Singular = '', Plural = '') =>
    admin.ok(contract.saveLanguageEntries, {
      ...at,
      body: [{ KeyId: keyOf('area'), Value, Singular, Plural }],
    })
  const area = (entries: contract.LanguageEntry[]) => entries.find(({ Key }) => Key === 'area')
  expect(area(await save('track'))).toMatchObject({ Value: 'track', Singular: '', Plural: 's' })
  expect(area(await save('', 'y', 'ies'))).toMatchObject({ Value: '', Plural: 's' })
})

test('A50 D3-215 both endings together have at most 20 characters, as their one input has', async () => {
  const made = await profile()
  const save = async (Singular: string, Plural: string) =>
    (
      await admin.call(contract.saveLanguageEntries, {
        params: { profileId: made.Id },
        body: [{ KeyId: keyOf('area'), Value: 'track', Singular, Plural }],
      })
    ).status
  expect(await save('a'.repeat(9), 'b'.repeat(10))).toBe(200)
  expect(await save('a'.repeat(10), 'b'.repeat(10))).toBe(422)
})

test('a word that does not exist is refused by its number', async () => {
  const made = await profile()
  const { status } = await admin.call(contract.saveLanguageEntries, {
    params: { profileId: made.Id },
    body: [{ KeyId: 999, Value: 'x', Singular: '', Plural: 's' }],
  })
  expect(status).toBe(400)
})

test('A74 a profile that a program uses is not deleted, and the refusal names the program', async () => {
  const made = await profile()
  const at = { params: { profileId: made.Id } }
  const program = await makeProgram(installation.owner, { language_profile_id: made.Id })
  const refused = await admin.call(contract.deleteLanguageProfile, at)
  expect(refused.status).toBe(409)
  expect((refused.body as any).Message).toContain(`is used by ${program.Name}, so it was not deleted`)
  await installation.owner.query('update program set language_profile_id = null where id = $1', [program.Id])
  expect((await admin.call(contract.deleteLanguageProfile, at)).status).toBe(204)
})

test('a profile has words of its own for Spanish, with longer endings, beside the English ones', async () => {
  const made = await profile()
  const at = { params: { profileId: made.Id } }
  const inSpanish = { ...at, query: { Language: 'es' as const } }
  const entry = { KeyId: keyOf('site'), Value: 'clínica', Singular: '', Plural: 's' }
  await admin.ok(contract.saveLanguageEntries, { ...inSpanish, body: [entry] })
  await admin.ok(contract.saveLanguageEntries, {
    ...inSpanish,
    body: [
      { KeyId: keyOf('programDirector'), Value: 'jefe', Singular: ' del programa', Plural: 's del programa' },
    ],
  })
  const valueIn = async (query: { Language: 'en' | 'es' }) =>
    (await admin.ok(contract.listLanguageEntries, { ...at, query })).find(({ Key }) => Key === 'site')?.Value
  expect(await valueIn({ Language: 'es' })).toBe('clínica')
  expect(await valueIn({ Language: 'en' })).toBe('')
  const program = await makeProgram(installation.owner, { language_profile_id: made.Id })
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  const terms = (headers: Record<string, string>) =>
    student.ok(contract.getTerms, { params: { programId: program.Id } }, { headers })
  expect((await terms({})).site.Plural).toBe('sites')
  const spanish = await terms({ 'accept-language': 'es' })
  expect(spanish.site.Plural).toBe('clínicas')
  expect(spanish.programDirector.Plural).toBe('jefes del programa')
  const unknown = await admin.call(contract.listLanguageEntries, { ...at, query: { Language: 'fr' as 'es' } })
  expect(unknown.status).toBe(400)
})
