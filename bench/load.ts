import http from 'node:http'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Requests per second, milliseconds at the 99th percentile, and how many were answered. */
export interface Load {
  perSecond: number
  p99: number
  answered: number
}

/** Shorter than the server keeps a connection that nothing goes over: one of both closing it just then would be a failed call. */
const idleMs = 30_000

const agents = new Map<string, http.Agent>()
/** One agent an origin, so that connections are open before the clock starts. */
const agentOf = (origin: string): http.Agent => {
  const agent = agents.get(origin) ?? new http.Agent({ keepAlive: true, maxSockets: 64, timeout: idleMs })
  agents.set(origin, agent)
  return agent
}

/** Sends one request and answers its body. Throws unless the status is 200. */
export const send = (origin: string, { method, path, headers, body }: Request): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = http.request(
      `${origin}${path}`,
      {
        method,
        agent: agentOf(origin),
        headers: {
          ...headers,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve(text)
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`))
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })

/** Reads an answer of any length without keeping it; answers its bytes. */
export const drain = (origin: string, { path, headers }: Request): Promise<number> =>
  new Promise((resolve, reject) => {
    http
      .get(`${origin}${path}`, { agent: agentOf(origin), headers }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('error', reject)
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`${path} answered ${response.statusCode}`)),
        )
      })
      .on('error', reject)
  })

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Keeps `connections` requests under way for a time. `next(connection)` makes each connection's next request. */
export const press = async (
  origin: string,
  next: (connection: number) => Request,
  { connections = 16, forMs }: { connections?: number; forMs: number },
): Promise<Load> => {
  const took: number[] = []
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      while (performance.now() - started < forMs) {
        const begun = performance.now()
        await send(origin, next(connection))
        took.push(performance.now() - begun)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  return { perSecond: took.length / seconds, p99: percentile(took, 0.99), answered: took.length }
}

/** Lets the bench end: open connections would hold it. */
export const hangUp = (): void => {
  for (const agent of agents.values()) agent.destroy()
}
