import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listWaitingDays, takeOverDay, verifyDays } from '#contract/competencies/log-verification.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { getAnswers, listOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import * as contract from '#contract/inbox/inbox.ts'
import { allEndpoints } from '#contract/index.ts'
import * as links from '#contract/links/links.ts'
import { answerPlacementList, openPlacementList } from '#contract/placement-lists/placement-lists.ts'
import { approveTimeRecords, rejectTimeRecords, undoDecisions } from '#contract/time/approvals.ts'
import { addTimeRecord, listPendingShifts } from '#contract/time/time-records.ts'
import { transaction } from '#server/core/database/pool.ts'
import { mailedToken } from '#server/test/by-link.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import {
  addressOf,
  type Caller,
  type Installation,
  type Reply,
  startInstallation,
} from '#server/test/installation.ts'
import { type Logging, startLogging } from '#server/test/procedure-logging.ts'
import { createLink } from '../links/links.service.ts'
import { dueAddresses, queueWeek, sendInboxLinks } from './inbox.jobs.ts'
import { mailInbox } from './mailing.service.ts'

let installation: Installation
let at: Logging
/** A second program at another college that knows the same address. */
let other: MadeProgram
let site: { Id: number }
let student: { Id: number }
let supervisor: { Id: number }
let staff: Caller
let address: string
let count = 0

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const query = async (text: string, values: unknown[] = []) =>
  (await installation.owner.query(text, values)).rows
const turnOn = (programId: number, isOn = true) =>
  query(
    `insert into inbox_setting (program_id, is_on) values ($1, $2)
     on conflict (program_id) do update set is_on = excluded.is_on`,
    [programId, isOn],
  )

beforeEach(async () => {
  const { owner } = installation
  await query('delete from throttle')
  count += 1
  address = `andre${count}@hospital.example`
  at = await startLogging(installation)
  await query('update account set email = $1 where id = $2', [address, at.supervisorId])
  other = await makeProgram(owner, { time_zone: 'UTC', name: `Sonography ${count}` })
  site = await makeSite(owner, other, { time_zone: 'UTC' })
  student = await makeStudent(owner, other, { first_name: 'Farah', last_name: 'Hoang' })
  supervisor = await makeSupervisor(owner, other, [site.Id])
  await query('update account set email = $1 where id = $2', [address.toUpperCase(), supervisor.Id])
  await turnOn(at.program.Id)
  await turnOn(other.Id)
  staff = await installation.as(await makePerson(owner, Level.Coord, { program: other }))
})

/** A clock-in and clock-out of yesterday that wait. */
let daysOfHours = 0
const addHours = async (program: { Id: number }, siteId: number, studentId: number) => {
  // Each on a day of its own: hours of one student that overlap are not approved.
  const day = new Date(Date.now() - ++daysOfHours * 86_400_000).toISOString().slice(0, 10)
  const row = (kind: string, time: string, more: object) =>
    makeRow(installation.owner, 'time_record', {
      program_id: program.Id,
      student_id: studentId,
      site_id: siteId,
      kind,
      occurred_at: `${day}T${time}:00Z`,
      date: day,
      insight: 1,
      ...more,
    })
  const begin = await row('in', '08:00', {})
  const end = await row('out', '16:00', { partner_id: begin.id, minutes: 480 })
  await query('update time_record set partner_id = $1 where program_id = $2 and id = $3', [
    end.id,
    program.Id,
    begin.id,
  ])
  return [begin.id as number, end.id as number]
}
const addEvaluation = async (evaluatorId = supervisor.Id) => {
  const { owner } = installation
  const template = await makeRow(owner, 'evaluation_template', {
    program_id: other.Id,
    title: 'Student performance',
    evaluator_role: 'supervisor',
    subject_role: 'student',
  })
  const evaluation = await makeRow(owner, 'evaluation', {
    program_id: other.Id,
    template_id: template.id,
    evaluator_id: evaluatorId,
    subject_id: student.Id,
    date: '2026-01-01',
  })
  return evaluation.id as number
}
const addList = async (recipient = address, rotationName = 'Fall') => {
  const { owner } = installation
  const rotation = await makeRotation(owner, other, { name: rotationName })
  const list = await makeRow(owner, 'placement_list', {
    program_id: other.Id,
    rotation_id: rotation.Id,
    site_id: site.Id,
    recipient_name: 'Andre',
    recipient_email: recipient,
    answer_by: '2099-01-01',
    students: 1,
  })
  await makeRow(owner, 'placement_list_student', {
    program_id: other.Id,
    list_id: list.id,
    student_id: student.Id,
    first_date: '2099-01-01',
    last_date: '2099-01-02',
    shifts: 2,
  })
  await transaction(installation.services.transactions, { accountId: null, programIds: [other.Id] }, (db) =>
    createLink(db, installation.services, {
      programId: other.Id,
      kind: 'list',
      subjectId: list.id,
      recipientName: 'Andre',
      recipientEmail: recipient,
      expiresAt: new Date(Date.now() + 5 * 86_400_000).toISOString(),
      createdBy: null,
    }),
  )
}

