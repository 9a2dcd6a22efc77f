import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/communication/mail-templates.ts'
import { problemOfBody, problemOfSubject } from '#contract/communication/mail-templates-rules.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { changePassword, requestPasswordReset } from '#contract/identity/identity.ts'
import { writeAboutRecords } from '#contract/time/approvals.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { transaction } from '#server/core/database/pool.ts'
import { isEmptyHtml } from '#server/core/http/html.ts'
import { fieldsOf, type MailKind, textOf } from '#server/core/mail/email-kind.ts'
import { mailKinds } from '#server/core/mail/mail-kinds.ts'
import { addTemplates } from '#server/core/mail/mail-templates.ts'
import { queueTemplatedEmails, type TemplateEmail } from '#server/core/mail/template-emails.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller
let adminAddress: string
let program: MadeProgram
let student: MadePerson
let first: Record<string, unknown>[]

beforeAll(async () => {
  installation = await startInstallation()
  first = (await installation.owner.query('select * from mail_template order by id')).rows
  const person = await makePerson(installation.owner, Level.SuperAdmin, {
    super_admin_areas: AdminArea.Email,
  })
  adminAddress = `${person.UserName}@example.org`
  admin = await installation.as(person)
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  await installation.owner.query('delete from mail')
  // Every test begins with the texts of the product.
  await installation.owner.query(
    `update mail_template t set place = f.place, is_enabled = f.is_enabled, description = f.description, sender = f.sender,
       addressee = f.addressee, carbon_copy = f.carbon_copy, subject = f.subject, html = f.html, parameters = f.parameters,
       spanish_subject = f.spanish_subject, spanish_html = f.spanish_html, spanish_of = f.spanish_of
     from jsonb_populate_recordset(null::mail_template, $1::jsonb) f where f.id = t.id`,
    [JSON.stringify(first)],
  )
  program = await makeProgram(installation.owner)
  student = await makeStudent(installation.owner, program, { first_name: 'Ada', email: 'ada@example.org' })
})

const list = () => admin.ok(contract.listMailTemplates)
const find = async (label: string) => (await list()).find(({ Label }) => Label === label)!
const at = async (label: string) => ({ params: { templateId: (await find(label)).ID } })
const detail = async (label: string) => admin.ok(contract.getMailTemplate, await at(label))

interface Change {
  sender?: string
  addressee?: string
  carbonCopy?: string
  subject?: string
  html?: string
  mailParameters?: Record<string, string | 0 | 1>
  spanish?: { subject: string; template: string }
}
/** Saves a template with what is to change; the rest stays. */
const change = async (label: string, { html, ...more }: Change) => {
  const now = await detail(label)
  return admin.call(contract.saveMailTemplate, {
    ...(await at(label)),
    body: {
      sender: now.Sender,
      addressee: now.Addressee,
      carbonCopy: now.CarbonCopy,
      subject: now.Subject,
      template: toBase64(html ?? now.Template),
      ...more,
    } as never,
  })
}
const enable = async (label: string, value: boolean) =>
  admin.call(contract.enableMailTemplate, { ...(await at(label)), query: { value } })

const messages = async () =>
  (
    await installation.owner.query(
      'select label, recipient, sender, carbon_copy, subject, html, account_id, program_id from mail order by id',
    )
  ).rows

const missed = (more: Partial<TemplateEmail> = {}): TemplateEmail =>
  ({
    programId: program.Id,
    accountId: student.Id,
    label: 'TIME_missed',
    recipient: 'ada@example.org',
    values: {
      'student.firstName': 'Ada',
      'shift.count': '1',
      'shift.list': { html: '<ul><li>01/02/2026 07:00</li></ul>' },
      link: 'https://practicum.example.edu/new/clock',
    },
    ...more,
  }) as TemplateEmail
const write = (...all: TemplateEmail[]) =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    queueTemplatedEmails(db, all),
  )

