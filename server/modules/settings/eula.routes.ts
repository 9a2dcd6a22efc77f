import * as contract from '#contract/settings/eula.ts'
import { settingsFailures } from '#contract/settings/failures.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html, htmlOfBase64Text, isEmptyHtml } from '#server/core/http/html.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { countEulaAcceptances } from './eula.across.ts'
import { addEula, insertAcceptance } from './eula.commands.ts'
import { findCurrentEula, findEulaText, listEulaVersions } from './eula.queries.ts'

export const eulaRoutes = [
  handle(contract.getEula, async ({ db, user }) => {
    const current = await findCurrentEula(db, user.Id)
    return {
      text: current?.html ?? '',
      Version: current?.id ?? null,
      AcceptedAt: current?.accepted_at ?? null,
    }
  }),

  handle(contract.saveEula, async ({ db, body, user, from, audit }) => {
    const cleaned = body.isPlaintext ? htmlOfBase64Text(body.updatedText) : cleanBase64Html(body.updatedText)
    const html = isEmptyHtml(cleaned) ? '' : cleaned
    const current = await findCurrentEula(db, user.Id)
    const isNew = html !== (current?.html ?? '')
    audit.detail = { Length: html.length, IsPlaintext: body.isPlaintext, IsNewVersion: isNew }
    // Saving what is there already must not ask everybody again.
    if (isNew) await addEula(db, html, { accountId: user.Id, address: from.address })
    return { Message: 'Saved!' }
  }),

  handle(contract.acceptEula, async ({ db, body, user, from, audit }) => {
    const current = await findCurrentEula(db, user.Id)
    if (current?.id !== body.Version) throw fail(settingsFailures.license_changed)
    audit.detail = { Version: body.Version }
    await insertAcceptance(db, { versionId: body.Version, accountId: user.Id, address: from.address })
  }),

  handle(contract.getEulaAcceptances, async ({ db, user }) => {
    const current = await findCurrentEula(db, user.Id)
    const { accepted, people } = await countEulaAcceptances(db, current?.id ?? 0)
    return { Accepted: accepted, People: people, Versions: await listEulaVersions(db) }
  }),

  handle(contract.getEulaVersion, async ({ db, params }) => {
    const text = await findEulaText(db, params.versionId)
    if (text === undefined) throw fail(settingsFailures.no_version)
    return { text }
  }),
]
