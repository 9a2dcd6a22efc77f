import { useCallback, useSyncExternalStore } from 'react'

const asked = new Map<string, MediaQueryList>()

/** Each query is put to the browser once: a screen asks in many places, and again with each press. */
const mediaOf = (query: string): MediaQueryList => {
  let media = asked.get(query)
  if (!media) {
    media = window.matchMedia(query)
    asked.set(query, media)
  }
  return media
}

/** Whether a media query holds, such as '(max-width: 61.99em)'. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = mediaOf(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => mediaOf(query).matches,
    () => false,
  )
}

/** True below 768 px, where lists become cards and dialogs become sheets. */
export const useIsPhone = (): boolean => useMedia('(max-width: 47.99em)')

/** True below 480 px of height (400 % zoom, a phone on its side), where the whole page scrolls as one. */
export const useIsLow = (): boolean => useMedia('(max-height: 30em)')
