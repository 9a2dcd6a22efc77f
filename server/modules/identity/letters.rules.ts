import { magicLinkMinutes } from '#contract/passwordless.ts'
import { escapeHtml, type Letter } from '#server/core/mail.ts'

interface Addressee {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  program_name?: string | null
}

const paragraphs = (...texts: string[]): string => texts.map((text) => `<p>${text}</p>`).join('')
const link = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`
const accountName = ({ user_name, program_name }: Addressee): string =>
  `<b>${escapeHtml(user_name)}</b>${program_name ? ` (${escapeHtml(program_name)})` : ''}`
const to = (
  account: Addressee,
  label: string,
): Pick<Letter, 'programId' | 'accountId' | 'label' | 'recipient'> => ({
  programId: account.program_id,
  accountId: account.account_id,
  label,
  recipient: account.email,
})

/** The link and the code for signing in without a password (D1-009, D1-010). */
export const magicLinkLetter = (
  recipient: string,
  { address, code }: { address: string; code: string },
): Letter => ({
  // Whoever has several accounts with the address gets one letter; it belongs to none of their programs.
  programId: null,
  label: 'ACCOUNT_sign_in_link',
  recipient,
  subject: `Your sign-in code: ${code}`,
  html: paragraphs(
    `Open ${link(address, 'this link to sign in')}, or type this code where you asked for it:`,
    `<b style="font-size:24px;letter-spacing:4px">${escapeHtml(code)}</b>`,
    `Both work once, for ${magicLinkMinutes} minutes, and only the newest ones work. If it was not you who asked, do nothing: nobody can sign in without this letter.`,
  ),
})

export const passwordLetter = (account: Addressee, address: string): Letter => ({
  ...to(account, 'ACCOUNT_password_reset'),
  subject: 'Set a new password',
  html: paragraphs(
    `Somebody, probably you, asked for a new password for the user name ${accountName(account)}.`,
    link(address, 'Set a new password'),
    'The link works once, for 10 minutes. If it was not you, do nothing: your password stays as it is.',
  ),
})

/** To the new address: only who reads it there can make it the account's own. */
export const confirmationLetter = (account: Addressee, address: string): Letter => ({
  ...to(account, 'ACCOUNT_email_confirmation'),
  subject: 'Confirm your e-mail address',
  html: paragraphs(
    `This address was entered for the account ${accountName(account)}.`,
    link(address, 'Confirm this address'),
    'The link works once, for 10 minutes. If it is not your account, do nothing.',
  ),
})

/** To somebody who registered: the address is confirmed and the password set in one step. */
export const registeredLetter = (account: Addressee, address: string): Letter => ({
  ...to(account, 'REGISTRANT_confirm'),
  subject: 'Finish your registration',
  html: paragraphs(
    `You registered for ${escapeHtml(account.program_name ?? '')}. Your user name is <b>${escapeHtml(account.user_name)}</b>.`,
    link(address, 'Confirm your address and set a password'),
    'The link works once, for 10 minutes; if it has expired, register again. If it was not you, do nothing.',
  ),
})

/** To somebody who registered and has an account in the program already; on the screen the two are not told apart. */
export const knownLetter = (account: Addressee, address: string): Letter => ({
  ...to(account, 'REGISTRANT_known'),
  subject: 'You have an account already',
  html: paragraphs(
    `Somebody, probably you, registered for ${escapeHtml(account.program_name ?? '')} with this address. It belongs to the account <b>${escapeHtml(account.user_name)}</b> there, so nothing was changed.`,
    link(address, 'Sign in'),
  ),
})

export const receivedLetter = (account: Addressee): Letter => ({
  ...to(account, 'REGISTRANT_received'),
  subject: 'Your registration has arrived',
  html: paragraphs(
    `Your registration for ${escapeHtml(account.program_name ?? '')} has arrived, and your address is confirmed. You get a letter as soon as it is decided.`,
  ),
})

export const approvedLetter = (account: Addressee, address: string): Letter => ({
  ...to(account, 'REGISTRANT_approved'),
  subject: `Welcome to ${account.program_name ?? ''}`,
  html: paragraphs(
    `Your registration for ${escapeHtml(account.program_name ?? '')} is approved. Your user name is <b>${escapeHtml(account.user_name)}</b>.`,
    link(address, 'Sign in'),
  ),
})

export const declinedLetter = (account: Addressee, reason: string): Letter => ({
  ...to(account, 'REGISTRANT_declined'),
  subject: 'Your registration was not accepted',
  html: paragraphs(
    `Your registration for ${escapeHtml(account.program_name ?? '')} was not accepted.`,
    ...reason
      .split('\n')
      .filter((line) => line.trim())
      .map(escapeHtml),
  ),
})

const notices = {
  password: ['Your password was changed', 'The password of your account NAME was changed.'],
  email: [
    'Your e-mail address is about to change',
    'Another e-mail address was entered for your account NAME, and waits to be confirmed.',
  ],
  authenticator_on: [
    'Your authenticator is on',
    'Your account NAME asks for the code of an authenticator now.',
  ],
  authenticator_off: [
    'Your authenticator is off',
    'Your account NAME no longer asks for the code of an authenticator.',
  ],
  recovery_code: [
    'A recovery code was used',
    'Somebody signed in to your account NAME with a recovery code.',
  ],
} as const

/** Tells the owner of an account of a change that a thief would make. */
export const noticeLetter = (account: Addressee, what: keyof typeof notices): Letter => {
  const [subject, text] = notices[what]
  return {
    ...to(account, `ACCOUNT_notice_${what}`),
    subject,
    html: paragraphs(
      text.replace('NAME', accountName(account)),
      'If it was you, you need not do anything. If not, set a new password at once and tell your program.',
    ),
  }
}
