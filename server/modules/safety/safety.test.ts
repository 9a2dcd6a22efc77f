import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as imports from '#contract/imports/imports.ts'
import * as declarations from '#contract/safety/declarations.ts'
import * as doses from '#contract/safety/doses.ts'
import * as incidents from '#contract/safety/incidents.ts'
import { getLeftMenu } from '#contract/session/session.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow } from '#server/test/requirement-proofs.ts'
import { doseOf } from './doses.import.ts'

let installation: Installation
let program: MadeProgram
let ada: MadePerson
let student: Caller
let coordinator: Caller
let director: Caller
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC', options: { DoseLimit: 100 } })
  ada = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Adams', student_number: 'A-1' })
  student = await installation.as(ada)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  director = await installation.as(await makePerson(owner, Level.Director, { program }))
})
const params = () => ({ programId: program.Id })

describe('dosimeter readings', () => {
  const send = (content: string, query: { DryRun?: boolean } = {}) =>
    coordinator.call(
      imports.importIntoProgram,
      { params: params(), query: { Kind: 'dose-readings', ...query } },
      { files: [{ field: 'file', name: 'badges.csv', content }] },
    )
  const header = 'Participant,Badge,Wear From,Wear To,DDE,LDE,SDE\n'
  const list = (Show?: 'toReview' | 'unread') =>
    coordinator.ok(doses.listDoseReadings, { params: params(), query: { ...(Show && { Show }) } })
  const mine = () => student.ok(doses.listOwnDoseReadings)

  test('of a vendor’s file are read and acknowledged by the student; those at the limit are reviewed', async () => {
    const reply = await send(
      `${header}A-1,417,08/01/2026,08/31/2026,M,<1,2\nA-1,417,09/01/2026,09/30/2026,100,101,102\nnobody,1,09/01/2026,09/30/2026,1,1,1\n`,
      { DryRun: true },
    )
    expect(reply.body).toMatchObject({ Added: 2, Errors: [{ Row: 4, Column: 'Participant' }] })
    await send(`${header}A-1,417,08/01/2026,08/31/2026,M,<1,2\nA-1,417,09/01/2026,09/30/2026,100,101,102\n`)
    expect(await mine()).toMatchObject([
      { Through: '2026-09-30', Deep: 100, YearDeep: 100, IsOver: true, AcknowledgedAt: null },
      { Through: '2026-08-31', Deep: 0, Lens: 0, Shallow: 2, IsOver: false },
    ])
    const { rows } = await installation.owner.query(
      "select count(*)::int as n from notification where account_id = $1 and kind = 'dose_reading'",
      [ada.Id],
    )
    expect(rows).toEqual([{ n: 1 }])
    const Ids = (await mine()).map(({ Id }) => Id)
    const read = () => student.ok(doses.acknowledgeDoseReadings, { body: { Ids } })
    expect([await read(), await read()]).toEqual([{ Acknowledged: 2 }, { Acknowledged: 0 }])
    expect(await list('unread')).toMatchObject({ Total: 0 })
    const { Items } = await list('toReview')
    expect(Items).toMatchObject([{ Deep: 100, Student: 'Adams, Ada' }])
    const review = (readingId: number) =>
      coordinator.call(doses.reviewDoseReading, {
        params: { ...params(), readingId },
        body: { Note: 'Badge left in the room' },
      })
    const both = await Promise.all([review(Items[0]!.Id), review(Items[0]!.Id)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await review(Ids[1]!)).status).toBe(409)
    expect(await mine()).toMatchObject([{ ReviewNote: 'Badge left in the room' }, {}])
  })

  test('a corrected file changes a reading and what it says of the limit; bad doses are told', async () => {
    await send(`${header}A-1,417,09/01/2026,09/30/2026,100,,\n`)
    expect((await send(`${header}A-1,417,09/01/2026,09/30/2026,10,,\n`)).body).toMatchObject({ Changed: 1 })
    expect(await mine()).toMatchObject([{ Deep: 10, IsOver: false }])
    const bad = await send(
      `${header}A-1,417,09/30/2026,09/01/2026,1,,\nA-1,417,09/01/2026,09/30/2026,ten,,\nA-1,417,09/01/2099,09/30/2099,1,,\n`,
      { DryRun: true },
    )
    expect(bad.body).toMatchObject({
      Errors: [
        { Row: 2, Message: 'Through lies before From.' },
        { Row: 3, Column: 'DDE', Message: '“ten” is no dose in mrem. Use a number, or M for minimal.' },
        { Row: 4, Message: '09/30/2099 has not come yet.' },
      ],
    })
  })

  const entry = (body: Record<string, unknown> = {}, who = coordinator) =>
    who.call(doses.addDoseReading, {
      params: params(),
      body: {
        StudentId: ada.Id,
        Badge: '417',
        From: dayFromNow(-40),
        Through: dayFromNow(-10),
        Deep: 12,
        Lens: null,
        Shallow: 0,
        ...body,
      } as never,
    })
  const told = async () =>
    (
      await installation.owner.query<{ n: number }>(
        "select count(*)::int as n from notification where account_id = $1 and kind = 'dose_reading'",
        [ada.Id],
      )
    ).rows[0]!.n

  test('are entered by hand once, and the student is told', async () => {
    const both = await Promise.all([entry(), entry({ Deep: 13 })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await mine()).toMatchObject([{ Lens: null, Shallow: 0, IsOver: false, AcknowledgedAt: null }])
    expect(await told()).toBe(1)
    expect((await entry({ Badge: '418', Deep: 100 })).body).toMatchObject({
      IsOver: true,
      Student: 'Adams, Ada',
    })
  })

  test('that cannot be are refused, and so are those of others’ students', async () => {
    for (const [body, status] of [
      [{ Through: dayFromNow(-50) }, 400],
      [{ Through: dayFromNow(2) }, 422],
      [{ Deep: -1 }, 400],
      [{ Deep: 1.5 }, 400],
      [{ StudentId: 999_999 }, 404],
    ] as const)
      expect((await entry(body)).status, JSON.stringify(body)).toBe(status)
    const elsewhere = await makeStudent(installation.owner, await makeProgram(installation.owner))
    expect((await entry({ StudentId: elsewhere.Id })).status).toBe(404)
    expect((await entry({}, student)).status).toBe(403)
    expect(await mine()).toEqual([])
  })

  test('are corrected with a reason, read and reviewed again, and removed where they are somebody else’s', async () => {
    const { Id } = (await entry({ Deep: 150 })).body as doses.DoseReading
    await student.ok(doses.acknowledgeDoseReadings, { body: { Ids: [Id] } })
    const at = { ...params(), readingId: Id }
    await coordinator.ok(doses.reviewDoseReading, { params: at, body: { Note: 'Asked' } })
    const correct = (Deep: number, Reason = 'Typed the wrong line') =>
      coordinator.call(doses.correctDoseReading, { params: at, body: { Deep, Lens: 1, Shallow: 2, Reason } })
    expect((await correct(15, ' ')).status).toBe(400)
    expect((await correct(15)).body).toMatchObject({
      Deep: 15,
      IsOver: false,
      AcknowledgedAt: null,
      ReviewedAt: null,
      ReviewNote: '',
    })
    expect(await told()).toBe(2)
    const remove = () =>
      coordinator.call(doses.removeDoseReading, { params: at, body: { Reason: 'Of another person' } })
    expect([(await remove()).status, (await remove()).status, (await correct(1)).status]).toEqual([
      204, 404, 404,
    ])
    expect(await mine()).toEqual([])
    const { rows } = await installation.owner.query<{ detail: object }>(
      "select detail from audit where subject_id = $1 and action like '%/removal' order by id",
      [ada.Id],
    )
    expect(rows).toMatchObject([{ detail: { Reason: 'Of another person', Before: { Deep: 15 } } }])

    const restore = (who = coordinator, of = at) => who.call(doses.restoreDoseReading, { params: of })
    const elsewhere = await makeProgram(installation.owner)
    const stranger = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: elsewhere }),
    )
    expect((await restore(stranger, { ...at, programId: elsewhere.Id })).status).toBe(404)
    expect((await restore(student)).status).toBe(403)
    expect((await restore()).body).toMatchObject({ Id, Deep: 15 })
    expect(await mine()).toHaveLength(1)
    // What is there is not brought back, and what was entered in its place meanwhile keeps its place.
    expect((await restore()).status).toBe(404)
    await remove()
    expect((await entry({ Deep: 3 })).status).toBe(200)
    expect((await restore()).status).toBe(409)
    expect(await mine()).toMatchObject([{ Deep: 3 }])
  })

  test.each([
    ['M', 0],
    ['ND', 0],
    ['<1', 0],
    ['12', 12],
    ['12.6', 13],
    ['-1', undefined],
    ['', undefined],
    ['1e5', undefined],
  ])('a dose of %s is %s', (told, dose) => {
    expect(doseOf(told)).toBe(dose)
  })

  test('are nobody else’s', async () => {
    await send(`${header}A-1,417,09/01/2026,09/30/2026,100,,\n`)
    const Ids = (await mine()).map(({ Id }) => Id)
    const other = await installation.as(await makeStudent(installation.owner, program))
    expect(await other.ok(doses.listOwnDoseReadings)).toEqual([])
    expect(await other.ok(doses.acknowledgeDoseReadings, { body: { Ids } })).toEqual({ Acknowledged: 0 })
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(doses.listDoseReadings, { params: params(), query: {} })).status).toBe(403)
  })
})

