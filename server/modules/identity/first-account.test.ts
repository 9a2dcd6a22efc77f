import { afterEach, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { makeFirstAccount } from '#contract/identity/first-account.ts'
import { login } from '#contract/identity/identity.ts'
import { prepareFirstCode } from '#server/core/auth/first-account.ts'
import { transaction } from '#server/core/database/pool.ts'
import { makePerson } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { addFirstAccount } from './first-account.commands.ts'

let installation: Installation
beforeEach(async () => {
  installation = await startInstallation()
})
afterEach(() => installation?.stop())

const password = 'Kingfisher-7-lake'
const prepare = () => prepareFirstCode(installation.services.ownerUrl, installation.services.config.secretKey)
const make = (Code: string, more: object = {}) =>
  installation.anonymous.call(makeFirstAccount, {
    body: {
      Code,
      FirstName: 'Ada',
      LastName: 'Renner',
      EmailAddress: 'ada@example.edu',
      UserName: 'ada',
      Password: password,
      ...more,
    },
  })
const accounts = async () => (await installation.owner.query('select * from account order by id')).rows
/** Where a page leads; '' where it is shown. */
const leadsTo = async (page: string): Promise<string> => {
  const { status, headers } = await fetch(`${installation.url}/new/${page}`, { redirect: 'manual' })
  return status === 200 ? '' : headers.get('location')!
}

test('I10 the code of the log makes the first super admin, who is signed in, and then it is over', async () => {
  const code = (await prepare())!
  expect(code).toMatch(/^\w{5}-\w{5}-\w{5}$/)
  expect([await leadsTo('login'), await leadsTo('first-account')]).toEqual(['/new/first-account', ''])
  const { status, body, headers } = await make(` ${code.toUpperCase()} `)
  expect([status, body.RedirectTo]).toEqual([200, '/new/admin/home'])
  expect(headers.getSetCookie().join()).toContain('practicum_session=')
  expect(await accounts()).toMatchObject([
    { user_name: 'ada', access_level: Level.SuperAdmin, super_admin_areas: null, email: 'ada@example.edu' },
  ])
  expect([await leadsTo('login'), await leadsTo('first-account')]).toEqual(['', '/new/login'])
  expect((await make(code, { UserName: 'second' })).status).toBe(404)
  expect(await prepare()).toBeUndefined()
  await installation.anonymous.ok(login, { body: { UserName: 'ada', Password: password, IsShared: false } })
  const { rows } = await installation.owner.query(
    "select action, detail from audit where action = 'first super admin made'",
  )
  expect(rows).toEqual([{ action: 'first super admin made', detail: { UserName: 'ada' } }])
})

test('without the code nothing is made, and guesses end', async () => {
  const code = (await prepare())!
  const wrong = await make('aaaaa-aaaaa-aaaaa')
  expect([wrong.status, wrong.body]).toMatchObject([422, { Code: 'wrong_code', Errors: [{ Field: 'Code' }] }])
  expect((await make(code, { Password: 'ada' })).status).toBe(400)
  expect((await make(code, { Password: 'password' })).status).toBe(422)
  for (let attempt = 0; attempt < 8; attempt++) await make(`guess-${attempt}`)
  const { status, headers } = await make(code)
  expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  expect(await accounts()).toEqual([])
})

test('of many at once exactly one is made, whichever process they come to', async () => {
  const { pool } = installation.services
  await prepare()
  const made = await Promise.all(
    Array.from({ length: 8 }, (_none, at) =>
      transaction(pool, { accountId: null, programIds: [], isSuper: true }, (db) =>
        addFirstAccount(db, {
          userName: `racer${at}`,
          passwordHash: 'x',
          email: `racer${at}@example.edu`,
          firstName: 'R',
          lastName: String(at),
        }),
      ),
    ),
  )
  expect(made.filter((id) => id !== undefined)).toHaveLength(1)
  expect(await accounts()).toHaveLength(1)
})

test('two calls at once with the right code: one signs in, the other hears that there is an account', async () => {
  const code = (await prepare())!
  const both = await Promise.all([
    make(code),
    make(code, { UserName: 'bea', EmailAddress: 'bea@example.edu' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect(await accounts()).toHaveLength(1)
})

test('a later start makes another code, and processes that start together say the same', async () => {
  const together = await Promise.all([prepare(), prepare(), prepare()])
  expect(new Set(together).size).toBe(1)
  await installation.owner.query("update first_code set made_at = now() - interval '2 minutes'")
  const later = (await prepare())!
  expect(later).not.toBe(together[0])
  expect((await make(together[0]!)).status).toBe(422)
  expect((await make(later)).status).toBe(200)
})

test('an installation with an account shows nothing of it, also before the next start forgets the code', async () => {
  const code = (await prepare())!
  await makePerson(installation.owner, Level.SuperAdmin)
  expect([await leadsTo('login'), await leadsTo('first-account')]).toEqual(['', '/new/login'])
  expect((await make(code)).status).toBe(404)
  expect(await prepare()).toBeUndefined()
  expect((await installation.owner.query('select from first_code')).rowCount).toBe(0)
})
