import type { ConfirmedAct } from '#contract/core/endpoint.ts'
import { magicLinkMinutes } from '#contract/identity/passwordless.ts'
import { insertNotMe } from '#server/core/auth/mailed-links.ts'
import { hashToken, newToken, type User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { htmlOfTyped } from '#server/core/mail/email-text.ts'
import { queueTemplatedEmails, type TemplateEmail } from '#server/core/mail/template-emails.ts'
import type { Services } from '#server/core/runtime/services.ts'

interface Addressee {
  account_id: number
  program_id: number | null
  user_name: string
  email: string
  program_name?: string | null
  /** The address may be a stranger's: “this was not me” freezes the account, and does not bring that address back. */
  isStranger?: boolean
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

/** The code by which somebody without a password proves who it is. */
export const proofEmail = (user: User, recipient: string, code: string): TemplateEmail => ({
  programId: user.ProgramId,
  accountId: user.Id,
  recipient,
  label: 'ACCOUNT_proof_code',
  values: { code },
})

/** To an address that somebody else has entered for the account. */
export const addressEnteredEmail = (account: Addressee, address: string): TemplateEmail => ({
  ...to(account),
  label: 'ACCOUNT_address_entered',
  values: { 'account.name': accountName(account), link: address },
})

/** To whoever looks after the people of a program. */
export const frozenEmail = (
  reader: { account_id: number; program_id: number | null; email: string },
  account: Addressee,
  name: string,
): TemplateEmail => ({
  ...to({ ...reader, user_name: '' }),
  label: 'ACCOUNT_frozen',
  values: { 'user.name': name, 'account.name': accountName(account) },
})

type Notice =
  | 'password'
  | 'email'
  | 'address'
  | 'authenticator_on'
  | 'authenticator_off'
  | 'recovery_code'
  | 'recovery_codes'
  | 'key'
  | 'areas'
  | ConfirmedAct

/** Where a notice leads whoever did not do what it tells of. */
export const notMeLink = (services: Services, token: string): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/not-me?token=${token}`

/** Tells the owner of an account of changes that a thief would make, each with its link “this was not me”. */
export const tellOwner = async (
  db: Db,
  services: Services,
  account: Addressee,
  ...what: readonly Notice[]
): Promise<void> => {
  if (!account.email) return
  const told = what.map((notice) => ({ notice, token: newToken() }))
  await insertNotMe(
    db,
    told.map(({ token }) => ({
      accountId: account.account_id,
      hash: hashToken(token),
      email: account.isStranger ? null : account.email,
    })),
  )
  await queueTemplatedEmails(
    db,
    told.map(({ notice, token }) => ({
      ...to(account),
      label: `ACCOUNT_notice_${notice}` as const,
      values: { 'account.name': accountName(account), link: notMeLink(services, token) },
    })),
  )
}

/** Tells the owner that somebody signed in by a way, on a device or from a country that the account has never had. */
export const tellOfDevice = async (
  db: Db,
  services: Services,
  account: Addressee,
  { what, device }: { what: string; device: string },
): Promise<void> => {
  if (!account.email) return
  const token = newToken()
  await insertNotMe(db, [{ accountId: account.account_id, hash: hashToken(token), email: account.email }])
  await queueTemplatedEmails(db, [
    {
      ...to(account),
      label: 'ACCOUNT_notice_device',
      values: {
        'account.name': accountName(account),
        'sign_in.what': what,
        'sign_in.device': device,
        link: notMeLink(services, token),
      },
    },
  ])
}

/** The signed-in person as one that emails are written to. */
export const addressee = (user: User): Addressee => ({
  account_id: user.Id,
  program_id: user.ProgramId,
  user_name: user.UserName,
  email: user.EmailAddress,
  program_name: user.ProgramName,
})