describe('a declaration of pregnancy', () => {
  const declare = (body: Record<string, unknown> = {}) =>
    student.call(declarations.declarePregnancy, {
      body: { Name: 'Ada Adams', ConceivedOn: dayFromNow(-60), ...body } as never,
    })
  const list = (who: Caller) => who.call(declarations.listDeclarations, { params: params(), query: {} })

  test('is signed, seen by the director and the safety officer alone, and withdrawn in writing', async () => {
    expect((await declare({ Name: 'Ben Baker' })).status).toBe(422)
    expect((await declare({ ConceivedOn: dayFromNow(1) })).status).toBe(422)
    expect((await declare({ ConceivedOn: dayFromNow(-400) })).status).toBe(422)
    const both = await Promise.all([declare(), declare()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await list(director)).body).toMatchObject({ Total: 1, Items: [{ Student: 'Adams, Ada' }] })
    expect((await list(coordinator)).status).toBe(403)
    const made = await makePerson(installation.owner, Level.Faculty, { program })
    const faculty = await installation.as(made)
    expect((await list(faculty)).status).toBe(403)
    const set = (Ids: number[]) =>
      director.call(declarations.setRadiationOfficers, { params: params(), body: { Ids } })
    expect((await set([ada.Id])).status).toBe(404)
    expect((await set([made.Id])).status).toBe(200)
    expect((await list(faculty)).status).toBe(200)
    const withdraw = (Name: string) => student.call(declarations.withdrawDeclaration, { body: { Name } })
    expect((await withdraw('x')).status).toBe(422)
    expect((await withdraw('ada adams')).body).toMatchObject({ Declared: null })
    expect((await withdraw('Ada Adams')).status).toBe(404)
    expect((await list(faculty)).body).toMatchObject({ Items: [{ WithdrawnAt: expect.any(String) }] })
    const { rows } = await installation.owner.query(
      "select subject, html from mail where program_id = $1 and label = 'PREGNANCY_declared'",
      [program.Id],
    )
    // Twice to the director, then once to the officer.
    expect(rows).toHaveLength(3)
    for (const { subject, html } of rows) expect(`${subject} ${html}`).not.toMatch(/Ada|Adams|pregnan/i)
    const audit = await installation.owner.query(
      "select detail from audit where program_id = $1 and action like '%pregnancy%'",
      [program.Id],
    )
    expect(JSON.stringify(audit.rows)).not.toMatch(/Ada|20\d\d-/)
  })

  test('reading them is audited, and the menu leads only those there who may', async () => {
    const officer = await makePerson(installation.owner, Level.Faculty, { program })
    const reader = await installation.as(officer)
    const hasLink = async (who: Caller) =>
      JSON.stringify(await who.ok(getLeftMenu)).includes('admin/safety/declarations')
    expect([await hasLink(reader), await hasLink(coordinator), await hasLink(director)]).toEqual([
      false,
      false,
      true,
    ])
    await director.ok(declarations.setRadiationOfficers, { params: params(), body: { Ids: [officer.Id] } })
    expect(await hasLink(reader)).toBe(true)
    await declare()
    expect((await list(reader)).status).toBe(200)
    expect((await list(coordinator)).status).toBe(403)
    const { rows } = await installation.owner.query(
      "select account_id from audit where program_id = $1 and action = 'GET /programs/:programId/pregnancy-declarations'",
      [program.Id],
    )
    expect(rows).toEqual([{ account_id: officer.Id }])
    const told = await installation.owner.query(
      "select text from notification where account_id = $1 and kind = 'declaration'",
      [officer.Id],
    )
    expect(told.rows).toHaveLength(1)
    expect(JSON.stringify(told.rows)).not.toMatch(/Ada|pregnan/i)
  })

  test('of another program is not seen', async () => {
    await declare()
    const other = await installation.as(await makePerson(installation.owner, Level.Director))
    expect((await list(other)).status).toBe(404)
  })
})

