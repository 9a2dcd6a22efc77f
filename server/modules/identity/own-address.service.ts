import { hashToken, newToken, type User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { addressee, confirmationEmail, tellOwner } from './emails.service.ts'
import { insertLinks } from './sign-in.queries.ts'

/**
 * Mails the link that makes an address the own one, and tells the address before. Every change of one's own address goes this way:
 * until the link is opened the account has the address that it had.
 */
export const askForOwnAddress = async (
  { db, services, user }: { db: Db; services: Services; user: User },
  email: string,
): Promise<void> => {
  const token = newToken()
  await insertLinks(db, 'email_confirmation', [{ accountId: user.Id, hash: hashToken(token), email }])
  const address = `${services.publicUrl()}${services.config.appRoot}/new/confirm-email?token=${token}`
  await queueTemplatedEmails(db, [confirmationEmail({ ...addressee(user), email }, address)])
  if (email.toLowerCase() !== user.EmailAddress.toLowerCase())
    await tellOwner(db, services, addressee(user), 'email')
}
