import type { ErrorBody } from '#contract/core/endpoint.ts'

/** What a refused call asks for before it is made again: a proof of who sits here, or the reason for looking. */
export type Asked = 'proof_required' | 'reason_required'

const isAsked = (code: string | undefined): code is Asked =>
  code === 'proof_required' || code === 'reason_required'

/** What is asked now. `answer` says whether the call may be made again; the reason is what it carries then. */
export interface Asking {
  asked: Asked
  message: string
  answer: (isGiven: boolean, reason?: string) => void
}

const reasonHolds = 10 * 60_000
const proofHolds = 5 * 60_000
let asking: Asking | undefined
let waiting: Promise<boolean> | undefined
let proof: { text: string; until: number } | undefined
let given: { reason: string; until: number } | undefined
const listeners = new Set<() => void>()
const set = (next: Asking | undefined): void => {
  asking = next
  for (const listener of listeners) listener()
}

/** The reason that was written for looking at what is private, for the next ten minutes. */
export const givenReason = (): string | undefined =>
  given && given.until > Date.now() ? encodeURIComponent(given.reason) : undefined

/** What this page was given for the proof of who sits here; in its memory alone, where a copied cookie does not reach. */
export const givenProof = (): string | undefined =>
  proof && proof.until > Date.now() ? proof.text : undefined
export const keepProof = (text: string): void => {
  proof = { text, until: Date.now() + proofHolds }
}

/** For the component that shows what is asked. */
export const listenToAsking = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const currentAsking = (): Asking | undefined => asking

/** Asks for what a refused call lacks; false where it lacks nothing that can be given, or nobody gives it. Several calls share one question. */
export const assure = async ({ Code, Message }: ErrorBody): Promise<boolean> => {
  if (!isAsked(Code) || listeners.size === 0) return false
  waiting ??= new Promise<boolean>((resolve) => {
    set({
      asked: Code,
      message: Message,
      answer: (isGiven, reason) => {
        if (reason !== undefined) given = { reason, until: Date.now() + reasonHolds }
        waiting = undefined
        set(undefined)
        resolve(isGiven)
      },
    })
  })
  return waiting
}
