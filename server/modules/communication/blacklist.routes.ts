import * as contract from '#contract/communication/email-blacklist.ts'
import { communicationFailures } from '#contract/communication/failures.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addEntries, setRemoved } from './blacklist.commands.ts'
import { countPeopleOf, pageBlacklist, streamBlacklist } from './blacklist.queries.ts'

/** Super admins keep the installation's list, everybody else their own program's. */
const ownerOf = (user: User): number | null => (user.isSuperAdmin ? null : user.ProgramId)

/** Blocking oneself, or everybody around, is almost never intended. */
const refuseOwn = async (db: Db, user: User, wanted: readonly string[]): Promise<void> => {
  const own = user.EmailAddress.toLowerCase()
  if (own !== '' && wanted.includes(own)) throw fail(communicationFailures.own_address, { Address: own })
  const domains = wanted.filter((address) => address.startsWith('@'))
  const used = await countPeopleOf(db, ownerOf(user), domains)
  const [first] = used
  if (first) throw fail(communicationFailures.own_domain, { Count: first.count, Domain: first.domain })
}

const exportColumns: readonly ExportColumn<{ id: number; address: string }>[] = [
  { title: 'Id', kind: 'number', value: ({ id }) => id },
  { title: 'Email Address', value: ({ address }) => address },
]

export const blacklistRoutes = [
  handle(contract.listBlacklist, ({ db, query, user }) => pageBlacklist(db, ownerOf(user), query)),

  handle(contract.addToBlacklist, async ({ db, body, user, audit }) => {
    const wanted = new Set<string>()
    const Refused: string[] = []
    for (const text of body.Emails) {
      const address = contract.normalizeBlocked(text)
      if (address) wanted.add(address)
      else Refused.push(text.slice(0, 255))
    }
    if (!body.IsConfirmed) await refuseOwn(db, user, [...wanted])
    const Added = wanted.size > 0 ? await addEntries(db, ownerOf(user), [...wanted], user.Id) : []
    const added = new Set(Added.map(({ Email }) => Email))
    const Known = [...wanted].filter((address) => !added.has(address))
    audit.detail = {
      Added: Added.slice(0, 50).map(({ Email }) => Email),
      Count: Added.length,
      Refused: Refused.length,
    }
    return { Added, Known, Refused }
  }),

  handle(contract.removeFromBlacklist, async ({ db, params, user, audit }) => {
    const entry = await setRemoved(db, ownerOf(user), params.entryId, true)
    if (!entry) throw fail(communicationFailures.no_address)
    audit.detail = { Email: entry.Email }
  }),

  handle(contract.restoreToBlacklist, async ({ db, params, user, audit }) => {
    const entry = await setRemoved(db, ownerOf(user), params.entryId, false).catch((error) => {
      if ((error as { code?: string }).code !== '23505') throw error
      throw fail(communicationFailures.known_address)
    })
    if (!entry) throw fail(communicationFailures.no_address)
    audit.detail = { Email: entry.Email }
    return entry
  }),

  handle(contract.exportBlacklist, async ({ db, query, user }) =>
    tableFile('csv', 'Blacklist Emails', exportColumns, streamBlacklist(db, ownerOf(user), query.search)),
  ),
]
