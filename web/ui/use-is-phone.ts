import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, such as '(max-width: 61.99em)'. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** True below 768 px, where lists become cards and dialogs become sheets. */
export const useIsPhone = (): boolean => useMedia('(max-width: 47.99em)')

/** True below 480 px of height (400 % zoom, a phone on its side), where the whole page scrolls as one. */
export const useIsLow = (): boolean => useMedia('(max-height: 30em)')
