import { randomInt, randomUUID } from 'node:crypto'
import type { Language } from '#contract/language/language.ts'
import { linkFailures } from '#contract/links/failures.ts'
import { type LinkKind, linkCodeMinutes, linkPages } from '#contract/links/links.ts'
import { type Cookies, isOverTls } from '#server/core/auth/cookies.ts'
import { linkCookie, linkIsOver, linkNeedsOpening } from '#server/core/auth/inbox-link.ts'
import { hashCode } from '#server/core/auth/seal.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { quarterHour, resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import {
  addDevice,
  forgetDevices,
  insertLink,
  insertUse,
  keepCode,
  openAgain,
  spendCode,
} from './links.commands.ts'
import { endOtherInboxes, findDevice, findLink, type ScopedLink } from './links.queries.ts'

/** What every call by link has at hand. */
export interface LinkCall {
  db: Db
  services: Services
  cookies: Cookies
  from: { address: string; agent?: string; language?: Language }
}

/** Kinds that are open on one device at a time: the newest that typed a code. */
const singleDevice: ReadonlySet<LinkKind> = new Set(['inbox'])

const day = 24 * 60 * 60

/**
 * Makes a link to one thing for one recipient. The token is in the answered address and nowhere else: the database has its hash. Mail
 * the address with an email of the kind's own.
 */
export const createLink = async (
  db: Db,
  services: Services,
  link: Pick<ScopedLink, 'programId' | 'kind' | 'subjectId' | 'recipientName' | 'recipientEmail'> & {
    /** A moment, ISO 8601. */
    expiresAt: string
    createdBy: number | null
  },
): Promise<{ id: number; address: string }> => {
  const token = newToken()
  const id = await insertLink(db, { ...link, hash: hashToken(token) })
  return {
    id,
    address: `${services.publicUrl()}${services.config.appRoot}/new/${linkPages[link.kind]}/${token}`,
  }
}

/**
 * The link behind a token, while it can be opened. From then on the call works on the link's program. What counts against an
 * address are the tokens that open nothing: a hospital's phones may share one address, and a page reads its link at each look.
 *
 * @throws Failure 404 `link` for one that is unknown, expired or withdrawn; 429
 */
export const findOpenable = async (
  { db, services, from }: Pick<LinkCall, 'db' | 'services' | 'from'>,
  token: string,
): Promise<ScopedLink> => {
  const link = await findLink(db, hashToken(token))
  if (link && !link.isExpired && !link.isWithdrawn) return link
  await throttle(services.pool, [
    { key: `link:address:${from.address}`, max: 600, windowSeconds: quarterHour },
  ])
  throw linkIsOver()
}

const cookieOf = ({ services }: Pick<LinkCall, 'services'>, { id }: Pick<ScopedLink, 'id'>): string =>
  linkCookie(id, isOverTls(services))

/** The device's own record of this link, if it has typed a code before. */
export const deviceOf = async (call: LinkCall, link: ScopedLink) => {
  const secret = call.cookies.get(cookieOf(call, link))
  return secret ? findDevice(call.db, link, hashToken(secret)) : undefined
}

/** Audits what was done by a link: the recipient has no account. */
export const auditByLink = async (
  { db, from }: Pick<LinkCall, 'db' | 'from'>,
  link: ScopedLink,
  action: string,
  { subjectId, ...detail }: { subjectId?: number } & Record<string, unknown> = {},
): Promise<void> => {
  await insertUse(db, link, action, from.address)
  await writeAudit(db, {
    programId: link.programId,
    accountId: null,
    action: `link: ${link.kind} ${action}`,
    address: from.address,
    subjectId,
    detail: {
      Link: link.id,
      Recipient: `${link.recipientName} <${link.recipientEmail}>`,
      Subject: link.subjectId,
      ...detail,
    },
  })
}

/** Opens a link on the device that calls, by a secret of its own in a cookie. */
export const rememberDevice = async (
  call: Pick<LinkCall, 'db' | 'services' | 'cookies' | 'from'>,
  link: Pick<ScopedLink, 'programId' | 'id' | 'expiresAt'>,
): Promise<void> => {
  const secret = newToken()
  await addDevice(call.db, link, hashToken(secret), (call.from.agent ?? '').slice(0, 300))
  const seconds = Math.max(1, Math.floor((Date.parse(link.expiresAt) - Date.now()) / 1_000))
  call.cookies.set(cookieOf(call, link), secret, { maxAgeSeconds: seconds })
}

const codeHash = (services: Services, link: ScopedLink, key: string, code: string): Buffer =>
  hashCode(services.config.secretKey, `link ${link.programId} ${link.id} ${key}`, code)

/** Mails a new code to the recipient; the one before is of no use any more. Answers the key that goes back with it. */
export const mailCode = async (call: LinkCall, link: ScopedLink): Promise<string> => {
  const { db, services, from } = call
  await throttle(services.pool, [
    { key: `link-mail:${link.programId}:${link.id}`, max: 5, windowSeconds: quarterHour },
    { key: `link-mail:address:${from.address}`, max: 60, windowSeconds: quarterHour },
  ])
  const key = randomUUID()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await keepCode(db, link, codeHash(services, link, key, code))
  await queueTemplatedEmails(db, [
    {
      programId: link.programId,
      label: 'LINK_code',
      recipient: link.recipientEmail,
      // As the page that asks for it.
      ...(from.language && { language: from.language }),
      values: { 'recipient.name': link.recipientName, code, minutes: String(linkCodeMinutes) },
    },
  ])
  return key
}

const wrongCode = () => fail(linkFailures.wrong_code, 'Code')

/**
 * Opens a link on this device for an hour: by the code, which is used up, or without one where the device has typed one before.
 *
 * @throws Failure 401 `link_code` where a code is needed, 422 `wrong_code`, 429
 */
export const open = async (
  call: LinkCall,
  link: ScopedLink,
  typed: { key?: string | undefined; code?: string | undefined },
): Promise<void> => {
  const { db, services, from } = call
  const code = typed.code?.replace(/\s/g, '') ?? ''
  if (code === '') {
    const device = await deviceOf(call, link)
    if (!device) throw fail(linkFailures.link_code)
    await openAgain(db, link.programId, device.id)
  } else {
    const limits = [
      { key: `link-code:key:${typed.key ?? ''}`, max: 5, windowSeconds: quarterHour },
      { key: `link-code:link:${link.programId}:${link.id}`, max: 15, windowSeconds: quarterHour },
      { key: `link-code:link-day:${link.programId}:${link.id}`, max: 50, windowSeconds: day },
      { key: `link-code:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ]
    await throttle(services.pool, limits)
    if (!(await spendCode(db, link, codeHash(services, link, typed.key ?? '', code)))) throw wrongCode()
    for (const { key } of limits.slice(0, 3)) await resetThrottle(services.pool, key)
    if (singleDevice.has(link.kind)) {
      await forgetDevices(db, link)
      await endOtherInboxes(db, link)
    }
    await rememberDevice(call, link)
  }
  await auditByLink(call, link, 'opened')
}

/**
 * For the calls behind a link: the link, where it is of this kind and this device has opened it within the hour. Works on the
 * link's program from then on. A call that changes or hands out something calls `auditByLink` besides.
 *
 * @throws Failure 404 `link`, 401 `link_code` where the device has to open it (again), 429
 */
export const openedLink = async (call: LinkCall, token: string, kind: LinkKind): Promise<ScopedLink> => {
  const link = await findOpenable(call, token)
  if (link.kind !== kind) throw linkIsOver()
  const device = await deviceOf(call, link)
  if (!device?.isOpen) throw linkNeedsOpening()
  return link
}
