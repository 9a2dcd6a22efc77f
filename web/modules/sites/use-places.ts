import { useCallback, useRef } from 'react'
import { findPlaces, type Place } from '#contract/sites/sites.ts'
import { call } from '#web/api/call.ts'
import type { OptionSearch } from '#web/ui/choice/use-options.ts'
import { useWords } from '#web/words/use-words.ts'

/** `Boston, MA` or, for one ZIP code of it, `Boston, MA 02115`. */
export const nameOfPlace = ({ City, State, Zip }: Place): string =>
  `${[City, State].filter(Boolean).join(', ')} ${Zip}`.trim()

/** Looks up towns and ZIP codes as somebody types, and hands out what is behind a found one. */
export const usePlaces = (): { search: OptionSearch; placeOf: (value: string) => Place | undefined } => {
  const words = useWords()
  const found = useRef(new Map<string, Place>())
  const search = useCallback<OptionSearch>(
    async (text) => {
      const { Items } = await call(findPlaces, { query: { search: text.trim() } })
      const options = Items.map((place) => {
        const label = nameOfPlace(place)
        found.current.set(label, place)
        return {
          value: label,
          label,
          detail: place.County && words('sites.inCounty', { county: place.County }),
        }
      })
      return { options }
    },
    [words],
  )
  const placeOf = useCallback((value: string) => found.current.get(value), [])
  return { search, placeOf }
}