/** Mails the address its link and answers the token. */
const mailLink = async (to = address): Promise<string> => {
  await transaction(installation.services.transactions, { accountId: null, programIds: [] }, (db) =>
    mailInbox(db, installation.services, to, { by: null, isAsked: true }),
  )
  const [mail] = await query(
    "select program_id from mail where label = 'INBOX_weekly' and lower(recipient) = $1 order by id desc limit 1",
    [to.toLowerCase()],
  )
  return mailedToken(installation, mail.program_id, 'INBOX_weekly')
}
const mailCode = async (token: string, cookie = '') => {
  const { Key } = await installation.anonymous.ok(
    links.mailLinkCode,
    { params: { token } },
    { headers: { cookie } },
  )
  const [mail] = await query("select subject from mail where label = 'LINK_code' order by id desc limit 1")
  return { Key, Code: /\d{6}/.exec(mail.subject)![0] }
}
const cookieOf = ({ headers }: Reply<unknown>) => headers.get('set-cookie')?.split(';')[0] ?? ''
const open = (token: string, body: { Key?: string; Code?: string } = {}, cookie = '') =>
  installation.anonymous.call(links.openLink, { params: { token }, body }, { headers: { cookie } })
/** The link on a device that has typed the code. */
const opened = async (token: string) => {
  const cookie = cookieOf(await open(token, await mailCode(token)))
  const as =
    (accountId: number) =>
    <E extends AnyEndpoint>(endpoint: E, input?: object): Promise<Reply<any>> =>
      installation.anonymous.call(endpoint, input as never, {
        headers: { cookie, 'x-inbox': token, 'x-account': String(accountId) },
      })
  return { cookie, token, as, first: as(at.supervisorId), second: as(supervisor.Id) }
}
const inOther = () => ({ params: { programId: other.Id } })
const audited = async (programId: number) =>
  query(
    "select action, account_id, subject_id, detail from audit where program_id = $1 and detail ? 'ByLink' order by id",
    [programId],
  )

