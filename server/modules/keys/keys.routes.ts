import { type AnyEndpoint, keyRightOf } from '#contract/core/endpoint.ts'
import { may, type Permission, permissions } from '#contract/core/permissions.ts'
import { allEndpoints } from '#contract/index.ts'
import { keyFailures } from '#contract/keys/failures.ts'
import * as contract from '#contract/keys/keys.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { sensitivityOf } from '#server/core/http/sensitive.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addressee, tellOwner } from '../identity/emails.service.ts'
import { insertApiKey, replaceApiKey, revokeApiKey } from './keys.commands.ts'
import { findApiKey, listApiKeys } from './keys.queries.ts'
import { refuseName } from './keys.service.ts'

const opened = new Map<Permission, AnyEndpoint[]>()
for (const endpoint of allEndpoints) {
  const right = keyRightOf(endpoint)
  if (!right || right === 'any') continue
  opened.set(right, [...(opened.get(right) ?? []), endpoint])
  for (const of of sensitivityOf(endpoint).classes)
    if (`private.${of}` in permissions) {
      const named = `private.${of}` as Permission
      opened.set(named, [...(opened.get(named) ?? []), endpoint])
    }
}

const mayGive = (user: User, right: string): boolean =>
  // Names of the table.
  opened.has(right as Permission) && may(user, right as Permission)

/** @throws Failure 403 when a right is more than the caller has, or opens nothing */
const refuseRights = (user: User, rights: readonly string[]): void => {
  const foreign = rights.filter((right) => !mayGive(user, right))
  if (foreign.length === 0) return
  const Foreign = foreign.join(', ')
  throw fail(
    keyFailures.right_not_yours,
    { Rights: Foreign },
    { fields: [{ Field: 'Rights', Message: `cannot be given: ${Foreign}` }] },
  )
}

const getKey = async (db: Db, programId: number, keyId: number) => {
  const key = await findApiKey(db, programId, keyId)
  if (!key) throw fail(keyFailures.no_key)
  return key
}

export const keyRoutes = [
  handle(contract.listApiKeys, ({ db, params: { programId } }) => listApiKeys(db, programId)),

  handle(contract.listKeyRights, async ({ user }) =>
    Object.keys(permissions)
      .filter((right) => mayGive(user, right))
      .map((right) => ({
        Right: right,
        Calls: opened
          .get(right as Permission)!
          .map(({ method, path, summary }) => ({ Method: method, Path: path, Summary: summary })),
      })),
  ),

  handle(contract.createApiKey, async ({ db, params: { programId }, body, user, services, audit }) => {
    const { IsForAllPrograms, ...input } = body
    if (IsForAllPrograms && !user.isSuperAdmin) throw fail(keyFailures.super_admins_only)
    refuseRights(user, body.Rights)
    await refuseName(db, programId, body.Name, IsForAllPrograms)
    const { id, Key } = await insertApiKey(db, {
      programId: IsForAllPrograms ? null : programId,
      accountId: user.Id,
      input,
    })
    audit.detail = {
      KeyId: id,
      Name: body.Name,
      Rights: body.Rights,
      Networks: body.Networks,
      IsForAllPrograms,
    }
    await tellOwner(db, services, addressee(user), 'key')
    return { ...(await getKey(db, programId, id)), Key }
  }),

  handle(contract.rotateApiKey, async ({ db, params: { programId, keyId }, body, user, services, audit }) => {
    const before = await getKey(db, programId, keyId)
    refuseRights(user, before.Rights)
    const Key = await replaceApiKey(db, { keyId, accountId: user.Id, overlapHours: body.OverlapHours })
    audit.detail = {
      KeyId: keyId,
      Name: before.Name,
      Overlap: `${body.OverlapHours} h`,
      Was: before.CreateBy,
    }
    await tellOwner(db, services, addressee(user), 'key')
    return { ...(await getKey(db, programId, keyId)), Key }
  }),

  handle(contract.revokeApiKey, async ({ db, params: { programId, keyId }, audit }) => {
    const key = await getKey(db, programId, keyId)
    await revokeApiKey(db, keyId)
    audit.detail = { KeyId: keyId, Name: key.Name }
  }),
]
