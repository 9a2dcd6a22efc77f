import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications, readNotifications } from '#contract/communication/notifications.ts'
import { Level } from '#contract/core/levels.ts'
import { getNonAdminData } from '#contract/session/session.ts'
import { makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

test('D1-185 the count in the top bar counts unread notifications, which are listed newest first and read one by one or all', async () => {
  const program = await makeProgram(installation.owner)
  const person = await makePerson(installation.owner, Level.Student, { program })
  const other = await makePerson(installation.owner, Level.Student, { program })
  for (const [account, text] of [
    [person, 'first'],
    [person, 'second'],
    [other, 'theirs'],
  ] as const) {
    await makeRow(installation.owner, 'notification', {
      program_id: program.Id,
      account_id: account.Id,
      kind: 'time',
      text,
    })
  }
  const caller = await installation.as(person)
  const list = await caller.ok(listNotifications)
  expect(list.map(({ Text, IsRead }) => [Text, IsRead])).toEqual([
    ['second', false],
    ['first', false],
  ])
  const count = async () => (await caller.ok(getNonAdminData)).NotificationCount
  expect(await count()).toBe(2)
  await caller.ok(readNotifications, { body: { Ids: [list[0]!.Id] } })
  expect(await count()).toBe(1)
  await caller.ok(readNotifications, { body: {} })
  expect(await count()).toBe(0)
  const theirs = await (await installation.as(other)).ok(listNotifications)
  expect(theirs).toMatchObject([{ Text: 'theirs', IsRead: false }])
})
