import { createHmac } from 'node:crypto'
import type { OutsideTest } from '#contract/core/outside-test.ts'
import type { PushPayload } from '#contract/push/push.ts'
import { deriveKey } from '#server/core/config/config.ts'
import { drain } from '#server/core/runtime/drain.ts'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { callOutside, OutsideError } from '#server/core/runtime/outside.ts'
import { retryWait } from '#server/core/runtime/retry.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { authorizationFor, encryptMessage } from './encryption.rules.ts'
import { notePushService } from './installation.commands.ts'
import { contactOf, findServiceKeys } from './installation.queries.ts'
import { type ClaimedPush, claimPushes, type PushOutcome, recordPush } from './push.commands.ts'
import { countOpenEvaluations, findNextShift, findOpenClockIn } from './push.queries.ts'
import { aboutOf, type Fact, pushText } from './texts.rules.ts'

const deadlineMs = 15_000
/** What is read of an answer: push services say in a line why they refuse. */
const maxAnswer = 2_000
/** Push services keep a message for a device that is off no longer than it is worth. */
const leastSeconds = 60

const [minute, hour] = [60, 3_600]
/** How long after an attempt the next one comes. A message that is worth nothing by then is given up. */
const retrySeconds = [minute, 5 * minute, 20 * minute, hour, 3 * hour, 6 * hour, 12 * hour] as const

interface Keys {
  publicKey: string
  privateKey: string
}

/** What came back from a push service. */
interface Answer {
  /** 0 without an answer. */
  status: number
  retryAfter: string | undefined
  /** A sentence; '' when the message was taken. */
  error: string
  /** The address cannot be called at all: it is none, or leads inside or elsewhere. */
  isUnusable: boolean
}

/** Makes the one call by which a message leaves. Never throws for what the other side does. */
const post = async (
  services: Services,
  keys: Keys,
  device: { endpoint: string; p256dh: string; auth: string },
  {
    payload,
    topic,
    seconds,
    isUrgent,
  }: { payload: PushPayload; topic: string; seconds: number; isUrgent: boolean },
): Promise<Answer> => {
  try {
    const { status, headers, body } = await callOutside(device.endpoint, {
      method: 'POST',
      headers: {
        authorization: authorizationFor(
          device.endpoint,
          keys,
          contactOf(services),
          Math.floor(Date.now() / 1_000),
        ),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.max(leastSeconds, seconds)),
        urgency: isUrgent ? 'high' : 'normal',
        topic,
      },
      body: encryptMessage(device, JSON.stringify(payload)),
      deadlineMs,
      maxBytes: maxAnswer,
      cutsBody: true,
      allowed: services.config.webhookAllow,
    })
    const host = new URL(device.endpoint).host
    const why = body.replace(/\s+/g, ' ').replaceAll('\0', '').trim().slice(0, 200)
    return {
      status,
      retryAfter: headers['retry-after'],
      error: status >= 200 && status < 300 ? '' : `${host} answered ${status}${why && `: ${why}`}`,
      isUnusable: false,
    }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const isUnusable = ['address', 'network', 'redirect'].includes(error.code)
    return { status: 0, retryAfter: undefined, error: error.message, isUnusable }
  }
}

/** The topic as push services take it: 32 letters that tell them nothing. */
const hiddenTopic = (secretKey: string, accountId: number, topic: string): string =>
  createHmac('sha256', deriveKey(secretKey, 'push topics'))
    .update(`${accountId} ${topic}`)
    .digest('base64url')
    .slice(0, 32)

/** What a message tells now; undefined when it is no longer so. */
const factOf = (
  services: Services,
  programId: number,
  { kind, topic, link, account_id }: ClaimedPush,
): Promise<Fact | undefined> =>
  inProgram(services.pool, programId, async (db) => {
    const [, subject = ''] = topic.split(' ')
    switch (kind) {
      case 'shift': {
        const shift = await findNextShift(db, programId, account_id, subject)
        return shift && { kind, date: subject, ...shift }
      }
      case 'clock-out': {
        const open = await findOpenClockIn(db, programId, account_id, Number(subject))
        return open && { kind, ...open }
      }
      case 'evaluation': {
        const count = await countOpenEvaluations(db, programId, account_id)
        return count > 0 ? { kind, count } : undefined
      }
      case 'answer':
        return { kind, about: aboutOf(link) }
      case 'test':
        return { kind }
    }
  })