describe('the list', () => {
  test('D2-170 D2-100 D2-041 it tells of each template its ID, Label, Description and whether it is enabled', async () => {
    const rows = await list()
    expect(rows[0]).toEqual({
      ID: expect.any(Number),
      Label: 'TIME_unmatched',
      Description: expect.stringMatching(/^<p><strong>/),
      IsEnabled: true,
      IsAlwaysSent: false,
    })
    expect(rows.every(({ Description }) => !isEmptyHtml(Description))).toBe(true)
  })

  test('D2-062 every kind of email has its template, and every text names placeholders of its legend only', async () => {
    const rows = await list()
    expect(rows.map(({ Label }) => Label).toSorted()).toEqual(Object.keys(mailKinds).toSorted())
    for (const [label, kind] of Object.entries<MailKind>(mailKinds)) {
      const fields = Object.entries(fieldsOf(kind)).map(([Name, { kind: Kind }]) => ({ Name, Kind }))
      for (const language of kind.es ? (['en', 'es'] as const) : (['en'] as const)) {
        const { subject, html } = textOf(kind, language)
        expect(problemOfSubject(subject, fields), label).toBeNull()
        expect(problemOfBody(html, fields, kind.needed), label).toBeNull()
      }
    }
  })

  test('D2-145 it is open to super admins with the Email area, and to nobody else', async () => {
    const { ID } = await find('TIME_missed')
    const others = [
      await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: AdminArea.Roles }),
      await makePerson(installation.owner, Level.Admin, { program }),
      student,
    ]
    for (const other of others) {
      const caller = await installation.as(other)
      const params = { templateId: ID }
      const refused = [
        await caller.call(contract.listMailTemplates),
        await caller.call(contract.getMailTemplate, { params }),
        await caller.call(contract.orderMailTemplate, { query: { mailTemplateId: ID, direction: 'up' } }),
        await caller.call(contract.enableMailTemplate, { params, query: { value: false } }),
        await caller.call(contract.describeMailTemplate, { params, body: toBase64('x') }),
        await caller.call(contract.saveMailTemplate, { params, body: { subject: 'x', template: '' } }),
        await caller.call(contract.testMailTemplate, { params }),
        await caller.call(contract.sendTestNotification),
      ]
      expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(403))
    }
    expect((await find('TIME_missed')).IsEnabled).toBe(true)
  })
})

describe('what is kept', () => {
  const kept = async (label: string) =>
    (
      await installation.owner.query(
        'select description, subject, html, spanish_subject, spanish_html, spanish_of from mail_template where label = $1',
        [label],
      )
    ).rows[0]
  const nothing = {
    description: null,
    subject: null,
    html: null,
    spanish_subject: null,
    spanish_html: null,
    spanish_of: null,
  }

  test('only what somebody has changed: the rest follows the product, and so does what is written back', async () => {
    const label = 'TIME_missed'
    const before = await detail(label)
    const describe = async (description: string) =>
      admin.ok(contract.describeMailTemplate, { ...(await at(label)), body: toBase64(description) })
    expect(await kept(label)).toEqual(nothing)
    await change(label, { subject: 'Another' })
    await describe('<p>Ours</p>')
    expect(await kept(label)).toEqual({ ...nothing, description: '<p>Ours</p>', subject: 'Another' })
    const spanish = { subject: before.SpanishSubject, template: toBase64(before.SpanishTemplate) }
    await change(label, { spanish })
    expect(await kept(label)).toMatchObject({ spanish_subject: before.SpanishSubject })
    expect(await detail(label)).toMatchObject({ Subject: 'Another', IsSpanishCurrent: true })
    await change(label, { subject: before.Subject, spanish })
    await describe(before.Description)
    expect(await kept(label)).toEqual(nothing)
    expect(await detail(label)).toEqual(before)
  })

  test('a kind that the product no longer knows is not listed, and a new one comes last', async () => {
    const count = (await list()).length
    await installation.owner.query(
      "update mail_template set label = 'TIME_gone', subject = 'Kept' where label = 'TIME_missed'",
    )
    try {
      expect((await list()).length).toBe(count - 1)
      await addTemplates(installation.services.pool)
      expect((await list()).at(-1)).toMatchObject({ Label: 'TIME_missed', IsEnabled: true })
      await write(missed())
      expect(await messages()).toMatchObject([{ subject: 'Shifts without a clock record: 1' }])
    } finally {
      await installation.owner.query("delete from mail_template where label = 'TIME_missed'")
      await installation.owner.query(
        "update mail_template set label = 'TIME_missed' where label = 'TIME_gone'",
      )
    }
  })
})

