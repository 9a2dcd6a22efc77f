import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseProxy } from '../../server/test/proxy.ts'
import type { Cluster } from './cluster.ts'

/** What a round does to the cluster. */
interface Harm {
  what: string
  /** Within how many seconds a punch must be acknowledged again, and a list read. */
  writes: number
  reads: number
  /** Answers since when it counts, and how what was lost comes back as a machine or a supervisor would bring it. */
  begin(cluster: Cluster): Promise<{ since?: number; repair?: () => void }>
}

const heldMs = 8_000

/** The parts are connected again after a while; where there is no way around the link, that is when it counts from. */
const holdLink = async (
  links: readonly DatabaseProxy[],
  how: 'cut' | 'hang',
  isOnlyWay: boolean,
): Promise<{ since?: number }> => {
  for (const link of links) how === 'cut' ? link.cut(true) : link.let('none')
  await sleep(heldMs)
  for (const link of links) how === 'cut' ? link.cut(false) : link.let('both')
  return isOnlyWay ? { since: performance.now() } : {}
}

const killPostgres: Harm = {
  what: 'kill -9 of the primary’s PostgreSQL',
  writes: 15,
  reads: 5,
  begin: async (cluster) => {
    await (await cluster.leader()).killPostgres()
    return {}
  },
}
const losePrimary: Harm = {
  what: 'loss of the primary’s node',
  writes: 30,
  reads: 5,
  begin: async (cluster) => {
    const node = await cluster.leader()
    await node.kill()
    return { repair: () => node.patroni.start() }
  },
}
const loseStandby: Harm = {
  what: 'loss of the standby that acknowledges',
  writes: 15,
  reads: 5,
  begin: async (cluster) => {
    const now = await cluster.members()
    const node = cluster.nodes.find(({ name }) => name === now?.synchronous)
    await node?.kill()
    return { repair: () => node?.patroni.start() }
  },
}
const killEtcd: Harm = {
  what: 'kill -9 of etcd’s leader',
  writes: 15,
  reads: 5,
  begin: async (cluster) => {
    const member = await cluster.leaderOfEtcd()
    await member.kill('SIGKILL')
    return { repair: () => member.start() }
  },
}
const killPooler: Harm = {
  what: 'kill -9 of the pooler',
  writes: 15,
  reads: 5,
  begin: async ({ pooler }) => {
    await pooler.kill('SIGKILL')
    return {}
  },
}
let turn = 0
const killWeb: Harm = {
  what: 'kill -9 of a web process',
  writes: 15,
  reads: 5,
  begin: async ({ web }) => {
    await web[turn++ % web.length]!.kill('SIGKILL')
    return {}
  },
}
const killWorker: Harm = {
  what: 'kill -9 of the worker',
  writes: 15,
  reads: 5,
  begin: async ({ worker }) => {
    await worker.kill('SIGKILL')
    return {}
  },
}
const link = (
  what: string,
  how: 'cut' | 'hang',
  of: (cluster: Cluster) => DatabaseProxy | Promise<DatabaseProxy>,
): Harm => ({
  what: `${what} ${how === 'cut' ? 'cut' : 'hanging'} for ${heldMs / 1_000} s`,
  writes: 15,
  reads: 5,
  begin: async (cluster) => holdLink([await of(cluster)], how, true),
})
const isolate = (how: 'cut' | 'hang'): Harm => ({
  what: `primary’s links to etcd ${how === 'cut' ? 'cut' : 'hanging'} for ${heldMs / 1_000} s`,
  writes: 30,
  reads: 5,
  begin: async (cluster) => holdLink((await cluster.leader()).etcdLinks, how, false),
})
const primaryLink = async (cluster: Cluster): Promise<DatabaseProxy> => (await cluster.leader()).link
const poolerLink = ({ links }: Cluster): DatabaseProxy => links.poolerToBalancer
const webLink = ({ links }: Cluster): DatabaseProxy => links.webToPooler[0]!

/** In this order, from the beginning again after the last. */
export const harms: readonly Harm[] = [
  killPostgres,
  link('link to the primary (its replication, too)', 'hang', primaryLink),
  losePrimary,
  killEtcd,
  killPooler,
  link('link from a web process to the pooler', 'hang', webLink),
  killWeb,
  isolate('hang'),
  link('link from the pooler to the balancer', 'cut', poolerLink),
  loseStandby,
  link('link from the pooler to the balancer', 'hang', poolerLink),
  killWorker,
  isolate('cut'),
  link('link to the primary (its replication, too)', 'cut', primaryLink),
]
