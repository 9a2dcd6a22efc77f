import { afterAll, beforeAll, expect, test } from 'vitest'
import * as connections from '#contract/connections/connections.ts'
import * as contract from '#contract/connections/lti.ts'
import { Level } from '#contract/core/levels.ts'
import { saveProvisioning } from '#contract/provisioning/provisioning.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { type LtiTestPlatform, type RosterPerson, startLtiPlatform } from '#server/test/lti-platform.ts'

let installation: Installation
let superAdmin: Caller
let program: MadeProgram
let platform: LtiTestPlatform

beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8' })
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  program = await makeProgram(installation.owner)
  platform = await startLtiPlatform()
  platform.page.tool = `${installation.url}/new/lti/login`
})
afterAll(async () => {
  await installation?.stop()
  await platform?.stop()
})

let counter = 0
const settings = (more: Record<string, unknown> = {}) => ({
  Name: `LMS ${++counter}`,
  ClientId: `client-${counter}`,
  AuthUrl: platform.authUrl,
  KeysUrl: platform.keysUrl,
  TokenUrl: platform.tokenUrl,
  Deployments: ['deployment-1'],
  RoleLevels: [
    { Role: 'Instructor' as const, Level: Level.Faculty as number },
    { Role: 'Learner' as const, Level: Level.Student as number },
  ],
  ...more,
})
const input = (more: Record<string, unknown> = {}) => ({
  ...settings(),
  Issuer: platform.issuer,
  ProgramId: program.Id,
  AccessLevel: Level.Faculty as number,
  ...more,
})
const make = (more: Record<string, unknown> = {}) =>
  superAdmin.ok(contract.createLtiConnection, { body: input(more) })
const at = ({ Id }: { Id: number }) => ({ params: { connectionId: Id } })

/** A course of a connection that a launch has told. */
const makeCourse = async (connectionId: number, context = `course-${++counter}`) =>
  (
    await makeRow(installation.owner, 'lti_course', {
      provider_id: connectionId,
      context_id: context,
      title: `Course ${context}`,
      memberships_url: `${platform.issuer}/courses/${context}/memberships`,
    })
  ).id as number

const role = (name: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`
const learner = (user_id: string, more: Partial<RosterPerson> = {}): RosterPerson => ({
  user_id,
  roles: [role('Learner')],
  status: 'Active',
  given_name: 'Ada',
  family_name: `Of ${user_id}`,
  email: `${user_id}@harbor.example`,
  ...more,
})

/** A connection whose client the platform knows, with a course. */
const connected = async (more: Record<string, unknown> = {}) => {
  const ours = await makeProgram(installation.owner)
  const issuer = `https://lms-${++counter}.example`
  const made = await make({ ClientId: platform.clientId, Issuer: issuer, ProgramId: ours.Id, ...more })
  const place = { connectionId: made.Id, programId: ours.Id }
  const read = (CourseId: number, LinksByEmail = false) =>
    superAdmin.call(contract.readRoster, { params: place, body: { CourseId, LinksByEmail } })
  const apply = (rosterId: number, Changes: number) =>
    superAdmin.call(contract.applyRoster, { params: { ...place, rosterId }, body: { Changes } })
  /** Reads and applies; answers what was done by name of the action. */
  const sync = async (CourseId: number, people: RosterPerson[], LinksByEmail = false) => {
    platform.tell(people)
    const { body } = await read(CourseId, LinksByEmail)
    const changes = body.Lines.filter(({ Action }) => !['keep', 'skip'].includes(Action)).length
    const applied = await apply(body.Id, changes)
    expect(applied.status).toBe(200)
    return { roster: body, done: applied.body }
  }
  const accounts = async () =>
    (
      await installation.owner.query(
        `select a.id, a.first_name, a.last_name, a.email, a.access_level, a.deactivated_at is null as active, u.name_id
         from account a left join saml_user u on u.account_id = a.id and u.provider_id = $2
         where a.program_id = $1 order by a.id`,
        [ours.Id, made.Id],
      )
    ).rows as {
      id: number
      first_name: string
      last_name: string
      email: string
      access_level: number
      active: boolean
      name_id: string | null
    }[]
  return {
    connection: made,
    program: ours,
    place,
    read,
    apply,
    sync,
    accounts,
    course: await makeCourse(made.Id),
  }
}

