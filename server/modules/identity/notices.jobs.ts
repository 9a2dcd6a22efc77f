import { z } from 'zod'
import { deviceSeen } from '#server/core/auth/begin-session.ts'
import { confirmedAct } from '#server/core/auth/confirmed-act.ts'
import { insertEnteredAddresses } from '#server/core/auth/mailed-links.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { transaction } from '#server/core/database/pool.ts'
import { takeAddressChanges } from '#server/core/mail/address-changes.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { findToldAccount, tellOf } from './accounts.across.ts'
import { addressEnteredEmail, tellOfDevice, tellOwner } from './emails.service.ts'

const nobody = { accountId: null, programIds: [] }
const atOnce = 200

/** Tells the owner of a sign-in on a device or from a country that the account has never had. */
export const tellOfSignIn = job({
  ...deviceSeen,
  work: async ({ accountId, what, device }, services) => {
    await transaction(services.pool, nobody, async (db) => {
      const account = await findToldAccount(db, accountId)
      if (account) await tellOfDevice(db, services, account, { what, device })
    })
  },
})

/** Tells the owner of what was done with the account after a proof. */
export const tellOfConfirmedAct = job({
  ...confirmedAct,
  work: async ({ accountId, what }, services) => {
    await transaction(services.pool, nobody, async (db) => {
      const account = await findToldAccount(db, accountId)
      if (account) await tellOwner(db, services, account, what)
    })
  },
})

/**
 * Tells of addresses that staff, imports and directories have changed: the address before may say that it is wrong, the one after
 * confirms that it is the person’s own.
 */
export const tellOfAddresses = job({
  name: 'identity:addresses',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    for (let taken = atOnce; taken === atOnce; )
      taken = await transaction(services.pool, nobody, async (db) => {
        const changes = await tellOf(db, await takeAddressChanges(db, atOnce))
        for (const change of changes)
          await tellOwner(
            db,
            services,
            { ...change, email: change.before, isStranger: !change.was_confirmed },
            'address',
          )
        const waiting = changes
          .filter(({ is_waiting }) => is_waiting)
          .map((change) => ({ change, token: newToken() }))
        await insertEnteredAddresses(
          db,
          waiting.map(({ change, token }) => ({
            accountId: change.account_id,
            hash: hashToken(token),
            email: change.after,
          })),
        )
        await queueTemplatedEmails(
          db,
          waiting.map(({ change, token }) =>
            addressEnteredEmail(
              { ...change, email: change.after },
              `${services.publicUrl()}${services.config.appRoot}/new/confirm-email?token=${token}`,
            ),
          ),
        )
        return changes.length
      })
  },
})

export const noticeJobs = [tellOfSignIn, tellOfConfirmedAct, tellOfAddresses]
