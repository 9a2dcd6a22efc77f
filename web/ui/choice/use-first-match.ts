import type { ComboboxStore } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Option } from './use-options.ts'

/**
 * Highlights the first match as a person types, so Enter picks it. While a server search is still running, `shown` is undefined and
 * Enter waits for its results.
 */
export const useFirstMatch = (store: ComboboxStore, text: string, shown: readonly Option[] | undefined) => {
  const awaited = useRef(false)
  const current = useRef(store)
  current.current = store
  useEffect(() => {
    const { searchRef, selectFirstOption, resetSelectedOption, clickSelectedOption } = current.current
    const search = searchRef.current
    if (!text || !shown?.some(({ reason }) => !reason)) {
      resetSelectedOption()
      search?.removeAttribute('aria-activedescendant')
      if (!text || shown) awaited.current = false
      return
    }
    const id = selectFirstOption()
    if (id) search?.setAttribute('aria-activedescendant', id)
    if (awaited.current) clickSelectedOption()
    awaited.current = false
  }, [text, shown])
  return (event: KeyboardEvent) => {
    awaited.current = event.key === 'Enter' && text !== '' && !shown
  }
}

/** Whether the list has its search: always where it `isSearched`, else from the first letter on until it is closed. */
export const useSearchField = (store: ComboboxStore, text: string, isSearched: boolean): boolean => {
  const [hasTyped, setHasTyped] = useState(false)
  const isOpen = store.dropdownOpened
  const current = useRef(store)
  current.current = store
  if (hasTyped !== (isOpen && (hasTyped || text !== ''))) setHasTyped(!hasTyped)
  useEffect(() => {
    if (!hasTyped || isSearched) return
    // After whatever else moves the focus while the list opens; letters count until then.
    const timer = setTimeout(() => {
      const search = current.current.searchRef.current
      search?.focus()
      search?.setSelectionRange(search.value.length, search.value.length)
    }, 0)
    return () => clearTimeout(timer)
  }, [hasTyped, isSearched])
  return isSearched || hasTyped
}
