import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { claimDataDir, DataDirError } from '#server/core/config/data-dir.ts'
import { addAcross, makeAcross } from './across-role.ts'
import { type DataDirLock, findLockHolder, tryLockDataDir } from './data-dir-lock.ts'
import { embeddedSettings } from './embedded-settings.ts'
import type { Log } from './log.ts'
import { findPostgresProgram, type PostgresProgram, postgresEnvironment } from './postgres-program.ts'
import { isPostgresOn, stateOfProcess, waitForEnd } from './processes.ts'
import { markFolder, refuseMarkedFolder } from './unfinished-restore.ts'

export type EmbeddedOptions = {
  /** Absolute path; made when it is absent. */
  dataDir: string
  log: Log
  /** Trades durability for speed; for tests only. */
  tests?: boolean
  /** When another process runs on this `DATA_DIR`, use its server instead of refusing; for commands like backup. */
  attach?: boolean
  /** Makes a database for a restore, also where one was broken off before it had one. */
  isRestore?: boolean
  /** Called once, when the server's process has been started and is waited for: time for other work. */
  onLaunched?: () => void
}

export type EmbeddedDatabase = {
  /** Migrates and owns everything; not a superuser, so that migrations work on any server. */
  ownerUrl: string
  /** Serves; row-level security binds it. */
  appUrl: string
  /** A server left over by a killed process was taken over. */
  adopted: boolean
  /** The server belongs to another process, which migrated it and will stop it. */
  attached: boolean
  /** Ends the server with a checkpoint; first end every pool. Does nothing when attached. */
  stop(): Promise<void>
}

export const embeddedMajorVersion = 18

const databaseName = 'practicum'
const superuser = 'postgres'
/** sun_path less its closing zero. */
const longestSocketPathBytes = process.platform === 'darwin' ? 103 : 107
const socketName = '.s.PGSQL.5432'
const isWindows = process.platform === 'win32'
/** A process id that no system gives out, for a postmaster.pid that names somebody else's process. */
const deadPid = 2_147_483_647
const stopPatienceMs = 60_000
const attachPatienceMs = 60_000
const slowStartMs = 5_000
const leftoverPatienceMs = 15_000

type Place = {
  dataDir: string
  /** PostgreSQL's own data folder. */
  dataFolder: string
  logFolder: string
  /** Empty on Windows. */
  socketFolder: string
  log: Log
}

type Address = { host: string; port: number; password: string }

/**
 * Starts the PostgreSQL inside `DATA_DIR` and keeps it running: when it or its supervisor dies, it is started again
 * within a second, until `stop` is called or this process ends in any way.
 *
 * A server that a killed process left behind is proved to be ours, stopped and started again (some 0.2 s). Using it
 * as it is would leave it without a supervisor, and it may already be on its way down.
 *
 * @throws DataDirError with one sentence for whatever is wrong with `DATA_DIR`
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  claimDataDir(options.dataDir)
  const dataDir = realpathSync(options.dataDir)
  const deadline = Date.now() + attachPatienceMs
  for (;;) {
    const lock = tryLockDataDir(dataDir)
    if (lock) return await runServer(options, dataDir, lock)
    if (!options.attach) throw new DataDirError(busyMessage(dataDir))
    const found = await findServerOfOther(dataDir)
    if (found) return { ...urlsOf(dataDir, found), adopted: false, attached: true, stop: async () => {} }
    if (Date.now() > deadline) {
      throw new DataDirError(
        `${busyMessage(dataDir)} Its database has not answered for ${attachPatienceMs / 1000} seconds.`,
      )
    }
    await sleep(100)
  }
}

function busyMessage(dataDir: string): string {
  const holder = findLockHolder(dataDir)
  const who = holder === undefined ? '' : ` (process ${holder})`
  return `Practicum already runs on this DATA_DIR${who}: stop it first, or choose another DATA_DIR and PORT.`
}

async function runServer(
  options: EmbeddedOptions,
  dataDir: string,
  lock: DataDirLock,
): Promise<EmbeddedDatabase> {
  const { log, tests = false } = options
  try {
    const dataFolder = join(dataDir, 'postgres')
    if (!options.isRestore) refuseMarkedFolder(dataDir)
    else if (!existsSync(dataFolder)) markFolder(dataDir)
    const program = findPostgresProgram(dataDir, dataFolder)
    const place: Place = {
      dataDir,
      dataFolder,
      logFolder: join(dataDir, 'log'),
      socketFolder: socketFolderOf(dataDir),
      log,
    }
    removeDrafts(dataDir)
    checkMajorVersion(dataFolder)
    program.ownFolder(place.logFolder)
    if (!isWindows) ownSocketFolder(place, program)
    const adopted = await endLeftover(place)
    const isNew = !existsSync(dataFolder)
    if (isNew) createDataFolder(place, program)
    program.ownFolder(dataFolder)
    const address = await chooseAddress(place)
    const server = keepRunning(place, program, address, tests)
    options.onLaunched?.()
    await server.started
    if (!isNew) await addAcross(superuserOf(dataDir, address), embeddedMajorVersion * 10_000)
    if (adopted) log.info('The database of a process that was killed has been taken over; nothing is lost.')
    return {
      ...urlsOf(dataDir, address),
      adopted,
      attached: false,
      async stop() {
        await server.stop()
        await endLeftover(place)
        if (!place.socketFolder.startsWith(dataDir))
          rmSync(place.socketFolder, { recursive: true, force: true })
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function urlsOf(dataDir: string, { host, port, password }: Address): { ownerUrl: string; appUrl: string } {
  const at = `${encodeURIComponent(host)}:${port}/${databaseName}?sslmode=disable`
  const secret = isWindows ? `:${password || readPassword(dataDir)}` : ''
  return { ownerUrl: `postgresql://owner${secret}@${at}`, appUrl: `postgresql://app${secret}@${at}` }
}

function socketFolderOf(dataDir: string): string {
  if (isWindows) return ''
  const inside = join(dataDir, 'socket')
  if (Buffer.byteLength(join(inside, socketName)) <= longestSocketPathBytes) return inside
  const name = `practicum-${createHash('sha256').update(dataDir).digest('hex').slice(0, 20)}`
  const inTemporary = join(tmpdir(), name)
  return Buffer.byteLength(join(inTemporary, socketName)) <= longestSocketPathBytes
    ? inTemporary
    : join('/tmp', name)
}

/** The temporary folder is everybody's: whoever made our folder there first could replace the socket in it. */
function ownSocketFolder(place: Place, program: PostgresProgram): void {
  const { socketFolder } = place
  const existing = lstatSync(socketFolder, { throwIfNoEntry: false })
  const allowed = [process.getuid?.(), statSync(place.logFolder).uid]
  if (existing && (!existing.isDirectory() || !allowed.includes(existing.uid))) {
    throw new DataDirError(
      `The folder for the database socket (${socketFolder}) belongs to someone else: remove it, or choose a shorter ` +
        'DATA_DIR.',
    )
  }
  program.ownFolder(socketFolder)
}

