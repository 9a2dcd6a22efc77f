import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/communication/emails.ts'
import {
  mergeFields,
  mergeFieldsOf,
  mergeParts,
  problemOfMerge,
} from '#contract/communication/merge-rules.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
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
import { dayFromNow, makeRequirement } from '#server/test/requirement-proofs.ts'

describe('the fields of a text', () => {
  test('are found, and what is no field stays', () => {
    expect(mergeParts('Dear {{ firstName }}, {x} {{other}}')).toEqual([
      { text: 'Dear ' },
      { field: 'firstName' },
      { text: ', {x} {{other}}' },
    ])
    expect(mergeFieldsOf('{{name}}', '<p>{{nextShift}} {{name}}</p>')).toEqual(['name', 'nextShift'])
  })

  test('unknown, cut in two and within a link they are refused in a sentence', () => {
    expect(problemOfMerge('Dear {{name}}, {x}')).toBeNull()
    expect(problemOfMerge('Dear {{nmae}}')).toBe('{{nmae}} is not a field. Choose one of the list of fields.')
    expect(problemOfMerge('Dear {{na<b>me</b>}}')).toMatch(/not whole/)
    expect(problemOfMerge('{{name')).toMatch(/not whole/)
    expect(problemOfMerge('<a href="{{name}}">x</a>')).toBe('A field cannot be the address of a link.')
  })
})

