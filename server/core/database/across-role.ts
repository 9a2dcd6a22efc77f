import type { CompiledQuery } from 'kysely'
import type { Client } from 'pg'

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

/** The statements that make it on the embedded server, one a line. */
export const makeAcross = (serverVersion: number): string[] => [
  `create role ${acrossRole} nologin;`,
  `${grantAcross(serverVersion)};`,
]

/** Makes it where it is missing: data folders made before 1.0 do not have it yet. The client is closed again. */
export const addAcross = async (superuser: Client, serverVersion: number): Promise<void> => {
  try {
    await superuser.connect()
    const { rowCount } = await superuser.query('select from pg_roles where rolname = $1', [acrossRole])
    if (rowCount === 0) await superuser.query(makeAcross(serverVersion).join(' '))
  } finally {
    await superuser.end().catch(() => {})
  }
}

const marked = new WeakSet<CompiledQuery>()

export const markAcross = <R>(query: CompiledQuery<R>): CompiledQuery<R> => {
  marked.add(query)
  return query
}

export const isAcross = (query: CompiledQuery): boolean => marked.has(query)
