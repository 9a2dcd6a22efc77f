import { pushFailures } from '#contract/push/failures.ts'
import * as contract from '#contract/push/push.ts'
import type { Session, User } from '#server/core/auth/session.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { queuePushTest, removePushDevice, savePushChoice, savePushDevice } from './push.commands.ts'
import {
  countPushDevices,
  findPush,
  findPushService,
  lockPushAccount,
  lockPushDevice,
  type PushOwner,
} from './push.queries.ts'
import { refuseAddress, refuseWhileOff } from './push-failures.rules.ts'

/** Super admins may belong to no program: then there is nothing that they could be told. */
const programOf = ({ ProgramId }: User): number => ProgramId ?? 0
const ownerOf = ({ user, session }: { user: User; session: Session }): PushOwner => ({
  programId: programOf(user),
  accountId: user.Id,
  sessionId: session.id,
})

/** What people choose for their own devices. */
export const pushRoutes = [
  handle(contract.getPush, ({ db, ...call }) => findPush(db, ownerOf(call))),

  handle(contract.savePush, async ({ db, body, user, session, audit }) => {
    const offered = contract.pushKindsFor(user.AccessLevel)
    if (!body.Kinds.every((kind) => offered.includes(kind))) throw fail(pushFailures.push_kind, 'Kinds')
    if (body.Quiet && body.Quiet.From === body.Quiet.Until) throw fail(pushFailures.quiet_hours, 'Quiet')
    audit.subjectId = user.Id
    audit.detail = body
    await savePushChoice(db, programOf(user), user.Id, body)
    return findPush(db, ownerOf({ user, session }))
  }),

  handle(contract.addPushDevice, async ({ db, body, user, session, services, audit }) => {
    const { Id, Name, Address } = body
    const owner = ownerOf({ user, session })
    const service = await findPushService(db)
    refuseWhileOff(service)
    if (contract.pushKindsFor(user.AccessLevel).length === 0) throw fail(pushFailures.push_kind)
    if (session.isShared) throw fail(pushFailures.shared)
    refuseAddress(Address, service.PublicKey, services.config.webhookAllow)
    await lockPushAccount(db, user.Id)
    const known = await lockPushDevice(db, owner.programId, user.Id, Id)
    if (body.IsRenewal && (!known || known.end_reason === 'removed')) throw fail(pushFailures.push_removed)
    const isNew = !known || known.ended_at !== null
    if (isNew && (await countPushDevices(db, owner.programId, user.Id)) >= contract.maxPushDevices)
      throw fail(pushFailures.too_many, { Most: contract.maxPushDevices })
    const isKept = await savePushDevice(db, owner, {
      id: Id,
      // What a person once called it stays.
      name: body.IsRenewal && known ? known.name : Name,
      address: Address,
    })
    if (!isKept) throw fail(pushFailures.push_of_other_account)
    audit.subjectId = user.Id
    audit.detail = { Device: Name, Host: new URL(Address.Endpoint).host, IsRenewal: body.IsRenewal }
    return findPush(db, owner)
  }),

  handle(contract.removePushDevice, async ({ db, params: { deviceId }, user, audit }) => {
    const known = await lockPushDevice(db, programOf(user), user.Id, deviceId)
    if (!(await removePushDevice(db, programOf(user), user.Id, deviceId))) throw fail(pushFailures.no_device)
    audit.subjectId = user.Id
    audit.detail = { Device: known?.name }
  }),

  handle(contract.testPushDevice, async ({ db, params: { deviceId }, user, services }) => {
    refuseWhileOff(await findPushService(db))
    await throttle(services.pool, [{ key: `push-test:${user.Id}`, max: 10, windowSeconds: quarterHour }])
    if (!(await queuePushTest(db, programOf(user), user.Id, deviceId))) throw fail(pushFailures.no_device)
  }),
]
