import { connect, createServer, type Server, type Socket } from 'node:net'

/** Which way bytes still pass. */
export type Passing = 'both' | 'none' | 'to-database' | 'to-product'

/** Stands between the product and its database and can stop answering without closing anything. */
export interface DatabaseProxy {
  /** The product's address of the database, by way of this. */
  through(url: string): string
  let(passing: Passing): void
  /** Lets new connections pass; those of now stay open and dead for ever. */
  forget(): void
  stop(): Promise<void>
}

/** Starts a proxy; its target is the database of the first address that it is asked for. */
export const startProxy = async (): Promise<DatabaseProxy> => {
  let target = { host: '', port: 0 }
  let passing: Passing = 'both'
  const links = new Set<{ apply(): void; isForgotten: boolean }>()
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host)
    const link = {
      isForgotten: false,
      apply: () => {
        const way = link.isForgotten ? 'none' : passing
        if (way === 'both' || way === 'to-database') near.resume()
        else near.pause()
        if (way === 'both' || way === 'to-product') far.resume()
        else far.pause()
      },
    }
    links.add(link)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        links.delete(link)
        to.destroy()
      })
    }
    link.apply()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    through: (url) => {
      const [, host, ownPort] = /@([^:]+):(\d+)/.exec(url)!
      target = { host: decodeURIComponent(host!), port: Number(ownPort) }
      return url.replace(/@[^:]+:\d+/, `@127.0.0.1:${port}`)
    },
    let: (way) => {
      passing = way
      for (const link of links) link.apply()
    },
    forget: () => {
      passing = 'both'
      for (const link of links) {
        link.isForgotten = true
        link.apply()
      }
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