describe('one page for all programs of an address', () => {
  test('lists the accounts of the address, whatever the case of its letters', async () => {
    const token = await mailLink()
    const { cookie } = await opened(token)
    const { body } = await installation.anonymous.call(
      contract.openInbox,
      { params: { token } },
      { headers: { cookie } },
    )
    expect(body.Programs).toMatchObject(
      [
        { AccountId: at.supervisorId, ProgramId: at.program.Id, NeedsSignIn: false },
        { AccountId: supervisor.Id, ProgramId: other.Id, NeedsSignIn: false },
      ].toSorted((a, b) => (a.ProgramId === at.program.Id ? -1 : b.ProgramId ? 1 : 0)),
    )
  })

  test('approves hours, with undo, and rejects, all of it audited as by link', async () => {
    const ids = await addHours(other, site.Id, student.Id)
    const { second } = await opened(await mailLink())
    expect((await second(listPendingShifts, inOther())).body.Totals).toMatchObject({ Shifts: 1 })
    const approved = await second(approveTimeRecords, { ...inOther(), body: { Ids: ids } })
    expect(approved.body).toMatchObject({ Approved: 2, Minutes: 480 })
    const undone = await second(undoDecisions, {
      ...inOther(),
      body: { DecidedAt: approved.body.DecidedAt },
    })
    expect(undone.body).toEqual({ Undone: 2 })
    expect(
      (await second(rejectTimeRecords, { ...inOther(), body: { Ids: ids, Reason: 'Not here' } })).body,
    ).toMatchObject({ Rejected: 2 })
    expect(await audited(other.Id)).toMatchObject([
      { action: 'POST /programs/:programId/time-records/approvals', account_id: supervisor.Id },
      { detail: { ByLink: { Id: expect.any(Number), Recipient: expect.stringMatching(/andre/i) } } },
      { action: 'POST /programs/:programId/time-records/rejections' },
    ])
  })

  test('adds the half that a punch lacks, at an own site, and no other record', async () => {
    const [inId, outId] = await addHours(other, site.Id, student.Id)
    await query('update time_record set partner_id = null, deleted_at = now() where id = $1', [outId])
    const [punch] = await query(
      'update time_record set partner_id = null where id = $1 returning date::text as date',
      [inId],
    )
    const { second } = await opened(await mailLink())
    const body = { StudentId: student.Id, Kind: 'out', Date: punch.date, Time: '13:00', SiteId: site.Id }
    const alone = await second(addTimeRecord, { ...inOther(), body })
    expect([alone.status, alone.body.Code]).toEqual([403, 'not_by_link'])
    const added = await second(addTimeRecord, { ...inOther(), body: { ...body, PartnerId: inId } })
    expect(added).toMatchObject({ status: 200, body: { Type: 'out', PartnerId: inId, Status: 'pending' } })
  })

  test('the first screen has the sums of hours, a few shifts of both kinds, and exactly what one press approves', async () => {
    const clean: number[] = []
    for (let made = 0; made < 4; made++) clean.push(...(await addHours(other, site.Id, student.Id)))
    const doubted = await addHours(other, site.Id, student.Id)
    await query('update time_record set insight = 2 where id = $1', [doubted[0]])
    const half = await addHours(other, site.Id, student.Id)
    await query("update time_record set status = 'approved' where id = $1", [half[0]])
    const { second } = await opened(await mailLink())
    const { Hours } = (await second(contract.getInboxItems, inOther())).body
    const all = (await second(listPendingShifts, inOther())).body
    expect(Hours.Totals).toEqual(all.Totals)
    expect(Hours.Totals).toMatchObject({ Shifts: 6, Clean: 5 })
    expect(Hours.Items.map(({ Insight }: { Insight: unknown }) => Insight)).toEqual([2, 1, 1])
    for (const shift of Hours.Items) expect(all.Items).toContainEqual(shift)
    expect(Hours.Clean).toEqual({ Shifts: 5, Ids: [...clean, half[1]!].toSorted((a, b) => a - b) })
    const approved = await second(approveTimeRecords, { ...inOther(), body: { Ids: Hours.Clean.Ids } })
    expect(approved.body).toMatchObject({ Approved: 9 })
    const left = (await second(contract.getInboxItems, inOther())).body.Hours
    expect(left).toMatchObject({ Totals: { Shifts: 1, Clean: 0 }, Clean: { Shifts: 0, Ids: [] } })
    for (let made = 0; made < 3; made++) await addHours(other, site.Id, student.Id)
    const shown = async (change: string) => {
      await query(`update time_record set insight = ${change} where program_id = $1`, [other.Id])
      const { Items } = (await second(contract.getInboxItems, inOther())).body.Hours
      return Items.map(({ Insight }: { Insight: unknown }) => Insight)
    }
    expect(await shown('3')).toEqual([3, 3, 3])
    expect(await shown('1')).toEqual([1, 1, 1])
  })

  test('the first screen has the days of procedures, and the entries of those without repeats', async () => {
    const entry = await at.log()
    const { first } = await opened(await mailLink())
    const params = { programId: at.program.Id }
    const read = async () => (await first(contract.getInboxItems, { params })).body.Procedures
    const [day] = (await first(listWaitingDays, { params })).body.Days
    const { StudentId, Student, Date: date } = day
    const { Id, Revision } = entry
    expect(await read()).toEqual({
      Days: [{ StudentId, Student, Date: date, Entries: 1, Repeats: 0 }],
      Clean: [{ Id, Revision }],
    })
    await query("update procedure_log set repeats = 1, repeat_reason = 'Motion' where id = $1", [Id])
    expect(await read()).toMatchObject({ Days: [{ Entries: 1, Repeats: 1 }], Clean: [] })
  })

  test('whoever is signed in gets no hours and procedures there', async () => {
    const caller = await installation.as(supervisor)
    expect(await caller.ok(contract.getInboxItems, inOther())).toMatchObject({
      Hours: null,
      Procedures: null,
    })
  })

  test('verifies procedures of the other program, and shows no days that name somebody else', async () => {
    const entry = await at.log()
    await at.save([{ ProcedureId: at.ribs, LevelId: at.performed }], { SupervisorId: null })
    const { first } = await opened(await mailLink())
    const params = { programId: at.program.Id }
    const { body } = await first(listWaitingDays, { params })
    expect(body).toMatchObject({ Days: [{ Entries: [{ Id: entry.Id }] }], Others: [], HasMoreOthers: false })
    const { Id, Revision } = entry
    expect(await first(verifyDays, { params, body: { Entries: [{ Id, Revision }] } })).toMatchObject({
      status: 200,
      body: { Verified: 1 },
    })
    expect(await audited(at.program.Id)).toHaveLength(1)
    // Two days at once were not both seen.
    const seen = [await at.log(), await at.log()].map(({ Id, Revision }) => ({ Id, Revision }))
    await query('update procedure_log set date = date - 1 where id = $1', [seen[1]!.Id])
    expect(await first(verifyDays, { params, body: { Entries: seen } })).toMatchObject({
      status: 422,
      body: { Code: 'one_day' },
    })
  })

  test('fills and submits an evaluation, and opens none that is submitted, stopped or somebody else’s', async () => {
    const evaluationId = await addEvaluation()
    const { owner } = installation
    const colleague = await makeSupervisor(owner, other, [site.Id])
    const theirs = await addEvaluation(colleague.Id)
    const { second } = await opened(await mailLink())
    expect((await second(contract.getInboxItems, inOther())).body.Evaluations).toMatchObject([
      { Id: evaluationId, Title: 'Student performance', Subject: 'Hoang, Farah' },
    ])
    const one = (id: number) => ({ params: { programId: other.Id, evaluationId: id } })
    expect((await second(contract.getInboxForm, one(evaluationId))).body).toMatchObject({ MayFill: true })
    expect((await second(contract.getInboxForm, one(theirs))).status).toBe(404)
    const submit = (id: number) =>
      second(contract.saveInboxForm, {
        ...one(id),
        body: { Answers: [], Submit: true, SignedName: 'Andre Adebayo' },
      })
    expect((await submit(theirs)).status).toBe(404)
    expect(await submit(evaluationId)).toMatchObject({ status: 200, body: { Status: 1 } })
    expect((await submit(evaluationId)).status).toBe(404)
    expect((await second(contract.getInboxForm, one(evaluationId))).status).toBe(404)
    const [audit] = await audited(other.Id)
    expect(audit).toMatchObject({ subject_id: student.Id })
  })

  test('opens a placement list that was mailed to the address, for an hour and without another code', async () => {
    await addList()
    await addList('somebody@else.example', 'Spring')
    const { second, cookie } = await opened(await mailLink())
    const { Requests } = (await second(contract.getInboxItems, inOther())).body
    expect(Requests).toMatchObject([{ Kind: 'list', Detail: 'Fall' }])
    const linkId = Requests[0].LinkId
    const reply = await second(contract.openInboxRequest, { params: { programId: other.Id, linkId } })
    const path = reply.body.Path as string
    expect(path).toMatch(/^\/new\/placement-list\//)
    const token = path.split('/').at(-1)!
    const headers = { headers: { cookie: `${cookie}; ${cookieOf(reply)}` } }
    const { anonymous } = installation
    const list = await anonymous.call(openPlacementList, { params: { token } }, headers)
    expect(list.body.Items).toMatchObject([{ StudentId: student.Id }])
    const answer = { StudentId: student.Id, IsConfirmed: true }
    expect(
      (await anonymous.call(answerPlacementList, { params: { token }, body: { Answers: [answer] } }, headers))
        .status,
    ).toBe(200)
    // Without its own cookie the address opens nothing.
    expect((await anonymous.call(openPlacementList, { params: { token } })).status).toBe(401)
    const [made] = await query(
      "select expires_at < now() + interval '61 minutes' as is_short from scoped_link where kind = 'list' order by id desc limit 1",
    )
    expect(made.is_short).toBe(true)
    expect((await second(contract.getInboxItems, inOther())).body.Requests).toEqual([])
    // What was mailed to another address is not there.
    const [foreign] = await query(
      "select id from scoped_link where program_id = $1 and recipient_email = 'somebody@else.example'",
      [other.Id],
    )
    expect(
      (await second(contract.openInboxRequest, { params: { programId: other.Id, linkId: foreign.id } }))
        .status,
    ).toBe(404)
  })
})

describe('attacks', () => {
  test('scanners of mail open nothing and use nothing up, with GET, HEAD and scripts that run', async () => {
    const token = await mailLink()
    for (const method of ['GET', 'HEAD'])
      for (const path of [`/new/inbox/${token}`, `/new/api/links/${token}`, `/new/api/inbox-links/${token}`])
        await fetch(`${installation.url}${path}`, { method })
    // What a script of the page does by itself: it asks who the link is for, and no more.
    await installation.anonymous.call(links.getLink, { params: { token } })
    expect(
      await query(
        'select 1 from scoped_link_use u join scoped_link l on l.id = u.link_id where l.recipient_email = $1',
        [address],
      ),
    ).toEqual([])
    expect((await open(token)).status).toBe(401)
    expect((await open(token, await mailCode(token))).status).toBe(200)
  })

  test('a forwarded or stolen link opens nothing without the mailbox, and its cookie nothing elsewhere', async () => {
    const token = await mailLink()
    const device = await opened(token)
    const thief = (cookie: string, accountId = supervisor.Id, link = token) =>
      installation.anonymous.call(listPendingShifts, inOther(), {
        headers: { cookie, 'x-inbox': link, 'x-account': String(accountId) },
      })
    expect((await thief('')).body).toMatchObject({ Code: 'link_code' })
    expect((await thief(device.cookie.replace(/=.*/, '=stolen'))).status).toBe(401)
    expect((await thief(device.cookie, supervisor.Id, 'x'.repeat(43))).body).toMatchObject({ Code: 'link' })
    expect((await thief(device.cookie, supervisor.Id, 'x'.repeat(5_000))).status).toBe(404)
    expect((await thief(device.cookie)).status).toBe(200)
  })

  test('it is open on one device: a code that is typed on another ends the first', async () => {
    const token = await mailLink()
    const first = await opened(token)
    expect((await first.second(listPendingShifts, inOther())).status).toBe(200)
    const second = await opened(token)
    expect((await second.second(listPendingShifts, inOther())).status).toBe(200)
    expect((await first.second(listPendingShifts, inOther())).body).toMatchObject({ Code: 'link_code' })
    expect((await open(token, {}, first.cookie)).status).toBe(401)
  })

  test('a newer link ends the older ones once it is opened, and not before', async () => {
    const older = await opened(await mailLink())
    const token = await mailLink()
    expect((await older.second(listPendingShifts, inOther())).status).toBe(200)
    await opened(token)
    expect((await older.second(listPendingShifts, inOther())).body).toMatchObject({ Code: 'link' })
  })

  test('wrong codes are limited, and the code of another address opens nothing', async () => {
    const token = await mailLink()
    const { Key } = await mailCode(token)
    const stranger = await makeSupervisor(installation.owner, other, [])
    await query("update account set email = 'stranger@hospital.example' where id = $1", [stranger.Id])
    const theirs = await mailCode(await mailLink('stranger@hospital.example'))
    expect((await open(token, theirs)).body).toMatchObject({ Code: 'wrong_code' })
    expect((await open(token, { Key, Code: theirs.Code === '000000' ? '000001' : '000000' })).status).toBe(
      422,
    )
    let last = 0
    for (let tries = 0; tries < 6; tries++) last = (await open(token, { Key, Code: `00000${tries}` })).status
    expect(last).toBe(429)
  })

  test('expired and withdrawn links answer alike at once; an expired one is renewed into the same mailbox, a withdrawn one is not', async () => {
    const device = await opened(await mailLink())
    await query(
      "update scoped_link set expires_at = now() - interval '1 second' where recipient_email = $1 or recipient_email = upper($1)",
      [address],
    )
    const expired = await device.second(listPendingShifts, inOther())
    const renew = (token: string) => installation.anonymous.call(contract.renewInbox, { params: { token } })
    const jobs = async () =>
      (
        await query(
          "select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'inbox:send' and j.payload::text like $1",
          [`%${address}%`],
        )
      ).length
    expect((await renew(device.token)).status).toBe(204)
    expect(await jobs()).toBe(1)
    const withdrawn = await opened(await mailLink())
    expect(
      (
        await staff.call(contract.withdrawInbox, {
          params: { programId: other.Id, accountId: supervisor.Id },
        })
      ).body.Withdrawn,
    ).toBeGreaterThan(0)
    const over = await withdrawn.second(listPendingShifts, inOther())
    expect(over.status).toBe(404)
    expect(over.body).toEqual(expired.body)
    expect((await renew(withdrawn.token)).status).toBe(204)
    expect((await renew('x'.repeat(43))).status).toBe(204)
    expect(await jobs()).toBe(1)
    // Withdrawn for the other program too: a lost phone is lost for all.
    expect((await withdrawn.first(listWaitingDays, { params: { programId: at.program.Id } })).status).toBe(
      404,
    )
  })

  test('reaches exactly the calls that are declared for it', async () => {
    const { cookie, token } = await opened(await mailLink())
    const reachable: string[] = []
    for (const endpoint of allEndpoints) {
      const params = Object.fromEntries(
        [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, name === 'programId' ? other.Id : 1]),
      )
      const { body } = await installation.anonymous.send(endpoint.method, addressOf(endpoint, { params }), {
        headers: { cookie, 'x-inbox': token, 'x-account': String(supervisor.Id) },
        ...(endpoint.method !== 'GET' && { body: { NoSuchField: 1 } }),
      })
      if (body?.Code !== 'not_by_link') reachable.push(`${endpoint.method} ${endpoint.path}`)
    }
    expect(reachable.toSorted()).toMatchInlineSnapshot(`
      [
        "GET /programs/:programId/inbox",
        "GET /programs/:programId/inbox/evaluations/:evaluationId",
        "GET /programs/:programId/procedure-logs/waiting",
        "GET /programs/:programId/terms",
        "GET /programs/:programId/time-records/shifts",
        "GET /programs/:programId/time-records/undos",
        "GET /programs/:programId/time-records/undos/records",
        "POST /programs/:programId/inbox/evaluations/:evaluationId/answers",
        "POST /programs/:programId/inbox/requests/:linkId/openings",
        "POST /programs/:programId/procedure-logs/:logId/return",
        "POST /programs/:programId/procedure-logs/:logId/verification",
        "POST /programs/:programId/procedure-logs/verifications",
        "POST /programs/:programId/procedure-logs/verifications/undo",
        "POST /programs/:programId/time-records",
        "POST /programs/:programId/time-records/:recordId/change-decisions",
        "POST /programs/:programId/time-records/approvals",
        "POST /programs/:programId/time-records/rejections",
        "POST /programs/:programId/time-records/undos",
      ]
    `)
  })

  test('reads nothing besides: no other evaluation, no take-over, no other program, no page of an account', async () => {
    const { second, as } = await opened(await mailLink())
    expect((await second(listOwnEvaluations, {})).status).toBe(403)
    expect((await second(getAnswers, { params: { evaluationId: await addEvaluation() } })).status).toBe(403)
    expect(
      (await second(takeOverDay, { ...inOther(), body: { StudentId: student.Id, Date: '2026-01-01' } }))
        .status,
    ).toBe(403)
    expect((await second(listPendingShifts, { params: { programId: at.program.Id } })).status).toBe(404)
    const strange = await makeSupervisor(installation.owner, other, [site.Id])
    expect((await as(strange.Id)(listPendingShifts, inOther())).body).toMatchObject({ Code: 'inbox_account' })
    expect((await as(Number.NaN)(listPendingShifts, inOther())).status).toBe(403)
  })

  test('a call from a page of another site is refused', async () => {
    const { cookie, token } = await opened(await mailLink())
    const { status, body } = await installation.anonymous.call(
      approveTimeRecords,
      { ...inOther(), body: { Ids: [1] } },
      {
        headers: {
          cookie,
          'x-inbox': token,
          'x-account': String(supervisor.Id),
          origin: 'https://elsewhere.example',
        },
      },
    )
    expect({ status, body }).toMatchObject({ status: 403, body: { Code: 'foreign_origin' } })
  })

  test('asks present rights with each call: deactivated, other address, other level, site gone, left out, program off, deleted', async () => {
    const ids = await addHours(other, site.Id, student.Id)
    const { second, cookie, token } = await opened(await mailLink())
    const approve = () => second(approveTimeRecords, { ...inOther(), body: { Ids: ids } })
    const refused = async (change: string, back: string, values: unknown[] = [supervisor.Id]) => {
      await query(change, values)
      expect(await approve(), change).toMatchObject({ status: 403, body: { Code: 'inbox_account' } })
      const { body } = await installation.anonymous.call(
        contract.openInbox,
        { params: { token } },
        { headers: { cookie } },
      )
      const served = (body.Programs ?? []).filter(({ NeedsSignIn }) => !NeedsSignIn)
      expect(served.map(({ AccountId }) => AccountId)).not.toContain(supervisor.Id)
      await query(back, values)
    }
    const account = (set: string) => `update account set ${set} where id = $1`
    await refused(account('deactivated_at = now()'), account('deactivated_at = null'))
    await refused(account('deleted_at = now()'), account('deleted_at = null'))
    await refused(account("email = 'moved@hospital.example'"), account(`email = '${address}'`))
    await refused(account('access_level = 45'), account('access_level = 49'))
    await refused(account('access_level = 69'), account('access_level = 49'))
    await refused(account("totp_secret = 'x'"), account('totp_secret = null'))
    await refused(
      'insert into inbox_exclusion (program_id, account_id) values ($1, $2)',
      'delete from inbox_exclusion where program_id = $1 and account_id = $2',
      [other.Id, supervisor.Id],
    )
    await refused(
      'update inbox_setting set is_on = false where program_id = $1',
      'update inbox_setting set is_on = true where program_id = $1',
      [other.Id],
    )
    await query('delete from supervisor_site where account_id = $1', [supervisor.Id])
    expect((await second(listPendingShifts, inOther())).body.Totals.Shifts).toBe(0)
    expect((await approve()).body).toMatchObject({ Approved: 0 })
  })
})

