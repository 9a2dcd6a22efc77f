import { plainError } from './plain-error.ts'

/**
 * What a process says besides its log: in words at a terminal, else as lines of the log. Every program of the server imports this
 * before anything else, so that nothing Node.js prints by itself stands between the lines.
 */
const levels = { info: 30, warn: 40, fatal: 60 } as const

const isTerminal = (): boolean => process.stdout.isTTY === true

const lineOf = (level: keyof typeof levels, msg: string, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ level: levels[level], time: Date.now(), ...more, msg })}\n`

/** Tells whoever has started the program, whatever the level of the log. */
export const tell = (lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(isTerminal() ? `  ${line}\n` : lineOf('info', line))
}

/** Says in a sentence why the program does not start, or ends. */
export const tellEnd = (sentence: string): void => {
  process.stderr.write(isTerminal() ? `${sentence}\n` : lineOf('fatal', sentence))
}

// Node.js would print both in lines of its own.
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  process.stderr.write(isTerminal() ? `${warning.stack}\n` : lineOf('warn', warning.message))
})
process.on('uncaughtException', (error) => {
  const fault = error instanceof Error ? error : new Error('Something else than an error was thrown')
  process.stderr.write(
    isTerminal()
      ? `${fault.stack}\n`
      : lineOf('fatal', 'The process broke off', {
          err: plainError(fault as Error & Record<string, unknown>),
        }),
  )
  process.exit(1)
})
