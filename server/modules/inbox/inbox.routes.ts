import { sql } from 'kysely'
import { inboxFailures } from '#contract/inbox/failures.ts'
import * as contract from '#contract/inbox/inbox.ts'
import { type LinkKind, linkOpeningMinutes } from '#contract/links/links.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { isOverTls } from '#server/core/auth/cookies.ts'
import { hashToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { countUnknownInbox } from '#server/core/http/admission.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { summarizeWaiting } from '../competencies/procedure-logs.queries.ts'
import { listWaitingEvaluations } from '../evaluations/evaluations.queries.ts'
import { createLink, rememberDevice } from '../links/links.service.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { summarizePendingShifts } from '../time/shifts.queries.ts'
import { findExpired, listPeople } from './inbox.across.ts'
import { keepSetting, setExclusion } from './inbox.commands.ts'
import { sendInboxLinks } from './inbox.jobs.ts'
import {
  findInbox,
  findRequestLink,
  isInboxOn,
  listRequests,
  listSupervisors,
  withdrawLinksOf,
} from './inbox.queries.ts'

const day = 24 * 60 * 60

/** Queues the mail; what is asked for at the same moment is one mail. */
const ask = async (db: Db, addresses: readonly string[], by?: number): Promise<void> => {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(db)
  await enqueue(db, sendInboxLinks, {
    addresses: [...new Set(addresses.map((address) => address.toLowerCase()))],
    askedAt: rows[0]!.now,
    ...(by !== undefined && { by }),
  })
}

const refuseOff = async (db: Db, programId: number): Promise<void> => {
  if (!(await isInboxOn(db, programId))) throw fail(inboxFailures.inbox_off)
}

const getSupervisor = async (db: Db, programId: number, accountId: number) => {
  const [found] = await listSupervisors(db, programId, [accountId])
  if (!found) throw fail(peopleFailures.no_supervisor)
  return found
}

const linkRoutes = [
  handle(contract.openInbox, async ({ db, services, params, cookies, from }) => {
    const device = { cookies: cookies.all(), isSecure: isOverTls(services) }
    const inbox = await findInbox(db, params.token, device).catch((error: unknown) =>
      countUnknownInbox(services, from.address, error),
    )
    return {
      Name: inbox.recipient_name,
      ExpiresAt: inbox.expires_at,
      Programs: inbox.accounts.map((each) => ({
        AccountId: each.account_id,
        ProgramId: each.program_id,
        Program: each.program_name,
        College: each.college_name,
        TimeZone: each.time_zone,
        NeedsSignIn: each.needs_sign_in,
      })),
    }
  }),

  // Known and unknown links pass through the same statements but the last.
  handle(contract.renewInbox, async ({ db, services, params, from }) => {
    const hash = hashToken(params.token)
    await throttle(services.pool, [
      { key: `inbox-renew:${hash.toString('base64url')}`, max: 3, windowSeconds: day },
      { key: `inbox-renew:address:${from.address}`, max: 30, windowSeconds: quarterHour },
    ])
    const address = await findExpired(db, hash)
    if (address !== undefined) await ask(db, [address])
  }),

  // What does not depend on each other is asked for at once.
  handle(contract.getInboxItems, async ({ db, params: { programId }, user }) => {
    const view = { programId, scope: siteScopeOf(user), accountId: user.Id }
    const sizes = { few: contract.inboxShifts, mostClean: contract.inboxCleanShifts }
    const [IsOn, Hours, Procedures, evaluations, Requests] = await Promise.all([
      isInboxOn(db, programId),
      user.link ? summarizePendingShifts(db, view, sizes) : null,
      user.link ? summarizeWaiting(db, programId, user.Id) : null,
      listWaitingEvaluations(db, programId, {
        Id: user.Id,
        AccessLevel: user.AccessLevel,
        today: todayIn(user.TimeZone),
      }),
      // Only a link proves that the address is the person's.
      user.link ? listRequests(db, programId, user.link.Recipient) : [],
    ])
    return {
      IsOn,
      Hours,
      Procedures,
      Evaluations: evaluations.map(({ Id, Template, Subject, Site, EndDate, IsLate }) => ({
        Id,
        Title: Template,
        Subject,
        Site,
        EndDate,
        IsLate,
      })),
      Requests,
    }
  }),

  handle(contract.openInboxRequest, async (call) => {
    const { db, services, user, audit } = call
    const { programId, linkId } = call.params
    const request = user.link
      ? (await listRequests(db, programId, user.link.Recipient)).find(({ LinkId }) => LinkId === linkId)
      : undefined
    const mailed = request && (await findRequestLink(db, programId, linkId))
    if (!user.link || !request || !mailed) throw fail(inboxFailures.no_request)
    const ends = Math.min(
      Date.now() + linkOpeningMinutes * 60_000,
      Date.parse(mailed.expires_at),
      Date.parse(user.link.expiresAt),
    )
    const link = {
      programId,
      kind: request.Kind as LinkKind,
      subjectId: mailed.subject_id,
      recipientName: mailed.recipient_name,
      recipientEmail: mailed.recipient_email,
      expiresAt: new Date(ends).toISOString(),
    }
    const { id, address } = await createLink(db, services, { ...link, createdBy: user.Id })
    await rememberDevice(call, { programId, id, expiresAt: link.expiresAt })
    audit.detail = { Kind: request.Kind, Title: request.Title, Link: id }
    return { Path: new URL(address).pathname.slice(services.config.appRoot.length) }
  }),
]

const personRoutes = [
  handle(contract.mailOwnInbox, async ({ db, services, params: { programId }, user, audit }) => {
    await refuseOff(db, programId)
    await throttle(services.pool, [{ key: `inbox-own:${user.Id}`, max: 5, windowSeconds: quarterHour }])
    if (user.EmailAddress === '') throw fail(inboxFailures.no_address)
    await ask(db, [user.EmailAddress], user.Id)
    audit.detail = { To: user.EmailAddress }
    return { Email: user.EmailAddress }
  }),
]

const staffRoutes = [
  handle(contract.listInboxPeople, ({ db, params: { programId }, query }) =>
    listPeople(db, programId, query),
  ),

  handle(contract.getInboxSetting, async ({ db, params: { programId } }) => ({
    IsOn: await isInboxOn(db, programId),
  })),

  handle(contract.saveInboxSetting, async ({ db, params: { programId }, body, user, audit }) => {
    const before = await isInboxOn(db, programId)
    await keepSetting(db, programId, body.IsOn, user.Id)
    audit.detail = { Before: { IsOn: before }, After: body }
    return body
  }),

  handle(contract.sendInboxes, async ({ db, params: { programId }, body, user, audit }) => {
    await refuseOff(db, programId)
    const wanted = [...new Set(body.AccountIds)]
    const people = await listSupervisors(db, programId, wanted)
    const mailed = people.filter(({ is_mailable }) => is_mailable)
    if (mailed.length > 0)
      await ask(
        db,
        mailed.map(({ email }) => email),
        user.Id,
      )
    audit.detail = { To: mailed.map(({ email }) => email) }
    return { Sent: mailed.length, Skipped: wanted.length - mailed.length }
  }),

  handle(contract.withdrawInbox, async ({ db, params: { programId, accountId }, user, audit }) => {
    const { email, name } = await getSupervisor(db, programId, accountId)
    const Withdrawn = email === '' ? 0 : await withdrawLinksOf(db, email, user.Id)
    audit.subjectId = accountId
    audit.detail = { Recipient: `${name} <${email}>`, Withdrawn }
    return { Withdrawn }
  }),

  handle(contract.setInboxExclusion, async ({ db, params: { programId, accountId }, body, user, audit }) => {
    const { name } = await getSupervisor(db, programId, accountId)
    await setExclusion(db, programId, accountId, body.IsOff, user.Id)
    audit.subjectId = accountId
    audit.detail = { Name: name, ...body }
  }),
]

export const inboxRoutes = [...linkRoutes, ...personRoutes, ...staffRoutes]
