import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { find } from '#contract/search/finder.ts'
import * as session from '#contract/session/session.ts'
import { makePerson, makeProgram, makeSite, makeStudent, makeSupervisor } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const makeBoth = async (name: string) => {
  const program = await makeProgram(installation.owner)
  const student = await makeStudent(installation.owner, program, { first_name: name, last_name: 'Okafor' })
  const site = await makeSite(installation.owner, program, { name: `${name} General`, city: 'Salem' })
  return { program, student, site }
}

test('a coordinator finds people and sites of her program by a part of the name, and no others', async () => {
  const { program, student, site } = await makeBoth('Quill')
  await makeBoth('Quill')
  const caller = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  expect(await caller.ok(find, { query: { search: 'uill' } })).toEqual({
    People: [{ Id: student.Id, Name: 'Quill Okafor', AccessLevel: 39, Detail: student.UserName }],
    Sites: [{ Id: site.Id, Name: 'Quill General', Detail: expect.stringContaining('Salem') }],
  })
  expect(await caller.ok(find, { query: { search: '%' } })).toEqual({ People: [], Sites: [] })
})

test('a supervisor finds only her own sites, a student nothing', async () => {
  const { program, site, student } = await makeBoth('Zephyr')
  await makeSite(installation.owner, program, { name: 'Zephyr East' })
  const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [site.Id]))
  const found = await supervisor.ok(find, { query: { search: 'zephyr' } })
  expect(found).toMatchObject({ People: [], Sites: [{ Id: site.Id }] })
  const own = await installation.as(student)
  expect(await own.ok(find, { query: { search: 'zephyr' } })).toEqual({ People: [], Sites: [] })
})

test('at most six of each come, those who left not at all', async () => {
  const { program } = await makeBoth('Marlow')
  for (let n = 0; n < 8; n += 1)
    await makeStudent(installation.owner, program, { first_name: 'Marlow', last_name: `A${n}` })
  await makeStudent(installation.owner, program, {
    first_name: 'Marlow',
    last_name: 'A',
    deactivated_at: '2026-01-01',
  })
  const caller = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  const { People } = await caller.ok(find, { query: { search: 'marlow' } })
  expect(People.map(({ Name }) => Name)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `Marlow A${n}`))
  expect((await caller.call(find, { query: { search: ' ' } })).status).toBe(400)
})

test('a super admin searches the program she has chosen, and nothing without one', async () => {
  const { program, site } = await makeBoth('Indigo')
  const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  expect(await admin.ok(find, { query: { search: 'indigo' } })).toEqual({ People: [], Sites: [] })
  await admin.ok(session.saveState, { body: { ProgramId: program.Id } })
  expect((await admin.ok(find, { query: { search: 'indigo' } })).Sites).toMatchObject([{ Id: site.Id }])
})