test('a learning management system is connected, read back, changed and deleted', async () => {
  const made = await make()
  expect(made).toMatchObject({
    Kind: 'lti',
    HasSecret: false,
    Lti: {
      AuthUrl: platform.authUrl,
      TokenAudience: '',
      Deployments: ['deployment-1'],
      RoleLevels: [
        { Role: 'Instructor', Level: Level.Faculty },
        { Role: 'Learner', Level: Level.Student },
      ],
    },
    Programs: [{ ProgramId: program.Id, AccessLevel: Level.Faculty }],
  })
  expect(await superAdmin.ok(connections.getConnection, at(made))).toEqual(made)
  expect((await superAdmin.ok(connections.listConnections)).map(({ Id }) => Id)).toContain(made.Id)
  const body = settings({ Deployments: ['1', '2', '1'], TokenAudience: 'its name', RoleLevels: [] })
  const changed = await superAdmin.ok(contract.updateLtiConnection, { ...at(made), body })
  expect(changed).toMatchObject({
    Name: body.Name,
    Issuer: made.Issuer,
    Lti: { Deployments: ['1', '2'], TokenAudience: 'its name', RoleLevels: [] },
  })
  // Each kind is changed by its own call.
  const oidc = { Name: 'x', ClientId: 'y', SubjectClaim: 'sub' as const }
  expect((await superAdmin.call(connections.updateConnection, { ...at(made), body: oidc })).status).toBe(404)
  const provisioned = {
    params: { connectionId: made.Id, programId: program.Id },
    body: { MaxLevel: Level.Student, DefaultLevel: Level.Student },
  }
  expect((await superAdmin.call(saveProvisioning, provisioned)).status).toBe(404)
  await superAdmin.ok(connections.deleteConnection, at(made))
  expect((await superAdmin.call(contract.updateLtiConnection, { ...at(made), body })).status).toBe(404)
})

test('names, clients, levels, roles and addresses that cannot be are refused', async () => {
  const made = await make()
  const status = async (more: Record<string, unknown>) =>
    (await superAdmin.call(contract.createLtiConnection, { body: input(more) })).status
  expect(await status({ Name: made.Name.toUpperCase() })).toBe(409)
  expect(await status({ ClientId: made.ClientId })).toBe(409)
  for (const field of ['AuthUrl', 'KeysUrl', 'TokenUrl'])
    for (const address of ['ftp://a.example', 'https://u:p@a.example', 'javascript:alert(1)', 'x'])
      expect(await status({ [field]: address }), `${field} ${address}`).toBe(400)
  for (const AccessLevel of [Level.SuperAdmin, Level.Unknown, 1])
    expect(await status({ AccessLevel })).toBe(400)
  expect(await status({ RoleLevels: [{ Role: 'Learner', Level: Level.SuperAdmin }] })).toBe(400)
  expect(await status({ RoleLevels: [{ Role: 'Janitor', Level: Level.Student }] })).toBe(400)
  const twice = { Role: 'Learner', Level: Level.Student }
  expect(await status({ RoleLevels: [twice, twice] })).toBe(400)
  expect(await status({ Deployments: [''] })).toBe(400)
  expect(await status({ ProgramId: 999_999 })).toBe(422)
  expect(await status({ TokenUrl: '' })).toBe(200)
})

test('where access is asked for stays when a save leaves it out', async () => {
  const connection = await make({ TokenAudience: 'https://lms.example' })
  const { TokenUrl: _, ...rest } = settings()
  const { Lti } = await superAdmin.ok(contract.updateLtiConnection, { ...at(connection), body: rest })
  expect(Lti).toEqual(connection.Lti)
})

test('nobody but super admins with that area keeps them or reads rosters', async () => {
  const { connection, place, course } = await connected()
  for (const level of [Level.Admin, Level.Coord, Level.Student] as const) {
    const caller = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await caller.call(contract.createLtiConnection, { body: input() })).status).toBe(403)
    expect(
      (await caller.call(contract.updateLtiConnection, { ...at(connection), body: settings() })).status,
    ).toBe(403)
    expect((await caller.call(contract.listLtiCourses, at(connection))).status).toBe(403)
    // Of another program.
    const read = { params: place, body: { CourseId: course } }
    expect([403, 404]).toContain((await caller.call(contract.readRoster, read)).status)
    const applied = { params: { ...place, rosterId: 1 }, body: { Changes: 0 } }
    expect([403, 404]).toContain((await caller.call(contract.applyRoster, applied)).status)
  }
})

