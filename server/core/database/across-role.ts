import type { CompiledQuery } from 'kysely'

/**
 * The role by which programs are asked about together (docs/decisions/across-programs.md). Nobody signs in as it; the serving role takes it
 * for one statement. It reads what `read_across` in the files of functions names, and changes nothing.
 */
export const acrossRole = 'app_across'

/** Lets the serving role take it, without having its rights meanwhile. */
export const grantAcross = (serverVersion: number): string =>
  serverVersion >= 160_000
    ? `grant ${acrossRole} to app with inherit false, set true`
    : `alter role app noinherit; grant ${acrossRole} to app`

const marked = new WeakSet<CompiledQuery>()

export const markAcross = <R>(query: CompiledQuery<R>): CompiledQuery<R> => {
  marked.add(query)
  return query
}

export const isAcross = (query: CompiledQuery): boolean => marked.has(query)
