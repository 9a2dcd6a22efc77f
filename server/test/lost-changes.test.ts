import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConnection } from '#contract/connections/connections.ts'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import { importIntoProgram } from '#contract/imports/imports.ts'
import * as people from '#contract/people/people.ts'
import { saveProvisioning } from '#contract/provisioning/provisioning.ts'
import { type MadeProgram, makePerson, makeProgram, makeStudent } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'

/** Rounds of each race: two hundred in all. */
const [byForms, byFormAndImport, byImportAndDirectory] = [80, 80, 40]

const phoneOf = (index: number): string => `508-555-${1000 + index}`

let installation: Installation
let program: MadeProgram
let dana: Caller
let sam: Caller

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  const coordinator = async () =>
    installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  dana = await coordinator()
  sam = await coordinator()
})
afterAll(() => installation?.stop())

/** Does what people and systems do when they are told that something has changed, or to wait: once more. */
const untilKept = async (attempt: () => Promise<{ status: number; body: unknown }>): Promise<void> => {
  for (;;) {
    const { status, body } = await attempt()
    if (status < 300) return
    expect([409, 429], JSON.stringify(body)).toContain(status)
  }
}

const many = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_each, index) => make(index)))
const students = (count: number, of: string) =>
  many(count, (index) =>
    makeStudent(installation.owner, program, {
      student_number: `${of}-${index}`,
      first_name: `${of}${index}`,
      last_name: 'Reyes',
      email: `${of}${index}@harbor.example`,
      zip: '1',
      phone: '1',
    }),
  )
const rowsOf = async (ids: readonly number[]) =>
  (
    await installation.owner.query(
      'select * from account where id = any ($1) order by array_position($1::bigint[], id)',
      [ids],
    )
  ).rows

/** A form: reads the person, and sends all of it with one change. */
const byForm = (caller: Caller, userId: number, change: Partial<people.UserDetail>): Promise<void> =>
  untilKept(async () => {
    const params = { programId: program.Id, userId }
    const seen = await caller.ok(people.getUser, { params })
    const { Id: _id, UserName: _name, IsActive: _active, IsTestUser: _test, ...body } = seen
    const headers = { 'if-match': fingerprint(seen) }
    return caller.call(people.updateUser, { params, body: { ...body, ...change } }, { headers })
  })

const byImport = (csv: string): Promise<void> =>
  untilKept(() =>
    dana.call(
      importIntoProgram,
      { params: { programId: program.Id }, query: { Kind: 'students' } },
      { files: [{ field: 'file', name: 'roster.csv', content: csv }] },
    ),
  )

test('two people who save the same person at once lose nothing of each other', async () => {
  const made = await students(byForms, 'form')
  await many(byForms, async (index) => {
    const { Id } = made[index]!
    await Promise.all([
      byForm(dana, Id, { PhoneNumber: phoneOf(index) }),
      byForm(sam, Id, { MiddleName: `Middle ${index}`, AccessLevel: Level.Student }),
    ])
  })
  for (const [index, row] of (await rowsOf(made.map(({ Id }) => Id))).entries())
    expect(row).toMatchObject({ phone: phoneOf(index), middle_name: `Middle ${index}` })
})

/** A file with new phones and cohorts, and with the names and addresses as they are. */
const phones = (made: readonly { Id: number }[], of: string): string =>
  [
    'Student ID,First Name,Last Name,Email,Phone,Cohort',
    ...made.map(
      (_each, index) =>
        `${of}-${index},${of}${index},Reyes,${of}${index}@harbor.example,${phoneOf(index)},2030`,
    ),
  ].join('\n')

test('an import of phones and forms that change the same people lose nothing of each other', async () => {
  const made = await students(byFormAndImport, 'both')
  await Promise.all([
    byImport(phones(made, 'both')),
    many(byFormAndImport, (index) =>
      byForm(sam, made[index]!.Id, { MiddleName: `Middle ${index}`, StudentLevelId: 2 }),
    ),
  ])
  for (const [index, row] of (await rowsOf(made.map(({ Id }) => Id))).entries())
    expect(row).toMatchObject({
      phone: phoneOf(index),
      cohort: '2030',
      middle_name: `Middle ${index}`,
      student_level_id: 2,
    })
})

test('an import of phones and a directory that sends whole users lose nothing of each other', async () => {
  const superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  const { Id: connectionId } = await superAdmin.ok(createConnection, {
    body: {
      Name: 'Directory',
      Issuer: 'https://id.harbor.example',
      ClientId: 'practicum',
      SubjectClaim: 'oid',
      ProgramId: program.Id,
      AccessLevel: Level.Faculty,
    },
  })
  const { Key } = await superAdmin.ok(saveProvisioning, {
    params: { connectionId, programId: program.Id },
    body: { MaxLevel: Level.Faculty, DefaultLevel: Level.Student, AdoptsByEmail: true },
  })
  const made = await students(byImportAndDirectory, 'scim')
  const send = async (method: string, path: string, index: number, name: object) => {
    const reply = await fetch(`${installation.url}/scim/v2/Users${path}`, {
      method,
      headers: { authorization: `Bearer ${Key}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({
        userName: `scim${index}@harbor.example`,
        name: { givenName: `scim${index}`, familyName: 'Reyes', ...name },
        emails: [{ value: `scim${index}@harbor.example`, type: 'work' }],
      }),
    })
    return { status: reply.status, body: await reply.json() }
  }
  await many(byImportAndDirectory, (index) => untilKept(() => send('POST', '', index, {})))
  await Promise.all([
    byImport(phones(made, 'scim')),
    many(byImportAndDirectory, (index) =>
      untilKept(() => send('PUT', `/${made[index]!.Id}`, index, { middleName: `Middle ${index}` })),
    ),
  ])
  for (const [index, row] of (await rowsOf(made.map(({ Id }) => Id))).entries())
    expect(row).toMatchObject({
      phone: phoneOf(index),
      cohort: '2030',
      student_number: `scim-${index}`,
      middle_name: `Middle ${index}`,
    })
})
