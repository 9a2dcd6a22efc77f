import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mutableEmails } from '#contract/identity/preferences.ts'
import { transaction } from '#server/core/database/pool.ts'
import { post, sendMail } from '#server/core/mail/mail.ts'
import { mailKinds } from '#server/core/mail/mail-kinds.ts'
import { unsubscribeToken } from '#server/core/mail/unsubscribe.ts'
import { type MadePerson, type MadeProgram, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { kindNames } from './unsubscribe.pages.ts'

let installation: Installation
let program: MadeProgram
let ada: MadePerson
let bo: MadePerson
const received: Email[] = []
const smtp = new SMTPServer({
  authOptional: true,
  closeTimeout: 200,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', async () => {
      received.push(await PostalMime.parse(Buffer.concat(chunks)))
      done()
    })
  },
})
const publicUrl = 'https://practicum.example.edu'

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  installation = await startInstallation({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    APP_URL: publicUrl,
    TRUST_PROXY: 'loopback',
  })
})
afterAll(async () => {
  await installation?.stop()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})
beforeEach(async () => {
  received.length = 0
  await installation.owner.query('delete from mail')
  await installation.owner.query('delete from throttle')
  program = await makeProgram(installation.owner)
  ada = await makeStudent(installation.owner, program, { email: 'ada@example.org' })
  bo = await makeStudent(installation.owner, program, { email: 'bo@example.org' })
})

const mail = async (label: string, more: object = {}) => {
  received.length = 0
  await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    post(db, [
      {
        programId: program.Id,
        accountId: ada.Id,
        label,
        recipient: 'ada@example.org',
        subject: label,
        html: '<p>Hi</p>',
        ...more,
      },
    ]),
  )
  await sendMail.work({}, installation.services)
  return Object.fromEntries((received[0]?.headers ?? []).map(({ key, value }) => [key, value]))
}
const addressIn = (headers: Record<string, string>) =>
  /^<(https:[^<>]+)>$/.exec(headers['list-unsubscribe'] ?? '')![1]!.replace(publicUrl, installation.url)
const tokenOf = (label: string, accountId = ada.Id) =>
  unsubscribeToken({ accountId, label }, installation.services.config)
const at = (token: string) => `${installation.url}/new/unsubscribe/${token}`
const click = (address: string, body = 'List-Unsubscribe=One-Click', headers: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })
const muted = async (accountId: number) =>
  (
    await installation.owner.query(
      "select preferences -> 'MutedEmails' as muted from account where id = $1",
      [accountId],
    )
  ).rows[0].muted ?? []
const audited = async () =>
  (
    await installation.owner.query('select action, detail from audit where account_id = $1 order by id', [
      ada.Id,
    ])
  ).rows

test('one click of a mail program mutes the kind of the email for its person, with no session and no redirect', async () => {
  const headers = await mail('PLACEMENT_made')
  expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  const answer = await click(addressIn(headers), undefined, { origin: 'https://mail.example.com' })
  expect(answer.status).toBe(200)
  expect(await muted(ada.Id)).toEqual(['PLACEMENT_made'])
  expect(await muted(bo.Id)).toEqual([])
  expect(await mail('PLACEMENT_made')).toEqual({})
  expect(await mail('PLACEMENT_changed')).toHaveProperty('list-unsubscribe')
  expect(await audited()).toEqual([{ action: 'email kind turned off', detail: { Label: 'PLACEMENT_made' } }])
})

test('repeated it stays as it is, as a form of parts too; other kinds and preferences stay', async () => {
  await installation.owner.query(
    `update account set preferences = '{"StartPage": "/new/x", "MutedEmails": ["EVALUATION_due"]}' where id = $1`,
    [ada.Id],
  )
  const address = at(tokenOf('TIME_missed'))
  for (let time = 0; time < 2; time++) expect((await click(address)).status).toBe(200)
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  expect((await fetch(address, { method: 'POST', body: form })).status).toBe(200)
  const { rows } = await installation.owner.query('select preferences from account where id = $1', [ada.Id])
  expect(rows[0].preferences).toEqual({
    StartPage: '/new/x',
    MutedEmails: ['EVALUATION_due', 'TIME_missed'],
  })
  expect(await audited()).toHaveLength(1)
})

