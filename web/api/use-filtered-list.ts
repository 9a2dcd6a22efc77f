import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { addressOf, askedOf, type Filters } from '#contract/core/filters.ts'
import type { AddressDefaults } from './use-address.ts'
import { useListAddress } from './use-list-address.ts'

/** The list of an endpoint with the filters that the contract declares: its address, and what of it the query asks as `asked`. */
export const useFilteredList = <
  E extends AnyEndpoint,
  F extends Filters,
  const D extends AddressDefaults & { page: number },
>(
  endpoint: E,
  filters: F,
  defaults: D,
  pageSize: number,
  apart: readonly (keyof D)[] = [],
) => {
  const list = useListAddress(endpoint, { ...addressOf(filters), ...defaults }, pageSize, apart)
  return { ...list, asked: askedOf(filters, list.at) }
}
