import { endpoint } from '#contract/core/endpoint.ts'

/**
 * What a stream says: that something of the reader's changed, never what. `time-records` comes to those who read time records,
 * `procedure-logs` to students and those who verify, `requirements` to students and those who review proofs, `open-shifts` to staff, `tasks` to those whose file or import is being prepared; `ended` is the last line
 * of a stream whose session ended.
 */
export const liveEvents = [
  'notifications',
  'time-records',
  'procedure-logs',
  'requirements',
  'open-shifts',
  'tasks',
  'ended',
] as const
export type LiveEvent = (typeof liveEvents)[number]

export const openLive = endpoint({
  method: 'GET',
  path: '/live',
  may: 'signed-in',
  summary: 'A stream of server-sent events: which of the own things changed, until the session ends',
  answers: 'stream',
  errors: { 429: 'the account has too many streams open' },
})