describe('an incident', () => {
  const report = (body: Record<string, unknown> = {}) =>
    student.call(incidents.reportIncident, {
      body: {
        Key: randomUUID(),
        Kind: 'sharps',
        Date: dayFromNow(0),
        Description: 'Stuck by a needle when recapping',
        ...body,
      } as never,
    })
  const list = (State: 'open' | 'closed') =>
    coordinator.ok(incidents.listIncidents, { params: params(), query: { State } })

  test('is reported once, told to coordinators and directors, and closed with what came of it', async () => {
    const Key = randomUUID()
    const sent = await Promise.all([report({ Key }), report({ Key })])
    expect(sent.map(({ status }) => status)).toEqual([200, 200])
    const { Items, Total } = await list('open')
    expect([Total, Items]).toMatchObject([1, [{ Kind: 'sharps', Student: 'Adams, Ada' }]])
    const mails = await installation.owner.query(
      "select count(*)::int as n from mail where program_id = $1 and label = 'INCIDENT_reported'",
      [program.Id],
    )
    expect(mails.rows).toEqual([{ n: 2 }])
    const close = () =>
      coordinator.call(incidents.closeIncident, {
        params: { ...params(), incidentId: Items[0]!.Id },
        body: { FollowUp: 'Tested; all negative' },
      })
    const closed = await Promise.all([close(), close()])
    expect(closed.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await list('closed')).toMatchObject({ Total: 1 })
    expect(await student.ok(incidents.listOwnIncidents)).toMatchObject({
      Items: [{ State: 'closed', FollowUp: 'Tested; all negative' }],
    })
  })

  test('names no patient, lies not ahead, and only a site of the student’s', async () => {
    expect((await report({ Description: 'Patient MRN 12345678' })).status).toBe(400)
    expect((await report({ Description: ' ' })).status).toBe(400)
    expect((await report({ Date: dayFromNow(2) })).status).toBe(422)
    expect((await report({ Date: '1900-01-01' })).status).toBe(422)
    expect((await report({ SiteId: 999_999 })).status).toBe(404)
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(incidents.listIncidents, { params: params(), query: {} })).status).toBe(403)
  })
})