/** What a start that was cut off left behind; its initdb may still be writing there, then the next start clears it. */
function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!/^postgres(-programs-.+)?\.new/.test(name)) continue
    try {
      rmSync(join(dataDir, name), { recursive: true, force: true })
    } catch {
      // Every draft has its own name, so this one is in nobody's way.
    }
  }
}

function checkMajorVersion(dataFolder: string): void {
  const file = join(dataFolder, 'PG_VERSION')
  if (!existsSync(dataFolder)) return
  let version: string
  try {
    version = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown'
  } catch {
    throw new DataDirError(
      `The database in DATA_DIR (${dataFolder}) belongs to another user of this machine: start Practicum as that user.`,
    )
  }
  if (version === String(embeddedMajorVersion)) return
  throw new DataDirError(
    `The database in DATA_DIR (${dataFolder}) is of PostgreSQL ${version}, and this Practicum brings ` +
      `${embeddedMajorVersion}: nothing was changed; back it up with the Practicum that made it and restore it into a ` +
      'new DATA_DIR.',
  )
}

/**
 * Makes the data folder with its roles and its database under another name and renames it when all is on the disk: a
 * folder named `postgres` is always complete.
 */
function createDataFolder(place: Place, program: PostgresProgram): void {
  const draft = `${place.dataFolder}.new-${randomBytes(4).toString('hex')}`
  program.ownFolder(draft)
  const passwordFile = join(place.logFolder, 'password.new')
  const password = isWindows ? makePassword(place.dataDir) : ''
  const args = [
    ...['--pgdata', draft, '--username', superuser, '--encoding', 'UTF8', '--no-instructions'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
  ]
  if (isWindows) {
    writeFileSync(passwordFile, password, { mode: 0o600 })
    args.push('--auth', 'scram-sha-256', '--pwfile', passwordFile)
  } else {
    args.push('--auth-local', 'trust', '--auth-host', 'reject')
  }
  const clause = isWindows ? ` password '${password}'` : ''
  // Single-user mode reads one statement a line.
  const statements = [
    `create role owner login createdb${clause};`,
    // To drop a database although connections of the app were left open.
    'grant pg_signal_backend to owner;',
    `create role app login${clause};`,
    ...makeAcross(embeddedMajorVersion * 10_000),
    `create database ${databaseName} owner owner;`,
  ]
  try {
    const made = program.run(program.initdb, args)
    if (made.status !== 0) throw startError(place, made.error?.message ?? lastWords(made.stderr))
    const single = [
      '--single',
      '-c',
      'exit_on_error=on',
      '-c',
      'log_checkpoints=off',
      '-D',
      draft,
      'postgres',
    ]
    const filled = program.run(program.postgres, single, `${statements.join('\n')}\n`)
    if (filled.status !== 0) throw startError(place, filled.error?.message ?? lastWords(filled.stderr))
    renameSync(draft, place.dataFolder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Only where there are no Unix sockets, so that other users of the machine cannot connect. */
function makePassword(dataDir: string): string {
  const password = randomBytes(24).toString('base64url')
  writeFileSync(join(dataDir, 'postgres.password'), password, { mode: 0o600, flush: true })
  return password
}

function readPassword(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres.password'), 'utf8')
}

async function chooseAddress(place: Place): Promise<Address> {
  if (!isWindows) return { host: place.socketFolder, port: 5432, password: '' }
  return { host: '127.0.0.1', port: await findFreePort(), password: readPassword(place.dataDir) }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

type PostmasterFile = { pid: number; port: number }

/** Lines: process id, data folder, start time, port, socket folder, address, shared memory, status. */
function readPostmasterFile(dataFolder: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
    return pid > 0 ? { pid, port: Number(lines[3]) } : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes room for a new server. Called only with the lock held, so no living Practicum uses the old one.
 *
 * A postmaster.pid with a dead process is PostgreSQL's own business. One whose id was given to another process of the
 * same user would keep it from starting for ever, so its first line is rewritten; the file stays, because the
 * shared-memory key in it still keeps a new server away from leftover backends.
 *
 * @returns whether a living server was there
 */
async function endLeftover(place: Place): Promise<boolean> {
  const file = readPostmasterFile(place.dataFolder)
  const state = file ? stateOfProcess(file.pid) : 'absent'
  let isLiving = false
  if (file && state !== 'absent') {
    const address = { host: isWindows ? '127.0.0.1' : place.socketFolder, port: file.port, password: '' }
    isLiving =
      state === 'running' && (isPostgresOn(file.pid, place.dataFolder) || (await isAnswering(place, address)))
    if (isLiving) await endServer(place, file.pid)
    else nameDeadProcess(place.dataFolder)
  }
  for (const name of isWindows ? [] : [socketName, `${socketName}.lock`]) {
    rmSync(join(place.socketFolder, name), { force: true })
  }
  return isLiving
}

async function endServer(place: Place, pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', stopPatienceMs],
    ['SIGQUIT', 10_000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (await waitForEnd(pid, patienceMs)) {
      if (stateOfProcess(pid) === 'zombie') nameDeadProcess(place.dataFolder)
      return
    }
  }
  throw new DataDirError(
    `A database left over from before (process ${pid}) still holds DATA_DIR (${place.dataDir}) and does not end: ` +
      'nothing was changed; end that process and start again.',
  )
}

function nameDeadProcess(dataFolder: string): void {
  const path = join(dataFolder, 'postmaster.pid')
  const [, ...rest] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  if (rest.length > 0) writeFileSync(path, [deadPid, ...rest].join('\n'))
}

function superuserOf(dataDir: string, { host, port }: Address): Client {
  const client = new Client({
    host,
    port,
    user: superuser,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    ...(isWindows ? { password: readPassword(dataDir) } : {}),
  })
  client.on('error', () => {})
  return client
}

/** Whether the server at this address works on our data folder. */
async function isAnswering(place: Pick<Place, 'dataDir' | 'dataFolder'>, address: Address): Promise<boolean> {
  const client = superuserOf(place.dataDir, address)
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    )
    return realpathSync(rows[0]!.folder) === place.dataFolder
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function findServerOfOther(dataDir: string): Promise<Address | undefined> {
  const dataFolder = join(dataDir, 'postgres')
  const file = readPostmasterFile(dataFolder)
  if (!file) return undefined
  const address = { host: isWindows ? '127.0.0.1' : socketFolderOf(dataDir), port: file.port, password: '' }
  return (await isAnswering({ dataDir, dataFolder }, address)) ? address : undefined
}

const leftoverDelayMs = 100
const isHeldByLeftovers = (message: string): boolean => /shared memory/.test(message)

/**
 * How long to wait before the database is started again. Backends of a killed server end within moments of each other, so
 * that is tried again soon; whatever else keeps it from starting needs somebody to fix it, and is tried less and less often.
 */
export const relaunchDelayMs = (attempt: number, message: string): number =>
  isHeldByLeftovers(message) ? leftoverDelayMs : Math.min(50 * 2 ** (attempt - 1), 2_000)

type KeptServer = { started: Promise<void>; stop(): Promise<void> }

/** Starts the server, and again whenever it ends unasked. Only the first start may fail. */
function keepRunning(place: Place, program: PostgresProgram, address: Address, tests: boolean): KeptServer {
  let isStopping = false
  let child: ChildProcess | undefined

  async function launch(): Promise<void> {
    // PostgreSQL removes the file when it stops cleanly, and writes its own as soon as it starts.
    const hadUncleanEnd = existsSync(join(place.dataFolder, 'postmaster.pid'))
    const launched = spawnSupervisor(place, program, address, tests)
    try {
      await waitUntilReady(place, launched, address, hadUncleanEnd)
    } catch (error) {
      await endChild(launched)
      throw error
    }
    child = launched
    launched.once('exit', () => {
      if (!isStopping) working = relaunch()
    })
    // It may have died between its last answer and the line above.
    if (launched.exitCode !== null || launched.signalCode !== null)
      throw startError(place, 'it ended at once')
  }

  async function relaunch(): Promise<void> {
    place.log.error('The database ended unexpectedly; it is being started again.')
    for (let attempt = 1; !isStopping; attempt++) {
      try {
        await endLeftover(place)
        await launch()
        place.log.info('The database runs again.')
        return
      } catch (error) {
        const { message } = error as Error
        place.log.error(message)
        await sleep(relaunchDelayMs(attempt, message))
      }
    }
  }

  /** Backends outlive a killed postmaster for a moment and hold its shared memory. */
  async function launchAfterLeftovers(): Promise<void> {
    const deadline = Date.now() + leftoverPatienceMs
    for (;;) {
      try {
        return await launch()
      } catch (error) {
        if (!isHeldByLeftovers((error as Error).message) || Date.now() > deadline) throw error
        await sleep(leftoverDelayMs)
      }
    }
  }

  const started = launchAfterLeftovers()
  let working = started
  return {
    started,
    async stop() {
      isStopping = true
      await working.catch(() => {})
      if (child) await endChild(child)
    },
  }
}

function spawnSupervisor(
  place: Place,
  program: PostgresProgram,
  address: Address,
  tests: boolean,
): ChildProcess {
  const invocation = program.invocation(program.postgres, [
    ...['-D', place.dataFolder],
    ...Object.entries(
      embeddedSettings(
        {
          port: address.port,
          listenAddress: isWindows ? address.host : '',
          socketFolder: place.socketFolder,
          logFolder: place.logFolder,
        },
        tests,
      ),
    ).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const stopCommand = isWindows
    ? { stopCommand: program.pgCtl, stopArgs: ['stop', '-m', 'fast', '-D', place.dataFolder] }
    : {}
  const output = openSync(startLogOf(place), 'w', 0o600)
  try {
    // Detached: a Ctrl-C in the terminal must reach the app only, or the database stops before the app has drained.
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('supervisor.mjs', import.meta.url)),
        JSON.stringify({ ...invocation, ...stopCommand }),
      ],
      {
        cwd: place.dataDir,
        detached: true,
        env: postgresEnvironment(),
        stdio: ['pipe', output, output],
        windowsHide: true,
      },
    )
    child.on('error', () => {})
    child.stdin?.on('error', () => {})
    child.unref()
    // The type hides that the pipe is a socket. It must not keep this process alive.
    ;(child.stdin as unknown as { unref(): void }).unref()
    return child
  } finally {
    closeSync(output)
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.ref()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  await ended
}

/**
 * Resolves when the server answers; a long crash recovery may take its time as long as the process lives. Only a recovery is
 * worth a line in the log: a slow start on a busy machine is not.
 */
async function waitUntilReady(
  place: Place,
  child: ChildProcess,
  address: Address,
  hadUncleanEnd: boolean,
): Promise<void> {
  const startedAt = Date.now()
  let isNoticed = !hadUncleanEnd
  while (!(await isAnswering(place, address))) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      throw startError(place, lastWords(readStartLog(place)))
    }
    if (!isNoticed && Date.now() - startedAt > slowStartMs) {
      isNoticed = true
      place.log.info('The database is recovering from an unclean shutdown; this can take a while.')
    }
    await sleep(10)
  }
}

function startLogOf(place: Place): string {
  return join(place.logFolder, 'start.log')
}

function readStartLog(place: Place): string {
  try {
    return readFileSync(startLogOf(place), 'utf8')
  } catch {
    return ''
  }
}

/** The line in which PostgreSQL gives its reason, without time and process. */
function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reason =
    lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it said nothing'
  return reason.replace(/^.*?(FATAL|PANIC|error): */, '').trim()
}

function startError(place: Place, reason: string): DataDirError {
  return new DataDirError(
    `The database in DATA_DIR (${place.dataDir}) did not start (${reason}): the data is untouched; ` +
      `see ${place.logFolder} for more.`,
  )
}
