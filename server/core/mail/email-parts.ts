import { createHmac } from 'node:crypto'
import type Sanitize from 'sanitize-html'
import { deriveKey, type LoadedConfig } from '#server/core/config/config.ts'
import { packageOnDemand } from '#server/core/runtime/on-demand.ts'
import { isMutable, unsubscribeToken } from './unsubscribe.ts'

const sanitizer = packageOnDemand<typeof Sanitize>('sanitize-html')

/** The name and address of 'Name <address>'. */
export const addressParts = (text: string): { name: string; address: string } => {
  const named = /^\s*"?([^"<]*?)"?\s*<\s*([^<>\s]+)\s*>\s*$/.exec(text)
  return named ? { name: named[1]!, address: named[2]! } : { name: '', address: text.trim() }
}

/**
 * Who an email is from. Other mail servers only accept the installation's own address, so a person's email carries it with the
 * person's name, and answers go to the person.
 */
export const senderOf = (
  sender: string,
  mailFrom: string,
): { from: { name: string; address: string }; replyTo?: { name: string; address: string } } => {
  const own = addressParts(mailFrom)
  if (sender === '') return { from: own }
  const person = addressParts(sender)
  if (person.address.toLowerCase() === own.address.toLowerCase())
    return { from: { name: person.name || own.name, address: own.address } }
  return { from: { name: person.name || person.address, address: own.address }, replyTo: person }
}

const markLength = 20

const markOf = (id: number, secretKey: string): string =>
  createHmac('sha256', deriveKey(secretKey, 'mail return path'))
    .update(String(id))
    .digest('hex')
    .slice(0, markLength)

/** The address that a mail server sends an undeliverable email back to; it names the email, and nobody can make one up. */
export const returnPathOf = (
  id: number,
  { mailReturnPath, mailFrom, secretKey }: Pick<LoadedConfig, 'mailReturnPath' | 'mailFrom' | 'secretKey'>,
): string => {
  if (!mailReturnPath) return addressParts(mailFrom).address
  const [local, domain] = mailReturnPath.split('@') as [string, string]
  return `${local}+${id}.${markOf(id, secretKey)}@${domain}`
}

/** The email that a return path names; undefined for any other address. */
export const idOfReturnPath = (
  address: string,
  { mailReturnPath, secretKey }: Pick<LoadedConfig, 'mailReturnPath' | 'secretKey'>,
): number | undefined => {
  if (!mailReturnPath) return undefined
  const [local, domain] = mailReturnPath.toLowerCase().split('@') as [string, string]
  const [sentLocal = '', sentDomain = ''] = address.toLowerCase().split('@')
  if (sentDomain !== domain || !sentLocal.startsWith(`${local}+`)) return undefined
  const [, id, mark] = /^(\d{1,15})\.([0-9a-f]+)$/.exec(sentLocal.slice(local.length + 1)) ?? []
  return id && mark === markOf(Number(id), secretKey) ? Number(id) : undefined
}

/** Emails that a person wrote; all others are automatic. */
const personalLabels = new Set(['MESSAGE_sent', 'TIME_message'])

/** An email as its headers depend on it. */
export interface Headed {
  label: string
  account_id: number | null
  carbon_copy: readonly string[]
}

/**
 * The headers that tell mail programs what kind of email it is, and how its kind is switched off: by one click (RFC 8058) where
 * it is for one person alone, else on the page of preferences, so that a reader of a copy does not switch off somebody else's.
 *
 * @param site the address of the installation, up to `/new`
 */
export const headersOf = (
  { label, account_id, carbon_copy }: Headed,
  site: string,
  secrets: Pick<LoadedConfig, 'secretKey'>,
): Record<string, string> => {
  const isOwn = account_id !== null && carbon_copy.length === 0
  return {
    ...(!personalLabels.has(label) && { 'Auto-Submitted': 'auto-generated' }),
    ...(isMutable(label) && {
      'List-Unsubscribe': isOwn
        ? `<${site}/unsubscribe/${unsubscribeToken({ accountId: account_id, label }, secrets)}>`
        : `<${site}/preferences>`,
    }),
    // One click is for addresses of https only.
    ...(isMutable(label) &&
      isOwn &&
      site.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The text part of an email: the words of its HTML with line breaks, list marks, and addresses behind links. */
export const textOfEmail = (html: string): string =>
  sanitizer()(
    html
      .replace(/\s+/g, ' ')
      .replace(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gi, (_all, href: string, inner: string) =>
        inner.includes(href) ? inner : `${inner} (${href.replace(/^mailto:/, '')})`,
      )
      .replace(/<li\b[^>]*>/gi, '\n- ')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/<\/(p|h\d|ul|ol|table|blockquote)>/gi, '\n\n')
      .replace(/<\/(div|tr)>/gi, '\n'),
    { allowedTags: [], allowedAttributes: {} },
  )
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => entities[name]!)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