/** What an answer means for the message and its device. */
const outcomeOf = (claimed: ClaimedPush, answer: Answer): PushOutcome => {
  const { status, error, retryAfter, isUnusable } = answer
  if (error === '') return { state: 'sent' }
  if (status === 404 || status === 410 || isUnusable) return { state: 'gone', note: error }
  const wait = [400, 413].includes(status)
    ? undefined
    : retryWait(retrySeconds, claimed.attempts, Math.random(), retryAfter)
  return wait === undefined || wait >= claimed.seconds_left
    ? { state: 'failed', note: error }
    : { state: 'waiting', note: error, waitSeconds: wait }
}

/** Sends one message, keeps what came of it, and answers the error of the push service, '' when it took it or the device is gone. */
const sendOne = async (
  services: Services,
  programId: number,
  keys: Keys,
  claimed: ClaimedPush,
): Promise<string | undefined> => {
  const keep = (outcome: PushOutcome) =>
    inProgram(services.pool, programId, (db) => recordPush(db, programId, claimed, outcome))
  const fact = await factOf(services, programId, claimed)
  if (!fact) {
    await keep({ state: 'dropped', note: 'no longer so' })
    return undefined
  }
  const tag = hiddenTopic(services.config.secretKey, claimed.account_id, claimed.topic)
  const answer = await post(services, keys, claimed, {
    payload: {
      account: claimed.account_id,
      tag,
      ...pushText(fact, claimed.language),
      link: claimed.link,
    },
    topic: tag,
    seconds: claimed.seconds_left,
    isUrgent: fact.kind === 'clock-out' || fact.kind === 'test',
  })
  const outcome = outcomeOf(claimed, answer)
  await keep(outcome)
  metrics.push(outcome.state === 'waiting' ? 'put off' : outcome.state)
  return outcome.state === 'gone' ? undefined : answer.error
}

/** Sends all that is due of a program, until nothing is. */
export const sendDuePushes = async (services: Services, programId: number): Promise<void> => {
  const keys = await inProgram(services.pool, programId, (db) => findServiceKeys(db, services))
  if (keys === undefined || (keys !== 'sealed' && !keys.isOn)) return
  if (keys === 'sealed') {
    await inProgram(services.pool, programId, (db) =>
      notePushService(db, 'SECRET_KEY has changed, so the keys cannot be opened. Make new keys.'),
    )
    return
  }
  const told: string[] = []
  await drain(services, `pushes ${programId}`, {
    claim: () => inProgram(services.pool, programId, (db) => claimPushes(db, programId)),
    deliver: async (each) => {
      const error = await sendOne(services, programId, keys, each)
      if (error !== undefined) told.push(error)
    },
  })
  if (told.length > 0)
    await inProgram(services.pool, programId, (db) => notePushService(db, told.find((error) => error) ?? ''))
}

/** Sends a test at once, without the queue, and says what became of it in steps that a page shows. */
export const tryPush = async (
  services: Services,
  keys: Keys,
  address: { Endpoint: string; P256dh: string; Auth: string },
): Promise<{ steps: OutsideTest['Steps']; error: string }> => {
  const host = new URL(address.Endpoint).host
  const { error, status } = await post(
    services,
    keys,
    { endpoint: address.Endpoint, p256dh: address.P256dh, auth: address.Auth },
    {
      // Of nobody: the browser shows it whoever is signed in.
      payload: { account: 0, tag: 'test', ...pushText({ kind: 'test' }, 'en'), link: '/new/' },
      topic: 'test',
      seconds: leastSeconds,
      isUrgent: true,
    },
  )
  return {
    error,
    steps: [
      { Name: 'Browser', IsOk: true, Detail: `This browser is reached through ${host}.` },
      {
        Name: 'Push service',
        IsOk: error === '',
        Detail: error || `${host} took the message (${status}). It appears on this device within a minute.`,
      },
    ],
  }
}
