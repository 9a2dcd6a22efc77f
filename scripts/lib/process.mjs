import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, without a slash behind. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Something outside of the program is missing. The message is one sentence that says what to do. */
export class SetupError extends Error {}

/**
 * Runs a program to its end, passes signals on to it, and resolves to its exit code (128 + number after a signal, as
 * shells do). Output goes to the terminal unless `stdio` says otherwise. With a `priority` (`os.constants.priority`) it gives
 * way to others.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { priority?: number }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { priority, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { cwd: root, stdio: 'inherit', ...options })
    if (priority !== undefined && child.pid) setPriority(child.pid, priority)
    const stopPassing = passSignals(child)
    child.on('error', (error) => {
      stopPassing()
      reject(new SetupError(`${command} cannot be started (${error.message}).`))
    })
    child.on('exit', (code, signal) => {
      stopPassing()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/**
 * A Ctrl-C in a terminal reaches every process of the group by itself; a second one would count as impatience.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function passSignals(child) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const isSentToGroup = signal === 'SIGINT' && process.stdin.isTTY
    const handler = () => isSentToGroup || child.kill(signal)
    process.on(signal, handler)
    return [signal, handler]
  })
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

/**
 * Runs a script's main function; its number is the exit code, and an expected error is one line instead of a stack.
 *
 * @param {() => Promise<number>} main
 */
export async function script(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error)
    process.exitCode = 1
  }
}
