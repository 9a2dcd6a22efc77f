import { sql } from 'kysely'
import type { SMTPServer } from 'smtp-server'
import { EmailState } from '#contract/communication/scheduled-emails.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { addressParts, idOfReturnPath } from './email-parts.ts'

/** More than this is no report of a mail server. */
const byteLimit = 2_000_000
const connectionLimit = 20
const maxReason = 400

/** What a mail server reports about an email that it could not deliver. */
export interface Bounce {
  /** Whom it could not be delivered to; '' when the report does not say. */
  recipient: string
  reason: string
}

const fieldOf = (block: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t]+.*)*)`, 'im')
    .exec(block)?.[1]
    ?.replace(/\s+/g, ' ')
    .trim() ?? ''

/** The value of 'rfc822; somebody@example.org'. */
const plainValue = (value: string): string => value.replace(/^[\w-]+;\s*/, '').trim()

/**
 * Reads the report of a mail server (RFC 3464). Undefined for everything that says nothing final: delays, confirmations,
 * automatic answers.
 */
export const readBounce = async (message: Buffer): Promise<Bounce | undefined> => {
  const { default: PostalMime } = await import('postal-mime')
  const parsed = await PostalMime.parse(message, { attachmentEncoding: 'utf8' })
  const report = parsed.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  if (!report) return undefined
  const text =
    typeof report.content === 'string'
      ? report.content
      : Buffer.from(report.content as ArrayBuffer).toString()
  for (const block of text.split(/\r?\n\s*\r?\n/)) {
    if (fieldOf(block, 'Action').toLowerCase() !== 'failed') continue
    const status = fieldOf(block, 'Status')
    const code = plainValue(fieldOf(block, 'Diagnostic-Code'))
    return {
      recipient: addressParts(
        plainValue(fieldOf(block, 'Final-Recipient') || fieldOf(block, 'Original-Recipient')),
      ).address,
      reason: (code || (status ? `Status ${status}` : 'The mail server gave no reason.')).slice(0, maxReason),
    }
  }
  return undefined
}

/** Keeps in the email log that an email came back. One that only a copy of came back is still sent. */
export const recordBounce = (
  services: Services,
  id: number,
  { recipient, reason }: Bounce,
): Promise<unknown> =>
  transaction(services.pool, { accountId: null, programIds: [], isMailer: true }, (db) =>
    db.executeQuery(
      sql`update mail m set bounced_at = case when x.is_copy then bounced_at else now() end,
          status = case when x.is_copy then m.status else ${EmailState.Error} end,
          status_message = case when x.is_copy then 'Sent. The copy to ' || ${recipient}::text || ' came back: ' else 'Returned: ' end
            || ${reason}::text
        from (select ${recipient}::text <> '' and exists (select from mail c, unnest(c.carbon_copy) as copy
            where c.id = ${id} and mail_address(copy) = lower(${recipient}::text)) as is_copy) x
        where m.id = ${id} and m.status in (${EmailState.Sending}, ${EmailState.Success})`.compile(db),
    ),
  )

/**
 * Listens for reports of mail servers about emails that could not be delivered. It takes mail for the return paths of this
 * installation's emails alone, and passes nothing on.
 */
export const listenForBounces = async (services: Services): Promise<SMTPServer> => {
  const { SMTPServer: Server } = await import('smtp-server')
  const { config, log } = services
  const server = new Server({
    // This server only starts with a return path.
    name: config.mailReturnPath!.split('@')[1]!,
    banner: 'Practicum',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: byteLimit,
    maxClients: connectionLimit,
    closeTimeout: 1_000,
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) =>
      done(
        idOfReturnPath(address, config) === undefined
          ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= byteLimit) chunks.push(chunk)
      })
      stream.on('end', () => {
        if (stream.sizeExceeded) {
          done(Object.assign(new Error('Too large'), { responseCode: 552 }))
          return
        }
        const take = async () => {
          const bounce = await readBounce(Buffer.concat(chunks))
          if (!bounce) return
          // Other recipients were refused at RCPT TO.
          for (const { address } of session.envelope.rcptTo)
            await recordBounce(services, idOfReturnPath(address, config)!, bounce)
        }
        take().then(
          () => done(),
          (error: Error) => {
            log.error({ err: error }, 'A returned email could not be read')
            done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
          },
        )
      })
    },
  })
  server.on('error', (error) => log.warn({ err: error }, 'The listener for returned emails had an error'))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.bouncePort, config.bounceHost, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return server
}
