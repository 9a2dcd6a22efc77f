import { inboxDays } from '#contract/inbox/inbox.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { htmlList } from '#server/core/mail/email-text.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { countWaitingFor } from '../competencies/procedure-logs.queries.ts'
import { listWaitingEvaluations } from '../evaluations/evaluations.queries.ts'
import { createLink } from '../links/links.service.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { listPendingShifts } from '../time/shifts.queries.ts'
import { listAccountsOf, listRequests, type Recipient } from './inbox.queries.ts'

/** What waits for an account, by kind. */
export interface Waiting {
  shifts: number
  days: number
  evaluations: number
  requests: number
}

/** Counts what the page behind the link shows of one account. Works on the account's program from then on. */
export const countOf = async (db: Db, account: Recipient): Promise<Waiting> => {
  const { program_id: programId, account_id: accountId } = account
  const user = { Id: accountId, AccessLevel: account.access_level }
  await workOn(db, [programId])
  const shifts = await listPendingShifts(
    db,
    { programId, scope: siteScopeOf(user), accountId },
    {},
    { page: 1, pageSize: 1 },
  )
  const days = await countWaitingFor(db, programId, accountId)
  const evaluations = await listWaitingEvaluations(db, programId, {
    ...user,
    today: todayIn(account.time_zone),
  })
  const requests = await listRequests(db, programId, account.email)
  return {
    shifts: shifts.Totals.Shifts,
    days: days.Days,
    evaluations: evaluations.length,
    requests: requests.length,
  }
}

const sumOf = ({ shifts, days, evaluations, requests }: Waiting): number =>
  shifts + days + evaluations + requests

const many = (count: number, one: string, other: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : other}`]

/** '7 shifts to approve, 1 evaluation'; empty when there is nothing to do. */
export const lineOf = ({ shifts, days, evaluations, requests }: Waiting): string =>
  [
    ...many(shifts, 'shift to approve', 'shifts to approve'),
    ...many(days, 'day of procedures', 'days of procedures'),
    ...many(evaluations, 'evaluation', 'evaluations'),
    ...many(requests, 'request', 'requests'),
  ].join(', ')

/**
 * Mails an address one link to what waits in all of its programs, with a line for each. Works on another program afterwards.
 *
 * @param isAsked someone asked for it: send it even if there is nothing to do or the person has turned the weekly email off
 * @returns whether there was anybody to mail
 */
export const mailInbox = async (
  db: Db,
  services: Services,
  address: string,
  { by, isAsked }: { by: number | null; isAsked: boolean },
): Promise<boolean> => {
  const accounts = await listAccountsOf(db, address)
  const counted: { account: Recipient; waiting: Waiting }[] = []
  for (const account of accounts) counted.push({ account, waiting: await countOf(db, account) })
  const filled = counted.filter(({ waiting }) => sumOf(waiting) > 0)
  const home = (isAsked ? [...filled, ...counted] : filled.filter(({ account }) => !account.is_muted))[0]
  if (!home) return false
  const { account } = home
  const { program_id: programId } = account
  await workOn(db, [programId])
  const sum = filled.reduce((total, { waiting }) => total + sumOf(waiting), 0)
  const name = `${account.first_name} ${account.last_name}`.trim() || account.user_name
  const { address: link } = await createLink(db, services, {
    programId,
    kind: 'inbox',
    subjectId: account.account_id,
    recipientName: name,
    recipientEmail: account.email,
    expiresAt: new Date(Date.now() + inboxDays * 24 * 60 * 60 * 1_000).toISOString(),
    createdBy: by,
  })
  await queueTemplatedEmails(
    db,
    [
      {
        programId,
        // Their own choice to do without the weekly one holds for that.
        accountId: isAsked ? null : account.account_id,
        label: 'INBOX_weekly',
        recipient: account.email,
        values: {
          'supervisor.firstName': account.first_name || name,
          'inbox.summary':
            sum === 0
              ? 'You are all caught up'
              : `${sum} ${sum === 1 ? 'item needs' : 'items need'} your attention`,
          'inbox.list': htmlList(
            filled.map(
              (each) => `${each.account.program_name}, ${each.account.college_name}: ${lineOf(each.waiting)}`,
            ),
          ),
          link,
        },
      },
    ],
    { isAsked },
  )
  return true
}
