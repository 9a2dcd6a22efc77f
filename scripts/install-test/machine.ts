import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SetupError } from '../lib/process.mjs'

/** What a server of Debian has beside the base, and what the page installs: the machine itself has no network. */
const always = ['systemd', 'systemd-sysv', 'dbus']
const offered = ['nginx-light', 'postgresql', 'caddy']

const mustRun = (command: string, args: readonly string[]): void => {
  const { status, stderr, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')} failed: ${stderr || stdout}`)
}

/** A folder with a Debian in it, made once and kept beside other temporary files. */
const keep = (name: string, make: (folder: string) => void): string => {
  const folder = join(tmpdir(), 'practicum-install-test', name)
  if (existsSync(`${folder}.made`)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  make(folder)
  writeFileSync(`${folder}.made`, '')
  return folder
}

/** The least Debian that there is, as images are built on it. */
export const leastDebian = (): string =>
  keep('least', (folder) => mustRun('debootstrap', ['--variant=minbase', 'bookworm', folder]))

/** An empty server. */
export const emptyDebian = (): string =>
  keep('debian', (folder) => {
    mustRun('cp', ['--archive', '--no-target-directory', leastDebian(), folder])
    const apt = (...args: string[]) => mustRun('chroot', [folder, 'apt-get', ...args])
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...always)
    apt('install', '-y', '--download-only', ...offered)
  })

/** What a command said, and how it ended. */
export interface Said {
  status: number
  text: string
}

/** A Debian of its own with systemd as its first process and no network but itself. */
export interface Machine {
  root: string
  /** Runs a script as root in it. */
  run(commands: string): Said
  /** The arguments of `nsenter` with which a program of this machine runs in its network. */
  inNetwork(command: readonly string[]): string[]
  /** Runs a program of this machine in its network. */
  visit(command: string, args: readonly string[]): Said
  /** Changes settings as an editor would: a line of the same name, also a commented one, is replaced. */
  set(file: string, lines: readonly string[]): void
  stop(): Promise<void>
}

const leaderOf = (pid: number): number | undefined => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text ? Number(text.split(' ')[0]) : undefined
}

/** Copies the Debian and boots it. */
export const boot = async (debian: string): Promise<Machine> => {
  const root = mkdtempSync(join(tmpdir(), 'practicum-machine-'))
  mustRun('cp', ['--archive', '--no-target-directory', debian, root])
  return bootFrom(root)
}

const bootFrom = async (root: string): Promise<Machine> => {
  const options = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--console=pipe']
  const child: ChildProcess = spawn('systemd-nspawn', [...options, '--directory', root, '--boot'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let leader: number | undefined
  const enter = (options: readonly string[], args: readonly string[]): Said => {
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      ['-t', String(leader), ...options, '--', ...args],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      },
    )
    return { status: status ?? 1, text: `${stdout}${stderr}` }
  }
  const run = (commands: string): Said =>
    enter(
      ['-m', '-u', '-i', '-n', '-p', '-C', '-r', '-w'],
      [
        ...['/usr/bin/env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive'],
        ...['/bin/sh', '-e', '-c', `cd /root\n${commands}`],
      ],
    )
  for (let tries = 0; tries < 100; tries++) {
    leader ??= child.pid && leaderOf(child.pid)
    if (leader && /running|degraded/.test(run('systemctl is-system-running || true').text)) break
    await pause(200)
  }
  if (!leader) throw new SetupError('The machine does not start: systemd-nspawn needs root.')
  return {
    root,
    run,
    inNetwork: (command) => ['-t', String(leader), '-n', '--', ...command],
    visit: (command, args) => enter(['-n'], [command, ...args]),
    set: (file, lines) => {
      const path = join(root, file)
      for (const line of lines) {
        const name = line.slice(0, line.indexOf('='))
        const kept = readFileSync(path, 'utf8')
          .split('\n')
          .filter((each) => !new RegExp(`^#?${name}=`).test(each))
        writeFileSync(path, kept.join('\n'))
        appendFileSync(path, `${line}\n`)
      }
    },
    stop: async () => {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(root, { recursive: true, force: true })
    },
  }
}