test('a test reads the key set and asks for access by a signed assertion', async () => {
  const { connection } = await connected()
  const steps = async () => (await superAdmin.ok(connections.testConnection, at(connection))).Steps
  expect(await steps()).toMatchObject([
    { Name: 'keys', IsOk: true, Detail: 'platform-1' },
    { Name: 'access', IsOk: true },
  ])
  const { header, payload } = platform.assertions.at(-1)!
  expect(header).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
  expect(payload).toMatchObject({ iss: platform.clientId, sub: platform.clientId, jti: expect.any(String) })
  const stranger = await make()
  const { IsOk, Steps } = await superAdmin.ok(connections.testConnection, at(stranger))
  expect([IsOk, Steps.map(({ IsOk }) => IsOk)]).toEqual([false, [true, false]])
  expect(Steps[1]?.Detail).toContain('no such client')
  const listed = (await superAdmin.ok(connections.listConnections)).find(({ Id }) => Id === stranger.Id)
  expect(listed?.LastError).toContain('no such client')
  const none = await make({ TokenUrl: '', KeysUrl: `${platform.issuer}/nothing` })
  expect(await superAdmin.ok(connections.testConnection, at(none))).toMatchObject({
    IsOk: false,
    Steps: [{ Name: 'keys', IsOk: false, Detail: expect.stringContaining('404') }],
  })
})

test('a roster of several pages is shown first, then applied: people are added with their level and their name at the platform', async () => {
  const { course, place, read, apply, accounts } = await connected()
  platform.tell(
    [
      learner('p1'),
      learner('p2', { roles: [role('Instructor')] }),
      learner('p3', { roles: [role('Mentor')] }),
    ],
    {
      pageSize: 2,
    },
  )
  const { body: roster } = await read(course)
  expect(roster.Lines.map(({ Subject, Action, Level, Reason }) => [Subject, Action, Level, Reason])).toEqual([
    ['p1', 'add', Level.Student, null],
    ['p2', 'add', Level.Faculty, null],
    ['p3', 'skip', null, 'no_role'],
  ])
  expect(platform.rosterCalls.at(-1)).toEqual({
    accept: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
    authorization: 'Bearer an access token',
  })
  expect(await accounts()).toEqual([])
  // Not as shown; of another program; then once.
  expect((await apply(roster.Id, 1)).status).toBe(409)
  const other = await connected()
  expect((await other.apply(roster.Id, 2)).status).toBe(404)
  expect((await apply(roster.Id, 2)).body).toEqual({
    Added: 2,
    Linked: 0,
    Restored: 0,
    Changed: 0,
    Deactivated: 0,
  })
  expect((await apply(roster.Id, 0)).status).toBe(404)
  expect(await accounts()).toMatchObject([
    {
      first_name: 'Ada',
      last_name: 'Of p1',
      email: 'p1@harbor.example',
      access_level: Level.Student,
      name_id: 'p1',
    },
    { last_name: 'Of p2', access_level: Level.Faculty, name_id: 'p2', active: true },
  ])
  const { rows } = await installation.owner.query(
    "select detail from audit where action like '%rosters/:rosterId%' and program_id = $1",
    [place.programId],
  )
  expect(JSON.stringify(rows)).toContain('p1')
})

test('levels, coming back and leaving follow the roster; who another course still has stays active', async () => {
  const { connection, course, sync, accounts } = await connected()
  const second = await makeCourse(connection.Id)
  const people = [learner('q1'), learner('q2'), learner('q3')]
  await sync(course, people)
  await sync(second, [learner('q3')])
  const changed = await sync(course, [learner('q1', { roles: [role('Instructor')] })])
  expect(changed.done).toEqual({ Added: 0, Linked: 0, Restored: 0, Changed: 1, Deactivated: 1 })
  expect((await accounts()).map(({ access_level, active }) => [access_level, active])).toEqual([
    [Level.Faculty, true],
    [Level.Student, false],
    [Level.Student, true],
  ])
  const back = await sync(course, people)
  expect(back.done).toEqual({ Added: 0, Linked: 0, Restored: 1, Changed: 1, Deactivated: 0 })
  // Now the second course alone has the third person.
  await sync(course, people.slice(0, 2))
  expect((await sync(second, [])).done.Deactivated).toBe(1)
  expect((await accounts()).map(({ active }) => active)).toEqual([true, true, false])
})

