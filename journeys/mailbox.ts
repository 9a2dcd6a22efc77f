import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import PostalMime from 'postal-mime'

export interface Received {
  to: string
  subject: string
  html: string
  /** The link that turns emails of its kind off, which mail programs show as a button; '' where there is none. */
  unsubscribe: string
}

/** A mail server that keeps what it gets: the mailboxes of everybody in a journey. */
export class Mailbox {
  private readonly emails: Received[] = []
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
  }

  static async open(): Promise<Mailbox> {
    const server = createServer()
    const mailbox = new Mailbox(server)
    server.on('connection', (socket) => {
      let pending = ''
      let isData = false
      const say = (line: string) => socket.write(`${line}\r\n`)
      say('220 ready')
      socket.on('data', (chunk) => {
        pending += chunk
        for (;;) {
          const end = isData ? pending.indexOf('\r\n.\r\n') : pending.indexOf('\r\n')
          if (end < 0) return
          const part = pending.slice(0, end)
          pending = pending.slice(end + (isData ? 5 : 2))
          if (isData) {
            isData = false
            void mailbox.keep(part.replaceAll('\r\n..', '\r\n.'))
            say('250 kept')
          } else if (/^DATA/i.test(part)) {
            isData = true
            say('354 go on')
          } else if (/^QUIT/i.test(part)) socket.end('221 bye\r\n')
          else say('250 yes')
        }
      })
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return mailbox
  }

  get url(): string {
    const { port } = this.server.address() as { port: number }
    return `smtp://127.0.0.1:${port}`
  }

  private async keep(raw: string): Promise<void> {
    const { to, subject, html, headers } = await PostalMime.parse(raw)
    const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    for (const { address } of to ?? [])
      this.emails.push({
        to: address ?? '',
        subject: subject ?? '',
        html: html ?? '',
        unsubscribe: link.replace(/^<|>$/g, ''),
      })
    this.server.emit('email')
  }

  /** The next email to the address, which is taken out; waits for it for half a minute. */
  async next(to: string): Promise<Received> {
    const patience = AbortSignal.timeout(30_000)
    for (;;) {
      const at = this.emails.findIndex((email) => email.to === to)
      if (at >= 0) return this.emails.splice(at, 1)[0]!
      await once(this.server, 'email', { signal: patience }).catch(() => {
        throw new Error(`No email came to ${to}.`)
      })
    }
  }

  close(): void {
    this.server.close()
  }
}

/** The address of the first link in an email. */
export const linkIn = ({ html }: Received): string =>
  /href="([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&')
