import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Words } from '#web/words/plain-words.ts'
import { confirm } from '../confirm.ts'
import { isSame } from './merge.ts'

/** Work on the screen that nobody has saved yet. */
export interface Unsaved {
  /** How many changes; 0 when there is nothing to lose. */
  count: number
  /** The text is kept in the tab and put back on return. */
  hasDraft: boolean
  /** Names of the address that tell which thing is edited: another value leaves the work as another page does. */
  keys: readonly string[]
}

const works = new Set<Unsaved>()
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

const hasWork = (): boolean => [...works].some(({ count }) => count > 0)

/** True while anything on the screen is unsaved. */
export const useHasUnsaved = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hasWork)

/** What would be left behind by a step that changes the page, or these names of its address. */
export const unsavedAt = (isElsewhere: (keys: readonly string[]) => boolean): Unsaved[] =>
  [...works].filter(({ count, keys }) => count > 0 && isElsewhere(keys))

/** Asks before unsaved work is left behind; answers true to leave. */
export const askToLeave = (
  words: Words,
  left: readonly Pick<Unsaved, 'count' | 'hasDraft'>[],
): Promise<boolean> => {
  const count = left.reduce((sum, work) => sum + work.count, 0)
  return confirm({
    title: words('ui.leaveTitle'),
    text: words(left.every(({ hasDraft }) => hasDraft) ? 'ui.leaveDraft' : 'ui.leaveLost', { count }),
    verb: words('ui.leave'),
    cancel: words('ui.stay'),
    danger: true,
  })
}

/** A dialog asks about the work inside it; the page's own guard does not need to. */
export const DialogWork = createContext<Set<Unsaved> | undefined>(undefined)

/** The same for fields outside a form; a form counts its own. */
export const FieldWork = createContext<Set<Unsaved> | undefined>(undefined)

/** Takes a step that leaves the dialog around, after its question; elsewhere at once. */
export const LeaveDialog = createContext<(leave: () => void) => void>((leave) => leave())

/** What a field works with; in a dialog without a form, the dialog learns that it holds something else than before it was touched. */
export const useFieldWork = <Field extends { value: unknown; onChange: (value: never) => void }>(
  field: Field,
): Field => {
  const work = useContext(FieldWork)
  const [before, setBefore] = useState<{ value: unknown }>()
  const isChanged = before !== undefined && !isSame(field.value, before.value)
  useEffect(() => {
    if (!work || !isChanged) return
    const mine: Unsaved = { count: 1, hasDraft: false, keys: [] }
    work.add(mine)
    return () => void work.delete(mine)
  }, [work, isChanged])
  if (!work) return field
  const onChange = (value: never): void => {
    if (!before) setBefore({ value: field.value })
    field.onChange(value)
  }
  return { ...field, onChange }
}

/**
 * Tells the page, or the dialog around it, about unsaved work. The answer lets the next step pass without a question,
 * for after saving.
 */
export const useUnsaved = (work: Unsaved): (() => void) => {
  const scope = useContext(DialogWork)
  const entry = useRef({ ...work })
  const { count, hasDraft } = work
  const keys = work.keys.join()
  useEffect(() => {
    Object.assign(entry.current, { count, hasDraft, keys: keys.split(',') })
    tell()
  }, [count, hasDraft, keys])
  useEffect(() => {
    const mine = entry.current
    works.add(mine)
    scope?.add(mine)
    tell()
    return () => {
      works.delete(mine)
      scope?.delete(mine)
      tell()
    }
  }, [scope])
  return () => {
    entry.current.count = 0
    tell()
  }
}

if (typeof window !== 'undefined')
  window.addEventListener('beforeunload', (event) => {
    if (hasWork()) event.preventDefault()
  })
