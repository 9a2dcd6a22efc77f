import { useCallback, useMemo } from 'react'
import { useChangeQuery } from './navigate.ts'
import { usePlace } from './place.ts'

type Value = string | number | boolean | null | number[] | string[]
type Widened<V> = V extends string ? string : V extends number ? number : V extends boolean ? boolean : V

/** What an address may hold: each name with its value when it is absent. Arrays and `null as number | null` fit too. */
export type AddressDefaults = Record<string, Value>
export type AddressValues<D extends AddressDefaults> = { [Name in keyof D]: Widened<D[Name]> }

const toText = (value: Value): string => (Array.isArray(value) ? value.join(',') : String(value))

/** Reads text of the address as the kind of its default; for `null` defaults digits become a number. */
const fromText = (text: string, fallback: Value): Value => {
  if (Array.isArray(fallback)) {
    const parts = text === '' ? [] : text.split(',')
    return parts.every((part) => /^\d{1,15}$/.test(part)) ? parts.map(Number) : parts
  }
  if (typeof fallback === 'number') return /^-?\d{1,15}$/.test(text) ? Number(text) : fallback
  if (typeof fallback === 'boolean') return text === 'true'
  if (fallback === null && /^\d{1,15}$/.test(text)) return Number(text)
  return text
}

const isDefault = (value: Value | undefined, fallback: Value | undefined): boolean =>
  value === undefined || value === null || toText(value) === toText(fallback ?? '')

/** The query of an address with these values, for a link to a list. Values equal to their default are left out. */
export const addressQuery = <const D extends AddressDefaults>(
  defaults: D,
  values: Partial<AddressValues<D>>,
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values) as [string, Value][])
    if (!isDefault(value, defaults[name])) query.append(name, toText(value))
  return query.size > 0 ? `?${query}` : ''
}

/**
 * Filters, order and page live in the address: they survive a reload and can be shared. Values equal to their default are
 * left out. `set` replaces the current entry of the history, so that Back leaves the screen.
 */
export const useAddress = <const D extends AddressDefaults>(
  defaults: D,
): readonly [AddressValues<D>, (change: Partial<AddressValues<D>>) => void] => {
  const search = usePlace().search
  const changeQuery = useChangeQuery()
  const key = JSON.stringify(defaults)
  const values = useMemo(() => {
    const all = JSON.parse(key) as D
    return Object.fromEntries(
      Object.entries(all).map(([name, fallback]) => [
        name,
        search[name] === undefined ? fallback : fromText(search[name], fallback),
      ]),
    ) as AddressValues<D>
  }, [search, key])
  const set = useCallback(
    (change: Partial<AddressValues<D>>) => {
      const all = JSON.parse(key) as D
      changeQuery((current) => {
        const next = { ...current }
        for (const [name, value] of Object.entries(change) as [string, Value | undefined][]) {
          if (isDefault(value, all[name])) delete next[name]
          else next[name] = toText(value as Value)
        }
        return next
      })
    },
    [changeQuery, key],
  )
  return [values, set]
}
