import { CallError } from './call.ts'

/** The sentence that the server sent with a refusal; '' where it sent none, and `message` is what the browser says instead. */
export const toldBy = (error: unknown): string =>
  error instanceof CallError && error.code !== 'unanswered' && error.code !== 'unconfirmed'
    ? error.message
    : ''
