import { useSyncExternalStore } from 'react'
import { switchAccount } from '#contract/identity/identity.ts'
import { CallError, call, forgetToken } from '#web/api/call.ts'
import { toast } from '#web/ui/toast.tsx'

interface OtherAccount {
  UserId: number
  UserName: string
}
/** The account that waits for a code of its authenticator, and what was wrong with the last one. */
export interface Asking extends OtherAccount {
  failure?: string
}

let asking: Asking | undefined
const listeners = new Set<() => void>()
const set = (next: Asking | undefined) => {
  asking = next
  for (const listener of listeners) listener()
}

export const useAsking = (): Asking | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asking,
  )

export const stopAsking = (): void => set(undefined)

/** Goes on as another own account; one with an authenticator is asked for its code by `SwitchDialog`. */
export const switchTo = async (account: OtherAccount, code?: string): Promise<void> => {
  const { UserId, UserName } = account
  try {
    const { RedirectTo } = await call(switchAccount, { body: { UserId, ...(code && { Code: code }) } })
    forgetToken()
    location.assign(RedirectTo)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.body.TotpRequired) set({ UserId, UserName, ...(code && { failure: error.message }) })
    else toast.error(error.message)
  }
}
