import { pushFailures } from '#contract/push/failures.ts'
import * as contract from '#contract/push/push.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { notePushService, replaceServiceKeys, switchService } from './installation.commands.ts'
import { findServiceKeys, readPushState } from './installation.queries.ts'
import { findPushService } from './push.queries.ts'
import { refuseAddress, refuseWhileOff } from './push-failures.rules.ts'
import { tryPush } from './sending.service.ts'

/** @throws Failure 422 where `SECRET_KEY` does not open them */
const getKeys = async (db: Db, services: Services) => {
  const keys = await findServiceKeys(db, services)
  if (keys === 'sealed') throw fail(pushFailures.push_sealed)
  return keys
}

/** Push notifications of the installation, for those who run it. */
export const pushServiceRoutes = [
  handle(contract.getPushState, ({ db, services }) => readPushState(db, services)),

  handle(contract.switchPush, async ({ db, body, services, audit }) => {
    const before = await findPushService(db)
    if (body.IsOn) await getKeys(db, services)
    await switchService(db, services, body.IsOn)
    audit.detail = { Before: before.IsOn, After: body.IsOn }
    return readPushState(db, services)
  }),

  handle(contract.renewPushKeys, async ({ db, services, audit }) => {
    const ended = await replaceServiceKeys(db, services)
    if (ended === undefined) throw fail(pushFailures.push_never_on)
    audit.detail = { EndedDevices: ended }
    return readPushState(db, services)
  }),

  handle(contract.testPush, async ({ db, body: { Address }, user, services }) => {
    const service = await findPushService(db)
    refuseWhileOff(service)
    refuseAddress(Address, service.PublicKey, services.config.webhookAllow)
    await throttle(services.pool, [{ key: `push-test:${user.Id}`, max: 10, windowSeconds: quarterHour }])
    // Without keys it is off.
    const { steps, error } = await tryPush(services, (await getKeys(db, services))!, Address)
    await notePushService(db, error)
    return { IsOk: error === '', Steps: steps }
  }),
]
