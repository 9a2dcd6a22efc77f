import { sql } from 'kysely'
import { type Db, transaction } from '#server/core/database/pool.ts'
import type { OpenAnswer, OpenCall, OpenPage } from '#server/core/http/open-page.ts'
import { type PlainButton, plainPage } from '#server/core/http/plain-page.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { type MutedKind, readUnsubscribeToken, setMuted } from '#server/core/mail/unsubscribe.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { Failure } from '#server/core/runtime/failure.ts'

/** What each kind is called on the page; the person's Preferences say the same in the program's own words. */
export const kindNames: Readonly<Record<string, string>> = {
  PLACEMENT_made: 'shifts added to your schedule',
  PLACEMENT_changed: 'changes of your schedule',
  PLACEMENT_removed: 'shifts removed from your schedule',
  SHIFT_swap: 'your shift swaps',
  SHIFT_open: 'new open shifts',
  SHIFT_change_asked: 'shift requests that wait for a decision',
  SITE_list_answered: 'answers of sites about placement lists',
  SITE_places_answered: 'answers of sites about places',
  TIME_unmatched: 'missing clock-ins and clock-outs',
  TIME_missed: 'shifts without a time record',
  TIME_approved: 'time that was approved',
  TIME_change_decided: 'decisions about your time changes',
  TIME_change_asked: 'time changes that students ask for',
  EVALUATION_due: 'evaluations you need to complete',
  EVALUATION_late: 'evaluations that are overdue',
  EVALUATION_completed: 'evaluations that were submitted',
  EVALUATION_low_score: 'low scores',
  REQUIREMENT_expiring: 'requirements that expire soon',
  DOCUMENT_added: 'new documents',
  ANNOUNCEMENT_published: 'announcements',
  INBOX_weekly: 'the weekly link to your inbox',
  REPORT_weekly: 'the weekly report',
}

/** Mail programs post for all their people from a few addresses. */
const maxPerAddress = 5_000
const maxPerKind = 60

const html = (title: string, text: string, button?: PlainButton, status = 200): OpenAnswer => ({
  type: 'text/html; charset=utf-8',
  text: plainPage(title, text, button),
  status,
})

const invalid = (): OpenAnswer =>
  html(
    'This link does not work',
    'It is incomplete, or its account no longer exists. Nothing was changed. Sign in and open Preferences to choose your emails.',
    undefined,
    404,
  )

interface Muted {
  program_id: number | null
  email: string
  is_muted: boolean
}

const findMuted = async (db: Db, { accountId, label }: MutedKind): Promise<Muted | undefined> => {
  const { rows } = await sql<Muted>`
    select program_id, email, coalesce(preferences -> 'MutedEmails' @> to_jsonb(${label}::text), false) as is_muted
    from account where id = ${accountId} and deleted_at is null`.execute(db)
  return rows[0]
}

const turnOff: PlainButton = { label: 'Turn off', name: 'List-Unsubscribe', value: 'One-Click' }
const undo: PlainButton = { label: 'Undo', name: 'Undo', value: '1' }

const pageOf = ({ label }: MutedKind, { email, is_muted }: Muted, wasUndone = false): OpenAnswer => {
  const name = kindNames[label] ?? 'this kind'
  if (is_muted) return html('Turned off', `Emails about ${name} are no longer sent to ${email}.`, undo)
  return wasUndone
    ? html('Turned on again', `Emails about ${name} are sent to ${email}.`, turnOff)
    : html('Turn off these emails?', `Emails about ${name} would no longer be sent to ${email}.`, turnOff)
}

const answer =
  (
    work: (db: Db, kind: MutedKind, muted: Muted, call: OpenCall) => Promise<OpenAnswer>,
  ): OpenPage['answer'] =>
  async (call) => {
    const { services, params, address } = call
    const kind = readUnsubscribeToken(params.token ?? '', services.config)
    try {
      await throttle(services.pool, [
        { key: `unsubscribe:address:${address}`, max: maxPerAddress, windowSeconds: quarterHour },
        ...(kind
          ? [
              {
                key: `unsubscribe:${kind.accountId}:${kind.label}`,
                max: maxPerKind,
                windowSeconds: quarterHour,
              },
            ]
          : []),
      ])
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return html('Too many attempts', `${error.message} Nothing was changed.`, undefined, error.status)
    }
    if (!kind) return invalid()
    return transaction(services.transactions, { accountId: kind.accountId, programIds: [] }, async (db) => {
      const muted = await findMuted(db, kind)
      return muted ? work(db, kind, muted, call) : invalid()
    })
  }

const path = '/unsubscribe/:token'

/** Shows what the link turns off, and changes nothing: scanners of mail open every link. */
const ask: OpenPage = {
  method: 'GET',
  path,
  answer: answer(async (_db, kind, muted) => pageOf(kind, muted)),
}

/**
 * Mutes the kind, for a mail program's one click (RFC 8058) and for the button of the page; or takes that back. The token in
 * the address vouches for the person, so there is neither a session nor a check of the origin.
 */
const mute: OpenPage = {
  method: 'POST',
  path,
  answer: answer(async (db, kind, muted, { form, address }) => {
    const mutes = form.Undo === undefined
    if (muted.is_muted !== mutes) {
      await setMuted(db, kind, mutes)
      await writeAudit(db, {
        programId: muted.program_id,
        accountId: kind.accountId,
        action: mutes ? 'email kind turned off' : 'email kind turned on',
        address,
        detail: { Label: kind.label },
      })
    }
    return pageOf(kind, { ...muted, is_muted: mutes }, !mutes)
  }),
}

export const unsubscribePages: readonly OpenPage[] = [ask, mute]
