import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getMatrix } from '#contract/requirements/matrix.ts'
import * as own from '#contract/requirements/own-requirements.ts'
import * as review from '#contract/requirements/proof-review.ts'
import { updateRequirement } from '#contract/requirements/requirement-design.ts'
import { transaction } from '#server/core/database/pool.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { standInConverter } from '#server/test/pictures.ts'
import { dayFromNow, makeRequirement, photo, proofOf, send } from '#server/test/requirement-proofs.ts'
import { countWrongStandings } from './standings.queries.ts'

let installation: Installation
let program: MadeProgram
let ada: MadePerson
let student: Caller
let coordinator: Caller
let cpr: { Id: number; Name: string }
beforeAll(async () => {
  installation = await startInstallation()
})
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  ada = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Adams' })
  student = await installation.as(ada)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  cpr = await makeRequirement(owner, program)
})

const mine = async () => (await student.ok(own.getOwnRequirements)).Items
const paramsOf = (proofId: number, studentId = ada.Id) => ({ programId: program.Id, studentId, proofId })
const decide = (proofId: number, body: Record<string, unknown>, who = coordinator) =>
  who.call(review.decideProof, {
    params: paramsOf(proofId),
    body: { Revision: 1, Decision: 'accept', ...body } as never,
  })
const sends = (
  events: Parameters<typeof proofOf>[1],
  files: { field: string; name: string; content: Uint8Array | string }[] = [
    { field: 'file', name: 'card.jpg', content: photo },
  ],
  more: Parameters<typeof proofOf>[2] = {},
) => student.call(own.sendProof, proofOf(cpr, events, more), { files })
const wrong = () =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    countWrongStandings(db, program.Id),
  )
const place = async (date: string) => {
  const { owner } = installation
  const site = await makeSite(owner, program, { name: 'Bayview' })
  const shift = await makeShift(owner, program, { site })
  const rotation = await makeRotation(owner, program, { start_date: dayFromNow(-30) })
  await makeRow(owner, 'shift_assignment', {
    program_id: program.Id,
    student_id: ada.Id,
    site_id: site.Id,
    site_shift_id: shift.Id,
    rotation_id: rotation.Id,
    date,
    starts_at: `${date}T12:00:00Z`,
    ends_at: `${date}T20:00:00Z`,
  })
  return site
}

