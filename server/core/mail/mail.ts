import { type RawBuilder, sql } from 'kysely'
import type { Transporter } from 'nodemailer'
import { z } from 'zod'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import { Level } from '#contract/core/levels.ts'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { fittingName } from '#server/core/files/media-type.ts'
import { enqueue, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { blockOf, emailBlockOf } from './blocks.ts'
import { privateLabels } from './closed-words.ts'
import type { MailKind } from './email-kind.ts'
import { addressParts, headersOf, returnPathOf, senderOf, textOfEmail } from './email-parts.ts'
import { listEmailFiles } from './mail.across.ts'
import { mailKinds } from './mail-kinds.ts'

export interface Email {
  programId: number | null
  accountId?: number | null
  /** The mail template it was made from. */
  label: string
  recipient: string
  /** Absent or '': the sender of the installation. */
  sender?: string
  carbonCopy?: string[]
  subject: string
  html: string
  sendAfter?: string
  /** Kept from being sent, as a frozen account has caused it; a retry in the ledger sends it. */
  isHeld?: boolean
}

// Written out, so that the index of what is due serves them.
const [queued, sending, failed] = [EmailState.Queued, EmailState.Sending, EmailState.Error].map((state) =>
  sql.lit(state),
)

const headerBreak = /[\r\n]+/g

/** Texts come from people; in HTML they are only text. */
export const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!,
  )

const Nothing = z.object({}).loose()

/** What the ledger says of an email that a frozen account has caused; `use_not_me` says it of those that wait. */
const heldMessage = 'Held: the account that caused it was frozen. It was not sent. Retry sends it.'

const copiedLabels = Object.entries(mailKinds)
  .filter(([, kind]: [string, MailKind]) => kind.isCopied)
  .map(([label]) => label)

/**
 * Puts emails into the outbox in one statement, in the caller's transaction: sent if and only if it commits. An email of a
 * kind that its addressee has switched off stays in the ledger with that word, and is not sent. Emails about the program's
 * work go in copy to whom the program names for the addressee's area (`notification_copy`), and to the coordinators of an area
 * that has "Copy Notifications To All Area Coordinators" on.
 */
export const post = async (db: Db, messages: readonly Email[]): Promise<void> => {
  if (messages.length === 0) return
  const rows = messages.map((message) => ({
    program_id: message.programId,
    account_id: message.accountId ?? null,
    label: message.label,
    recipient: message.recipient.replace(headerBreak, ' '),
    sender: (message.sender ?? '').replace(headerBreak, ' '),
    carbon_copy: message.carbonCopy ?? [],
    subject: message.subject.replace(headerBreak, ' '),
    html: message.html,
    ...(message.sendAfter && { send_after: message.sendAfter }),
    is_held: message.isHeld ?? false,
  }))
  await db.executeQuery(
    sql`with message as (
        select row_number() over () as place, r.*, a.area_id, a.first_name || ' ' || a.last_name as addressee,
          coalesce(a.preferences -> 'MutedEmails' @> to_jsonb(r.label), false) as is_muted
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (program_id bigint, account_id bigint, label text,
          recipient text, sender text, carbon_copy text[], subject text, html text, send_after timestamptz, is_held boolean)
        left join account a on a.id = r.account_id and a.program_id = r.program_id),
      reader as (
        select c.program_id, c.area_id, c.account_id from notification_copy c
        where c.program_id in (select program_id from message)
        union
        select u.program_id, u.area_id, u.id from account u
        join area x on x.program_id = u.program_id and x.id = u.area_id and x.are_notifications_enabled
        where u.program_id in (select program_id from message) and u.access_level = ${Level.Coord}),
      copy as (
        select distinct on (l.place, u.id) l.place, l.program_id, u.id as account_id, l.label, u.email as recipient, l.sender,
          'Copy: ' || l.subject as subject, l.addressee, l.html, l.send_after, l.is_held
        from message l
        join reader c on c.program_id = l.program_id and (c.area_id is null or c.area_id = l.area_id)
          and c.account_id <> l.account_id
        join account u on u.id = c.account_id and u.email <> '' and u.deleted_at is null and u.deactivated_at is null
        where l.label = any (${copiedLabels}::text[]) and (l.label !~ ${privateLabels} or u.access_level >= ${Level.Coord}) and not coalesce(u.preferences -> 'MutedEmails' @> to_jsonb(l.label), false))
      insert into mail (program_id, account_id, label, recipient, sender, carbon_copy, subject, html, send_after, status,
        status_message, cancelled_at)
      select program_id, account_id, label, recipient, sender, carbon_copy, subject, html, coalesce(send_after, now()),
        case when is_muted or is_held then ${failed} else ${queued} end,
        case when is_muted then 'Switched off by the recipient' when is_held then ${heldMessage}::text else '' end,
        case when is_held and not is_muted then now() end
      from message
      union all
      select program_id, account_id, label, recipient, sender, '{}'::text[], subject,
        '<p>Copy of an email to ' || replace(replace(replace(addressee, '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || '.</p>' || html,
        coalesce(send_after, now()), case when is_held then ${failed} else ${queued} end, case when is_held then ${heldMessage}::text else '' end,
        case when is_held then now() end
      from copy`.compile(db),
  )
  await enqueue(db, sendMail, {}, { jobKey: 'mail:send' })
}