describe('the Spanish text', () => {
  test('it is sent while it belongs to the English one, and again once somebody saves it beside the changed one', async () => {
    const label = 'TIME_missed'
    const before = await detail(label)
    expect(before).toMatchObject({ IsSpanishCurrent: true })
    expect(before.SpanishSubject).toContain('Turnos sin registro')
    try {
      expect((await change(label, { subject: 'Shifts to report' })).status).toBe(200)
      expect(await detail(label)).toMatchObject({
        IsSpanishCurrent: false,
        SpanishSubject: before.SpanishSubject,
      })
      const wrong = { subject: 'Turnos {{nothing}}', template: toBase64(before.SpanishTemplate) }
      const refused = await change(label, { spanish: wrong })
      expect(refused.status).toBe(422)
      const right = { ...wrong, subject: 'Turnos por informar' }
      expect((await change(label, { spanish: right })).status).toBe(200)
      expect(await detail(label)).toMatchObject({
        IsSpanishCurrent: true,
        SpanishSubject: 'Turnos por informar',
      })
    } finally {
      const spanish = { subject: before.SpanishSubject, template: toBase64(before.SpanishTemplate) }
      await change(label, { subject: before.Subject, spanish })
    }
  })
})

describe('order and activity', () => {
  const labels = async () => (await list()).map(({ Label }) => Label)
  const move = async (label: string, direction: 'up' | 'down') =>
    admin.call(contract.orderMailTemplate, { query: { mailTemplateId: (await find(label)).ID, direction } })

  test('D2-111 D2-171 D2-178 a template moves one step at a time; the answer is the list in its new order', async () => {
    const before = await labels()
    const { body } = await move(before[2]!, 'up')
    expect((body as contract.MailTemplate[]).map(({ Label }) => Label)).toEqual([
      before[0],
      before[2],
      before[1],
      ...before.slice(3),
    ])
    await move(before[2]!, 'down')
    expect(await labels()).toEqual(before)
  })

  test('D2-111 the first cannot go up nor the last down: nothing changes', async () => {
    const before = await labels()
    expect((await move(before[0]!, 'up')).status).toBe(200)
    expect((await move(before.at(-1)!, 'down')).status).toBe(200)
    expect(await labels()).toEqual(before)
  })

  test('D2-111 moves at the same moment all count, and no two templates share a place', async () => {
    const before = await labels()
    await Promise.all(Array.from({ length: 6 }, () => move(before[0]!, 'down')))
    expect((await labels()).indexOf(before[0]!)).toBe(6)
    expect((await labels()).toSorted()).toEqual(before.toSorted())
  })

  test('D2-171 an unknown direction or template is refused', async () => {
    const { ID } = await find('TIME_missed')
    expect(
      (await admin.send('POST', `/mail-templates/ordering?mailTemplateId=${ID}&direction=left`)).status,
    ).toBe(400)
    expect(
      (await admin.send('POST', '/mail-templates/ordering?mailTemplateId=999999&direction=up')).status,
    ).toBe(404)
  })

  test('D2-110 D2-172 D2-178 the Active flag goes on and off by the query value', async () => {
    const { ID } = await find('TIME_missed')
    const off = await admin.send('POST', `/mail-templates/${ID}/enabled?value=false`)
    expect(off).toMatchObject({ status: 200, body: { ID, IsEnabled: false } })
    expect((await find('TIME_missed')).IsEnabled).toBe(false)
    await admin.send('POST', `/mail-templates/${ID}/enabled?value=true`)
    expect((await find('TIME_missed')).IsEnabled).toBe(true)
    expect((await admin.send('POST', `/mail-templates/${ID}/enabled`)).status).toBe(400)
    expect((await admin.send('POST', '/mail-templates/999999/enabled?value=true')).status).toBe(404)
  })

  test('D2-110 a template that is not active sends no email, and who asks for one is told so', async () => {
    await enable('TIME_missed', false)
    await write(missed())
    expect(await messages()).toEqual([])

    await enable('TIME_message', false)
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const { id } = await makeRow(installation.owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      kind: 'in',
      occurred_at: '2026-01-05T12:00:00Z',
      date: '2026-01-05',
    })
    const asked = {
      params: { programId: program.Id },
      body: { Ids: [id], Subject: 'Your punch', Text: 'Look at it' },
    }
    const refused = await coordinator.call(writeAboutRecords, asked)
    expect([refused.status, (refused.body as any).Code]).toEqual([409, 'switched_off'])
    expect(await messages()).toEqual([])
    await enable('TIME_message', true)
    expect((await coordinator.ok(writeAboutRecords, asked)).Mailed).toBe(1)
    expect(await messages()).toMatchObject([{ subject: 'Your punch', html: '<p>Look at it</p>' }])
  })

  test('D2-110 emails without which nobody could sign in cannot be switched off, and are sent whatever the table says', async () => {
    const { status, body } = await enable('ACCOUNT_password_reset', false)
    expect([status, (body as any).Code]).toEqual([409, 'always_sent'])
    const always = (await list()).filter(({ IsAlwaysSent }) => IsAlwaysSent)
    expect(always.map(({ Label }) => Label)).toEqual([
      'LINK_code',
      'EXAM_code',
      'EXAM_signed',
      'REGISTRANT_confirm',
      'REGISTRANT_known',
      'ACCOUNT_password_reset',
      'ACCOUNT_password_link',
      'ACCOUNT_sign_in_link',
      'ACCOUNT_email_confirmation',
      'ACCOUNT_invited',
      'ACCOUNT_address_entered',
      'ACCOUNT_proof_code',
    ])
    expect(always.every(({ Description }) => /Always sent/.test(Description))).toBe(true)
    await installation.owner.query(
      "update mail_template set is_enabled = false, carbon_copy = 'thief@example.org', addressee = 'thief@example.org' where label = 'ACCOUNT_password_reset'",
    )
    await installation.anonymous.call(requestPasswordReset, { body: { UserName: student.UserName } })
    expect(await messages()).toMatchObject([
      { label: 'ACCOUNT_password_reset', recipient: 'ada@example.org', carbon_copy: [] },
    ])
  })
})