describe('a student', () => {
  test('sends a card, staff accept it with what is on it, and it is good to its last day', async () => {
    expect(await mine()).toMatchObject([{ Name: cpr.Name, Standing: { State: 'missing' }, Proofs: [] }])
    const id = await send(student, cpr, [{ On: dayFromNow(-3), Until: dayFromNow(300) }])
    expect(await mine()).toMatchObject([
      {
        Standing: { State: 'submitted', IsWaiting: true },
        Proofs: [{ Id: id, Files: [{ Position: 0, MediaType: 'image/jpeg' }] }],
      },
    ])
    const queue = await coordinator.ok(review.listWaitingProofs, {
      params: { programId: program.Id },
      query: {},
    })
    expect(queue).toMatchObject({
      Total: 1,
      Items: [{ Id: id, Student: 'Adams, Ada', Requirement: cpr.Name }],
    })
    const looked = await coordinator.ok(review.getProof, { params: paramsOf(id) })
    expect(looked).toMatchObject({
      FirstName: 'Ada',
      IsOlderRule: false,
      Standing: { State: 'submitted' },
      Earlier: [],
    })
    const until = dayFromNow(700)
    const { status, body } = await decide(id, {
      Events: [{ Kind: 'done', On: dayFromNow(-3), Until: until }],
    })
    expect([status, body]).toMatchObject([200, { Standing: { State: 'accepted', ExpiresOn: until } }])
    expect(await mine()).toMatchObject([{ Standing: { State: 'accepted', ExpiresOn: until } }])
    expect(await wrong()).toBe(0)
    const told = await installation.owner.query('select text, link from notification where account_id = $1', [
      ada.Id,
    ])
    expect(told.rows).toMatchObject([
      { text: expect.stringContaining('Accepted: '), link: '/new/requirements' },
    ])
    const { rows } = await installation.owner.query(
      "select subject_id, detail from audit where program_id = $1 and action like '%decision'",
      [program.Id],
    )
    expect(rows).toMatchObject([{ subject_id: ada.Id, detail: { Decision: 'accept' } }])
  })

  test('gets a proof back with the reason, sends another, and is told why', async () => {
    const id = await send(student, cpr)
    expect((await decide(id, { Decision: 'return' })).status).toBe(400)
    expect((await decide(id, { Decision: 'return', Reason: 'Not readable' })).status).toBe(200)
    expect(await mine()).toMatchObject([
      { Standing: { State: 'returned' }, Proofs: [{ State: 'returned', ReturnReason: 'Not readable' }] },
    ])
    await send(student, cpr)
    expect(await mine()).toMatchObject([{ Standing: { State: 'submitted', IsReturned: false } }])
  })

  test('learns which shift is blocked, by the date of the shift', async () => {
    await place(dayFromNow(20))
    expect(await mine()).toMatchObject([{ Blocks: { Date: dayFromNow(20), Site: 'Bayview' } }])
    await decide(await send(student, cpr, [{ Until: dayFromNow(10) }]), {})
    expect(await mine()).toMatchObject([
      { Standing: { State: 'expiring' }, Blocks: { Date: dayFromNow(20), Site: 'Bayview' } },
    ])
    await decide(await send(student, cpr, [{ Until: dayFromNow(20) }]), {})
    expect(await mine()).toMatchObject([{ Blocks: null }])
  })

  test('is asked what a site asks only with shifts there, once for each site where each asks', async () => {
    const badge = await makeRequirement(installation.owner, program, { scope: 'perSite', name: 'Badge' })
    const site = await place(dayFromNow(20))
    expect((await mine()).map(({ Name }) => Name)).toEqual([cpr.Name])
    await makeRow(installation.owner, 'site_requirement', {
      program_id: program.Id,
      site_id: site.Id,
      requirement_id: badge.Id,
    })
    expect((await mine()).find(({ Id }) => Id === badge.Id)).toMatchObject({
      SiteId: site.Id,
      Site: 'Bayview',
    })
    // What the student reads is what staff find by it.
    const listed = async (Show?: 'notReady') => {
      const query = { ...(Show && { Show, RequirementId: badge.Id }) }
      const { Rows } = await coordinator.ok(getMatrix, { params: { programId: program.Id }, query })
      return Rows.map(({ Id, AtSites }) => [Id, AtSites])
    }
    const atSite = [{ RequirementId: badge.Id, Name: 'Badge', Site: 'Bayview' }]
    expect(await listed()).toEqual([[ada.Id, atSite]])
    expect(await listed('notReady')).toEqual([[ada.Id, atSite]])
    const sent = await student.call(
      own.sendProof,
      proofOf(badge, [{ Until: dayFromNow(90) }], { SiteId: site.Id }),
      {
        files: [{ field: 'file', name: 'badge.jpg', content: photo }],
      },
    )
    await decide(sent.body.Id, {})
    expect((await mine()).find(({ Id }) => Id === badge.Id)).toMatchObject({
      Standing: { State: 'accepted' },
    })
    expect(await listed()).toEqual([[ada.Id, []]])
    expect(await listed('notReady')).toEqual([])
    expect(await wrong()).toBe(0)
  })

  test('takes back what nobody has decided about, and nothing else', async () => {
    const id = await send(student, cpr)
    expect((await student.call(own.withdrawProof, { params: { proofId: id } })).status).toBe(204)
    expect(await mine()).toMatchObject([{ Standing: { State: 'missing' }, Proofs: [] }])
    const other = await send(student, cpr)
    await decide(other, {})
    expect((await student.call(own.withdrawProof, { params: { proofId: other } })).status).toBe(409)
  })

  test('signs by their name; another text is signed again', async () => {
    const secrecy = await makeRequirement(installation.owner, program, {
      rule: { Kind: 'signed', Text: 'I keep secrets.' },
      needs_file: false,
      kind: 'signature',
    })
    const sign = (Name: string, Version = 1) =>
      student.call(own.signRequirement, { params: { requirementId: secrecy.Id }, body: { Name, Version } })
    expect((await sign('Grace Hopper')).status).toBe(422)
    expect((await sign('ada  adams')).status).toBe(200)
    const state = async () => (await mine()).find(({ Id }) => Id === secrecy.Id)?.Standing.State
    expect(await state()).toBe('accepted')
    const body = {
      Name: secrecy.Name,
      Kind: 'signature' as const,
      Rule: { Kind: 'signed' as const, Text: 'I keep all secrets.' },
      NeedsFile: false,
    }
    await coordinator.ok(updateRequirement, {
      params: { programId: program.Id, requirementId: secrecy.Id },
      body,
    })
    expect(await state()).toBe('missing')
    expect((await sign('Ada Adams')).status).toBe(409)
    expect((await sign('Ada Adams', 2)).status).toBe(200)
    expect(await state()).toBe('accepted')
    expect(await wrong()).toBe(0)
  })

  test('sees own records only', async () => {
    const other = await installation.as(await makeStudent(installation.owner, program))
    const id = await send(student, cpr)
    expect((await other.call(own.withdrawProof, { params: { proofId: id } })).status).toBe(404)
    expect((await other.call(own.getOwnProofFile, { params: { proofId: id, position: 0 } })).status).toBe(404)
    expect((await student.call(own.getOwnProofFile, { params: { proofId: id, position: 0 } })).status).toBe(
      200,
    )
    expect((await other.ok(own.getOwnRequirements)).Items).toMatchObject([{ Proofs: [] }])
  })
})

