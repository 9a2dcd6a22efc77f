import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as identity from '#contract/identity/identity.ts'
import * as contractOfPreferences from '#contract/identity/preferences.ts'
import { getProgramMenu } from '#contract/session/session.ts'
import { getTerms } from '#contract/terminology/terminology.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { reading } from '#server/core/database/pool.ts'
import { readLanguages } from '#server/core/mail/mail.across.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const preferences = { StartPage: '', IsMenuShown: false, MutedEmails: [] }
const spanish = { headers: { 'accept-language': 'es-US,es;q=0.9,en;q=0.5' } }
const start = async (level: Level) => {
  const person = await makePerson(installation.owner, level, {})
  return { person, caller: await installation.as(person) }
}
const messageOf = (body: unknown): string => (body as { Message: string }).Message
/** The message with which a wrong password is refused. */
const refusalFor = async (headers: Record<string, string>): Promise<string> => {
  const { body } = await installation.anonymous.call(
    identity.login,
    { body: { UserName: 'nobody.of.this.name', Password: 'x' } },
    { headers },
  )
  return messageOf(body)
}

test('a language is kept with the account, stays where it is not named, and can be given back to the browser', async () => {
  const { caller } = await start(Level.Student)
  expect((await caller.ok(contractOfPreferences.getPreferences)).Language).toBeNull()
  await caller.ok(contractOfPreferences.savePreferences, { body: { ...preferences, Language: 'es' } })
  expect((await caller.ok(contractOfPreferences.savePreferences, { body: preferences })).Language).toBe('es')
  expect((await caller.ok(contractOfPreferences.getPreferences)).Language).toBe('es')
  await caller.ok(contractOfPreferences.savePreferences, { body: { ...preferences, Language: null } })
  expect((await caller.ok(contractOfPreferences.getPreferences)).Language).toBeNull()
})

test('a language that is not there is refused, and that of another account stays as it is', async () => {
  const { caller } = await start(Level.Student)
  const other = await start(Level.Student)
  for (const Language of ['fr', 'ES', '', 1])
    expect(
      (
        await caller.call(contractOfPreferences.savePreferences, {
          body: { ...preferences, Language: Language as 'es' },
        })
      ).status,
    ).toBe(400)
  await caller.ok(contractOfPreferences.savePreferences, { body: { ...preferences, Language: 'es' } })
  expect((await other.caller.ok(contractOfPreferences.getPreferences)).Language).toBeNull()
  expect(
    (await installation.anonymous.call(contractOfPreferences.savePreferences, { body: preferences })).status,
  ).toBe(401)
})

test('before anybody signs in the browser decides: by its choice, then by what it prefers, and English for anything else', async () => {
  const english =
    'User name, email or password is not right. Check them and try again. If several accounts have your email, type the user name.'
  const inSpanish =
    'El nombre de usuario, el correo electrónico o la contraseña no es correcto. Revíselos e intente de nuevo. Si varias cuentas tienen su correo electrónico, escriba el nombre de usuario.'
  expect(await refusalFor({})).toBe(english)
  expect(await refusalFor({ 'accept-language': 'es' })).toBe(inSpanish)
  expect(await refusalFor({ 'accept-language': 'fr,de' })).toBe(english)
  expect(await refusalFor({ 'accept-language': 'es', cookie: 'practicum_language=en' })).toBe(english)
  expect(await refusalFor({ cookie: 'practicum_language=es' })).toBe(inSpanish)
  expect(await refusalFor({ cookie: 'practicum_language=xx', 'accept-language': 'es' })).toBe(inSpanish)
})

