import { magicLinkMinutes } from '#contract/identity/passwordless.ts'
import { htmlOfTyped } from '#server/core/mail/email-text.ts'
import type { TemplateEmail } from '#server/core/mail/template-emails.ts'

interface Addressee {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  program_name?: string | null
}

const to = (account: Addressee) => ({
  programId: account.program_id,
  accountId: account.account_id,
  recipient: account.email,
})
const accountName = ({ user_name, program_name }: Addressee): string =>
  program_name ? `${user_name} (${program_name})` : user_name
const ofAccount = (account: Addressee) => ({ 'account.userName': account.user_name })

/** The link and the code for signing in without a password. */
export const magicLinkEmail = (
  recipient: string,
  { address, code }: { address: string; code: string },
): TemplateEmail => ({
  // Whoever has several accounts with the address gets one email; it belongs to none of their programs.
  programId: null,
  label: 'ACCOUNT_sign_in_link',
  recipient,
  values: { link: address, code, minutes: String(magicLinkMinutes) },
})

export const passwordEmail = (account: Addressee, address: string): TemplateEmail => ({
  ...to(account),
  label: 'ACCOUNT_password_reset',
  values: { 'account.name': accountName(account), link: address },
})

/** To the new address: only who reads it there can make it the account's own. */
export const confirmationEmail = (account: Addressee, address: string): TemplateEmail => ({
  ...to(account),
  label: 'ACCOUNT_email_confirmation',
  values: { 'account.name': accountName(account), link: address },
})

/** To somebody who registered: the address is confirmed and the password set in one step. */
export const registeredEmail = (account: Addressee, address: string): TemplateEmail => ({
  ...to(account),
  label: 'REGISTRANT_confirm',
  values: { ...ofAccount(account), link: address },
})

/** To somebody who registered and has an account in the program already; the screen shows the same for both. */
export const knownEmail = (account: Addressee, address: string): TemplateEmail => ({
  ...to(account),
  label: 'REGISTRANT_known',
  values: { ...ofAccount(account), link: address },
})

export const receivedEmail = (account: Addressee): TemplateEmail => ({
  ...to(account),
  label: 'REGISTRANT_received',
  values: ofAccount(account),
})

export const approvedEmail = (account: Addressee, address: string): TemplateEmail => ({
  ...to(account),
  label: 'REGISTRANT_approved',
  values: { ...ofAccount(account), link: address },
})

export const declinedEmail = (account: Addressee, reason: string): TemplateEmail => ({
  ...to(account),
  label: 'REGISTRANT_declined',
  values: { ...ofAccount(account), 'decision.reason': htmlOfTyped(reason) },
})

/** Tells the owner of an account of a change that a thief would make. */
export const noticeEmail = (
  account: Addressee,
  what: 'password' | 'email' | 'authenticator_on' | 'authenticator_off' | 'recovery_code' | 'areas',
): TemplateEmail => ({
  ...to(account),
  label: `ACCOUNT_notice_${what}`,
  values: { 'account.name': accountName(account) },
})