describe('a template', () => {
  test('D2-101 D2-175 D2-054 D2-055 its detail has the settings, the email, the legend and parameters of the four kinds', async () => {
    expect(await detail('OTHER_test')).toEqual({
      ...(await find('OTHER_test')),
      Sender: '',
      Addressee: '',
      CarbonCopy: '',
      Subject: 'Test notification',
      Template: expect.stringContaining('{{parameter.Greeting}} {{user.name}}'),
      SpanishSubject: '',
      SpanishTemplate: '',
      IsSpanishCurrent: false,
      Legend: expect.arrayContaining([
        { Name: 'user.name', Kind: 'text', Note: 'Your name' },
        { Name: 'parameter.Closing', Kind: 'lines', Note: expect.any(String) },
        { Name: 'program.coordinators', Kind: 'address', Note: expect.any(String) },
      ]),
      Needed: [],
      Params: {
        AllParams: [
          { Type: 'Note', Name: 'When', Value: '', Note: expect.any(String) },
          { Type: 'Checkbox', Name: 'NameInstallation', Value: '1', Note: expect.any(String) },
          { Type: 'Text', Name: 'Greeting', Value: 'Hello', Note: expect.any(String) },
          { Type: 'TextArea', Name: 'Closing', Value: '', Note: expect.any(String) },
        ],
      },
    })
    expect((await admin.call(contract.getMailTemplate, { params: { templateId: 999_999 } })).status).toBe(404)
  })

  test('addresses that a save leaves out stay', async () => {
    const label = 'TIME_missed'
    await change(label, { sender: 'office@example.edu', carbonCopy: 'boss@example.edu' })
    const before = await detail(label)
    await admin.ok(contract.saveMailTemplate, {
      ...(await at(label)),
      body: { subject: before.Subject, template: toBase64(before.Template) } as never,
    })
    expect(await detail(label)).toEqual(before)
  })

  test('D2-176 D2-178 D2-051 it is saved with sender, addressee, carbonCopy, subject, a base64 email and mailParameters', async () => {
    const { ID } = await find('OTHER_test')
    const saved = await admin.send('POST', `/mail-templates/${ID}`, {
      body: {
        sender: 'Registrar <office@example.edu>',
        addressee: '{{user.email}}, watch@example.edu',
        carbonCopy: 'boss@example.edu',
        subject: 'Grüße an {{user.name}}',
        template: toBase64('<p>Grüße, <b>{{user.name}}</b></p><script>x</script>'),
        mailParameters: { Greeting: 'Good day', NameInstallation: '0', Closing: 'One\nTwo' },
      },
    })
    expect(saved.status).toBe(200)
    const kept = await detail('OTHER_test')
    expect(kept).toEqual(saved.body)
    expect(kept).toMatchObject({
      Sender: 'Registrar <office@example.edu>',
      Addressee: '{{user.email}}, watch@example.edu',
      CarbonCopy: 'boss@example.edu',
      Subject: 'Grüße an {{user.name}}',
      Template: '<p>Grüße, <b>{{user.name}}</b></p>',
    })
    expect(kept.Params.AllParams.map(({ Value }) => Value)).toEqual(['', '0', 'Good day', 'One\nTwo'])
  })

  test('D2-128 a checked checkbox is sent as 1, as text or number; what is not named keeps its value', async () => {
    const values = async () => (await detail('OTHER_test')).Params.AllParams.map(({ Value }) => Value)
    await change('OTHER_test', { mailParameters: { NameInstallation: 0, Greeting: 'Hi' } })
    expect(await values()).toEqual(['', '0', 'Hi', ''])
    await change('OTHER_test', { mailParameters: { NameInstallation: 1 } })
    expect(await values()).toEqual(['', '1', 'Hi', ''])
    for (const mailParameters of [
      { Nothing: 'x' },
      { When: 'x' },
      { NameInstallation: 'on' },
      { Greeting: 'a\nb' },
    ])
      expect((await change('OTHER_test', { mailParameters: mailParameters as never })).status).toBe(422)
    expect(await values()).toEqual(['', '1', 'Hi', ''])
  })

  test('D2-052 From, To, CC and Subject take 255 characters and not one more', async () => {
    const addresses = (length: number) => {
      const text = 'someone@example.org,'.repeat(20).slice(0, length - 20)
      return `${text.slice(0, text.lastIndexOf(',') + 1)}${'x'.repeat(length)}`
        .slice(0, length - 12)
        .concat('@example.org')
    }
    const most = {
      sender: `${'x'.repeat(243)}@example.org`,
      addressee: addresses(255),
      carbonCopy: addresses(255),
      subject: 'x'.repeat(255),
    }
    expect(Object.values(most).map(({ length }) => length)).toEqual([255, 255, 255, 255])
    expect((await change('TIME_missed', most)).status).toBe(200)
    for (const [name, text] of Object.entries(most)) {
      const { status, body } = await change('TIME_missed', { [name]: `x${text}` })
      expect([status, (body as any).Errors[0].Field], name).toEqual([400, name])
    }
  })

  test.each([
    ['sender', { sender: 'nobody' }],
    ['sender', { sender: 'a@b.example, c@d.example' }],
    ['addressee', { addressee: '{{student.firstName}}' }],
    ['carbonCopy', { carbonCopy: '{{nobody.email}}' }],
    ['subject', { subject: ' ' }],
    ['subject', { subject: '{{shift.list}}' }],
    ['template', { html: '<p> </p>' }],
    ['template', { html: '<p>{{student.nmae}}</p>' }],
    ['template', { html: '<a href="{{student.firstName}}">x</a>' }],
  ])('what would break an email is refused at its field (%s): %j', async (field, wrong) => {
    const before = await detail('TIME_missed')
    const { status, body } = await change('TIME_missed', wrong)
    expect([status, (body as any).Errors.map(({ Field }: { Field: string }) => Field)]).toEqual([
      422,
      [field],
    ])
    expect(await detail('TIME_missed')).toEqual(before)
  })

  test('no header can be slipped in by a line break', async () => {
    for (const field of ['sender', 'addressee', 'carbonCopy', 'subject'] as const)
      expect((await change('TIME_missed', { [field]: 'a@b.example\r\nBcc: x@y.example' })).status).toBe(400)
  })

  test('emails that sign somebody in keep their link, and go to nobody else', async () => {
    expect((await change('ACCOUNT_password_reset', { html: '<p>No link</p>' })).status).toBe(422)
    expect((await change('ACCOUNT_sign_in_link', { html: '<p>{{code}}</p>' })).status).toBe(200)
    for (const more of [{ addressee: 'x@y.example' }, { carbonCopy: 'x@y.example' }])
      expect((await change('ACCOUNT_password_reset', more)).status).toBe(422)
  })

  test('D2-174 D2-178 its description is a base64 string, cleaned, and is in the list', async () => {
    const { ID } = await find('TIME_missed')
    const saved = await admin.send('POST', `/mail-templates/${ID}/description`, {
      body: JSON.stringify(toBase64('<p>Für <em>alle</em><script>x</script></p>')),
    })
    expect(saved).toMatchObject({ status: 200, body: { Description: '<p>Für <em>alle</em></p>' } })
    expect((await find('TIME_missed')).Description).toBe('<p>Für <em>alle</em></p>')
    for (const body of ['"not base64!"', '7', '{"text":"eA=="}'])
      expect((await admin.send('POST', `/mail-templates/${ID}/description`, { body })).status).toBe(400)
    expect((await admin.send('POST', '/mail-templates/999999/description', { body: '"eA=="' })).status).toBe(
      404,
    )
  })

  test('every change is in the audit with the old value', async () => {
    await change('TIME_missed', { subject: 'Another' })
    await enable('TIME_missed', false)
    const { rows } = await installation.owner.query(
      "select action, detail from audit where action like 'POST /mail-templates%' order by id desc limit 2",
    )
    expect(rows[0].detail).toMatchObject({ Label: 'TIME_missed', IsEnabled: false })
    expect(rows[1].detail).toMatchObject({
      Label: 'TIME_missed',
      Before: { Subject: 'Shifts without a clock record: {{shift.count}}' },
      After: { subject: 'Another' },
    })
  })
})

