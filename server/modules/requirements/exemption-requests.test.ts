import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/requirements/exemption-requests.ts'
import { getOwnRequirements } from '#contract/requirements/own-requirements.ts'
import { addProof, getStudentRequirements } from '#contract/requirements/proof-review.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement, send } from '#server/test/requirement-proofs.ts'
import { deleteOldProofsOf } from './retention.jobs.ts'
import { countWrongStandings } from './standings.queries.ts'

let installation: Installation
let program: MadeProgram
let ada: MadePerson
let student: Caller
let coordinator: Caller
let director: Caller
let cpr: { Id: number; Name: string }
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, {
    time_zone: 'UTC',
    options: { ProofRetentionDays: 100, PreAdverseDays: 7 },
  })
  ada = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Adams' })
  student = await installation.as(ada)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  director = await installation.as(await makePerson(owner, Level.Director, { program }))
  cpr = await makeRequirement(owner, program, { name: 'CPR' })
})

const inProgram = () => ({ programId: program.Id })
const ask = (body: Record<string, unknown> = {}, who = student) =>
  who.call(contract.askExemption, {
    params: { requirementId: cpr.Id },
    body: { Kind: 'medical', Reason: 'Injured wrist', ...body } as never,
  })
const list = (Show: 'open' | 'decided' = 'open', who = coordinator) =>
  who.ok(contract.listExemptionRequests, { params: inProgram(), query: { Show } })
const decide = (requestId: number, body: Record<string, unknown>, who = coordinator) =>
  who.call(contract.decideExemptionRequest, {
    params: { ...inProgram(), requestId },
    body: { Decision: 'grant', ...body } as never,
  })
const own = async () => (await student.ok(getOwnRequirements)).Items[0]!
const wrong = () =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    countWrongStandings(db, program.Id),
  )

describe('a student asks for an exemption', () => {
  test('staff grant it as they see it, they are told, and it counts', async () => {
    expect((await ask()).status).toBe(200)
    expect(await own()).toMatchObject({ Request: { State: 'open', Kind: 'medical' } })
    const { Items, Total } = await list()
    expect([Total, Items]).toMatchObject([
      1,
      [{ Student: 'Adams, Ada', Requirement: 'CPR', Reason: 'Injured wrist' }],
    ])
    const reply = await decide(Items[0]!.Id, { Until: dayFromNow(60), Answer: 'Until the end of term' })
    expect(reply.body).toMatchObject({ State: 'granted', Until: dayFromNow(60) })
    expect(await own()).toMatchObject({
      Standing: { State: 'waived', Exemption: 'medical', ExpiresOn: dayFromNow(60) },
      Request: { State: 'granted', Answer: 'Until the end of term' },
    })
    expect(await list()).toMatchObject({ Total: 0 })
    expect(await list('decided')).toMatchObject({ Total: 1, Items: [{ State: 'granted' }] })
    const { rows } = await installation.owner.query(
      "select after from email_notice where account_id = $1 and label = 'REQUIREMENT_answered'",
      [ada.Id],
    )
    expect(rows).toMatchObject([{ after: expect.stringContaining('CPR: granted through') }])
    expect((await ask()).status).toBe(409)
    expect(await wrong()).toBe(0)
  })

  test('a decline needs its reason; they may ask again, and take a request back', async () => {
    await ask()
    const { Items } = await list()
    expect((await decide(Items[0]!.Id, { Decision: 'decline' })).status).toBe(400)
    expect(
      (await decide(Items[0]!.Id, { Decision: 'decline', Answer: 'Bring the form' })).body,
    ).toMatchObject({ State: 'declined' })
    expect((await decide(Items[0]!.Id, {})).status).toBe(409)
    expect(await own()).toMatchObject({ Request: { State: 'declined', Answer: 'Bring the form' } })
    expect((await ask()).status).toBe(200)
    const params = { requirementId: cpr.Id }
    await student.ok(contract.withdrawExemptionRequest, { params })
    expect((await student.call(contract.withdrawExemptionRequest, { params })).status).toBe(404)
    expect(await own()).toMatchObject({ Request: { State: 'declined' } })
  })

  test('one waits at a time, also when they press twice, and two who decide at once do so once', async () => {
    const asked = await Promise.all([ask(), ask(), ask()])
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const { Items } = await list()
    const decided = await Promise.all([
      decide(Items[0]!.Id, {}),
      decide(Items[0]!.Id, { Decision: 'decline', Answer: 'No' }),
    ])
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await wrong()).toBe(0)
  })

  test('bad input, other roles and other programs are refused', async () => {
    expect((await ask({ Reason: '  ' })).status).toBe(400)
    expect((await ask({ Until: dayFromNow(-1) })).status).toBe(422)
    const foreign = await makeRequirement(installation.owner, await makeProgram(installation.owner))
    expect(
      (
        await student.call(contract.askExemption, {
          params: { requirementId: foreign.Id },
          body: { Kind: 'waiver', Reason: 'x' },
        })
      ).status,
    ).toBe(404)
    await ask()
    const { Items } = await list()
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await decide(Items[0]!.Id, {}, faculty)).status).toBe(403)
    const other = await installation.as(await makePerson(installation.owner, Level.Coord))
    expect((await decide(Items[0]!.Id, {}, other)).status).toBe(404)
    expect((await decide(Items[0]!.Id, { Until: dayFromNow(-1) })).status).toBe(422)
  })
})