/** Somebody that an email to many is for: an own row in the ledger. */
export interface Recipient {
  programId: number | null
  accountId: number | null
  /** What its fields say, by their names; a field without a text here stays as it is written. */
  fields?: Readonly<Record<string, string>>
  /** 'Name <address>' or an address alone. */
  recipient: string
  /** The entry of the blacklist that keeps the email from being sent. */
  block: string | null
}

/** What the ledger says of an email whose address an entry of the blacklist names. */
export const blockedMessage = (block: string): string =>
  `Blocked: ${block} is a blocked address. It was not sent.`

/** A text taken apart: what stays for everybody, and the names of fields between. */
export type MergeText = readonly ({ text: string } | { field: string })[]

/** A text with each recipient's fields filled in; what they say is not looked through again. */
const merged = (
  parts: MergeText,
  filled: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const fields = parts.map((part) => ('field' in part ? part.field : null))
  const texts = parts.map((part) => ('field' in part ? `{{${part.field}}}` : part.text))
  const value = sql`fields ->> part.field`
  return fields.every((field) => field === null)
    ? sql`${texts.join('')}`
    : sql`array_to_string(array(select coalesce(${filled(value)}, part.text)
        from unnest(${texts}::text[], ${fields}::text[]) with ordinality as part (text, field, place) order by part.place), '')`
}

/**
 * Puts the same email to many into the outbox in one statement, in the caller's transaction; its text travels once. Answers
 * the ids of the rows in the order of the recipients.
 */
