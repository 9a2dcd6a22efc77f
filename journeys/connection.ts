import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** `one-way`: what is sent arrives, and no answer comes back. */
export type Way = 'open' | 'cut' | 'one-way'

/** Stands between the browser and the product as the network does, and can be cut like it. */
export interface Connection {
  /** What the browser knows as the product; without a slash at the end. */
  address: string
  /** Where the product is. */
  leadTo: (address: string) => void
  set: (way: Way) => void
  /** From now on the service worker is another one, each time it is called. */
  renewWorker: () => void
  close: () => Promise<void>
}

export const startConnection = async (): Promise<Connection> => {
  let port = ''
  let way: Way = 'open'
  let version = ''
  let versions = 0
  const sockets = new Set<Socket>()
  const answer = (asked: IncomingMessage, reply: ServerResponse) => {
    const isWorker = /\/sw\.js(\?|$)/.test(asked.url ?? '')
    const headers = { ...asked.headers, ...(isWorker && { 'accept-encoding': 'identity' }) }
    const onward = request(
      { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers },
      (answered) => {
        if (way !== 'open') return void asked.socket.destroy()
        const { 'content-length': _length, ...rest } = answered.headers
        reply.writeHead(answered.statusCode ?? 502, isWorker ? rest : answered.headers)
        answered.pipe(reply, { end: !isWorker })
        if (isWorker) answered.on('end', () => reply.end(version))
      },
    )
    onward.on('error', () => asked.socket.destroy())
    reply.on('close', () => onward.destroy())
    asked.pipe(onward)
  }
  const server = createServer(answer)
  server.on('connection', (socket: Socket) => {
    if (way === 'cut') return void socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    leadTo: (target) => {
      port = new URL(target).port
    },
    set: (next) => {
      way = next
      if (way === 'cut') for (const socket of sockets) socket.destroy()
    },
    renewWorker: () => {
      versions += 1
      version = `\n// Version ${versions}.`
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