test('the choice of the account comes before the browser, in words, menus and refusals', async () => {
  const { person, caller } = await start(Level.Student)
  const at = { params: { programId: person.ProgramId! } }
  expect((await caller.ok(getTerms, at)).site.Plural).toBe('sites')
  expect((await caller.ok(getTerms, at, spanish)).site.Plural).toBe('sitios')
  await caller.ok(contractOfPreferences.savePreferences, { body: { ...preferences, Language: 'es' } })
  expect((await caller.ok(getTerms, at)).evaluation).toEqual({
    Singular: 'evaluación',
    Plural: 'evaluaciones',
    Group: 'evaluaciones',
  })
  const menu = await caller.ok(getProgramMenu, at)
  expect(menu.map(({ Name }) => Name)).toEqual(expect.arrayContaining(['Marcar', 'Horario', 'Requisitos']))
  const refused = await caller.call(contractOfPreferences.savePreferences, {
    body: { ...preferences, StartPage: '//x' },
  })
  expect(messageOf(refused.body)).toBe('Elija una página de la lista. No se guardó nada.')
  await caller.ok(contractOfPreferences.savePreferences, { body: { ...preferences, Language: 'en' } })
  expect((await caller.ok(getTerms, at, spanish)).site.Plural).toBe('sites')
})

test('a page says in which language it is, and its calls come in it', async () => {
  const { person, caller } = await start(Level.Supervisor)
  const at = { params: { programId: person.ProgramId! } }
  await caller.ok(contractOfPreferences.savePreferences, { body: { ...preferences, Language: 'es' } })
  expect((await caller.ok(getTerms, at, { headers: { 'x-language': 'en' } })).student.Plural).toBe('students')
})

test('staff read English whatever their browser prefers', async () => {
  const { person, caller } = await start(Level.Coord)
  const at = { params: { programId: person.ProgramId! } }
  expect((await caller.ok(getTerms, at, spanish)).site.Plural).toBe('sites')
})

test('signing in notes what the browser prefers, for emails', async () => {
  const program = await makeProgram(installation.owner)
  const student = await makePerson(installation.owner, Level.Student, {
    program,
    password_hash: await hashPassword('Bluebird-42-harbor'),
  })
  await installation.anonymous.ok(
    identity.login,
    { body: { UserName: student.UserName, Password: 'Bluebird-42-harbor' } },
    spanish,
  )
  const { rows } = await installation.owner.query('select browser_language from account where id = $1', [
    student.Id,
  ])
  expect(rows).toEqual([{ browser_language: 'es' }])
  const languages = await reading(installation.services.pool, { accountId: null, programIds: [] }, (db) =>
    readLanguages(db, [student.Id]),
  )
  expect(languages.get(student.Id)).toBe('es')
})

test('a refusal has one code and its values in both languages, and its fields are said in that of the reader', async () => {
  const { caller } = await start(Level.Student)
  const refused = async (body: unknown, headers: Record<string, string> = {}): Promise<unknown> =>
    (await caller.call(identity.changePassword, { body: body as never }, { headers })).body
  const wrong = { OldPassword: '', Password: 'short', Other: 1 }
  expect(await refused(wrong)).toMatchObject({
    Code: 'invalid',
    Message: 'Password must have at least 8 characters. 1 more field needs attention. Nothing was changed.',
    Errors: [
      { Field: 'Password', Message: 'Password must have at least 8 characters.' },
      { Field: 'Other', Message: 'Other is not a known name here.' },
    ],
  })
  expect(await refused(wrong, spanish.headers)).toMatchObject({
    Code: 'invalid',
    Message: 'Contraseña: al menos 8 caracteres. Falta corregir 1 campo más. No se cambió nada.',
    Errors: [{ Field: 'Password', Message: 'Contraseña: al menos 8 caracteres.' }, { Field: 'Other' }],
    Values: { Others: ' Falta corregir 1 campo más.', Changes: true },
  })
  const taken = { OldPassword: 'x', Password: 'Nothing-like-it-42' }
  expect(await refused(taken, spanish.headers)).toEqual({
    Code: 'wrong_password',
    Message: 'La contraseña actual no es correcta; no se cambió nada.',
    Errors: [{ Field: 'OldPassword', Message: 'La contraseña actual no es correcta; no se cambió nada.' }],
  })
})