export const queueEmailToMany = async (
  db: Db,
  message: {
    label: string
    sender: string
    carbonCopy: string[]
    subject: MergeText
    html: MergeText
    createdBy: number
    attachmentIds?: readonly number[]
    sendAfter?: string
  },
  recipients: readonly Recipient[],
): Promise<number[]> => {
  if (recipients.length === 0) return []
  const subject = message.subject.map((part) =>
    'field' in part ? part : { text: part.text.replace(headerBreak, ' ') },
  )
  const rows = recipients.map(({ programId, accountId, fields, recipient, block }) => ({
    program_id: programId,
    ...(fields && { fields }),
    account_id: accountId,
    recipient: recipient.replace(headerBreak, ' '),
    block: block === null ? null : blockedMessage(block),
  }))
  const { rows: added } = await db.executeQuery<{ id: number }>(
    sql<{
      id: number
    }>`insert into mail (program_id, account_id, label, recipient, sender, carbon_copy, subject, html,
        created_by, attachment_ids, send_after, status, status_message, blocked_at)
      select program_id, account_id, ${message.label}, recipient, ${message.sender}, ${message.carbonCopy}::text[],
        ${merged(subject, (value) => sql`regexp_replace(${value}, '[\r\n]+', ' ', 'g')`)},
        ${merged(
          message.html,
          (value) =>
            sql`replace(replace(replace(replace(replace(${value}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), '''', '&#39;')`,
        )},
        ${message.createdBy}::bigint, ${[...(message.attachmentIds ?? [])]}::bigint[],
        coalesce(${message.sendAfter ?? null}::timestamptz, now()),
        case when block is null then ${queued} else ${failed} end, coalesce(block, ''), case when block is not null then now() end
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (program_id bigint, account_id bigint, recipient text, block text, fields jsonb)) with ordinality
        as r (program_id, account_id, recipient, block, fields, place)
      order by place
      returning id`.compile(db),
  )
  await enqueue(db, sendMail, {}, { jobKey: 'mail:send' })
  // Ids are given in the order of the rows.
  return added.map(({ id }) => id).toSorted((a, b) => a - b)
}

const mailer = { accountId: null, programIds: [], isMailer: true }
const maxAttempts = 8
const batch = 200
const connections = 4
/** Twice the connections, so that none of them waits while the ledger is written. */
const atOnce = 2 * connections

const transports = new Map<string, Transporter>()
/** The library comes with the first email: a process that answers calls alone never needs it. */
const transportOf = async (url: string): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer')
  const transport =
    transports.get(url) ??
    createTransport(`${url}${url.includes('?') ? '&' : '?'}pool=true&maxConnections=${connections}`)
  transports.set(url, transport)
  return transport
}

interface DueRow {
  id: number
  /** Names the month in which the email is, beside the id. */
  created_at: string
  account_id: number | null
  label: string
  recipient: string
  sender: string
  carbon_copy: string[]
  subject: string
  html: string
  attachment_ids: number[]
  attempts: number
}

const blockOfMail = emailBlockOf(sql`mail.label`, sql`mail.program_id`, sql`mail.recipient`)

/** Emails that are due and whose recipient is on the blacklist: kept in the ledger with the reason, never sent. */
const blockDue = (services: Services): Promise<unknown> =>
  transaction(services.pool, mailer, (db) =>
    db.executeQuery(
      sql`update mail m set status = ${failed}, blocked_at = now(),
          status_message = 'Blocked: ' || b.address || ' is a blocked address. It was not sent.'
        from (select id, created_at, ${blockOfMail} as address from mail
          where status = ${queued} and send_after <= now() for update skip locked) b
        where m.id = b.id and m.created_at = b.created_at and b.address is not null`.compile(db),
    ),
  )

/** Claims emails that are due. One that stayed in Sending for ten minutes was left by a dead process and is due again. */
const claim = (services: Services): Promise<DueRow[]> =>
  transaction(services.pool, mailer, async (db) => {
    const { rows } = await db.executeQuery<DueRow>(
      sql<DueRow>`update mail set status = ${sending}, attempts = attempts + 1, send_after = now() + interval '10 minutes'
        where (id, created_at) in (select id, created_at from mail
          where status in (${queued}, ${sending}) and send_after <= now()
            and (${blockOfMail}) is null order by send_after, id
          limit ${batch} for update skip locked)
        returning id, created_at, account_id, label, recipient, sender, subject, html, attempts, attachment_ids,
          array(select c from unnest(carbon_copy) as c where ${blockOf(sql`mail.program_id`, sql`c`)} is null) as carbon_copy`.compile(
        db,
      ),
    )
    return rows
  })

const record = (
  services: Services,
  { id, created_at }: Pick<DueRow, 'id' | 'created_at'>,
  status: number,
  message: string,
  retryMinutes?: number,
): Promise<unknown> =>
  transaction(services.pool, mailer, (db) =>
    db.executeQuery(
      sql`update mail set status = ${status}::smallint, status_message = ${message},
        sent_at = case when ${status} = ${EmailState.Success} then now() end,
        send_after = case when ${retryMinutes ?? null}::integer is null then send_after
          else now() + make_interval(mins => ${retryMinutes ?? 0}::integer) end
        where id = ${id} and created_at = ${created_at}::timestamptz and bounced_at is null`.compile(db),
    ),
  )

/** The files of an email, as they are sent. */
const attachmentsOf = async (services: Services, ids: readonly number[]) => {
  if (ids.length === 0) return []
  const files = await listEmailFiles(services.pool, ids)
  return Promise.all(
    files.map(async ({ name, media_type, store_key }) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of await services.files.read(store_key)) chunks.push(chunk)
      return {
        filename: fittingName(name, media_type),
        contentType: media_type,
        content: Buffer.concat(chunks),
      }
    }),
  )
}

const deliver = async (services: Services, message: DueRow): Promise<void> => {
  try {
    // Nothing is delivered without a relay.
    const relay = await transportOf(services.config.smtpUrl!)
    const { config } = services
    const { from, replyTo } = senderOf(message.sender, config.mailFrom)
    await relay.sendMail({
      from,
      ...(replyTo && { replyTo }),
      to: message.recipient,
      cc: message.carbon_copy,
      envelope: {
        from: returnPathOf(message.id, config),
        to: [message.recipient, ...message.carbon_copy].map((each) => addressParts(each).address),
      },
      subject: message.subject,
      html: message.html,
      text: textOfEmail(message.html),
      attachments: await attachmentsOf(services, message.attachment_ids),
      headers: headersOf(message, `${services.publicUrl()}${config.appRoot}/new`, config),
      // The same email keeps its id over retries, so that a receiver can tell a repeat.
      messageId: `<practicum-${message.id}@${new URL(services.publicUrl()).hostname}>`,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await record(services, message, EmailState.Success, 'Sent')
  } catch (error) {
    const { message: reason, responseCode } = error as Error & { responseCode?: number }
    const isFinal = (responseCode !== undefined && responseCode >= 500) || message.attempts >= maxAttempts
    await record(
      services,
      message,
      isFinal ? EmailState.Error : EmailState.Queued,
      reason.slice(0, 500),
      isFinal ? undefined : 2 ** message.attempts,
    )
  }
}

/** Sends what is due and not blocked. Without `SMTP_URL` emails stay in the outbox, to be read in Scheduled Emails. */
export const sendMail = job({
  name: 'mail:send',
  reachesOut: true,
  payload: Nothing,
  cron: '* * * * *',
  work: async (_payload, services) => {
    await blockDue(services)
    if (!services.config.smtpUrl) return
    for (let messages = await claim(services); messages.length > 0; messages = await claim(services)) {
      const waiting = messages.values()
      const takeTurns = async () => {
        for (const message of waiting) await deliver(services, message)
      }
      await Promise.all(Array.from({ length: atOnce }, takeTurns))
    }
  },
})

export const mailJobs = [sendMail]
