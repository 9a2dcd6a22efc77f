import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { api } from './calls.ts'

const { origin, perSecond, forMs } = workerData as { origin: string; perSecond: number; forMs: number }

/** Many names that no call knows, of about so many bytes. */
const unknownNames = (bytes: number): string =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: Math.floor(bytes / 14) }, (_, n) => [`name${n}`, 1])),
  )

const [large, small] = [unknownNames(850_000), unknownNames(250_000)]

/** What costs a server the most of what anybody may send: large bodies of unknown names, guesses of passwords, sessions that are none. */
const worst = (number: number): { path: string; body: string; cookie?: string } => {
  switch (number % 4) {
    case 0:
      return { path: '/auth/login', body: large }
    case 1:
      return { path: '/e/nobody-has-this-link/answers', body: small }
    case 2:
      return {
        path: '/auth/login',
        body: JSON.stringify({ UserName: `nobody${number}`, Password: 'a guess', IsShared: false }),
      }
    default:
      return { path: '/state', body: large, cookie: `practicum_session=${number}` }
  }
}

/** Sends one of them and looks at no answer. */
const attack = (agent: http.Agent, number: number): Promise<number> =>
  new Promise((resolve) => {
    const { path, body, cookie } = worst(number)
    const request = http.request(
      `${origin}${api}${path}`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          ...(cookie && { cookie }),
        },
      },
      (response) => {
        response.resume()
        response.on('close', () => resolve(response.statusCode ?? 0))
      },
    )
    // Refused before it was read: the connection is closed on whoever goes on sending.
    request.on('error', () => resolve(0))
    request.end(body)
  })

const agent = new http.Agent({ keepAlive: true, maxSockets: 200 })
const attacks: Promise<number>[] = []
const began = performance.now()
while (performance.now() - began < forMs) {
  const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
  while (attacks.length < due) attacks.push(attack(agent, attacks.length))
  await sleep(5)
}
const statuses = await Promise.all(attacks)
agent.destroy()
// Started with a parent.
parentPort!.postMessage({
  sent: statuses.length,
  answered: statuses.filter((status) => status >= 200 && status < 400).length,
})