describe('a finding of a background check', () => {
  let check: { Id: number; Name: string }
  beforeEach(async () => {
    check = await makeRequirement(installation.owner, program, {
      name: 'Background check',
      rule: { Kind: 'result' },
    })
  })
  const record = (Result: string, On = dayFromNow(0)) =>
    director.call(
      addProof,
      {
        params: { ...inProgram(), studentId: ada.Id },
        body: {
          proof: {
            RequirementId: check.Id,
            Events: [{ Kind: 'result', On, Result: Result as 'clear' }],
            Key: crypto.randomUUID(),
          },
        },
      },
      { files: [] },
    )
  const sentDaysAgo = (days: number) =>
    installation.owner.query(
      `update requirement_proof set events = jsonb_set(events, '{0,On}', to_jsonb($2::text)) where program_id = $1`,
      [program.Id, dayFromNow(-days)],
    )
  const notice = async () =>
    (await student.ok(getOwnRequirements)).Items.find(({ Id }) => Id === check.Id)!.Notice

  test('is not final before its notice, nor before the days to answer are over', async () => {
    expect((await record('notEligible')).body).toMatchObject({ Code: 'pre_adverse' })
    expect((await record('preAdverse', dayFromNow(-1))).body).toMatchObject({ Code: 'pre_adverse_day' })
    expect((await record('preAdverse')).status).toBe(200)
    expect(await notice()).toEqual({ SentOn: dayFromNow(0), AnswerBy: dayFromNow(7) })
    const { rows } = await installation.owner.query(
      "select recipient, html from mail where program_id = $1 and label = 'REQUIREMENT_preAdverse'",
      [program.Id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].html).toContain('Fair Credit Reporting Act')
    expect((await record('notEligible')).body).toMatchObject({ Code: 'pre_adverse_open' })
    await sentDaysAgo(7)
    expect((await record('notEligible')).body).toMatchObject({ Code: 'pre_adverse_open' })
    await sentDaysAgo(8)
    expect((await record('notEligible')).status).toBe(200)
    expect(await notice()).toBeNull()
  })

  test('a result that clears the student ends the notice; a new finding needs a new one', async () => {
    await record('preAdverse')
    await sentDaysAgo(10)
    expect((await record('clear')).status).toBe(200)
    expect(await notice()).toBeNull()
    expect((await record('notEligible')).body).toMatchObject({ Code: 'pre_adverse' })
  })

  test('coordinators, who may not know findings, see no notice', async () => {
    await record('preAdverse')
    const seen = async (who: Caller) =>
      (await who.ok(getStudentRequirements, { params: { ...inProgram(), studentId: ada.Id } })).Items.find(
        ({ Id }) => Id === check.Id,
      )!.Notice
    expect(await seen(coordinator)).toBeNull()
    expect(await seen(director)).toMatchObject({ AnswerBy: dayFromNow(7) })
  })
})

describe('proofs of former students', () => {
  const run = (days: number) => deleteOldProofsOf(installation.services, program.Id, dayFromNow(days))
  const leave = () =>
    installation.owner.query('update account set deactivated_at = now() where id = $1', [ada.Id])
  const kept = async () =>
    (
      await installation.owner.query(
        `select p.note, p.purged_at is not null as purged, p.events -> 0 ->> 'Until' as until,
          (select count(*)::int from requirement_proof_file x where x.program_id = p.program_id and x.proof_id = p.id) as files,
          (select count(*)::int from stored_file f where f.program_id = p.program_id) as stored
        from requirement_proof p where p.program_id = $1`,
        [program.Id],
      )
    ).rows
  const told = async () =>
    (
      await installation.owner.query(
        "select subject from mail where program_id = $1 and label = 'PROOFS_deleted_soon' order by id",
        [program.Id],
      )
    ).rows

  test('are deleted after the days that the program keeps them, staff told a month before; what they said stays', async () => {
    await send(student, cpr, [{ Until: dayFromNow(300) }])
    await ask()
    await leave()
    await run(0)
    expect(await told()).toEqual([])
    await run(70)
    expect(await told()).toHaveLength(2)
    await run(71)
    expect(await told()).toHaveLength(2)
    await run(99)
    expect(await kept()).toMatchObject([{ files: 1, stored: 1, purged: false }])
    await run(100)
    expect(await kept()).toEqual([{ note: '', purged: true, until: dayFromNow(300), files: 0, stored: 0 }])
    const { rows } = await installation.owner.query(
      "select subject_id, detail from audit where program_id = $1 and action = 'retention: proofs'",
      [program.Id],
    )
    expect(rows).toEqual([{ subject_id: ada.Id, detail: { Files: 1 } }])
    const requests = await installation.owner.query(
      'select reason from requirement_request where program_id = $1',
      [program.Id],
    )
    expect(requests.rows).toEqual([{ reason: 'Deleted' }])
    expect(await wrong()).toBe(0)
    await run(101)
    expect(await told()).toHaveLength(2)
  })

  test('stay where nobody was told, where the student is back, and where the program keeps them', async () => {
    await send(student, cpr, [{ Until: dayFromNow(300) }])
    await leave()
    // The job did not run for a long time: staff still have their month.
    await run(500)
    await run(529)
    expect(await kept()).toMatchObject([{ purged: false }])
    await installation.owner.query('update account set deactivated_at = null where id = $1', [ada.Id])
    await run(540)
    expect(await kept()).toMatchObject([{ purged: false }])
    await leave()
    await installation.owner.query(`update program set options = '{"ProofRetentionDays": 0}' where id = $1`, [
      program.Id,
    ])
    await run(900)
    expect(await kept()).toMatchObject([{ purged: false, files: 1 }])
  })
})
