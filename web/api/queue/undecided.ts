import { CallError } from '../call.ts'

/** Nothing is decided: nobody answered, or somebody else is signed in by now. What was sent stays kept. */
export const isUndecided = (error: unknown): boolean =>
  !(error instanceof CallError) ||
  [0, 401, 429].includes(error.status) ||
  error.status >= 500 ||
  error.code === 'other_account'
