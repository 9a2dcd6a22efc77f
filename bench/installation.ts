import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '#server/core/database/embedded.ts'
import type { Log } from '#server/core/database/log.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { generate } from '#server/demo/generate.ts'
import { serverArguments, serverEnvironment } from '../scripts/lib/server.mjs'

const root = join(import.meta.dirname, '..')
const quiet: Log = { info: () => {}, warn: () => {}, error: (message) => console.error(message) }

/** One account with the headers that sign it in, at the product and at the reference alike. */
export interface SignedIn {
  accountId: number
  programId: number
  headers: Record<string, string>
}

/** Two processes that answer the same calls on the same PostgreSQL. */
export interface Installation {
  scale: number
  ours: Process
  bare: Process
  owner: pg.Pool
  /** As the product itself connects. */
  appUrl: string
  /** Milliseconds from starting the product's process to the first ready answer; of it, from when PostgreSQL was ready. */
  readyMs: number
  readyAfterDatabaseMs: number
  /** Minutes that making the data took, without starting PostgreSQL. */
  makingMinutes: number
  dataDir: string
  /** Starts the product again after it was killed, on a port of its own choice. */
  startOurs(): Promise<void>
  endBare(): Promise<void>
  signIn(accountIds: readonly number[]): Promise<SignedIn[]>
  /** Seconds of processor that PostgreSQL has used; NaN where the system does not tell. */
  databaseSeconds(): number
  /** The same without what it does by itself, and without connections that have ended. */
  backendSeconds(): number
  stop(): Promise<void>
}

export interface Process {
  origin: string
  pid: number
  child: ChildProcess
}

const ticksPerSecond = 100

const statOf = (pid: number): string[] | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold spaces; what follows it starts with field 3.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Seconds of processor a process has used, user and system; NaN where the system does not tell. */
export const processorSeconds = (pid: number): number => {
  const stat = statOf(pid)
  return stat ? (Number(stat[11]) + Number(stat[12])) / ticksPerSecond : Number.NaN
}

/** A process and its children, and what its ended children used. */
const familySeconds = (pid: number): number => {
  const parent = statOf(pid)
  if (!parent) return Number.NaN
  let ticks = Number(parent[11]) + Number(parent[12]) + Number(parent[13]) + Number(parent[14])
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (stat && Number(stat[1]) === pid) ticks += Number(stat[11]) + Number(stat[12])
  }
  return ticks / ticksPerSecond
}

/** The processes of PostgreSQL that answer statements: what it does by itself, such as vacuuming what was just made, is not in it. */
const backendSeconds = (postmaster: number): number => {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (!stat || Number(stat[1]) !== postmaster) continue
    const title = readFileSync(`/proc/${name}/cmdline`, 'utf8')
    if (!/autovacuum|checkpointer|background writer|walwriter|io worker/.test(title))
      ticks += Number(stat[11]) + Number(stat[12])
  }
  return ticks / ticksPerSecond
}

/** Memory of a process in MiB: what it holds now, or the most it ever held. */
export const memoryMiB = (pid: number, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number => {
  try {
    const line = new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line ? Number(line[1]) / 1024 : Number.NaN
  } catch {
    return Number.NaN
  }
}

const origin = /https?:\/\/[\w.:[\]]+\d/

/** Starts Node.js with these arguments and waits until it says where it listens. */
const launch = async (args: readonly string[], env: Record<string, string>): Promise<Process> => {
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const found = await new Promise<string>((resolve, reject) => {
    let said = ''
    // Started with its output piped.
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const match = origin.exec(said)
      if (match) resolve(match[0].replace('localhost', '127.0.0.1'))
    })
    child.once('exit', () => reject(new Error(`${args.at(-1)} ended before it listened:\n${said}`)))
  })
  // It has answered, so it runs.
  return { origin: found, pid: child.pid!, child }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([ended, sleep(20_000, undefined, { ref: false })])
}

/** Makes an installation of this size in its own folder and starts the product and the reference on it. */
export const startInstallation = async (
  scale: number,
  { role = 'web' }: { role?: 'web' | 'all' } = {},
): Promise<Installation> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'practicum-bench-'))
  const first = await startEmbedded({ dataDir, log: quiet })
  let makingMinutes: number
  try {
    await migrate({ ownerUrl: first.ownerUrl, folder: migrationsFolder, log: quiet })
    const began = performance.now()
    await generate(first.ownerUrl, { scale })
    makingMinutes = (performance.now() - began) / 60_000
    const client = new pg.Client({ connectionString: first.ownerUrl })
    await client.connect()
    // Punches of the bench follow each other within seconds, as no student's do.
    await client.query('update site set allow_multiclock = true, reject_inaccurate_pins = false')
    await client.end()
  } finally {
    await first.stop()
  }
  const postmasterFile = join(dataDir, 'postgres', 'postmaster.pid')
  const started = performance.now()
  let databaseReady = Number.NaN
  // PostgreSQL writes "ready" into the eighth line of this file when it takes connections.
  const watch = setInterval(() => {
    if (!existsSync(postmasterFile) || !/\nready\s*$/.test(readFileSync(postmasterFile, 'utf8'))) return
    databaseReady = performance.now()
    clearInterval(watch)
  }, 5)
  const launchOurs = () =>
    launch(serverArguments, {
      ...serverEnvironment,
      DATA_DIR: dataDir,
      PORT: '0',
      ROLE: role,
      DEMO: '0',
      LOG_LEVEL: 'fatal',
      NODE_ENV: 'production',
    })
  const ours = await launchOurs()
  while (!(await fetch(`${ours.origin}/readyz`).catch(() => undefined))?.ok) await sleep(10)
  const readyMs = performance.now() - started
  const readyAfterDatabaseMs = performance.now() - databaseReady
  clearInterval(watch)
  const database = await startEmbedded({ dataDir, log: quiet, attach: true })
  const bare = await launch(['bench/bare.ts'], {
    DATABASE_URL: database.ownerUrl,
    NODE_ENV: 'production',
  })
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  owner.on('error', () => {})
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const installation: Installation = {
    scale,
    makingMinutes,
    dataDir,
    ours,
    bare,
    owner,
    appUrl: database.appUrl,
    readyMs,
    readyAfterDatabaseMs,
    startOurs: async () => {
      installation.ours = await launchOurs()
    },
    endBare: () => end(bare.child),
    signIn: (accountIds) =>
      Promise.all(
        accountIds.map(async (accountId) => {
          const token = randomBytes(32).toString('base64url')
          const csrf = randomBytes(32).toString('base64url')
          const { rows } = await owner.query(
            `with made as (insert into session (token_hash, csrf_token, account_id, expires_at, proven_at)
              values ($1, $2, $3, now() + interval '24 hours', now() + interval '24 hours'))
            select program_id::integer as program from account where id = $3`,
            [createHash('sha256').update(token).digest(), csrf, accountId],
          )
          return {
            accountId,
            programId: rows[0].program,
            headers: { cookie: `practicum_session=${token}`, 'x-csrf-token': csrf },
          }
        }),
      ),
    databaseSeconds: () => familySeconds(postmaster),
    backendSeconds: () => backendSeconds(postmaster),
    stop: async () => {
      await owner.end()
      await end(bare.child)
      await end(installation.ours.child)
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return installation
}
