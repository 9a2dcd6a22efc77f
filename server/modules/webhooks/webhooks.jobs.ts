import { z } from 'zod'
import { unseal, webhookContext } from '#server/core/auth/seal.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { drain } from '#server/core/runtime/drain.ts'
import { inProgram, inPrograms } from '#server/core/runtime/in-programs.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { callOutside, OutsideError } from '#server/core/runtime/outside.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { bodyOf, headersOf, waitAfter } from './signing.rules.ts'
import {
  type Claimed,
  claimDeliveries,
  disableWebhook,
  forgetOldEvents,
  type Outcome,
  recordOutcome,
} from './webhooks.commands.ts'

const deadlineMs = 15_000
/** What is kept of an answer. */
const maxAnswer = 2_000

/** Sends one event, and says what came of it. */
const attempt = async (services: Services, programId: number, claimed: Claimed): Promise<Outcome> => {
  const { config } = services
  const body = bodyOf(claimed)
  const open = (sealed: string) =>
    unseal(config.secretKey, webhookContext(programId, claimed.endpoint_id), sealed)
  const secrets = [claimed.secret, claimed.previous_secret].filter((each) => each !== null).map(open)
  const message = {
    id: `msg_${programId}_${claimed.event_id}`,
    timestamp: Math.floor(Date.now() / 1_000),
    body,
  }
  const began = performance.now()
  const outcome = {
    status: null as number | null,
    answer: '',
    error: '',
    retryAfter: undefined as string | undefined,
  }
  try {
    const answer = await callOutside(claimed.url, {
      method: 'POST',
      headers: headersOf(message, secrets),
      body,
      deadlineMs,
      maxBytes: maxAnswer,
      cutsBody: true,
      allowed: config.webhookAllow,
    })
    outcome.status = answer.status
    outcome.retryAfter = answer.headers['retry-after']
    // PostgreSQL keeps no zero bytes.
    outcome.answer = answer.body.replaceAll('\0', '')
    if (answer.status < 200 || answer.status > 299) outcome.error = `The endpoint answered ${answer.status}.`
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    outcome.error = error.message
  }
  const milliseconds = Math.round(performance.now() - began)
  const { retryAfter, ...told } = outcome
  if (outcome.error === '') return { ...told, state: 'delivered', milliseconds, waitSeconds: 0 }
  // 410: the receiver is gone for good, and says so.
  const wait = outcome.status === 410 ? undefined : waitAfter(claimed.attempts, Math.random(), retryAfter)
  return { ...told, state: wait === undefined ? 'failed' : 'waiting', milliseconds, waitSeconds: wait ?? 0 }
}

const keep = (services: Services, programId: number, claimed: Claimed, outcome: Outcome): Promise<void> =>
  inProgram(services.pool, programId, async (db) => {
    const isOurs = await recordOutcome(db, programId, claimed, outcome)
    if (!isOurs || outcome.state !== 'failed') return
    const reason =
      outcome.status === 410
        ? 'it answered 410, which says that it is gone.'
        : `it did not take an event for three days. ${outcome.error}`
    const admins = await disableWebhook(db, programId, claimed.endpoint_id, reason)
    const link = `${services.publicUrl()}${services.config.appRoot}/new/admin/webhooks`
    await queueTemplatedEmails(
      db,
      admins.map((admin) => ({
        programId,
        accountId: admin.id,
        label: 'WEBHOOK_disabled',
        recipient: admin.email,
        values: {
          'admin.firstName': admin.first_name,
          'webhook.host': new URL(claimed.url).host,
          'webhook.reason': reason,
          link,
        },
      })),
    )
  })

/** Sends all that is due of a program, until nothing is. */
export const sendDue = (services: Services, programId: number): Promise<void> =>
  drain(services, `webhooks ${programId}`, {
    claim: () => inProgram(services.pool, programId, (db) => claimDeliveries(db, programId)),
    deliver: async (each) => {
      const outcome = await attempt(services, programId, each)
      metrics.webhook(outcome.state === 'delivered' ? 'delivered' : 'failed')
      await keep(services, programId, each, outcome)
    },
  })

/** After a transaction that has written events. */
export const sendNow = job({
  name: 'webhooks:send',
  reachesOut: true,
  waitsForOthers: true,
  payload: z.object({ programId: z.number().int() }),
  work: ({ programId }, services) => sendDue(services, programId),
})

/** What is to be tried again, and what a process that died has left. */
const sendWaiting = job({
  name: 'webhooks:retry',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    // Each on its own, so that a program whose receivers are slow keeps no other waiting.
    await inPrograms(
      services,
      `select distinct d.program_id from webhook_delivery d join webhook_endpoint e on e.program_id = d.program_id
        and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null where d.state = 'waiting' and d.next_at <= now()`,
      (db, programId) => enqueue(db, sendNow, { programId }, { jobKey: `webhooks:${programId}` }),
    )
  },
})

const expiredRequirements = `
  select emit_webhook(s.program_id, 'requirement.expired', 'student/' || s.student_id || '/requirement/' || s.requirement_id,
    jsonb_build_object('StudentId', s.student_id, 'RequirementId', s.requirement_id, 'ExpireDate', s.expires_on),
    format('expired %s %s %s', s.student_id, s.requirement_id, s.expires_on))
  from program p
  join student_requirement s on s.program_id = p.id and s.site_id = 0
    and s.expires_on between (now() at time zone p.time_zone)::date - 3 and (now() at time zone p.time_zone)::date - 1
  join account a on a.program_id = s.program_id and a.id = s.student_id and a.deactivated_at is null and a.deleted_at is null
  where p.deleted_at is null and exists (select from webhook_endpoint e where e.program_id = p.id and e.is_enabled
    and e.deleted_at is null and 'requirement.expired' = any (e.events))
  order by s.student_id, s.requirement_id`

export const tellExpired = job({
  name: 'webhooks:expired',
  reachesOut: true,
  payload: z.object({}).loose(),
  cron: '12 * * * *',
  work: async (_payload, services) => {
    await services.everywhere.query(expiredRequirements)
  },
})

const tidy = job({
  name: 'webhooks:tidy',
  payload: z.object({}).loose(),
  cron: '41 3 * * *',
  work: (_payload, services) => forgetOldEvents(services.everywhere),
})

export const webhookJobs = [sendNow, sendWaiting, tellExpired, tidy]
