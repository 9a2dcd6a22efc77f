import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

/** What a question shows. `text` is the question itself; the verb is on the button ("Delete", not "OK"). */
export type Question = {
  text: string
  title?: string
  detail?: ReactNode
  /** The verb on the button; 'Yes' when none is given. */
  verb?: string
  cancel?: string
  /** Red button, and the focus starts on Cancel. */
  danger?: boolean
}
export type OpenQuestion = Question & { answer: (yes: boolean) => void }

let open: OpenQuestion | undefined
const listeners = new Set<() => void>()

function set(next: OpenQuestion | undefined) {
  open = next
  for (const listener of listeners) listener()
}

/**
 * Asks and waits: `if (await confirm('Delete 3 records?')) …`. Use it only where the question is demanded; elsewhere do
 * the thing and offer Undo in the toast. Needs `Questions`.
 */
export function confirm(question: string | Question): Promise<boolean> {
  open?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      set(undefined)
      resolve(yes)
    }
    set({ ...(typeof question === 'string' ? { text: question } : question), answer })
  })
}

/** The question being asked now, for `Questions`. */
export function useQuestion(): OpenQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )
}
