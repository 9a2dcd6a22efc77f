import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The file that solves plans, in a process of its own. */
const solverProgram = fileURLToPath(new URL('../../../draft.ts', import.meta.url))

/** Starts a process that solves the first task it is sent, with a limit on its heap. */
export const startSolver = (megabytes: number, more: ForkOptions = {}): ChildProcess =>
  fork(solverProgram, [], {
    execArgv: [`--max-old-space-size=${megabytes}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...more,
  })
