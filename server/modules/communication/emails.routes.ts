import * as contract from '#contract/communication/emails.ts'
import { communicationFailures } from '#contract/communication/failures.ts'
import {
  mergeFieldsOf,
  mergeParts,
  problemOfMerge,
  withoutValue,
} from '#contract/communication/merge-rules.ts'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { Email } from '#contract/core/fields.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { User } from '#server/core/auth/session.ts'
import { type Db, workOn, workOnAllMail } from '#server/core/database/pool.ts'
import { sentFile, storeDocumentFile } from '#server/core/files/stored-files.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html } from '#server/core/http/html.ts'
import { blockedMessage, escapeHtml, queueEmailToMany, type Recipient } from '#server/core/mail/mail.ts'
import { cancelEmails } from '#server/core/mail/outbox.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findBlocks } from './emails.across.ts'
import {
  type Chosen,
  countPrograms,
  findPeople,
  listAttachments,
  listGroups,
  listPicked,
  listProgramIds,
  listSent,
  listSiteContacts,
  maxChosen,
  pageSent,
} from './emails.queries.ts'
import { readMergeValues } from './merge.queries.ts'

const label = 'MESSAGE_sent'
const waits = 'Waits to be sent'
const noMailServer = 'No mail server is set, so it is not sent until one is'

/** The one program of the sender; null for super admins, who write to any. */
const ownProgram = (user: User): number | null => {
  if (user.isSuperAdmin) return null
  if (user.ProgramId === null) throw fail(coreFailures.no_program)
  return user.ProgramId
}

const refuseForeign = (user: User, selection: contract.EmailSelection): void => {
  const own = ownProgram(user)
  if (own === null) return
  if (selection.programIds.some((id) => id !== own)) throw fail(coreFailures.no_program)
  if (
    selection.isPaymentContactsSelected ||
    selection.userTypes.includes(contract.UserType.EmailNotifications)
  )
    throw fail(communicationFailures.not_allowed)
}

const refuseNobody = (user: User, selection: contract.EmailSelection): void => {
  const { individualRecipientUserId, programIds, userTypes, studentIds, siteIds } = selection
  const hasPrograms = !user.isSuperAdmin || programIds.length > 0
  const hasGroups =
    userTypes.length > 0 || siteIds.length > 0 || (user.isSuperAdmin && selection.isPaymentContactsSelected)
  if (individualRecipientUserId !== null || studentIds.length > 0 || (hasPrograms && hasGroups)) return
  throw fail(communicationFailures.nobody, 'programIds')
}

const pick = async (db: Db, user: User, ids: readonly number[]): Promise<Chosen[]> => {
  if (ids.length === 0) return []
  if (user.isSuperAdmin) await workOn(db, await listProgramIds(db))
  const wanted = new Set(ids)
  const picked = await listPicked(db, ownProgram(user), [...wanted])
  refuseMissing(
    peopleFailures.no_people,
    wanted,
    picked.flatMap(({ accountId }) => accountId ?? []),
  )
  return picked
}

/** Everybody who is chosen, in the order in which they are told about; some perhaps twice. */
const listChosen = async (db: Db, user: User, selection: contract.EmailSelection): Promise<Chosen[]> => {
  refuseForeign(user, selection)
  refuseNobody(user, selection)
  const { individualRecipientUserId, studentIds, siteIds } = selection
  if (individualRecipientUserId !== null) return pick(db, user, [individualRecipientUserId])
  const picked = await pick(db, user, studentIds)
  const own = ownProgram(user)
  const programIds = own === null ? [...new Set(selection.programIds)] : [own]
  if (own === null && programIds.length > 0) {
    if ((await countPrograms(db, programIds)) < programIds.length)
      throw fail(communicationFailures.no_such_program)
    await workOn(db, programIds)
  }
  const people = await listGroups(db, { ...selection, programIds })
  const sites = new Set(siteIds)
  if (sites.size > 0 && programIds.length !== 1) throw fail(communicationFailures.no_such_site)
  const { found, contacts } = await listSiteContacts(db, programIds[0] ?? 0, [...sites])
  if (found < sites.size) throw fail(communicationFailures.no_such_site)
  return [...people, ...contacts, ...picked]
}

