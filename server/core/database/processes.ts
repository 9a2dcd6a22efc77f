import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * `running`: it lives and may be signalled by us. `zombie`: it is dead, but its parent never asked for its end (common
 * in containers), so a signal to it still seems to arrive. `absent`: no such process, or another user's.
 */
export type ProcessState = 'running' | 'zombie' | 'absent'

export function stateOfProcess(pid: number): ProcessState {
  try {
    process.kill(pid, 0)
  } catch {
    return 'absent'
  }
  if (process.platform !== 'linux') return 'running'
  try {
    // "12 (name) S 1 …": the name may itself contain brackets and spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'Z' ? 'zombie' : 'running'
  } catch {
    return 'absent'
  }
}

/** Whether a process is a PostgreSQL on this data folder, by what the system tells about it. */
export function isPostgresOn(pid: number, dataFolder: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === dataFolder
    } catch {
      return false
    }
  }
  const [command, args] =
    process.platform === 'win32'
      ? ['tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']]
      : ['ps', ['-ww', '-o', 'command=', '-p', String(pid)]]
  const { stdout } = spawnSync(command as string, args as string[], { encoding: 'utf8', windowsHide: true })
  const says = stdout ?? ''
  // tasklist shows no arguments; the caller already knows that this id is in our own postmaster.pid.
  return process.platform === 'win32'
    ? says.includes('postgres.exe')
    : says.includes('postgres') && says.includes(dataFolder)
}

/** Resolves to whether the process ended within the time. */
export async function waitForEnd(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (stateOfProcess(pid) === 'running') {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return true
}
