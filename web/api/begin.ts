import { appRoot } from './root.ts'

const begun = new Map<string, Promise<Response>>()

/** Sends a reading call before the code that needs its answer has come. `path` is below `/new/api`. */
export const beginRead = (path: string): void => {
  const address = `${appRoot}/new/api${path}`
  const answer = fetch(address)
  answer.catch(() => {})
  begun.set(address, answer)
}

/** The answer of a call that was begun, for the first who asks; nobody gets it twice. */
export const takeBegun = (address: string): Promise<Response> | undefined => {
  const answer = begun.get(address)
  begun.delete(address)
  return answer
}
