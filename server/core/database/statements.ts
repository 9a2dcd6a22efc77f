import { createHash } from 'node:crypto'
import type { Log } from './log.ts'

/** A statement that takes longer is counted by name. */
const slowMs = 250
const logAgainMs = 60_000

/**
 * A name for people and figures: what the statement does to which table first, and six digits of its text's hash, the same as
 * long as the text is. Values are parameters and never part of it.
 */
export const statementName = (text: string): string => {
  const verb = /\b(select|insert into|update|delete from)\b/i.exec(text)?.[1]?.toLowerCase() ?? 'other'
  const table = /\b(?:from|into|update|join)\s+"?([a-z_][a-z_0-9.]*)/i.exec(text)?.[1] ?? ''
  const hash = createHash('md5').update(text).digest('hex').slice(0, 6)
  return [verb.split(' ')[0], table, hash].filter(Boolean).join(' ')
}

/** Told of every statement, with how long it took. */
export interface StatementWatch {
  ended(text: string, milliseconds: number): void
}

/** Counts slow statements by name and logs the text of each at most once a minute. */
export const watchSlowStatements = (
  log: Log,
  count: (name: string, milliseconds: number) => void,
): StatementWatch => {
  const loggedAt = new Map<string, number>()
  return {
    ended: (text, milliseconds) => {
      if (milliseconds < slowMs) return
      const name = statementName(text)
      count(name, milliseconds)
      const now = performance.now()
      if (now - (loggedAt.get(name) ?? -logAgainMs) < logAgainMs) return
      loggedAt.set(name, now)
      log.warn(
        `Slow statement ${name}: ${Math.round(milliseconds)} ms: ${text.replace(/\s+/g, ' ').slice(0, 2_000)}`,
      )
    },
  }
}