describe('emails', () => {
  test('take subject, text and sender from the template, escaped and in the words of the program', async () => {
    const { id: profile } = await makeRow(installation.owner, 'language_profile', {
      name: `Profile ${program.Id}`,
    })
    await makeRow(installation.owner, 'language_entry', {
      profile_id: profile,
      key_id: 1,
      value: 'hospital',
      singular: '',
      plural: 's',
    })
    await installation.owner.query('update program set language_profile_id = $2 where id = $1', [
      program.Id,
      profile,
    ])
    await change('TIME_missed', {
      sender: '{{program.name}} <office@example.edu>',
      subject: '{Sites}: {{student.firstName}}, {{shift.count}}',
      html: '<p>{{student.firstName}} of {site} {{program.name}}, {{college.name}}</p><p>{{shift.list}}</p><p><a href="{{link}}">Go</a></p>',
    })
    const values = {
      ...(missed().values as object),
      'student.firstName': '<b>Ada</b> {{link}} {site}\r\nBcc: x@y.example',
      link: 'https://practicum.example.edu/new/clock?a=1&b=2',
    }
    await write(missed({ values } as never))
    const college = await installation.owner.query('select name from college where id = $1', [
      program.CollegeId,
    ])
    expect(await messages()).toEqual([
      {
        label: 'TIME_missed',
        recipient: 'ada@example.org',
        sender: `"${program.Name}" <office@example.edu>`,
        carbon_copy: [],
        subject: 'Hospitals: <b>Ada</b> {{link}} {site} Bcc: x@y.example, 1',
        html: `<p>&lt;b&gt;Ada&lt;/b&gt; {{link}} {site}\r\nBcc: x@y.example of hospital ${program.Name}, ${college.rows[0].name}</p><ul><li>01/02/2026 07:00</li></ul><p><a href="https://practicum.example.edu/new/clock?a=1&amp;b=2" rel="noopener noreferrer nofollow">Go</a></p>`,
        account_id: student.Id,
        program_id: program.Id,
      },
    ])
  })

  test('go to the addresses and placeholders of To, each once, and in copy to those of CC', async () => {
    await makePerson(installation.owner, Level.Coord, { program, email: 'one@example.org' })
    await makePerson(installation.owner, Level.Coord, { program, email: 'two@example.org' })
    await makePerson(installation.owner, Level.Coord, {
      program,
      email: 'gone@example.org',
      deactivated_at: '2026-01-01',
    })
    await makePerson(installation.owner, Level.Director, { program, email: 'chief@example.org' })
    await makePerson(installation.owner, Level.Coord, { email: 'elsewhere@example.org' })
    await change('TIME_missed', {
      addressee: '{{student.email}}, {{program.coordinators}}; Office <ada@example.org>',
      carbonCopy: '{{program.directors}}, {{program.coordinators}}',
    })
    await write(missed())
    expect(
      (await messages()).map(({ recipient, carbon_copy, account_id }) => [
        recipient,
        carbon_copy,
        account_id,
      ]),
    ).toEqual([
      ['"Office" <ada@example.org>', ['chief@example.org', 'one@example.org', 'two@example.org'], student.Id],
      ['one@example.org', [], null],
      ['two@example.org', [], null],
    ])
  })

  test('go to their person where To stands for nobody', async () => {
    await change('TIME_missed', { addressee: '{{program.coordinators}}' })
    await write(missed())
    expect(await messages()).toMatchObject([{ recipient: 'ada@example.org', account_id: student.Id }])
  })

  test('follow their parameters', async () => {
    const values: TemplateEmail['values'] = ({ isOn }: { isOn: (name: string) => boolean }) =>
      ({
        ...(missed().values as object),
        'student.firstName': isOn('NameSites') ? 'with sites' : 'without sites',
      }) as never
    await write(missed({ values } as never))
    await change('TIME_missed', { mailParameters: { NameSites: '0' } })
    await write(missed({ values } as never))
    expect((await messages()).map(({ html }) => /with(out)? sites/.exec(html)![0])).toEqual([
      'with sites',
      'without sites',
    ])
  })

  test('an email that the product writes by itself takes the text that was saved', async () => {
    await change('ACCOUNT_notice_password', {
      subject: 'Look out',
      html: '<p>{{account.name}}: new password</p>',
    })
    const person = await makePerson(installation.owner, Level.Faculty, {
      program,
      password_hash: await hashPassword('Bluebird-42-harbor'),
    })
    const caller = await installation.as(person)
    await caller.ok(changePassword, {
      body: { OldPassword: 'Bluebird-42-harbor', Password: 'Bluebird-43-harbor' },
    })
    expect(await messages()).toMatchObject([
      { subject: 'Look out', html: `<p>${person.UserName}: new password</p>` },
    ])
  })

  test('thousands of emails are written by the same few statements as one', async () => {
    const count = async (many: number) => {
      let statements = 0
      await transaction(
        installation.services.pool,
        { accountId: null, programIds: [program.Id] },
        async (db, course) => {
          await queueTemplatedEmails(
            db,
            Array.from({ length: many }, () => missed()),
          )
          statements = course.statements
        },
      )
      return statements
    }
    expect(await count(5_000)).toBe(await count(1))
    expect((await messages()).length).toBe(5_001)
  })
})

