import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Something that the machine lacks; one sentence that says what. */
export class MissingError extends Error {
  override name = 'MissingError'
}

/** A process of the cluster, which may be killed and started again. */
export interface Part {
  name: string
  /** What it has said since its first start. */
  log: string
  isRunning(): boolean
  start(): void
  /** Resolves when it is gone. What is supervised starts again by itself. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** For good. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** The user that servers run as: not root, which PostgreSQL and PgBouncer refuse. */
export interface PartUser {
  name: string
  uid: number
  gid: number
}

const packages = ['postgresql-15', 'patroni', 'etcd-server', 'pgbouncer', 'haproxy']
const binFolder = '/usr/lib/postgresql/15/bin'
const programs = ['patroni', 'etcd', '/usr/sbin/pgbouncer', '/usr/sbin/haproxy', `${binFolder}/postgres`]

const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' }).status === 0

const isInstalled = (): boolean => programs.every(isThere)

/**
 * Installs what is missing, as root on Debian, without starting any service.
 *
 * @throws MissingError elsewhere
 */
export const install = (say: (text: string) => void): void => {
  const missing = programs.filter((program) => !isThere(program))
  if (missing.length === 0) return
  const isAble = process.getuid?.() === 0 && isThere('apt-get')
  if (!isAble)
    throw new MissingError(
      `This machine has no ${missing.join(', ')}: install ${packages.join(', ')} of Debian 12, or run this as root there.`,
    )
  say(`Installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) throw new MissingError(`apt-get ${args[0]} failed: ${stderr.trim()}`)
  }
  if (!isInstalled())
    throw new MissingError('The packages are installed, but are not those of Debian 12 with PostgreSQL 15.')
}

export const chooseUser = (): PartUser => {
  if (process.getuid?.() !== 0) {
    const { username, uid, gid } = userInfo()
    return { name: username, uid, gid }
  }
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout),
  )
  // Two options went in.
  return { name: 'postgres', uid: uid!, gid: gid! }
}

const versionOf = (program: string): string =>
  /\d+\.\d+(\.\d+)?/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? '?'

/** What the result was measured with. */
export const versions = (): string =>
  [
    `PostgreSQL ${versionOf(`${binFolder}/postgres`)}`,
    `Patroni ${versionOf('patroni')}`,
    `etcd ${versionOf('etcd')}`,
    `HAProxy ${/\d+\.\d+\.\d+/.exec(spawnSync('/usr/sbin/haproxy', ['-v'], { encoding: 'utf8' }).stdout)?.[0]}`,
    `PgBouncer ${versionOf('/usr/sbin/pgbouncer')}`,
  ].join(', ')

/** Ports that nobody uses just now. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

const supervisorMs = 500

/** Starts a program that writes its log into `folder`. */
export const startPart = (
  name: string,
  folder: string,
  [command = '', ...args]: readonly string[],
  {
    user,
    env = {},
    cwd = folder,
    isSupervised = false,
  }: { user?: PartUser; env?: NodeJS.ProcessEnv; cwd?: string; isSupervised?: boolean } = {},
): Part => {
  const path = join(folder, `${name}.log`)
  let child: ChildProcess | undefined
  let isWanted = true
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null
  const part: Part = {
    name,
    get log() {
      return readFileSync(path, 'utf8')
    },
    isRunning,
    start: () => {
      const log = openSync(path, 'a')
      child = spawn(command, args, {
        ...(user && { uid: user.uid, gid: user.gid }),
        cwd,
        env: { ...process.env, ...env },
        stdio: ['ignore', log, log],
        // A Ctrl-C is for this command alone, which ends its parts in order.
        detached: true,
      })
      child.on('error', (error) => console.error(`${name} cannot be started: ${error.message}`))
      closeSync(log)
      if (isSupervised)
        child.on('exit', () => {
          // As systemd does with Restart=always.
          if (isWanted) setTimeout(() => isWanted && part.start(), supervisorMs)
        })
    },
    end: async (signal) => {
      isWanted = false
      await part.kill(signal)
    },
    kill: async (signal) => {
      if (!child || !isRunning()) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
  part.start()
  return part
}

/** Looks again until it is so. */
export const until = async (
  what: string,
  isSo: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> => {
  const limit = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`Waited ${limitMs / 1_000} s in vain until ${what}.`)
    await sleep(100)
  }
}