describe('what is sent', () => {
  test('twice under one key is kept once, also after it was taken back', async () => {
    const Key = randomUUID()
    const replies = await Promise.all(
      [1, 2, 3].map(() => sends([{ Until: dayFromNow(90) }], undefined, { Key })),
    )
    expect(new Set(replies.map(({ body }) => body.Id)).size).toBe(1)
    const [first] = replies
    await student.ok(own.withdrawProof, { params: { proofId: first!.body.Id } })
    expect((await sends([{ Until: dayFromNow(90) }], undefined, { Key })).body.Id).toBe(first!.body.Id)
    expect(await mine()).toMatchObject([{ Proofs: [] }])
  })

  test('loses the place where a photo was taken', async () => {
    const exif = Buffer.from('Exif\0\0GPS 41.63 N 70.93 W', 'latin1')
    const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
    const sent = Buffer.concat([photo.subarray(0, 2), head, exif, photo.subarray(2)])
    const id = await send(student, cpr, undefined, sent)
    const file = await student.call(own.getOwnProofFile, { params: { proofId: id, position: 0 } })
    expect(String(file.body)).not.toContain('GPS')
    expect(file.headers.get('content-type')).toBe('image/jpeg')
  })

  test('takes a HEIC photo as a JPEG where a program can convert it, and else says what to do', async () => {
    const content = readFileSync(new URL('../../core/files/sample.heic', import.meta.url))
    const files = [{ field: 'file', name: 'IMG_0042.HEIC', content }]
    vi.stubEnv('PATH', '')
    const refused = await sends([{ Until: dayFromNow(90) }], files)
    expect([refused.status, (refused.body as any).Code]).toEqual([415, 'heic'])
    expect((refused.body as any).Message).toMatch(
      /^IMG_0042.HEIC is a HEIC photo.*“Most Compatible”.*Nothing was kept/,
    )
    expect(await mine()).toMatchObject([{ Proofs: [] }])
    vi.stubEnv('PATH', await standInConverter(photo))
    const { status, body } = await sends([{ Until: dayFromNow(90) }], files)
    expect(status).toBe(200)
    const file = await student.call(own.getOwnProofFile, { params: { proofId: body.Id, position: 0 } })
    expect(file.headers.get('content-type')).toBe('image/jpeg')
    expect(file.headers.get('content-disposition')).toContain('IMG_0042.jpg')
  })

  test.each([
    ['a page', '<html><script>alert(1)</script></html>', 415, 'PDF, JPEG or PNG'],
    ['a program', Buffer.from('MZ\x90\0'), 415, 'PDF, JPEG or PNG'],
    ['an empty file', '', 415, 'PDF, JPEG or PNG'],
  ])('is refused kindly where it is %s', async (_what, content, status, text) => {
    const reply = await sends([{ Until: dayFromNow(90) }], [{ field: 'file', name: 'card', content }])
    expect(reply.status).toBe(status)
    expect((reply.body as any).Message).toContain(text)
    expect(await mine()).toMatchObject([{ Proofs: [] }])
  })

  test('is refused where it is larger than anybody should send', async () => {
    const large = Buffer.concat([photo, Buffer.alloc(21 * 1024 * 1024)])
    const reply = await sends(
      [{ Until: dayFromNow(90) }],
      [{ field: 'file', name: 'card.jpg', content: large }],
    )
    expect([reply.status, (reply.body as any).Message]).toEqual([413, expect.stringContaining('20 MiB')])
    const tooMuch = Buffer.alloc(own.proofLimit + 1_000_000)
    const refused = await sends(
      [{ Until: dayFromNow(90) }],
      [{ field: 'file', name: 'a.jpg', content: tooMuch }],
    )
    expect(refused.status).toBe(413)
  })

  test.each([
    ['no file', [], [{ Until: '2099-01-01' }], 'file'],
    ['a day that has not come', undefined, [{ On: '2099-01-01', Until: '2099-02-01' }], 'Events.0.On'],
    ['a day before birth', undefined, [{ On: '1901-01-01', Until: '2099-01-01' }], 'Events.0.On'],
    ['no last day', undefined, [{ On: '2024-01-01' }], 'Events.0.Until'],
    ['an end before its day', undefined, [{ On: '2024-01-02', Until: '2024-01-01' }], 'Events.0.Until'],
    ['a dose for a card', undefined, [{ Kind: 'dose', On: '2024-01-02' }], 'Events.0.Kind'],
  ] as const)('needs what its rule asks: %s is refused', async (_what, files, events, field) => {
    const reply = await sends(events as never, files as never)
    expect([reply.status, (reply.body as any).Errors?.[0]?.Field]).toEqual([422, field])
  })

  test('is for a requirement of the student’s program, and never a vendor’s result', async () => {
    const foreign = await makeRequirement(installation.owner, await makeProgram(installation.owner))
    const drug = await makeRequirement(installation.owner, program, { rule: { Kind: 'result' } })
    const files = [{ field: 'file', name: 'a.jpg', content: photo }]
    expect((await student.call(own.sendProof, proofOf(foreign, [{}]), { files })).status).toBe(404)
    expect((await student.call(own.sendProof, proofOf(drug, [{}]), { files })).status).toBe(422)
    const gone = await makeRequirement(installation.owner, program, { cohorts: ['2031'] })
    expect(
      (await student.call(own.sendProof, proofOf(gone, [{ Until: dayFromNow(9) }]), { files })).status,
    ).toBe(404)
  })
})