describe('test emails', () => {
  test('D2-045 each template is sent, filled with examples, to the signed-in person and nobody else', async () => {
    const all = await list()
    await change('TIME_missed', { addressee: 'other@example.org', carbonCopy: 'third@example.org' })
    await enable('TIME_missed', false)
    for (const { ID } of all)
      expect(await admin.ok(contract.testMailTemplate, { params: { templateId: ID } })).toEqual({
        Message: `Queued for ${adminAddress}. No mail server is set, so nothing is sent.`,
      })
    const sent = await messages()
    expect(sent).toHaveLength(all.length)
    for (const { recipient, carbon_copy, subject, html } of sent) {
      expect([recipient, carbon_copy]).toEqual([adminAddress, []])
      expect(subject).toMatch(/^Test: \S/)
      expect(html).not.toMatch(/\{\{|undefined|\{\w+\}/)
    }
    expect(sent[1].html).toContain('Harbor General Hospital')
    expect((await admin.call(contract.testMailTemplate, { params: { templateId: 999_999 } })).status).toBe(
      404,
    )
  })

  test('D2-173 D2-178 the test notification is OTHER_test, with its parameters, to the signed-in person', async () => {
    await change('OTHER_test', {
      mailParameters: { Greeting: 'Ahoy', NameInstallation: '1', Closing: 'So\nlong' },
    })
    expect(await admin.ok(contract.sendTestNotification)).toEqual({
      Message: `Queued for ${adminAddress}. No mail server is set, so nothing is sent.`,
    })
    await change('OTHER_test', { mailParameters: { NameInstallation: '0', Closing: '' } })
    await admin.ok(contract.sendTestNotification)
    const [one, two] = await messages()
    expect(one).toMatchObject({ label: 'OTHER_test', recipient: adminAddress, subject: 'Test notification' })
    expect(one.html).toMatch(/^<p>Ahoy First\d+ Last\d+,<\/p>/)
    expect(one.html).toMatch(/<p>http:\/\/127\.0\.0\.1:\d+<\/p><p>So<br>long<\/p>$/)
    expect(two.html).toMatch(/Mail works\.<\/p>$/)
  })

  test('D2-173 it is refused while OTHER_test is switched off, or with nowhere to send it', async () => {
    await enable('OTHER_test', false)
    expect((await admin.call(contract.sendTestNotification)).status).toBe(409)
    await enable('OTHER_test', true)
    const silent = await installation.as(
      await makePerson(installation.owner, Level.SuperAdmin, { email: '' }),
    )
    expect((await silent.call(contract.sendTestNotification)).status).toBe(422)
    expect((await silent.call(contract.testMailTemplate, await at('OTHER_test'))).status).toBe(422)
    expect(await messages()).toEqual([])
  })
})
