import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level, levels } from '#contract/core/levels.ts'
import { viewAs } from '#contract/identity/identity.ts'
import { getHelpChatToken } from '#contract/session/help-chat.ts'
import { getGlobals } from '#contract/session/session.ts'
import { makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

const secret = 'a shared secret of the help desk'
const widget = 'https://static.zdassets.com/ekr/snippet.js?key=abc'
let installation: Installation
let plain: Installation

beforeAll(async () => {
  ;[installation, plain] = await Promise.all([
    startInstallation({ ZENDESK_KEY_ID: 'app_1', ZENDESK_SECRET: secret, ZENDESK_WIDGET_URL: widget }),
    startInstallation(),
  ])
})
afterAll(() => Promise.all([installation?.stop(), plain?.stop()]))

const parts = (token: string) => {
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { head: read(head), claims: read(claims), signed: `${head}.${claims}`, signature }
}

test('D1-298 the token is signed by the shared secret and tells id, name and address of who asks', async () => {
  const person = await makeStudent(installation.owner, undefined, {
    first_name: 'Zoë',
    last_name: 'Lund',
    email: 'zoe@example.org',
  })
  const { Token } = await (await installation.as(person)).ok(getHelpChatToken)
  const { head, claims, signed, signature } = parts(Token)
  expect(head).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'app_1' })
  expect(claims).toEqual({
    scope: 'user',
    external_id: String(person.Id),
    name: 'Zoë Lund',
    email: 'zoe@example.org',
    email_verified: true,
    iat: expect.any(Number),
    exp: claims.iat + 600,
  })
  expect(Math.abs(claims.iat - Date.now() / 1_000)).toBeLessThan(60)
  expect(signature).toBe(createHmac('sha256', secret).update(signed).digest('base64url'))
  expect(Token).not.toContain(secret)
})

test('D1-230 whoever is known and below Coord has the chat, and nobody else; nor who views as somebody', async () => {
  const program = await makeProgram(installation.owner)
  for (const { Id } of levels) {
    if (Id === Level.Unknown) continue
    const caller = await installation.as(await makePerson(installation.owner, Id, { program }))
    const has = Id < Level.Coord
    expect([Id, (await caller.call(getHelpChatToken)).status]).toEqual([Id, has ? 200 : 403])
    expect((await caller.ok(getGlobals)).HelpChatUrl).toBe(has ? widget : null)
  }
  expect((await installation.anonymous.call(getHelpChatToken)).status).toBe(401)
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  const student = await makeStudent(installation.owner, program)
  await admin.ok(viewAs, { params: { programId: program.Id, userId: student.Id } })
  expect((await admin.call(getHelpChatToken)).status).toBe(403)
  expect((await admin.ok(getGlobals)).HelpChatUrl).toBeNull()
})

test('without configuration there is no token, no script, and no origin in the policy', async () => {
  const student = await plain.as(await makeStudent(plain.owner))
  expect((await student.call(getHelpChatToken)).status).toBe(404)
  expect((await student.ok(getGlobals)).HelpChatUrl).toBeNull()
  const policy = async ({ url }: Installation) =>
    (await fetch(`${url}/healthz`)).headers.get('content-security-policy')!
  expect(await policy(plain)).not.toMatch(/zdassets|zendesk/)
  expect(await policy(installation)).toMatch(/script-src 'self' https:\/\/static\.zdassets\.com;/)
  expect(await policy(installation)).toMatch(/connect-src 'self' [^;]*wss:\/\/\*\.zendesk\.com/)
})
