import { connect, createServer, type Server, type Socket } from 'node:net'

/** Which way bytes still pass. */
export type Passing = 'both' | 'none' | 'to-database' | 'to-product'

/** Stands between the product and its database, or between any two parts, and can stop answering without closing anything. */
export interface DatabaseProxy {
  /** On 127.0.0.1. */
  port: number
  /** The product's address of the database, by way of this. */
  through(url: string): string
  let(passing: Passing): void
  /** Lets new connections pass; those of now stay open and dead for ever. */
  forget(): void
  /** Closes all connections and refuses new ones, until it is called with false. */
  cut(isCut: boolean): void
  stop(): Promise<void>
}

/** Starts a proxy. Its target is what is given, or the database of the first address that it is asked for. */
export const startProxy = async (given = { host: '', port: 0 }): Promise<DatabaseProxy> => {
  let target = given
  let passing: Passing = 'both'
  let isCut = false
  const links = new Set<{ apply(): void; isForgotten: boolean }>()
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
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
    port,
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
    cut: (isNowCut) => {
      isCut = isNowCut
      if (isCut) for (const socket of sockets) socket.destroy()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