test('who is deactivated by a roster has no session any longer', async () => {
  const { course, sync, program: ours, connection } = await connected()
  const student = await makePerson(installation.owner, Level.Student, { program: ours })
  await makeRow(installation.owner, 'saml_user', {
    program_id: ours.Id,
    account_id: student.Id,
    provider_id: connection.Id,
    name_id: 'r1',
  })
  const caller = await installation.as(student)
  expect((await sync(course, [learner('r1')])).done.Linked).toBe(1)
  await sync(course, [])
  expect((await caller.call(contract.getDeepLink, { params: { guid: 'none' } })).status).toBe(401)
})

test('accounts of the program are taken by name; by address only where it is asked for; nobody above the level is touched', async () => {
  const {
    course,
    sync,
    read,
    accounts,
    program: ours,
    connection,
  } = await connected({ AccessLevel: Level.Student })
  const person = (level: Level, row: Record<string, unknown>) =>
    makePerson(installation.owner, level, { program: ours, ...row })
  const byName = await person(Level.Student, { email: 'byname@harbor.example', phone: '555-0100' })
  const admin = await person(Level.Admin, { email: 'admin@harbor.example' })
  const byEmail = await person(Level.Student, { email: 's3@harbor.example' })
  for (const [made, name] of [
    [byName, 's1'],
    [admin, 's2'],
  ] as const)
    await makeRow(installation.owner, 'saml_user', {
      program_id: ours.Id,
      account_id: made.Id,
      provider_id: connection.Id,
      name_id: name,
    })
  const people = [learner('s1'), learner('s2', { roles: [role('Instructor')] }), learner('s3')]
  platform.tell(people)
  expect((await read(course)).body.Lines.map(({ Action, Reason }) => [Action, Reason])).toEqual([
    ['link', null],
    ['skip', 'above_level'],
    ['skip', 'same_email'],
  ])
  expect((await sync(course, people, true)).done.Linked).toBe(2)
  expect(await accounts()).toMatchObject([
    // What the program keeps of somebody is not overwritten.
    { id: byName.Id, email: 'byname@harbor.example', name_id: 's1' },
    { id: admin.Id, access_level: Level.Admin, active: true },
    { id: byEmail.Id, name_id: 's3' },
  ])
  expect((await sync(course, [])).done.Deactivated).toBe(2)
  expect((await accounts()).map(({ active }) => active)).toEqual([false, true, false])
})

test('a roster that is not given, too long, or goes on at another host is refused, and changes nothing', async () => {
  const { course, read, connection, accounts } = await connected()
  const said = async () => {
    const { status, body } = await read(course)
    return [status, (body as unknown as { Message: string }).Message]
  }
  platform.tell([learner('t1'), learner('t2')], { pageSize: 1, elsewhere: 'http://127.0.0.1:1' })
  expect(await said()).toEqual([422, expect.stringContaining('another host')])
  platform.tell(
    Array.from({ length: contract.mostRosterMembers + 1 }, (_, index) => learner(`many-${index}`)),
  )
  expect(await said()).toEqual([422, expect.stringContaining('more than')])
  const [{ context_id: context }] = (
    await installation.owner.query('select context_id from lti_course where id = $1', [course])
  ).rows
  const address = `/courses/${context}/memberships`
  for (const [answer, words] of [
    [{ status: 403, body: {} }, '403'],
    [{ body: 'hello' }, 'form of LTI'],
    [{ body: { members: 7 } }, 'form of LTI'],
    [{ status: 302, body: {} }, 'another address'],
    [{ body: 'x'.repeat(5_000_000) }, 'more than'],
  ] as const) {
    platform.answers.set(address, () => answer)
    expect(await said()).toEqual([422, expect.stringContaining(words)])
  }
  platform.answers.clear()
  const withoutToken = settings({ ClientId: platform.clientId, TokenUrl: '' })
  await superAdmin.ok(contract.updateLtiConnection, { ...at(connection), body: withoutToken })
  expect(await said()).toEqual([422, expect.stringContaining('token address')])
  expect(await accounts()).toEqual([])
  expect((await read(999_999)).status).toBe(404)
  const foreign = {
    params: { connectionId: connection.Id, programId: program.Id },
    body: { CourseId: course },
  }
  expect((await superAdmin.call(contract.readRoster, foreign)).status).toBe(404)
})

test('courses are listed as launches have told them, latest first', async () => {
  const { connection, course } = await connected()
  const later = await makeCourse(connection.Id)
  expect((await superAdmin.ok(contract.listLtiCourses, at(connection))).map(({ Id }) => Id)).toEqual([
    later,
    course,
  ])
})
