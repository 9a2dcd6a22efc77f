import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/communication/unused-features.ts'
import { Level } from '#contract/core/levels.ts'
import { termPlaceholders, termsOf } from '#contract/terminology/terminology.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeSite } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { guideOf, guideValues } from './unused-features.rules.ts'

let installation: Installation
let program: MadeProgram
let boss: Caller

beforeAll(async () => {
  installation = await startInstallation()
  boss = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
})

const inProgram = () => ({ params: { programId: program.Id } })
const guides = async () => boss.ok(contract.listFeatureGuides, inProgram())
const mail = (Features: contract.Feature[], Again = false) =>
  boss.ok(contract.mailFeatureGuides, { ...inProgram(), body: { Features, Again } })
const messages = async () =>
  (
    await installation.owner.query(
      "select recipient, subject, html from mail where program_id = $1 and label = 'PROGRAM_unused_features' order by id",
      [program.Id],
    )
  ).rows

test('every guide is in the words of the program, and an email carries its link', () => {
  const words = termPlaceholders(termsOf([]))
  for (const feature of contract.features) {
    const { Name, Guide } = guideOf(feature, words)
    expect(`${Name} ${Guide}`, feature).not.toMatch(/[{}]/)
    expect(Guide.length, feature).toBeLessThan(250)
  }
  const { 'feature.summary': summary, 'feature.guides': guides } = guideValues(
    [{ ...guideOf('clock', words), Guide: 'Nursing & Care' }],
    'https://practicum.example',
  )
  expect(summary).toMatch(/clock$/)
  expect(guides.html).toContain('Nursing &amp; Care')
  expect(guides.html).toContain('href="https://practicum.example/new/admin/approve-time-records"')
})

test('D3-134 a program that used nothing leaves everything unused, and each feature counts from its first use', async () => {
  const before = await guides()
  expect(before.Features.map(({ Feature }) => Feature)).toEqual([...contract.features])
  expect(before.Features.every(({ IsUsed }) => !IsUsed)).toBe(true)
  const { Id: siteId } = await makeSite(installation.owner, program)
  const { Id: accountId } = await makePerson(installation.owner, Level.Admin, { program })
  await makeRow(installation.owner, 'affiliate_agreement', { program_id: program.Id, site_id: siteId })
  await makeRow(installation.owner, 'supervisor_site', {
    program_id: program.Id,
    account_id: accountId,
    site_id: siteId,
  })
  await makeRow(installation.owner, 'api_key', {
    program_id: program.Id,
    name: 'Registrar',
    key_hash: Buffer.from(`key of ${program.Id}`),
    ending: 'abcd',
    account_id: accountId,
    rights: ['data-sync.send'],
  })
  await makeRow(installation.owner, 'import_run', {
    program_id: program.Id,
    kind: 'sites',
    row_count: 1,
    added: 1,
    changed: 0,
    unchanged: 0,
  })
  const used = (await guides()).Features.filter(({ IsUsed }) => IsUsed).map(({ Feature }) => Feature)
  expect(used).toEqual(['sites', 'supervisors', 'imports', 'data-sync', 'agreements'])
})

test('D3-134 programs are listed with what they never used, found by name and by a feature', async () => {
  const other = await makeProgram(installation.owner, { name: `Zebra ${program.Id}` })
  await makeSite(installation.owner, other)
  const list = async (query: { search?: string; Feature?: contract.Feature }) =>
    (await boss.ok(contract.listUnusedFeatures, { query: { ...query, pageSize: 500 } })).Items
  const [zebra] = await list({ search: `zebra ${program.Id}` })
  expect(zebra).toMatchObject({ ProgramId: other.Id, ProgramName: other.Name })
  expect(zebra!.Unused.map(({ Feature }) => Feature)).toEqual(
    contract.features.filter((feature) => feature !== 'sites'),
  )
  const withoutSites = (await list({ Feature: 'sites' })).map(({ ProgramId }) => ProgramId)
  expect(withoutSites).toContain(program.Id)
  expect(withoutSites).not.toContain(other.Id)
  const paged = await boss.ok(contract.listUnusedFeatures, { query: { page: 2, pageSize: 1 } })
  expect(paged.Items).toHaveLength(1)
  expect(paged.Total).toBeGreaterThan(1)
  expect(
    (await boss.call(contract.listUnusedFeatures, { query: { Feature: 'chess' as never } })).status,
  ).toBe(400)
})

