import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseProxy, startProxy } from '../../server/test/proxy.ts'
import { chooseUser, freePorts, type Part, startPart, until } from './parts.ts'

const configFolder = join(import.meta.dirname, '..', '..', 'docs', 'cluster')
const root = join(import.meta.dirname, '..', '..')
const numbers = [1, 2, 3]

/** A node of Patroni with its PostgreSQL. */
export interface Node {
  name: string
  patroni: Part
  /** Ends its PostgreSQL at once, as a crash does. */
  killPostgres(): Promise<void>
  /** Both at once, as a lost machine does. */
  kill(): Promise<void>
  /** How the pool's balancer reaches it. */
  link: DatabaseProxy
  /** How it reaches the members of etcd. */
  etcdLinks: DatabaseProxy[]
}

export interface Cluster {
  folder: string
  nodes: Node[]
  etcd: Part[]
  pooler: Part
  web: Part[]
  worker: Part
  /** By way of the pooler. */
  ownerUrl: string
  webUrls: string[]
  links: { webToPooler: DatabaseProxy[]; poolerToBalancer: DatabaseProxy }
  leader(): Promise<Node>
  /** The standby that acknowledges, and whether all three nodes follow. */
  members(): Promise<Members | undefined>
  leaderOfEtcd(): Promise<Part>
  /** Starts PgBouncer in another mode and answers its address for the product. */
  poolerIn(mode: string): Promise<{ url: string; part: Part }>
  productWith(url: string, name: string): Part
  stop(): Promise<void>
}

export interface Members {
  leader: string
  synchronous: string | undefined
  /** Whether the leader and two standbys that stream are there. */
  isWhole: boolean
}

/** Addresses of the files in `docs/cluster` by where they are in the test. */
type Places = Readonly<Record<string, number>>

/** A file of `docs/cluster` with its addresses and folders put in their places. */
const configured = (
  file: string,
  places: Places,
  folders: Readonly<Record<string, string>>,
  own: (line: string) => string = (line) => line,
): string => {
  let text = readFileSync(join(configFolder, file), 'utf8')
    .split('\n')
    .map((line) => own(line))
    .join('\n')
  for (const [address, port] of Object.entries(places)) {
    const [host, given] = address.split(':')
    for (const between of [':', ' port ', ' port='])
      text = text.replaceAll(`${host}${between}${given}`, `127.0.0.1${between}${port}`)
  }
  for (const [folder, other] of Object.entries(folders)) text = text.replaceAll(folder, other)
  return text.replaceAll('10.0.0.0/8', '127.0.0.1/32')
}

