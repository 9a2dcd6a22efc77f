import { SMTPServer } from 'smtp-server'

/** The mail server of the page's example: takes everything and writes each email on a line. */
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onData: (stream, _session, done) => {
    let text = ''
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('end', () => {
      process.stdout.write(`${JSON.stringify(text)}\n`)
      done()
    })
  },
})
server.listen(587, '127.0.0.1')
