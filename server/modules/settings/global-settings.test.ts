import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getGlobals, saveState } from '#contract/session/session.ts'
import * as contract from '#contract/settings/global-settings.ts'
import { makePerson } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

test('D2-099 D2-168 D2-169 forgery protection is on, is switched off and on again, and calls follow it at once', async () => {
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord))
  const withoutToken = async () => {
    const body = { isAdminMenuSemiHidden: true }
    return (await coordinator.call(saveState, { body }, { headers: { 'x-csrf-token': '' } })).status
  }
  const told = async () => JSON.parse((await coordinator.ok(getGlobals)).GlobalSettings)
  expect(await admin.ok(contract.getFileSettings)).toEqual({ EnableAntiForgery: true })
  expect(await withoutToken()).toBe(403)
  for (const EnableAntiForgery of [false, false, true]) {
    const body = { EnableAntiForgery }
    expect(await admin.ok(contract.saveFileSettings, { body })).toEqual(body)
    expect(await admin.ok(contract.getFileSettings)).toEqual(body)
    expect(await withoutToken()).toBe(EnableAntiForgery ? 403 : 200)
    expect(await told()).toEqual(body)
  }
})

test('what is not true or false is refused', async () => {
  for (const body of [{}, { EnableAntiForgery: 'false' }, { EnableAntiForgery: true, More: 1 }])
    expect((await admin.send('POST', '/global-settings/file', { body })).status).toBe(400)
  expect(await admin.ok(contract.getFileSettings)).toEqual({ EnableAntiForgery: true })
})

test('D2-144 only super admins see and change it', async () => {
  const director = await installation.as(await makePerson(installation.owner, Level.Admin))
  const body = { EnableAntiForgery: false }
  expect((await director.call(contract.getFileSettings)).status).toBe(403)
  expect((await director.call(contract.saveFileSettings, { body })).status).toBe(403)
})