describe('the mail', () => {
  const mails = () =>
    query(
      "select program_id, account_id, subject, html, status from mail where label = 'INBOX_weekly' and lower(recipient) = $1 order by id",
      [address],
    )

  test('names what waits in each program, once, and only the link carries the secret', async () => {
    await addHours(other, site.Id, student.Id)
    await at.log()
    const token = await mailLink()
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail.subject).toBe('2 items need your attention')
    expect(mail.html).toContain('1 shift to approve')
    expect(mail.html).toContain('1 day of procedures')
    expect(mail.html).toContain(`/new/inbox/${token}`)
    const kept = await query('select token_hash::text from scoped_link where recipient_email ilike $1', [
      address,
    ])
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  const week = (asked: { monday?: string; askedAt?: string }) =>
    sendInboxLinks.work({ addresses: [address], ...asked }, installation.services)

  test('comes once a week however often the job runs, only when something waits, and not to whoever switched it off', async () => {
    await week({ monday: '2026-01-05' })
    expect(await mails()).toEqual([])
    await addHours(other, site.Id, student.Id)
    await Promise.all([week({ monday: '2026-01-12' }), week({ monday: '2026-01-12' })])
    expect(await mails()).toHaveLength(1)
    await week({ monday: '2026-01-12' })
    expect(await mails()).toHaveLength(1)
    await query(`update account set preferences = '{"MutedEmails": ["INBOX_weekly"]}' where id = $1`, [
      supervisor.Id,
    ])
    await week({ monday: '2026-01-19' })
    expect(await mails()).toHaveLength(1)
    // What they ask for themselves comes all the same, and once.
    const askedAt = new Date(Date.now() - 1_000).toISOString()
    await query(
      "update scoped_link set created_at = now() - interval '1 day' where kind = 'inbox' and lower(recipient_email) = $1",
      [address],
    )
    await week({ askedAt })
    await week({ askedAt })
    expect(await mails()).toHaveLength(2)
  })

  test('is due on Monday at seven in the time zone of the program, within a day of it', async () => {
    const [{ zone }] = await query(
      `select name as zone from pg_timezone_names where name like 'Etc/GMT%'
         and extract(isodow from now() at time zone name) = 1 and extract(hour from now() at time zone name) >= 7 limit 1`,
    ).then((rows) => (rows.length > 0 ? rows : [{ zone: null }]))
    const due = async () => (await query(dueAddresses)).filter((row) => row.address === address).length
    const [{ is_due }] = await query(
      `select (now() at time zone 'UTC') >= date_trunc('week', now() at time zone 'UTC') + interval '7 hours'
         and (now() at time zone 'UTC') < date_trunc('week', now() at time zone 'UTC') + interval '31 hours' as is_due`,
    )
    await query("update program set time_zone = 'UTC' where id = any ($1)", [[at.program.Id, other.Id]])
    expect(await due()).toBe(is_due ? 1 : 0)
    if (zone) {
      await query('update program set time_zone = $1 where id = $2', [zone, other.Id])
      expect(await due()).toBe(1)
    }
    await queueWeek(installation.services)
    await turnOn(other.Id, false)
    await turnOn(at.program.Id, false)
    expect(await due()).toBe(0)
  })
})

describe('staff', () => {
  const people = async (more: object = {}) =>
    (await staff.ok(contract.listInboxPeople, { ...inOther(), query: more })).Items

  test('see whose link was sent, opened and withdrawn, also by another program, and on which device', async () => {
    expect(await people()).toMatchObject([
      { AccountId: supervisor.Id, State: 'ready', SentAt: null, IsOpenable: false },
    ])
    const token = await mailLink()
    expect(await people()).toMatchObject([{ SentAt: expect.any(String), OpenedAt: null, IsOpenable: true }])
    await opened(token)
    expect(await people({ IsOpenable: true })).toMatchObject([
      { OpenedAt: expect.any(String), Device: expect.stringContaining('node') },
    ])
    await staff.ok(contract.withdrawInbox, { params: { programId: other.Id, accountId: supervisor.Id } })
    expect(await people()).toMatchObject([{ WithdrawnAt: expect.any(String), IsOpenable: false }])
    expect(await people({ IsOpenable: true })).toEqual([])
    expect(await people({ search: 'nobody-like-this' })).toEqual([])
    expect(await people({ search: '%' })).toEqual([])
  })

  test('leave somebody out, see who is blocked or has no address, and turn all of it off', async () => {
    const exclude = (accountId: number, IsOff: boolean) =>
      staff.call(contract.setInboxExclusion, { params: { programId: other.Id, accountId }, body: { IsOff } })
    expect((await exclude(supervisor.Id, true)).status).toBe(204)
    expect((await exclude(supervisor.Id, true)).status).toBe(204)
    expect(await people()).toMatchObject([{ State: 'off' }])
    const send = () =>
      staff.call(contract.sendInboxes, { ...inOther(), body: { AccountIds: [supervisor.Id] } })
    expect((await send()).body).toEqual({ Sent: 0, Skipped: 1 })
    await exclude(supervisor.Id, false)
    expect((await send()).body).toEqual({ Sent: 1, Skipped: 0 })
    expect((await exclude(student.Id, true)).status).toBe(404)
    expect((await exclude(at.supervisorId, true)).status).toBe(404)
    await query("update account set email = '' where id = $1", [supervisor.Id])
    expect(await people()).toMatchObject([{ State: 'address' }])
    expect((await staff.ok(contract.saveInboxSetting, { ...inOther(), body: { IsOn: false } })).IsOn).toBe(
      false,
    )
    expect(await staff.ok(contract.getInboxSetting, inOther())).toEqual({ IsOn: false })
    expect((await send()).status).toBe(409)
  })

  test('a supervisor has their link mailed, to their own address and not too often', async () => {
    const caller = await installation.as(supervisor)
    const ask = () => caller.call(contract.mailOwnInbox, inOther())
    expect((await ask()).body).toEqual({ Email: address.toUpperCase() })
    for (let tries = 0; tries < 4; tries++) await ask()
    expect((await ask()).status).toBe(429)
    // Signed in, nothing that was mailed by link is shown: the address of an account proves nothing.
    await addList()
    expect((await caller.ok(contract.getInboxItems, inOther())).Requests).toEqual([])
    expect(
      (await caller.call(contract.openInboxRequest, { params: { programId: other.Id, linkId: 1 } })).status,
    ).toBe(404)
  })
})
