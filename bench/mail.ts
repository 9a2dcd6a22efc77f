import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import type { Config } from '#server/core/config/config.ts'
import { createPool, transaction } from '#server/core/database/pool.ts'
import { post, sendMail } from '#server/core/mail/mail.ts'
import { createLog } from '#server/core/runtime/log.ts'
import type { WorkerServices } from '#server/core/runtime/services.ts'
import type { Installation } from './installation.ts'
import type { Figure } from './table.ts'

const emails = 5_000
const sample = 1_000
/** What a busy relay takes for one email. */
const relayMs = 10

const startRelay = async (): Promise<SMTPServer> => {
  const relay = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => void sleep(relayMs).then(() => done()))
    },
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  return relay
}

const email = (number: number) => ({
  label: 'BENCH',
  recipient: `student${number}@example.edu`,
  subject: 'Your hours of this week',
  html: '<p>Your hours of this week are approved.</p>'.repeat(20),
})

/** Emails a second of the mail library alone, with as many connections as the product opens. */
const bareRate = async (url: string): Promise<number> => {
  const transport = nodemailer.createTransport(`${url}?pool=true&maxConnections=4`)
  const began = performance.now()
  await Promise.all(
    Array.from({ length: sample }, (_, number) => {
      const { recipient, subject, html } = email(number)
      return transport.sendMail({ from: 'practicum@example.edu', to: recipient, subject, html })
    }),
  )
  transport.close()
  return (sample * 1000) / (performance.now() - began)
}

/** Putting an email to everybody into the outbox, and the sending of them against the limit of the relay. */
export const mailFigures = async (at: Installation, programId: number): Promise<Figure[]> => {
  const pool = createPool(at.appUrl, createLog('fatal'), 8)
  const relay = await startRelay()
  const url = `smtp://127.0.0.1:${(relay.server.address() as AddressInfo).port}`
  try {
    const took: number[] = []
    for (let round = 0; round < 3; round++) {
      if (round > 0) await at.owner.query("delete from mail where label = 'BENCH'")
      const began = performance.now()
      await transaction(pool, { accountId: null, programIds: [programId] }, (db) =>
        post(
          db,
          Array.from({ length: emails }, (_, number) => ({ programId, ...email(number) })),
        ),
      )
      took.push((performance.now() - began) / 1000)
    }
    const seconds = took.sort((one, other) => one - other)[1]!
    const limit = await bareRate(url)
    await at.owner.query("update mail set status = 4 where label <> 'BENCH' and status in (1, 2)")
    const config = { smtpUrl: url, mailFrom: 'practicum@example.edu' } as Config
    const began = performance.now()
    await sendMail.work({}, { config, pool, publicUrl: () => at.ours.origin } as WorkerServices)
    const rate = (emails * 1000) / (performance.now() - began)
    const { rows } = await at.owner.query(
      "select count(*)::integer as sent from mail where label = 'BENCH' and status = 3",
    )
    if (rows[0].sent !== emails) throw new Error(`Only ${rows[0].sent} of ${emails} emails were sent.`)
    return [
      {
        what: `${emails.toLocaleString('en-US')} emails: enqueue`,
        value: seconds,
        text: `${seconds.toFixed(2)} s`,
        must: 0.2,
        stretch: 0.2,
        bar: '≤ 0.2 s',
        note: 'in one statement and its commit',
      },
      {
        what: `${emails.toLocaleString('en-US')} emails: sending, of the relay’s limit`,
        value: (rate / limit) * 100,
        text: `${Math.round((rate / limit) * 100)} %`,
        must: 80,
        stretch: 95,
        isMore: true,
        bar: '≥ 80 / ≥ 95 %',
        note: `${Math.round(rate)} emails a second against ${Math.round(limit)}`,
      },
    ]
  } finally {
    await new Promise<void>((resolve) => relay.close(resolve))
    await pool.end()
  }
}
