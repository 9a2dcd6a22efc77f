import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import * as imports from '#contract/imports/imports.ts'
import * as contract from '#contract/requirements/requirement-design.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})

const params = () => ({ programId: program.Id })
const card = {
  Name: 'CPR',
  Kind: 'certification' as const,
  Rule: { Kind: 'until' as const },
  BlocksPlacement: true,
}
const list = async (deleted = false) =>
  coordinator.ok(contract.listRequirements, { params: params(), query: { deleted } })
const sample = readFileSync(new URL('../../demo/requirements.csv', import.meta.url), 'utf8')
const imported = (content: string, query: { DryRun?: boolean } = {}) =>
  coordinator.call(
    imports.importIntoProgram,
    { params: params(), query: { Kind: 'requirements', ...query } },
    { files: [{ field: 'file', name: 'requirements.csv', content }] },
  )

test('a requirement is added, changed in versions, deleted and brought back', async () => {
  const made = await coordinator.ok(contract.createRequirement, { params: params(), body: card })
  expect(made).toMatchObject({ ...card, Version: 1, Scope: 'program', NeedsFile: true, WaitingCount: 0 })
  const at = { params: { programId: program.Id, requirementId: made.Id } }
  const renamed = await coordinator.ok(contract.updateRequirement, {
    ...at,
    body: { ...card, Name: 'CPR/BLS' },
  })
  expect(renamed).toMatchObject({ Name: 'CPR/BLS', Version: 1 })
  const changed = await coordinator.ok(contract.updateRequirement, {
    ...at,
    body: { ...card, Rule: { Kind: 'months', Months: 24 } },
  })
  expect(changed).toMatchObject({ Version: 2, Rule: { Kind: 'months', Months: 24 } })
  const { rows } = await installation.owner.query(
    'select version, rule from requirement_version where program_id = $1',
    [program.Id],
  )
  expect(rows).toEqual([{ version: 1, rule: { Kind: 'until' } }])
  await coordinator.ok(contract.deleteRequirement, at)
  expect(await list()).toEqual([])
  expect(await list(true)).toMatchObject([{ Id: made.Id }])
  await coordinator.ok(contract.createRequirement, { params: params(), body: card })
  expect((await coordinator.call(contract.restoreRequirement, at)).status).toBe(409)
})

test('a change that was begun before another one is refused, and so are nine of ten at once', async () => {
  const made = await coordinator.ok(contract.createRequirement, { params: params(), body: card })
  const change = (seen: contract.Requirement, part: object) =>
    coordinator.call(
      contract.updateRequirement,
      { params: { programId: program.Id, requirementId: made.Id }, body: { ...card, ...part } },
      { headers: { 'if-match': fingerprint(seen) } },
    )
  expect((await change(made, { Rule: { Kind: 'months', Months: 24 } })).status).toBe(200)
  expect(await change(made, { Name: 'BLS' })).toMatchObject({ status: 409, body: { Code: 'stale' } })
  const [now] = await list()
  expect(now).toMatchObject({ Name: 'CPR', Rule: { Kind: 'months', Months: 24 }, Version: 2 })
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_each, index) =>
      change(now!, { Rule: { Kind: 'months', Months: index + 1 } }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  expect(await list()).toMatchObject([
    { Version: 3, Rule: replies.find(({ status }) => status === 200)!.body.Rule },
  ])
})

test('a change keeps what it leaves out', async () => {
  const set = {
    ...card,
    Scope: 'perSite' as const,
    NeedsFile: false,
    Instructions: 'Both sides of the card.',
    Link: 'https://harbor.example/cpr',
    LevelIds: [1],
    Cohorts: ['Fall 2026'],
  }
  const made = await coordinator.ok(contract.createRequirement, { params: params(), body: set })
  const { BlocksPlacement: _, ...rest } = card
  const changed = await coordinator.ok(contract.updateRequirement, {
    params: { programId: program.Id, requirementId: made.Id },
    body: { ...rest, Name: 'BLS' },
  })
  expect(changed).toEqual({ ...made, Name: 'BLS' })
})

