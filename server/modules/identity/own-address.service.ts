import { identityFailures } from '#contract/identity/failures.ts'
import { insertLinks } from '#server/core/auth/mailed-links.ts'
import { hashToken, newToken, type User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findDirectory } from './directory.queries.ts'
import { addressee, confirmationEmail, tellOwner } from './emails.service.ts'

/**
 * Mails the link that makes an address the own one, and tells the address before. Every change of one's own address goes this way:
 * until the link is opened the account has the address that it had.
 *
 * @throws Failure 409 where the college's directory says the address
 */
export const askForOwnAddress = async (
  { db, services, user }: { db: Db; services: Services; user: User },
  email: string,
): Promise<void> => {
  const isOther = email.toLowerCase() !== user.EmailAddress.toLowerCase()
  const directory =
    isOther && user.ProgramId !== null ? await findDirectory(db, user.ProgramId, user.Id) : null
  if (directory?.Fields.includes('EmailAddress') && !directory.Kept.includes('EmailAddress'))
    throw fail(identityFailures.of_directory, { Name: directory.Name }, 'EmailAddress')
  const token = newToken()
  await insertLinks(db, 'email_confirmation', [{ accountId: user.Id, hash: hashToken(token), email }])
  const address = `${services.publicUrl()}${services.config.appRoot}/new/confirm-email?token=${token}`
  await queueTemplatedEmails(db, [confirmationEmail({ ...addressee(user), email }, address)])
  if (isOther) await tellOwner(db, services, addressee(user), 'email')
}
