import type { OptionSource } from './use-options.ts'

/** Whether a list is searched: where the server finds its options, or where there are many. */
export const isSearched = ({ search, options }: OptionSource): boolean =>
  Boolean(search) || (options?.length ?? 0) > 8
