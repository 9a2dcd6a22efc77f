import { CallError } from '#web/api/call.ts'
import type { Words } from '#web/words/plain-words.ts'

/** Why a call of the mail center failed, as the end of a sentence. */
export const reasonOf = (error: unknown, words: Words): string =>
  error instanceof CallError && error.status !== 0 ? error.message : words('mailCenter.unanswered')