test('a name is taken once, also when two add it at once', async () => {
  const replies = await Promise.all(
    [1, 2, 3].map(() => coordinator.call(contract.createRequirement, { params: params(), body: card })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test.each([
  [{ Rule: { Kind: 'season', DoseFrom: '13-01', AskedFrom: '11-01', AskedThrough: '04-30' } }, 400],
  [{ Rule: { Kind: 'months', Months: 0 } }, 400],
  [{ Rule: { Kind: 'series', Schedules: [], Titer: 'none' } }, 400],
  [{ Rule: { Kind: 'signed', Text: ' ' }, NeedsFile: false }, 400],
  [{ Rule: { Kind: 'signed', Text: 'text' } }, 422],
  [
    {
      Rule: {
        Kind: 'series',
        Schedules: [{ Name: 'A', MinDays: [28] }],
        Titer: 'after',
        TiterFromDays: 60,
        TiterThroughDays: 30,
      },
    },
    422,
  ],
  [{ Link: 'javascript:alert(1)' }, 400],
  [{ Name: '' }, 400],
])('a rule that nobody could meet is refused: %j', async (part, status) => {
  const reply = await coordinator.call(contract.createRequirement, {
    params: params(),
    body: { ...card, ...part } as never,
  })
  expect(reply.status).toBe(status)
})

test('only those who design add and change; faculty and supervisors read the list', async () => {
  const { owner } = installation
  for (const [level, reads, writes] of [
    [Level.Faculty, 200, 403],
    [Level.Supervisor, 200, 403],
    [Level.Student, 403, 403],
  ] as const) {
    const who = await installation.as(await makePerson(owner, level, { program }))
    expect((await who.call(contract.listRequirements, { params: params(), query: {} })).status).toBe(reads)
    expect((await who.call(contract.createRequirement, { params: params(), body: card })).status).toBe(writes)
  }
  const elsewhere = await installation.as(await makePerson(owner, Level.Coord))
  expect((await elsewhere.call(contract.listRequirements, { params: params(), query: {} })).status).toBe(404)
})

test('the start set is imported as it is, with what its details say, and exported again', async () => {
  const { status, body } = await imported(sample)
  expect([status, body]).toMatchObject([200, { Added: 22 }])
  const all = new Map((await list()).map((row) => [row.Name, row]))
  expect(all.get('Hepatitis B')?.Rule).toMatchObject({ Kind: 'series', Titer: 'after', NonResponder: true })
  expect(all.get('Measles, Mumps, Rubella')?.Rule).toMatchObject({ Parts: ['Measles', 'Mumps', 'Rubella'] })
  expect(all.get('Influenza')?.Rule).toEqual({
    Kind: 'season',
    DoseFrom: '07-01',
    AskedFrom: '11-01',
    AskedThrough: '04-30',
  })
  expect(all.get('Tdap')?.Rule).toEqual({ Kind: 'months', Months: 120 })
  expect(all.get('Background check')).toMatchObject({
    Rule: { Kind: 'result' },
    NeedsFile: false,
    BlocksPlacement: true,
  })
  expect(all.get('Site orientation')).toMatchObject({ Scope: 'perSite', Rule: { Kind: 'signed' } })
  expect(all.get('COVID-19')).toMatchObject({ Scope: 'site', BlocksPlacement: false })
  const again = await imported(sample)
  expect(again.body).toMatchObject({ Added: 0, Changed: 0, Unchanged: 22 })
  const changed = await imported(
    'Name,Kind,Rule,Detail\nInfluenza,immunization,season,dose from 08/01; required from 10/01 until 03/31\n',
  )
  expect(changed.body).toMatchObject({ Added: 0, Changed: 1 })
  const after = (await list()).find(({ Name }) => Name === 'Influenza')
  expect(after).toMatchObject({ Version: 2, Rule: { DoseFrom: '08-01' } })
  const file = await coordinator.call(contract.exportRequirements, {
    params: params(),
    query: { Format: 'csv' },
  })
  expect(String(file.body)).toContain('CPR/BLS for Healthcare Providers,certification,expires')
})

test('a name with other blanks or case is the requirement that is known, which keeps its name', async () => {
  await coordinator.ok(contract.createRequirement, { params: params(), body: { ...card, Name: 'Fit test' } })
  const { body } = await imported('Name,BlocksPlacement\nFIT \u00A0test,N\n')
  expect(body).toMatchObject({ Added: 0, Changed: 1, Errors: [] })
  expect(await list()).toMatchObject([{ Name: 'Fit test', BlocksPlacement: false }])
})

test('a row whose rule says no figures is told', async () => {
  const { body } = await imported('Name,Kind,Rule,Detail\nFit test,training,months,each year\n', {
    DryRun: true,
  })
  expect((body as any).Errors).toMatchObject([
    { Row: 2, Message: expect.stringContaining('how many months') },
  ])
})