describe('an email with fields', () => {
  let installation: Installation
  const counted: number[] = []
  let program: MadeProgram
  let dana: MadePerson
  let coordinator: Caller
  let student: MadePerson

  beforeAll(async () => {
    installation = await startInstallation({}, { statements: (_endpoint, count) => counted.push(count) })
  })
  afterAll(() => installation?.stop())
  beforeEach(async () => {
    await installation.owner.query('delete from mail')
    program = await makeProgram(installation.owner, { name: 'Radiography', time_zone: 'America/New_York' })
    dana = await makePerson(installation.owner, Level.Coord, {
      program,
      first_name: 'Dana',
      last_name: 'Ruiz',
      email: 'dana@example.org',
    })
    coordinator = await installation.as(dana)
    student = await makeStudent(installation.owner, program, {
      first_name: 'Mary Ann',
      last_name: 'O’Neil',
      email: 'mary@example.org',
      student_number: 'S7',
      cohort: '2028',
    })
    const site = await makeSite(installation.owner, program, {
      name: 'Harbor & Bay',
      time_zone: 'America/Chicago',
    })
    const shift = await makeShift(installation.owner, program, { site })
    const rotation = await makeRotation(installation.owner, program, { target_minutes: 1_200 * 60 })
    const other = await makeRotation(installation.owner, program, { target_minutes: 90 })
    const place = (more: object) =>
      makeRow(installation.owner, 'shift_assignment', {
        program_id: program.Id,
        site_shift_id: shift.Id,
        site_id: shift.SiteId,
        student_id: student.Id,
        rotation_id: rotation.Id,
        ...more,
      })
    await place({ date: '2020-01-06', starts_at: '2020-01-06T13:00Z', ends_at: '2020-01-06T21:30Z' })
    await place({ date: '2091-03-02', starts_at: '2091-03-02T13:00Z', ends_at: '2091-03-02T21:30Z' })
    await place({ date: '2091-02-05', starts_at: '2091-02-05T13:00Z', ends_at: '2091-02-05T21:30Z' })
    await place({
      date: '2090-02-05',
      starts_at: '2090-02-05T13:00Z',
      ends_at: '2090-02-05T21:30Z',
      rotation_id: other.Id,
      removed_at: '2026-01-01',
    })
    await installation.owner.query(
      `insert into student_hours (program_id, student_id, rotation_id, approved_minutes) values ($1, $2, $3, 75030)
       on conflict (program_id, student_id, rotation_id) do update set approved_minutes = excluded.approved_minutes`,
      [program.Id, student.Id, rotation.Id],
    )
  })

  const subject = 'Hours of {{firstName}}'
  const body =
    '<p>{{name}}, {{lastName}}, {{studentId}}, {{studentLevel}}, {{cohort}}, {{program}}, {{approvedHours}} of {{requiredHours}}, {{remainingHours}} left; {{nextShift}}; {{nextShiftDate}} {{nextShiftTime}} {{nextShiftSite}}; {{sender}}</p>'
  const send = (more: object = {}, caller = coordinator) =>
    caller.call(contract.sendEmails, {
      body: { sender: 'dana@example.org', subject, body: toBase64(body), studentIds: [student.Id], ...more },
    } as never)
  const kept = async () =>
    (await installation.owner.query('select recipient, subject, html from mail order by id')).rows
  const preview = (input: object, caller = coordinator) =>
    caller.ok(contract.cleanEmail, { body: { body: toBase64(body), subject, ...input } } as never)
  const filled =
    '<p>Mary Ann O’Neil, O’Neil, S7, Level 1, 2028, Radiography, 1,250.5 of 1,200.0, 0.0 left; Mon 02/05/2091 07:00–15:30, Harbor &amp; Bay; Mon 02/05/2091 07:00–15:30 Harbor &amp; Bay; Dana Ruiz</p>'
  const ofNobody = (name: string) =>
    `<p>${name} X, X, no student ID, no student level, no cohort, Radiography, 0.0 of 0.0, 0.0 left; no shift scheduled; not scheduled not scheduled not scheduled; Dana Ruiz</p>`

  test('each recipient gets their own values, as text, in subject and body', async () => {
    await installation.owner.query('update account set student_level_id = 1 where id = $1', [student.Id])
    await makePerson(installation.owner, Level.Faculty, {
      program,
      first_name: '<b>Fay</b>',
      last_name: 'X',
      email: 'fay@example.org',
    })
    expect((await send({ programIds: [program.Id], userTypes: [2, 5], studentIds: [] })).status).toBe(200)
    expect(await kept()).toEqual([
      { recipient: expect.stringContaining('mary@'), subject: 'Hours of Mary Ann', html: filled },
      {
        recipient: expect.stringContaining('fay@'),
        subject: 'Hours of <b>Fay</b>',
        html: ofNobody('&lt;b&gt;Fay&lt;/b&gt;'),
      },
    ])
  })

  test('the preview shows each recipient’s email and who has no value', async () => {
    await installation.owner.query('update account set student_level_id = 1 where id = $1', [student.Id])
    await makePerson(installation.owner, Level.Faculty, {
      program,
      first_name: 'Fay',
      last_name: 'X',
      email: 'fay@example.org',
    })
    const selection = { programIds: [program.Id], userTypes: [2, 5] }
    const first = await preview({ selection })
    expect(first).toMatchObject({
      Subject: 'Hours of Mary Ann',
      Html: filled,
      Recipient: { Name: 'Mary Ann O’Neil', EmailAddress: 'mary@example.org', Place: 1 },
      Recipients: 2,
      Problem: null,
    })
    expect(first.Missing).toContainEqual({
      Field: 'nextShift',
      Says: 'no shift scheduled',
      Recipients: 1,
    })
    expect(await preview({ selection, place: 9 })).toMatchObject({
      Html: ofNobody('Fay'),
      Recipient: { Place: 2 },
    })
    expect(await preview({})).toMatchObject({
      Subject: subject,
      Recipient: null,
      Recipients: 0,
      Missing: [],
    })
    expect(await preview({ subject: '{{nmae}}' })).toMatchObject({
      Problem: '{{nmae}} is not a field. Choose one of the list of fields.',
    })
    expect(await kept()).toEqual([])
  })

  test('an unknown field is refused before anything is sent, by the field of the form', async () => {
    const refused = await send({ subject: 'Dear {{nmae}}' })
    expect(refused).toMatchObject({
      status: 400,
      body: {
        Message: '{{nmae}} is not a field. Choose one of the list of fields. Nothing was sent.',
        Errors: [{ Field: 'subject' }],
      },
    })
    expect((await send({ body: toBase64('<p><a href="{{name}}">x</a></p>') })).body).toMatchObject({
      Errors: [{ Field: 'body', Message: 'A field cannot be the address of a link.' }],
    })
    expect(await kept()).toEqual([])
  })

  test('a copy to others keeps the fields as they are written; contacts of sites have a program', async () => {
    const site = await makeSite(installation.owner, program, { name: 'Clinic' })
    await makeRow(installation.owner, 'site_contact', {
      program_id: program.Id,
      site_id: site.Id,
      name: 'Cory Lane',
      email: 'cory@example.org',
    })
    await send({
      subject: '{{program}}',
      body: toBase64('<p>{{firstName}} {{lastName}}</p>'),
      siteIds: [site.Id],
      programIds: [program.Id],
      carbonCopyRecipients: ['boss@example.org'],
    })
    expect((await kept()).map(({ subject, html }) => [subject, html])).toEqual([
      ['Radiography', '<p>Cory Lane</p>'],
      ['Radiography', '<p>Mary Ann O’Neil</p>'],
      ['{{program}}', '<p>Copy of an email to 2 people.</p><p>{{firstName}} {{lastName}}</p>'],
    ])
  })

  test('a super admin writes to people of several programs; nobody else sees them', async () => {
    const elsewhere = await makeProgram(installation.owner, { name: 'Sonography' })
    const other = await makeStudent(installation.owner, elsewhere, { email: 'other@example.org' })
    const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
    const texts = { subject: '{{program}}', body: toBase64('<p>{{nextShiftSite}}</p>') }
    const picked = { studentIds: [student.Id, other.Id] }
    expect((await send({ ...texts, ...picked }, admin)).status).toBe(200)
    expect((await kept()).map(({ subject, html }) => [subject, html]).toSorted()).toEqual([
      ['Radiography', '<p>Harbor &amp; Bay</p>'],
      ['Sonography', '<p>not scheduled</p>'],
    ])
    const foreign = await coordinator.call(contract.cleanEmail, {
      body: { ...texts, selection: { studentIds: [other.Id] } },
    } as never)
    expect(foreign.status).toBe(404)
  })

  test('a cohort of 3,000 takes as many statements as one student', async () => {
    await installation.owner.query(
      `insert into account (program_id, first_name, last_name, user_name, email, access_level)
       select $1::bigint, 'S', 'T' || n, 'mass' || $1::bigint || 'x' || n, 'mass' || n || '@example.org', ${Level.Student}
       from generate_series(1, 3000) n`,
      [program.Id],
    )
    await send({ programIds: [program.Id], userTypes: [5], studentIds: [] })
    await installation.owner.query('delete from mail')
    const ofMany = counted.at(-1)
    await installation.owner.query("update account set deactivated_at = now() where email like 'mass1%'")
    const { status, body: statuses } = await send({
      programIds: [program.Id],
      userTypes: [5],
      studentIds: [],
    })
    expect({ status, statuses: (statuses as unknown[]).length }).toEqual({ status: 200, statuses: 1_890 })
    expect(counted.at(-1)).toBe(ofMany)
    await send()
    expect(counted.at(-1)).toBeLessThanOrEqual(ofMany!)
    await installation.owner.query("delete from mail where recipient not like '%mass%'")
    const { rows } = await installation.owner.query(
      "select count(*)::int as count from mail where html like '%no shift scheduled%'",
    )
    expect(rows[0].count).toBe(1_889)
  })

  test('a reminder names what is open of requirements, with days; a super admin’s names nothing', async () => {
    const { owner } = installation
    const site = await makeSite(owner, program, { name: 'Quayside' })
    const shift = await makeShift(owner, program, { site })
    const rotation = await makeRotation(owner, program)
    await makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: student.Id,
      rotation_id: rotation.Id,
      date: dayFromNow(40),
      starts_at: `${dayFromNow(40)}T13:00Z`,
      ends_at: `${dayFromNow(40)}T21:30Z`,
    })
    const asked: [name: string, requirement: object, kept?: object][] = [
      ['Badge', { scope: 'perSite' }],
      ['Background check', { rule: { Kind: 'result' } }, { status: 'returned', is_returned: true }],
      ['CPR', {}, { status: 'accepted', expires_on: dayFromNow(-3) }],
      ['Drug screen', {}, { status: 'accepted', completed_on: dayFromNow(-20) }],
      ['Influenza', {}, { status: 'accepted', expires_on: dayFromNow(30) }],
      ['MMR', {}, { status: 'accepted' }],
      ['TB test', {}, { status: 'submitted', is_waiting: true }],
    ]
    for (const [name, row, kept] of asked) {
      const { Id: requirement_id } = await makeRequirement(owner, program, { name, ...row })
      const of = { program_id: program.Id, requirement_id }
      if (kept) await makeRow(owner, 'student_requirement', { ...of, student_id: student.Id, ...kept })
      if (name === 'Badge') await makeRow(owner, 'site_requirement', { ...of, site_id: site.Id })
      if (name === 'Drug screen')
        await makeRow(owner, 'site_requirement', { ...of, site_id: site.Id, max_age_days: 30 })
    }
    const elsewhere = await makeStudent(owner, program, { email: 'new@example.org', student_level_id: 2 })
    await owner.query(`update requirement set level_ids = '{1}' where program_id = $1`, [program.Id])
    await owner.query('update account set student_level_id = 1 where id = $1', [student.Id])
    const texts = { subject: 'x', body: toBase64('<p>{{openRequirements}}</p>') }
    await send({ ...texts, studentIds: [student.Id, elsewhere.Id, dana.Id] })
    const all = [
      'Background check: not complete',
      'Badge at Quayside: missing',
      `CPR: expired ${formatDate(dayFromNow(-3))}`,
      'Drug screen at Quayside: not accepted there',
      `Influenza: expires ${formatDate(dayFromNow(30))}`,
    ]
    expect((await kept()).map(({ html }) => html).toSorted()).toEqual([
      `<p>${all.join('; ')}</p>`,
      '<p>none</p>',
      '<p>see Requirements</p>',
    ])
    await owner.query('delete from mail')
    await send(texts, await installation.as(await makePerson(owner, Level.SuperAdmin)))
    expect((await kept()).map(({ html }) => html)).toEqual(['<p>see Requirements</p>'])
  })

  test('every field has a note, and says something for those without a value', () => {
    for (const { Name, Note, Without } of mergeFields) {
      expect(Note, Name).toMatch(/^[A-Z]/)
      if (!['name', 'firstName', 'lastName', 'sender'].includes(Name)) expect(Without, Name).not.toBe('')
    }
  })
})
