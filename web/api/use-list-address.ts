import { useCallback } from 'react'
import type { AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { type AddressDefaults, type AddressValues, useAddress } from './use-address.ts'

/** How the rows of an endpoint can be ordered: `Field` or `-Field`. */
type SortOf<E extends AnyEndpoint> =
  InputOf<E> extends { query?: infer Q }
    ? NonNullable<Q> extends { sort?: infer S }
      ? NonNullable<S>
      : never
    : never

type ListDefaults = AddressDefaults & { page: number }

/** What of an address is never a filter. */
const places = ['sort', 'page', 'cursor']

export interface ListAddress<E extends AnyEndpoint, D extends ListDefaults> {
  /** All values of the address. */
  at: AddressValues<D>
  /** Sets values and stays on the page. */
  set: (change: Partial<AddressValues<D>>) => void
  /** Sets filters and goes to the first page. */
  filter: (change: Partial<AddressValues<D>>) => void
  /** Sets all filters back and goes to the first page; the order and what is no filter stay. */
  reset: () => void
  /** A filter is set. */
  isFiltered: boolean
  /** The order, for a query of the endpoint. An unknown one of an old link is refused by the server with its reason. */
  sort: SortOf<E>
  /** Page, its size and the order unless it is '', for the query of the endpoint. */
  paging: { page: number; pageSize: number; sort?: SortOf<E> }
  /** For the grid. */
  sorting: { sort: string; onSort: (sort: string) => void }
  /** For the pager, which also takes the total. */
  pager: { page: number; pageSize: number; onPage: (page: number) => void }
}

/**
 * The address of a list of the endpoint: its filters, order and page. `defaults` names them all with their values when they
 * are absent, and belongs outside the component. `apart` names those that are no filters, such as a view that is chosen.
 */
export const useListAddress = <E extends AnyEndpoint, const D extends ListDefaults>(
  _endpoint: E,
  defaults: D,
  pageSize: number,
  apart: readonly (keyof D)[] = [],
): ListAddress<E, D> => {
  const [at, set] = useAddress(defaults)
  const { sort = '', page } = at as { sort?: string; page: number }
  const change = set as (change: Record<string, unknown>) => void
  const hasCursor = 'cursor' in defaults
  const toFirst = useCallback(
    (part: Record<string, unknown>) =>
      change({ ...part, page: defaults.page, ...(hasCursor && { cursor: '' }) }),
    [change, hasCursor, defaults.page],
  )
  const filters = Object.entries(defaults).filter(([name]) => !places.includes(name) && !apart.includes(name))
  // The caller's `sorts` are those of the endpoint; the address is typed as text.
  const order = sort as unknown as SortOf<E>
  return {
    at,
    set,
    filter: toFirst,
    reset: () => toFirst(Object.fromEntries(filters)),
    isFiltered: filters.some(([name, value]) => String(at[name] ?? '') !== String(value ?? '')),
    sort: order,
    paging: { page, pageSize, ...(sort !== '' && { sort: order }) },
    sorting: { sort, onSort: (next) => toFirst({ sort: next }) },
    pager: { page, pageSize, onPage: (next) => change({ page: next }) },
  }
}