interface Sorted {
  /** Each address once. */
  reachable: (Chosen & { block: string | null })[]
  unreachable: Chosen[]
  twice: number
}

const sorted = async (db: Db, chosen: readonly Chosen[]): Promise<Sorted> => {
  const byAddress = new Map<string, Chosen>()
  const unreachable = new Map<string, Chosen>()
  let twice = 0
  for (const person of chosen) {
    const address = person.address.trim()
    const [place, key] = Email.safeParse(address).success
      ? [byAddress, address.toLowerCase()]
      : [unreachable, `${person.accountId ?? person.name}`]
    if (place.has(key)) twice++
    else place.set(key, { ...person, address })
  }
  const blocks = await findBlocks(db, [...byAddress.values()])
  return {
    reachable: [...byAddress].map(([key, person]) => ({ ...person, block: blocks.get(key) ?? null })),
    unreachable: [...unreachable.values()],
    twice,
  }
}

const isTooMany = (chosen: readonly Chosen[], { reachable }: Sorted): boolean =>
  chosen.length > maxChosen || reachable.filter(({ block }) => !block).length > contract.maxEmails

/** 'Name <address>' without signs that would make more than one address of it. */
const withName = (name: string, address: string): string => {
  const plain = name
    .replace(/["<>\\,;:()@[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain ? `${plain} <${address}>` : address
}

/** The status of an email that waits. */
const waitsFor = (services: Services, sendAfter: string | undefined): string =>
  !services.config.smtpUrl ? noMailServer : sendAfter ? 'Waits for the time you chose' : waits

const statusOf = (
  recipient: string,
  block: string | null,
  id: number,
  waiting: string,
): contract.EmailStatus =>
  block === null
    ? {
        Recipient: recipient,
        StatusValue: contract.SendStatus.Queued,
        StatusMessage: waiting,
        Id: id,
      }
    : {
        Recipient: recipient,
        StatusValue: contract.SendStatus.Blocked,
        StatusMessage: blockedMessage(block),
        Id: id,
      }

const noAddress = ({ name }: Chosen): contract.EmailStatus => ({
  Recipient: name,
  StatusValue: contract.SendStatus.NoAddress,
  StatusMessage: 'No email address is known. Nothing was sent.',
  Id: null,
})

type Sent = Awaited<ReturnType<typeof listSent>>[number]

/** What the ledger says about an email, as a status of a send. */
const statusOfSent = (
  services: Services,
  { id, recipient, status, status_message, blocked_at, attempts }: Sent,
) => {
  const { Queued, Sent, Blocked, Failed } = contract.SendStatus
  const StatusValue =
    status === EmailState.Success
      ? Sent
      : status !== EmailState.Error
        ? Queued
        : blocked_at
          ? Blocked
          : Failed
  const waiting =
    attempts > 0 && status_message ? `Will be tried again: ${status_message}` : waitsFor(services, undefined)
  return {
    Recipient: recipient,
    StatusValue,
    StatusMessage: StatusValue === Queued ? waiting : status_message,
    Id: id,
  }
}

/**
 * Sends one email to each. Copies: with a single recipient they are named in its head, so that everybody can answer all;
 * with several each of them gets one copy of its own, not one for every recipient.
 */
const send = async (
  db: Db,
  services: Services,
  user: User,
  body: contract.NewEmail,
  { reachable, unreachable }: Sorted,
): Promise<contract.EmailStatus[]> => {
  const known = new Set(reachable.map(({ address }) => address.toLowerCase()))
  const copies: string[] = []
  for (const address of body.carbonCopyRecipients) {
    if (known.has(address.toLowerCase())) continue
    known.add(address.toLowerCase())
    copies.push(address)
  }
  const isSingle = reachable.length === 1 && !reachable[0]!.block
  const html = cleanBase64Html(body.body)
  const { values } = await readMergeValues(db, reachable, mergeFieldsOf(body.subject, html), {
    sender: user.Name,
    isSuper: user.isSuperAdmin,
  })
  const waiting = waitsFor(services, body.sendAfter)
  const email = {
    label,
    sender: withName(user.Name, body.sender),
    subject: mergeParts(body.subject),
    createdBy: user.Id,
    attachmentIds: [...new Set(body.attachmentIds)],
    ...(body.sendAfter && { sendAfter: body.sendAfter }),
  }
  const recipients: Recipient[] = reachable.map(({ name, address, ...rest }, index) => ({
    ...rest,
    fields: values[index],
    recipient: withName(name, address),
  }))
  const ids = await queueEmailToMany(
    db,
    { ...email, carbonCopy: isSingle ? copies : [], html: mergeParts(html) },
    recipients,
  )
  const statuses = recipients.map(({ recipient, block }, index) =>
    statusOf(recipient, block, ids[index]!, waiting),
  )
  const programId = ownProgram(user)
  const blocks = await findBlocks(
    db,
    copies.map((address) => ({ programId, address })),
  )
  const blockOf = (address: string) => blocks.get(address.toLowerCase()) ?? null
  const copyIds =
    isSingle || reachable.length === 0
      ? copies.map(() => ids[0])
      : await queueEmailToMany(
          db,
          {
            ...email,
            carbonCopy: [],
            html: mergeParts(
              `<p>Copy of an email to ${reachable.length.toLocaleString('en-US')} people.</p>${html}`,
            ),
          },
          copies.map((address) => ({
            programId,
            accountId: null,
            recipient: address,
            block: blockOf(address),
          })),
        )
  const copied =
    reachable.length === 0
      ? []
      : copies.map((address, index) =>
          statusOf(`${address} (CC)`, blockOf(address), copyIds[index]!, waiting),
        )
  return [...statuses, ...copied, ...unreachable.map(noAddress)]
}

const refuseFields = ({ subject, body }: contract.NewEmail): void => {
  const found = [
    { Field: 'subject', Message: problemOfMerge(subject) },
    { Field: 'body', Message: problemOfMerge(cleanBase64Html(body)) },
  ].flatMap(({ Field, Message }) => (Message === null ? [] : [{ Field, Message }]))
  if (found[0]) throw fail(communicationFailures.invalid, { Reason: found[0].Message }, { fields: found })
}

const refuseMoment = (sendAfter: string | undefined): void => {
  if (sendAfter === undefined) return
  const ahead = Date.parse(sendAfter) - Date.now()
  if (ahead < 0) throw fail(communicationFailures.time_past, 'sendAfter')
  if (ahead > contract.maxDaysAhead * 86_400_000) throw fail(communicationFailures.time_too_far, 'sendAfter')
}

const refuseFiles = async (db: Db, user: User, wanted: readonly number[]): Promise<void> => {
  const ids = [...new Set(wanted)]
  if (ids.length === 0) return
  const files = await listAttachments(db, user.Id, ids)
  refuseMissing(
    communicationFailures.no_files,
    ids,
    files.map(({ id }) => id),
  )
  if (files.reduce((sum, { byte_count }) => sum + byte_count, 0) > contract.maxAttachmentBytes)
    throw fail(communicationFailures.too_large, 'attachmentIds')
}

export const messageRoutes = [
  handle(contract.getMailServer, async ({ services }) => ({ IsSet: services.config.smtpUrl !== undefined })),

  handle(contract.addEmailAttachment, async ({ db, files, services, user, audit }) => {
    const file = sentFile(files, contract.maxAttachmentBytes)
    const Id = await storeDocumentFile(db, services, file, {
      programId: ownProgram(user),
      accountId: user.Id,
    })
    audit.detail = { Name: file.name, ByteCount: file.bytes.length }
    return { Id, Name: file.name, ByteCount: file.bytes.length }
  }),

  handle(contract.listSentEmails, async ({ db, query, user, services }) => {
    if (user.isSuperAdmin) await workOnAllMail(db)
    const { rows, total } = await pageSent(db, user.Id, query)
    return {
      Items: rows.map((row) => ({
        ...statusOfSent(services, row),
        CreatedAt: row.created_at,
        Subject: row.subject,
        SendAfter: row.send_after,
        SentAt: row.sent_at,
        Attachments: row.attachments,
        MayCancel: row.status === EmailState.Queued,
      })),
      Total: total,
      Page: query.page,
      PageSize: query.pageSize,
    }
  }),

  handle(contract.cancelSentEmails, async ({ db, body, user, audit }) => {
    if (user.isSuperAdmin) await workOnAllMail(db)
    const Cancelled = await cancelEmails(db, body.Ids, user.Name, user.Id)
    const answer = { Cancelled, Skipped: new Set(body.Ids).size - Cancelled }
    audit.detail = { ...answer, Ids: body.Ids }
    return answer
  }),

  handle(contract.sendEmails, async ({ db, body, user, services, audit }) => {
    if (!user.isSuperAdmin && body.sender.toLowerCase() !== user.EmailAddress.toLowerCase())
      throw fail(communicationFailures.not_own_address)
    refuseFields(body)
    refuseMoment(body.sendAfter)
    await refuseFiles(db, user, body.attachmentIds)
    const chosen = await listChosen(db, user, body)
    const found = await sorted(db, chosen)
    const copies = found.reachable.length > 1 ? body.carbonCopyRecipients.length : 0
    const sendable = found.reachable.filter(({ block }) => !block).length
    if (isTooMany(chosen, found) || sendable + copies > contract.maxEmails)
      throw fail(communicationFailures.too_many_emails)
    audit.detail = {
      Subject: body.subject,
      From: body.sender,
      Recipients: found.reachable.length,
      WithoutAddress: found.unreachable.length,
      UserTypes: body.userTypes,
      Programs: body.programIds.slice(0, 50),
      CarbonCopy: body.carbonCopyRecipients,
      Attachments: body.attachmentIds,
      SendAfter: body.sendAfter,
    }
    return send(db, services, user, body, found)
  }),

  handle(contract.countEmails, async ({ db, body, user }) => {
    const chosen = await listChosen(db, user, body)
    const found = await sorted(db, chosen)
    const Blocked = found.reachable.filter(({ block }) => block).length
    return {
      Emails: found.reachable.length - Blocked,
      IsTooMany: isTooMany(chosen, found),
      Blocked,
      WithoutAddress: found.unreachable.length,
      Twice: found.twice,
    }
  }),

  handle(contract.cleanEmail, async ({ db, body, user }) => {
    const html = cleanBase64Html(body.body)
    const found = body.selection && (await sorted(db, await listChosen(db, user, body.selection)))
    const recipients = found?.reachable.filter(({ block }) => !block) ?? []
    const place = Math.min(body.place, recipients.length)
    const { values, missing } = await readMergeValues(
      db,
      recipients.slice(0, contract.maxEmails),
      mergeFieldsOf(body.subject, html),
      { sender: user.Name, isSuper: user.isSuperAdmin },
    )
    const own = values[place - 1]
    const filled = (text: string, written: (value: string) => string) =>
      mergeParts(text)
        .map((part) => ('text' in part ? part.text : written(own?.[part.field] ?? `{{${part.field}}}`)))
        .join('')
    const recipient = recipients[place - 1]
    return {
      Subject: filled(body.subject, (value) => value),
      Html: filled(html, escapeHtml),
      Recipient: recipient ? { Name: recipient.name, EmailAddress: recipient.address, Place: place } : null,
      Recipients: recipients.length,
      Missing: [...missing].map(([Field, Recipients]) => ({ Field, Says: withoutValue(Field), Recipients })),
      Problem: problemOfMerge(body.subject) ?? problemOfMerge(html),
    }
  }),

  handle(contract.listEmailStatuses, async ({ db, body, user, services }) => {
    if (body.Ids.length === 0) return []
    // A super admin's emails belong to many programs; what was sent by others is left out all the same.
    if (user.isSuperAdmin) await workOnAllMail(db)
    return (await listSent(db, user.Id, body.Ids)).map((row) => statusOfSent(services, row))
  }),

  handle(contract.getEmailFields, async ({ db, params, user }) => {
    const [person] = await pick(db, user, [params.userId])
    // One id goes in, and an unknown one is refused.
    return { Name: person!.name, EmailAddress: person!.address }
  }),

  handle(contract.pickUsers, async ({ db, query: { search, usertype_more_than, page }, user }) => {
    if (user.isSuperAdmin) await workOn(db, await listProgramIds(db))
    return { aaData: await findPeople(db, ownProgram(user), { search, above: usertype_more_than, page }) }
  }),
]
