import { magicLinkMinutes } from '#contract/passwordless.ts'
import { htmlOfTyped } from '#server/core/letter-text.ts'
import type { TemplateLetter } from '#server/core/letters.ts'

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

/** The link and the code for signing in without a password (D1-009, D1-010). */
export const magicLinkLetter = (
  recipient: string,
  { address, code }: { address: string; code: string },
): TemplateLetter => ({
  // Whoever has several accounts with the address gets one letter; it belongs to none of their programs.
  programId: null,
  label: 'ACCOUNT_sign_in_link',
  recipient,
  values: { link: address, code, minutes: String(magicLinkMinutes) },
})

export const passwordLetter = (account: Addressee, address: string): TemplateLetter => ({
  ...to(account),
  label: 'ACCOUNT_password_reset',
  values: { 'account.name': accountName(account), link: address },
})

/** To the new address: only who reads it there can make it the account's own. */
export const confirmationLetter = (account: Addressee, address: string): TemplateLetter => ({
  ...to(account),
  label: 'ACCOUNT_email_confirmation',
  values: { 'account.name': accountName(account), link: address },
})

/** To somebody who registered: the address is confirmed and the password set in one step. */
export const registeredLetter = (account: Addressee, address: string): TemplateLetter => ({
  ...to(account),
  label: 'REGISTRANT_confirm',
  values: { ...ofAccount(account), link: address },
})

/** To somebody who registered and has an account in the program already; on the screen the two are not told apart. */
export const knownLetter = (account: Addressee, address: string): TemplateLetter => ({
  ...to(account),
  label: 'REGISTRANT_known',
  values: { ...ofAccount(account), link: address },
})

export const receivedLetter = (account: Addressee): TemplateLetter => ({
  ...to(account),
  label: 'REGISTRANT_received',
  values: ofAccount(account),
})

export const approvedLetter = (account: Addressee, address: string): TemplateLetter => ({
  ...to(account),
  label: 'REGISTRANT_approved',
  values: { ...ofAccount(account), link: address },
})

export const declinedLetter = (account: Addressee, reason: string): TemplateLetter => ({
  ...to(account),
  label: 'REGISTRANT_declined',
  values: { ...ofAccount(account), 'decision.reason': htmlOfTyped(reason) },
})

/** Tells the owner of an account of a change that a thief would make. */
export const noticeLetter = (
  account: Addressee,
  what: 'password' | 'email' | 'authenticator_on' | 'authenticator_off' | 'recovery_code',
): TemplateLetter => ({
  ...to(account),
  label: `ACCOUNT_notice_${what}`,
  values: { 'account.name': accountName(account) },
})