test('opening the address changes nothing and shows a button; the button mutes and offers to undo', async () => {
  const address = at(tokenOf('EVALUATION_due'))
  const opened = await fetch(address)
  expect(opened.status).toBe(200)
  expect(opened.headers.get('content-type')).toMatch(/^text\/html/)
  expect(opened.headers.get('cache-control')).toBe('no-store')
  const page = await opened.text()
  expect(page).toContain(
    'Emails about evaluations you need to complete would no longer be sent to ada@example.org.',
  )
  expect(page).toContain('<button name="List-Unsubscribe" value="One-Click">Turn off</button>')
  expect(await muted(ada.Id)).toEqual([])
  const done = await (await click(address)).text()
  expect(done).toContain('<h1>Turned off</h1>')
  expect(done).toContain('<button name="Undo" value="1">Undo</button>')
  expect(await (await fetch(address)).text()).toContain('<h1>Turned off</h1>')
  const undone = await (await click(address, 'Undo=1')).text()
  expect(undone).toContain('<h1>Turned on again</h1>')
  expect(await muted(ada.Id)).toEqual([])
  expect((await audited()).map(({ action }) => action)).toEqual([
    'email kind turned off',
    'email kind turned on',
  ])
})

test('a token that is forged, for another person, another kind, or one that may not be muted is refused', async () => {
  const token = tokenOf('PLACEMENT_made')
  const [, , mark] = token.split('.') as [string, string, string]
  const forged = [
    `${bo.Id}.PLACEMENT_made.${mark}`,
    `${ada.Id}.TIME_missed.${mark}`,
    `${ada.Id}.PLACEMENT_made.${'A'.repeat(43)}`,
    token.slice(0, -1),
    'x',
    `${ada.Id}.PLACEMENT_made.${mark}%00`,
    tokenOf('ACCOUNT_password_reset'),
    tokenOf('MESSAGE_sent'),
    tokenOf('PLACEMENT_made', 999_999_999),
  ]
  for (const each of forged) {
    const { status } = await click(at(each))
    expect([400, 404], each).toContain(status)
    const opened = await fetch(at(each), { redirect: 'manual' })
    expect([400, 404], each).toContain(opened.status)
  }
  expect([...(await muted(ada.Id)), ...(await muted(bo.Id))]).toEqual([])
  await installation.owner.query('update account set deleted_at = now() where id = $1', [ada.Id])
  expect((await click(at(token))).status).toBe(404)
})

test('kinds that may not be muted carry neither header; a copy to others only the page of preferences', async () => {
  for (const label of ['ACCOUNT_password_reset', 'MESSAGE_sent']) {
    const headers = await mail(label)
    expect(headers.subject).toBe(label)
    expect(headers).not.toHaveProperty('list-unsubscribe')
    expect(headers).not.toHaveProperty('list-unsubscribe-post')
  }
  const headers = await mail('PLACEMENT_made', { carbonCopy: ['head@example.org'] })
  expect(headers['list-unsubscribe']).toBe(`<${publicUrl}/new/preferences>`)
  expect(headers).not.toHaveProperty('list-unsubscribe-post')
  expect(await mail('PLACEMENT_made', { accountId: null })).not.toHaveProperty('list-unsubscribe-post')
})

test('many tries with one link are throttled in a sentence', async () => {
  const address = at(tokenOf('PLACEMENT_made'))
  let last = 0
  for (let time = 0; time < 62; time++) last = (await click(address)).status
  expect(last).toBe(429)
  const page = await fetch(address)
  expect(page.status).toBe(429)
  expect(await page.text()).toContain('Too many attempts. Try again in 15 minutes. Nothing was changed.')
  expect((await click(at(tokenOf('PLACEMENT_made', bo.Id)))).status).toBe(200)
})

test('every kind that may be muted has a name for the page', () => {
  expect(Object.keys(kindNames).toSorted()).toEqual(mutableEmails.map(({ Label }) => Label).toSorted())
  for (const { Label } of mutableEmails) expect(mailKinds).toHaveProperty(Label)
})
