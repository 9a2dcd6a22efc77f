import { isIP } from 'node:net'
import { webhookFailures } from '#contract/webhooks/failures.ts'
import * as contract from '#contract/webhooks/webhooks.ts'
import { seal, webhookContext } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import { mayReach, OutsideError, readAddress } from '#server/core/runtime/outside.ts'
import { newSecret } from './signing.rules.ts'
import {
  deleteWebhook,
  hurryDeliveries,
  insertWebhook,
  replaceSecret,
  resendDelivery,
  updateWebhook,
} from './webhooks.commands.ts'
import { sendNow } from './webhooks.jobs.ts'
import { emitTest, findWebhook, listWebhooks, pageDeliveries } from './webhooks.queries.ts'

const getWebhook = async (db: Db, programId: number, webhookId: number) => {
  const found = await findWebhook(db, programId, webhookId)
  if (!found) throw fail(webhookFailures.no_webhook)
  return found
}

/** @throws Failure 422 for what can be told without a look-up: no https, or an address inside */
const refuseUrl = (url: string, allowed: readonly string[]): void => {
  try {
    const host = readAddress(url, allowed).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !mayReach(host, allowed))
      throw new OutsideError('network', `${host} is not in the public internet.`)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw fail(webhookFailures.address_refused, { Reason: error.message }, 'Url')
  }
}

const refuseDisabled = ({ IsEnabled }: contract.Webhook): void => {
  if (!IsEnabled) throw fail(webhookFailures.switched_off)
}

/** The secret of an address may be in its query: the audit keeps host and path. */
const shownUrl = (url: string): string => url.replace(/\?.*$/, '?…')

export const webhookRoutes = [
  handle(contract.listWebhooks, ({ db, params: { programId } }) => listWebhooks(db, programId)),

  handle(contract.createWebhook, async ({ db, params: { programId }, body, services, user, audit }) => {
    const { secretKey, webhookAllow } = services.config
    refuseUrl(body.Url, webhookAllow)
    if ((await listWebhooks(db, programId)).length >= contract.maxWebhooks)
      throw fail(webhookFailures.too_many, { Count: contract.maxWebhooks })
    const Secret = newSecret()
    const secretOf = (id: number) => seal(secretKey, webhookContext(programId, id), Secret)
    const id = await insertWebhook(db, programId, { ...body, accountId: user.Id, secretOf })
    audit.detail = { WebhookId: id, Url: shownUrl(body.Url), Events: body.Events }
    return { ...(await getWebhook(db, programId, id)), Secret }
  }),

  handle(contract.updateWebhook, async ({ db, params: { programId, webhookId }, body, services, audit }) => {
    const before = await getWebhook(db, programId, webhookId)
    refuseUrl(body.Url, services.config.webhookAllow)
    await updateWebhook(db, programId, webhookId, body)
    if (body.IsEnabled && !before.IsEnabled) {
      await hurryDeliveries(db, programId, webhookId)
      await enqueue(db, sendNow, { programId })
    }
    audit.detail = {
      Before: { Url: shownUrl(before.Url), Events: before.Events, IsEnabled: before.IsEnabled },
      After: { Url: shownUrl(body.Url), Events: body.Events, IsEnabled: body.IsEnabled },
    }
    return getWebhook(db, programId, webhookId)
  }),

  handle(contract.deleteWebhook, async ({ db, params: { programId, webhookId }, audit }) => {
    const { Url } = await getWebhook(db, programId, webhookId)
    await deleteWebhook(db, programId, webhookId)
    audit.detail = { WebhookId: webhookId, Url: shownUrl(Url) }
  }),

  handle(contract.rotateWebhookSecret, async ({ db, params: { programId, webhookId }, services }) => {
    await getWebhook(db, programId, webhookId)
    const Secret = newSecret()
    const sealed = seal(services.config.secretKey, webhookContext(programId, webhookId), Secret)
    await replaceSecret(db, programId, webhookId, sealed)
    return { ...(await getWebhook(db, programId, webhookId)), Secret }
  }),

  handle(contract.testWebhook, async ({ db, params: { programId, webhookId } }) => {
    refuseDisabled(await getWebhook(db, programId, webhookId))
    await emitTest(db, programId, webhookId)
  }),

  handle(contract.listWebhookDeliveries, async ({ db, params: { programId, webhookId }, query }) => {
    await getWebhook(db, programId, webhookId)
    return pageDeliveries(db, { programId, webhookId, state: query.State }, query)
  }),

  handle(contract.resendWebhook, async ({ db, params }) => {
    refuseDisabled(await getWebhook(db, params.programId, params.webhookId))
    if (!(await resendDelivery(db, params))) throw fail(webhookFailures.no_event)
    await enqueue(db, sendNow, { programId: params.programId })
  }),
]