describe('staff', () => {
  test('of two who decide at once one does, and a decision is taken back', async () => {
    const id = await send(student, cpr)
    const second = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
    const replies = await Promise.all([
      decide(id, {}),
      decide(id, { Decision: 'return', Reason: 'Old card' }, second),
      student.call(own.withdrawProof, { params: { proofId: id } }),
    ])
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(await wrong()).toBe(0)
    const policy = await makeRequirement(installation.owner, program)
    const other = await send(student, policy)
    const { body } = await decide(other, {})
    const again = await coordinator.ok(review.reopenProof, {
      params: paramsOf(other),
      body: { Revision: body.Proof.Revision },
    })
    expect(again.State).toBe('submitted')
    expect((await mine()).find(({ Id }) => Id === policy.Id)!.Standing.State).toBe('submitted')
    expect(await wrong()).toBe(0)
  })

  test('look at a proof in the audit, and only their own program’s', async () => {
    const id = await send(student, cpr)
    await coordinator.ok(review.getProof, { params: paramsOf(id) })
    expect(
      (await coordinator.call(review.getProofFile, { params: { ...paramsOf(id), position: 0 } })).status,
    ).toBe(200)
    // A file's row is kept once all of it was sent.
    await expect
      .poll(
        async () =>
          (
            await installation.owner.query(
              "select from audit where program_id = $1 and subject_id = $2 and action like 'GET%'",
              [program.Id, ada.Id],
            )
          ).rowCount,
      )
      .toBe(2)
    const elsewhere = await makeStudent(installation.owner, await makeProgram(installation.owner))
    expect((await coordinator.call(review.getProof, { params: paramsOf(id, elsewhere.Id) })).status).toBe(404)
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(review.getProof, { params: paramsOf(id) })).status).toBe(403)
  })

  test('a rule that changes while proofs wait is said, and judges what is accepted', async () => {
    const held = await send(student, cpr, [{ On: dayFromNow(-400), Until: dayFromNow(100) }])
    await decide(held, {})
    const waiting = await send(student, cpr, [{ On: dayFromNow(-5), Until: dayFromNow(800) }])
    await coordinator.ok(updateRequirement, {
      params: { programId: program.Id, requirementId: cpr.Id },
      body: { Name: cpr.Name, Kind: 'training', Rule: { Kind: 'months', Months: 12 }, BlocksPlacement: true },
    })
    expect((await mine())[0]!.Standing.State).toBe('submitted')
    expect((await mine())[0]!.Standing.ExpiresOn! < dayFromNow(0)).toBe(true)
    const looked = await coordinator.ok(review.getProof, { params: paramsOf(waiting) })
    expect(looked).toMatchObject({ IsOlderRule: true, Requirement: { Version: 2, Rule: { Kind: 'months' } } })
    expect((await decide(waiting, {})).status).toBe(200)
    expect((await mine())[0]!.Standing.State).toBe('accepted')
    expect(await wrong()).toBe(0)
  })

  test('exempt many at once; the reason is theirs alone, and it ends', async () => {
    const others = [
      await makeStudent(installation.owner, program),
      await makeStudent(installation.owner, program),
    ]
    const grant = (body: Record<string, unknown>) =>
      coordinator.call(review.grantExemptions, {
        params: { programId: program.Id },
        body: {
          StudentIds: [ada, ...others].map(({ Id }) => Id),
          RequirementId: cpr.Id,
          Kind: 'medical',
          Reason: 'Letter of Dr. Sample',
          Until: dayFromNow(30),
          ...body,
        } as never,
      })
    expect((await grant({ Until: dayFromNow(-1) })).status).toBe(422)
    expect((await grant({ Reason: '  ' })).status).toBe(400)
    const foreign = await makeStudent(installation.owner)
    expect((await grant({ StudentIds: [ada.Id, foreign.Id] })).status).toBe(404)
    const { body } = await grant({})
    expect(body.Granted).toBe(3)
    expect(await mine()).toMatchObject([
      { Standing: { State: 'waived', Exemption: 'medical', ExpiresOn: dayFromNow(30) } },
    ])
    expect(JSON.stringify(await mine())).not.toContain('Dr. Sample')
    const params = { programId: program.Id, studentId: ada.Id }
    expect(await coordinator.ok(review.getStudentRequirements, { params })).toMatchObject({
      Items: [{ Exemptions: [{ Kind: 'medical', Reason: 'Letter of Dr. Sample' }] }],
    })
    await coordinator.ok(review.endExemptions, { params: { programId: program.Id }, body: { Ids: body.Ids } })
    expect((await mine())[0]!.Standing.State).toBe('missing')
    expect(await wrong()).toBe(0)
  })

  test('record results of background checks with their right alone; others learn whether it is met', async () => {
    const check = await makeRequirement(installation.owner, program, {
      rule: { Kind: 'result' },
      kind: 'screening',
    })
    const director = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
    const record = (who: Caller, Result: string, On = dayFromNow(-2)) =>
      who.call(
        review.addProof,
        {
          params: { programId: program.Id, studentId: ada.Id },
          body: {
            proof: {
              RequirementId: check.Id,
              Events: [{ Kind: 'result', On, Result: Result as 'clear' }],
              Note: 'Report 77',
              Vendor: 'Checkr',
              Key: randomUUID(),
            },
          },
        },
        { files: [] },
      )
    expect((await record(coordinator, 'clear')).status).toBe(403)
    expect((await record(director, 'underReview')).status).toBe(200)
    const params = { programId: program.Id, studentId: ada.Id }
    const seen = async (who: Caller) =>
      (await who.ok(review.getStudentRequirements, { params })).Items.find(({ Id }) => Id === check.Id)!
    expect((await seen(director)).Standing.State).toBe('submitted')
    expect((await seen(coordinator)).Standing.State).toBe('missing')
    expect(JSON.stringify(await seen(coordinator))).not.toMatch(/underReview|Report 77/)
    await record(director, 'clear', dayFromNow(-1))
    expect((await seen(coordinator)).Standing.State).toBe('accepted')
    expect(await wrong()).toBe(0)
  })
})
