import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import * as contract from '#contract/imports/sync.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { reading, workAs } from '#server/core/database/pool.ts'
import { handle, type Route } from '#server/core/http/handle.ts'
import { throttle } from '#server/core/http/throttle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { conflict, Failure, notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { importTable, notAllowed } from './import-table.ts'
import { findKey, insertKey, listKeys, pageLogs, revokeKey, touchKey } from './sync.queries.ts'
import { ignoredColumns, tableOfRows } from './sync.rules.ts'
import { logged } from './sync-log.ts'

const hour = 60 * 60
/** Calls an hour with one key, and from one address whatever key it tries. */
const maxCalls = 600
const maxTries = 1_200

const unknownKey = () =>
  new Failure(
    401,
    'unknown_key',
    'This call brought no key of a program, or one that was revoked. Nothing was changed. Send “Authorization: Bearer” and a key made on the page DataSync Logs.',
  )

/** Whoever has no valid key learns that, and nothing about the rows. */
const admit: NonNullable<Route['admit']> = async (services, { address, bearer }) => {
  await throttle(services.pool, [{ key: `sync:address:${address}`, max: maxTries, windowSeconds: hour }])
  const nobody = { accountId: null, programIds: [] }
  const key =
    bearer === undefined
      ? undefined
      : await reading(services.transactions, nobody, (db) => findKey(db, hashToken(bearer)))
  if (!key) throw unknownKey()
}

export const syncRoutes = [
  handle(contract.listSyncLogs, ({ db, query, user, session }) =>
    pageLogs(
      db,
      {
        programId: user.isSuperAdmin ? query.ProgramId : (session.programId ?? 0),
        moduleId: query.ModuleId,
        failedOnly: query.FailedOnly,
        since: query.Since,
      },
      query,
    ),
  ),

  handle(
    contract.sync,
    async ({ db, params, query, body, services, from, audit }) => {
      const key = from.bearer === undefined ? undefined : await findKey(db, hashToken(from.bearer))
      if (!key) throw unknownKey()
      await throttle(services.pool, [{ key: `sync:key:${key.id}`, max: maxCalls, windowSeconds: hour }])
      const at = { accountId: key.account_id, programId: key.program_id }
      await workAs(db, at)
      await touchKey(db, key)
      const user = {
        Id: key.account_id,
        AccessLevel: key.access_level,
        SuperAdminAreas: key.super_admin_areas,
        isSuperAdmin: key.access_level === Level.SuperAdmin,
      }
      const work = { db, services, user, audit }
      const run = async () => {
        // Who may make no keys anymore has none that open anything.
        if (!may(user, 'data-sync.manage')) throw notAllowed(params.module)
        return importTable(work, {
          kind: params.module,
          programId: key.program_id,
          table: tableOfRows(body.Rows),
          fileName: `Data sync: ${key.name}`,
          isDryRun: query.DryRun,
          sendsLinks: false,
          isSync: true,
        })
      }
      const result = query.DryRun
        ? await run()
        : await logged(
            work,
            { kind: params.module, programId: key.program_id, source: { Key: key.name } },
            run,
          )
      const { Rows, Added, Changed, Unchanged, Errors } = result
      if (Errors[0])
        throw new Failure(422, 'rows_refused', `Row ${Errors[0].Row}: ${Errors[0].Message}`, {
          extra: { Errors, ErrorCount: result.ErrorCount },
        })
      if (!query.DryRun)
        await writeAudit(db, {
          ...at,
          action: 'data sync',
          address: from.address,
          detail: { KeyId: key.id, Module: params.module, Rows, Added, Changed },
        })
      return { Rows, Added, Changed, Unchanged, Ignored: ignoredColumns(result), DryRun: query.DryRun }
    },
    { admit },
  ),

  handle(contract.listSyncKeys, ({ db, params }) => listKeys(db, params.programId)),

  handle(contract.createSyncKey, async ({ db, params: { programId }, body, user, audit }) => {
    const keys = await listKeys(db, programId)
    if (keys.length >= contract.maxSyncKeys)
      throw ruleBroken(
        'too_many',
        `The program has ${contract.maxSyncKeys} keys. Nothing was made; revoke one that is no longer used.`,
      )
    if (keys.some(({ Name }) => Name.toLowerCase() === body.Name.toLowerCase()))
      throw conflict('name_taken', `${body.Name} already exists.`, 'Name')
    const Key = `psk_${newToken()}`
    const made = await insertKey(db, {
      programId,
      name: body.Name,
      hash: hashToken(Key),
      ending: Key.slice(-4),
      accountId: user.Id,
    })
    audit.detail = { KeyId: made.Id, Name: made.Name }
    return { ...made, Key }
  }),

  handle(contract.revokeSyncKey, async ({ db, params: { programId, keyId }, audit }) => {
    const Name = await revokeKey(db, programId, keyId)
    if (Name === undefined) throw notFound('This key')
    audit.detail = { KeyId: keyId, Name }
  }),
]
