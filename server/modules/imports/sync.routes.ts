import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { importFailures } from '#contract/imports/failures.ts'
import * as contract from '#contract/imports/sync.ts'
import { keyFailures } from '#contract/keys/failures.ts'
import { defaultCallsPerMinute } from '#contract/keys/keys.ts'
import { unknownKey } from '#server/core/auth/api-key.ts'
import { handle } from '#server/core/http/handle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { insertApiKey, refuseName, revokeApiKey } from '../keys/keys.service.ts'
import { importTable, notAllowed } from './import-table.service.ts'
import { findKey, listKeys, pageLogs } from './sync.queries.ts'
import { ignoredColumns, tableOfRows } from './sync.rules.ts'
import { logged } from './sync-log.service.ts'

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

  handle(contract.sync, async ({ db, params, query, body, services, from, audit, user: caller, session }) => {
    const { key } = caller
    const { programId } = session
    // The guard lets keys in alone.
    if (!key) throw unknownKey()
    if (programId === null) throw fail(importFailures.key_of_no_program)
    const at = { accountId: caller.Id, programId }
    // Rows come with the rights of the person whose key it is, as those of a file would.
    const user = { Id: caller.Id, ...key.maker, isSuperAdmin: key.maker.AccessLevel === Level.SuperAdmin }
    const work = { db, services, user, audit }
    const run = async () => {
      // Who may make no keys anymore has none that open anything.
      if (!may(user, 'data-sync.manage')) throw notAllowed(params.module)
      return importTable(work, {
        kind: params.module,
        programId,
        table: tableOfRows(body.Rows),
        fileName: `Data sync: ${key.Name}`,
        isDryRun: query.DryRun,
        sendsLinks: false,
        isSync: true,
      })
    }
    const result = query.DryRun
      ? await run()
      : await logged(work, { kind: params.module, programId, source: { Key: key.Name } }, run)
    const { Rows, Added, Changed, Unchanged, Errors, Warnings } = result
    if (Errors[0])
      throw fail(
        importFailures.row_refused,
        { Row: Errors[0].Row, Reason: Errors[0].Message },
        {
          extra: { Errors, ErrorCount: result.ErrorCount },
        },
      )
    if (!query.DryRun)
      await writeAudit(db, {
        ...at,
        action: 'data sync',
        address: from.address,
        detail: { KeyId: key.Id, Module: params.module, Rows, Added, Changed },
      })
    return {
      Rows,
      Added,
      Changed,
      Unchanged,
      Ignored: ignoredColumns(result),
      ...(Warnings.length > 0 && { Warnings }),
      DryRun: query.DryRun,
    }
  }),

  handle(contract.listSyncKeys, ({ db, params }) => listKeys(db, params.programId)),

  handle(contract.createSyncKey, async ({ db, params: { programId }, body, user, audit }) => {
    await refuseName(db, programId, body.Name)
    const { id, Key } = await insertApiKey(db, {
      programId,
      accountId: user.Id,
      input: {
        Name: body.Name,
        Rights: ['data-sync.send'],
        Networks: [],
        ExpireDays: null,
        CallsPerMinute: defaultCallsPerMinute,
      },
    })
    const made = await findKey(db, programId, id)
    if (!made) throw fail(keyFailures.no_key)
    audit.detail = { KeyId: made.Id, Name: made.Name }
    return { ...made, Key }
  }),

  handle(contract.revokeSyncKey, async ({ db, params: { programId, keyId }, audit }) => {
    const key = await findKey(db, programId, keyId)
    if (!key) throw fail(keyFailures.no_key)
    await revokeApiKey(db, keyId)
    audit.detail = { KeyId: keyId, Name: key.Name }
  }),
]