/** @param isGone asked until it is so */
const killByPid = async (pid: number): Promise<void> => {
  const isAlive = (): boolean => {
    try {
      process.kill(pid, 0)
      // One that only waits for its parent to take note does nothing any more.
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }
  if (!isAlive()) return
  process.kill(pid, 'SIGKILL')
  await until('a killed process is gone', () => !isAlive(), 10_000)
}

/**
 * A whole installation in a temporary folder, on free ports of loopback, by the files of `docs/cluster`: three members of etcd,
 * three nodes of Patroni, HAProxy, PgBouncer, two web processes and a worker. Every link between them that a round may cut or
 * hang goes through a proxy of this process.
 *
 * @param onBegun told how all of it is stopped, also while it starts
 */
export const startCluster = async (
  say: (text: string) => void,
  onBegun: (stop: () => Promise<void>) => void,
): Promise<Cluster> => {
  const user = chooseUser()
  const folder = mkdtempSync(join(tmpdir(), 'pr-cluster-'))
  chmodSync(folder, 0o755)
  const parts: Part[] = []
  const proxies: DatabaseProxy[] = []
  const dataFolders: string[] = []
  const ownFolder = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    chownSync(path, user.uid, user.gid)
    return path
  }
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    chownSync(path, user.uid, user.gid)
    return path
  }
  const proxyTo = async (port: number): Promise<DatabaseProxy> => {
    const proxy = await startProxy({ host: '127.0.0.1', port })
    proxies.push(proxy)
    return proxy
  }
  const part = (...args: Parameters<typeof startPart>): Part => {
    const started = startPart(...args)
    parts.push(started)
    return started
  }
  const pidOf = (data: string): number | undefined => {
    try {
      return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    } catch {
      return undefined
    }
  }
  const killPostgres = async (data: string): Promise<void> => {
    const pid = pidOf(data)
    if (pid) await killByPid(pid)
  }
  const stop = async (): Promise<void> => {
    // Those who start others again go first.
    for (const each of parts.toReversed()) await each.end('SIGKILL')
    for (const data of dataFolders) await killPostgres(data)
    for (const proxy of proxies) await proxy.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }

  onBegun(stop)
  try {
    const ports = await freePorts(17)
    // As many were asked for as are taken.
    const take = (): number => ports.pop()!
    const balancerPort = take()
    const replicasPort = take()
    const poolerPort = take()
    const peerPlaces: Record<string, number> = {}
    const clientPorts = numbers.map(take)
    const etcd: Part[] = []
    for (const number of numbers) peerPlaces[`etcd${number}.example.edu:2380`] = take()
    for (const [index, number] of numbers.entries()) {
      const own = (line: string): string =>
        line.startsWith('initial-cluster:') ? line : line.replaceAll('etcd1', `etcd${number}`)
      const text = configured(
        'etcd.yml',
        {
          ...peerPlaces,
          '0.0.0.0:2380': peerPlaces[`etcd${number}.example.edu:2380`]!,
          '0.0.0.0:2379': clientPorts[index]!,
          [`etcd${number}.example.edu:2379`]: clientPorts[index]!,
        },
        { '/var/lib/etcd/practicum': ownFolder(`etcd${number}`) },
        own,
      )
      const path = write(`etcd${number}.yml`, text)
      etcd.push(part(`etcd${number}`, folder, ['etcd', '--config-file', path], { user }))
    }

    // Patroni asks once which protocol they speak, and before they have agreed it is told an old one.
    for (const port of clientPorts)
      await until('the members of etcd agree', async () => {
        const reply = await fetch(`http://127.0.0.1:${port}/version`).catch(() => undefined)
        return reply?.ok === true && /"etcdcluster":"3\.[4-9]/.test(await reply.text())
      })

    const nodes: Node[] = []
    const postgresPorts = numbers.map(take)
    const restPorts = numbers.map(take)
    const links = await Promise.all(postgresPorts.map(proxyTo))
    const publicPlaces = Object.fromEntries(
      numbers.flatMap((number, index) => [
        [`db${number}.example.edu:5432`, links[index]!.port],
        [`db${number}.example.edu:8008`, restPorts[index]!],
      ]),
    )
    const rolesFile = write('roles.sql', readFileSync(join(configFolder, 'roles.sql'), 'utf8'))
    for (const [index, number] of numbers.entries()) {
      const etcdLinks = await Promise.all(clientPorts.map(proxyTo))
      const data = join(ownFolder(`db${number}`), 'data')
      dataFolders.push(data)
      const text = configured(
        'patroni.yml',
        {
          ...publicPlaces,
          '0.0.0.0:5432': postgresPorts[index]!,
          '0.0.0.0:8008': restPorts[index]!,
          ...Object.fromEntries(
            etcdLinks.map(({ port }, member) => [`etcd${member + 1}.example.edu:2379`, port]),
          ),
        },
        {
          '/var/lib/postgresql/15/practicum': data,
          '/var/lib/postgresql/patroni.pgpass': join(folder, `db${number}`, 'pgpass'),
          '/var/run/postgresql': join(folder, `db${number}`),
          '/etc/patroni/roles.sql': rolesFile,
        },
        (line) => line.replaceAll('db1', `db${number}`),
      )
      const path = write(`db${number}.yml`, text)
      const patroni = part(`db${number}`, folder, ['patroni', path], { user, env: { LC_ALL: 'C.UTF-8' } })
      nodes.push({
        name: `db${number}`,
        patroni,
        link: links[index]!,
        etcdLinks,
        killPostgres: () => killPostgres(data),
        kill: async () => {
          await patroni.kill('SIGKILL')
          await killPostgres(data)
        },
      })
    }

    const members = async (): Promise<Members | undefined> => {
      for (const port of restPorts) {
        const reply = await fetch(`http://127.0.0.1:${port}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        }).catch(() => undefined)
        if (!reply?.ok) continue
        const list = ((await reply.json()) as { members: { name: string; role: string; state: string }[] })
          .members
        const leader = list.find(({ role }) => role === 'leader')?.name
        if (leader === undefined) continue
        const synchronous = list.find(({ role }) => role === 'sync_standby')?.name
        // Patroni 3.0 says of a standby that follows that it runs, later ones that it streams.
        const running = list.filter(({ state }) => /^(running|streaming)$/.test(state))
        return { leader, synchronous, isWhole: running.length === 3 && synchronous !== undefined }
      }
      return undefined
    }
    say('Waiting for three nodes that follow …')
    await until('three nodes follow', async () => (await members())?.isWhole === true, 180_000)

    const balancerText = configured(
      'haproxy.cfg',
      { ...publicPlaces, '0.0.0.0:5000': balancerPort, '0.0.0.0:5001': replicasPort },
      { '/etc/haproxy': folder },
    )
    part('haproxy', folder, ['/usr/sbin/haproxy', '-db', '-f', write('haproxy.cfg', balancerText)], { user })
    const poolerToBalancer = await proxyTo(balancerPort)
    const usersFile = write('userlist.txt', readFileSync(join(configFolder, 'userlist.txt'), 'utf8'))
    const startPooler = (name: string, port: number, mode: string): Part => {
      const text = configured(
        'pgbouncer.ini',
        { 'haproxy.example.edu:5000': poolerToBalancer.port },
        { '/etc/pgbouncer/userlist.txt': usersFile },
      )
        .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')
        .replace('listen_port = 6432', `listen_port = ${port}`)
        .replace('pool_mode = session', `pool_mode = ${mode}`)
      return part(name, folder, ['/usr/sbin/pgbouncer', write(`${name}.ini`, text)], {
        user,
        isSupervised: true,
      })
    }
    const pooler = startPooler('pgbouncer', poolerPort, 'session')

    const files = ownFolder('files')
    const environment = (port: number): NodeJS.ProcessEnv =>
      Object.fromEntries(
        configured(
          'practicum.env',
          { 'pool.example.edu:6432': port, 'haproxy.example.edu:5001': replicasPort },
          { '/srv/practicum-files': files },
        )
          .split('\n')
          .filter((line) => /^[A-Z]/.test(line))
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
    const product = (name: string, poolPort: number, own: NodeJS.ProcessEnv): Part =>
      part(name, folder, [process.execPath, join(root, 'server', 'main.ts')], {
        cwd: root,
        isSupervised: true,
        env: { ...environment(poolPort), DATA_DIR: join(folder, name), LOG_LEVEL: 'info', ...own },
      })
    const webToPooler = await Promise.all([poolerPort, poolerPort].map(proxyTo))
    const web: Part[] = []
    const webUrls: string[] = []
    say('Starting two web processes and a worker …')
    for (const [index, link] of webToPooler.entries()) {
      const port = take()
      const each = product(`web${index + 1}`, link.port, { ROLE: 'web', PORT: String(port) })
      web.push(each)
      webUrls.push(`http://127.0.0.1:${port}/new/api`)
      await until(
        'a web process answers',
        () => {
          if (!each.isRunning()) throw new Error(`${each.name} ended: ${each.log}`)
          return / runs at /.test(each.log)
        },
        120_000,
      )
    }
    const worker = product('worker', poolerPort, { ROLE: 'worker' })

    return {
      folder,
      nodes,
      etcd,
      pooler,
      web,
      worker,
      ownerUrl: String(environment(poolerPort).DATABASE_URL),
      webUrls,
      links: { webToPooler, poolerToBalancer },
      members,
      leader: async () => {
        const now = await members()
        const node = nodes.find(({ name }) => name === now?.leader)
        if (!node) throw new Error('The cluster has no leader.')
        return node
      },
      leaderOfEtcd: async () => {
        for (const [index, port] of clientPorts.entries()) {
          const reply = await fetch(`http://127.0.0.1:${port}/v3/maintenance/status`, {
            method: 'POST',
            body: '{}',
          }).catch(() => undefined)
          if (!reply?.ok) continue
          const { leader, header } = (await reply.json()) as {
            leader: string
            header: { member_id: string }
          }
          if (leader === header.member_id) return etcd[index]!
        }
        throw new Error('etcd has no leader.')
      },
      poolerIn: async (mode) => {
        const [free] = await freePorts(1)
        // One port was asked for.
        const port = free!
        const part = startPooler(`pgbouncer-${mode}`, port, mode)
        await until('the pooler listens', () => part.log.includes('process up'), 10_000)
        return { url: String(environment(port).DATABASE_URL), part }
      },
      productWith: (url, name) =>
        part(name, folder, [process.execPath, join(root, 'server', 'main.ts')], {
          cwd: root,
          env: { ...environment(poolerPort), DATABASE_URL: url, DATA_DIR: join(folder, name), PORT: '0' },
        }),
      stop,
    }
  } catch (error) {
    for (const each of parts)
      if (each.log) console.error(`--- ${each.name}\n${each.log.split('\n').slice(-15).join('\n')}`)
    await stop()
    throw error
  }
}