test('D3-134 guides are mailed to those who lead the program, once for each feature unless asked again', async () => {
  await makePerson(installation.owner, Level.Coord, { program, email: 'lead@example.org' })
  await makePerson(installation.owner, Level.Faculty, { program })
  await makePerson(installation.owner, Level.Director, { program, deactivated_at: new Date().toISOString() })
  expect((await guides()).Recipients).toHaveLength(1)
  expect(await mail(['clock', 'evaluations'])).toEqual({
    Recipients: 1,
    Mailed: ['clock', 'evaluations'],
    Skipped: [],
  })
  const [message] = await messages()
  expect(message).toMatchObject({
    recipient: 'lead@example.org',
    subject: expect.stringContaining('2 short guides'),
  })
  expect(message.html).toContain('/new/admin/evaluations/templates')
  expect(await mail(['clock', 'documents'])).toEqual({
    Recipients: 1,
    Mailed: ['documents'],
    Skipped: ['clock'],
  })
  expect(await mail(['clock'])).toEqual({ Recipients: 0, Mailed: [], Skipped: ['clock'] })
  expect(await mail(['clock'], true)).toMatchObject({ Mailed: ['clock'] })
  expect(await messages()).toHaveLength(3)
  const clock = (await guides()).Features.find(({ Feature }) => Feature === 'clock')
  expect(clock!.Email).toMatchObject({ Recipients: 1, Times: 2, Date: expect.stringMatching(/Z$/) })
  const [listed] = (
    await boss.ok(contract.listUnusedFeatures, { query: { search: program.Name, pageSize: 1 } })
  ).Items
  expect(listed!.Unused.find(({ Feature }) => Feature === 'documents')!.Email).toMatchObject({ Times: 1 })
})

test('two mailings at once write no guide twice', async () => {
  await makePerson(installation.owner, Level.Coord, { program })
  const answers = await Promise.all([mail(['clock']), mail(['clock']), mail(['clock'])])
  expect(answers.filter(({ Mailed }) => Mailed.length > 0)).toHaveLength(1)
  expect(await messages()).toHaveLength(1)
})

test('faculty are written to where nobody leads; a program without staff and a used feature are not mailed', async () => {
  const refused = await boss.call(contract.mailFeatureGuides, {
    ...inProgram(),
    body: { Features: ['clock'] },
  })
  expect(refused.status).toBe(422)
  await makePerson(installation.owner, Level.Faculty, { program })
  await makeSite(installation.owner, program)
  expect(await mail(['clock', 'sites'], true)).toEqual({
    Recipients: 1,
    Mailed: ['clock'],
    Skipped: ['sites'],
  })
  for (const Features of [[], ['chess']])
    expect(
      (await boss.call(contract.mailFeatureGuides, { ...inProgram(), body: { Features: Features as never } }))
        .status,
    ).toBe(400)
})

test('only super admins look; a program that does not exist does not exist', async () => {
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  expect((await admin.call(contract.listUnusedFeatures, { query: {} })).status).toBe(403)
  expect((await admin.call(contract.listFeatureGuides, inProgram())).status).toBe(403)
  expect(
    (await admin.call(contract.mailFeatureGuides, { ...inProgram(), body: { Features: ['clock'] } })).status,
  ).toBe(403)
  expect((await boss.call(contract.listFeatureGuides, { params: { programId: 999_999_999 } })).status).toBe(
    404,
  )
})
