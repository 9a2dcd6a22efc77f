import type { Connection, ConnectionKind } from '#contract/connections/connections.ts'
import { connectionFailures } from '#contract/connections/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { OutsideError, readAddress } from '#server/core/runtime/outside.ts'
import { findConnection, findTaken } from './connections.queries.ts'

/** @throws Failure 404 where there is no such connection, or not of the kind */
export const getConnection = async (
  db: Db,
  connectionId: number,
  kind?: ConnectionKind,
): Promise<Connection> => {
  const connection = await findConnection(db, connectionId)
  if (!connection || (kind && connection.Kind !== kind)) throw fail(connectionFailures.no_connection)
  return connection
}

/** @throws Failure 409 where another connection has the name, or the issuer with this client ID */
export const refuseTaken = async (
  db: Db,
  parts: { Name: string; Issuer: string; ClientId: string },
  exceptId: number,
): Promise<void> => {
  const field = await findTaken(db, parts, exceptId)
  if (!field) return
  const what = field === 'Name' ? parts.Name : 'A connection with this issuer and client ID'
  throw fail(connectionFailures.name_taken, { Name: what }, field)
}

/** @throws Failure 422 at the field where this installation may not call the address */
export const refuseAddress = (field: string, address: string, allowed: readonly string[]): void => {
  try {
    readAddress(address, allowed)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw fail(connectionFailures.address_refused, { Reason: error.message }, field)
  }
}
