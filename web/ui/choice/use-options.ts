import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { plainWords } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

/** One thing that can be chosen. */
export type Option = {
  value: string
  label: string
  /** Quiet text at the right or below: a code, a level. */
  detail?: string
  /** A sentence below the label that says what it means. */
  about?: string
  /** Options with the same group are under its name. */
  group?: string
  /** Why it cannot be chosen; it stays in the list and says so. */
  reason?: string
}

/** Asks the server for options; `page` counts from 0. */
export type OptionSearch = (text: string, page: number) => Promise<{ options: Option[]; hasMore?: boolean }>

export type OptionSource = {
  /** All options, when they are known. */
  options?: readonly Option[]
  /** Otherwise how to find them. Keep the function stable. */
  search?: OptionSearch
  /** Letters needed before the search starts. */
  minLetters?: number
  /** Letters allowed in the search; 100 where the server searches unless given. */
  maxLetters?: number
  /** Pause after the last letter in ms; 250 when none is given. */
  delay?: number
  /** Where the person adds the first option, while there is none; read again when the list opens. */
  add?: { label: string; href: string; refresh: () => void }
}

/** What the searches of the server take. */
const maxSearchLetters = 100

/** How many options a list shows at most before the reader has to type. */
export const maxOptions = 100

/** Options whose label and detail hold every typed word. */
export function filterOptions(options: readonly Option[], text: string): Option[] {
  const isFound = finder(text)
  const found: Option[] = []
  for (const option of options) {
    if (isFound(`${option.label} ${option.detail ?? ''}`)) found.push(option)
    if (found.length === maxOptions) break
  }
  return found
}

/** What the list says about the typed text before anything is looked up. */
export function lettersMessage(text: string, minLetters = 0, maxLetters?: number): string | undefined {
  if (text.length < minLetters) return plainWords('ui.typeMore', { count: minLetters - text.length })
  if (maxLetters !== undefined && text.length > maxLetters)
    return plainWords('ui.typeLess', { count: text.length - maxLetters })
  return undefined
}

/** What the list says when the maximum is reached. */
export function fullMessage(most: number): string {
  return plainWords('ui.onlySelect', { count: most })
}

/** The options for a typed text, and the sentence that is in the list when there is something to say. */
export function useOptions(source: OptionSource, text: string, isOpen: boolean) {
  const { options, search, minLetters, delay = 250 } = source
  const words = useWords()
  const maxLetters = source.maxLetters ?? (search ? maxSearchLetters : undefined)
  const [found, setFound] = useState<{ text: string; options: Option[]; hasMore: boolean; page: number }>()
  const [state, setState] = useState<'idle' | 'searching' | 'more' | 'failed'>('idle')
  const run = useRef(0)
  const typed = lettersMessage(text, minLetters, maxLetters)

  const load = useCallback(
    async (page: number) => {
      if (!search) return
      run.current += 1
      const mine = run.current
      setState(page === 0 ? 'searching' : 'more')
      try {
        const answer = await search(text, page)
        if (run.current !== mine) return
        setFound((before) => ({
          text,
          options: page === 0 ? answer.options : [...(before?.options ?? []), ...answer.options],
          hasMore: answer.hasMore ?? false,
          page,
        }))
        setState('idle')
      } catch {
        if (run.current === mine) setState('failed')
      }
    },
    [search, text],
  )

  useEffect(() => {
    if (!search || !isOpen || typed) return
    const timer = setTimeout(() => load(0), text ? delay : 0)
    return () => {
      clearTimeout(timer)
      run.current += 1
    }
  }, [search, isOpen, typed, load, text, delay])

  const shown = useMemo(() => {
    if (typed) return []
    return search ? (found?.options ?? []) : filterOptions(options ?? [], text)
  }, [typed, search, found, options, text])

  const isSearching = !typed && Boolean(search) && state !== 'failed' && (state === 'searching' || !found)
  let message = typed
  if (!message && search) {
    if (state === 'failed') message = words('ui.resultsFailed')
    else if (isSearching) message = words('ui.searching')
    else if (state === 'more') message = words('ui.loadingMore')
  }
  if (!message && shown.length === 0) message = words('ui.noResults')
  if (!message && !search && shown.length === maxOptions && shown.length < (options?.length ?? 0))
    message = words('ui.firstOnly', { count: maxOptions })
  return {
    isSearching,
    /** The options shown are those of the text, not of one letter before. */
    isCurrent: !search || (state !== 'searching' && found?.text === text),
    shown: state === 'failed' || state === 'searching' ? [] : shown,
    message,
    onMore: found?.hasMore && state === 'idle' ? () => load(found.page + 1) : undefined,
    onRetry: state === 'failed' ? () => load(0) : undefined,
  }
}
