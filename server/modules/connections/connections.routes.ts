import { sql } from 'kysely'
import * as contract from '#contract/connections/connections.ts'
import { seal } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { conflict, notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { OutsideError, readAddress } from '#server/core/runtime/outside.ts'
import { noteConnection } from '../identity/college-answers.service.ts'
import { secretContext, tryOpenId } from '../identity/openid.service.ts'
import { refuseMissingProgram } from '../saml/programs.service.ts'
import {
  deleteUserName,
  linkProgram,
  lockProvider,
  saveUserName,
  unlinkProgram,
} from '../saml/providers.queries.ts'
import {
  findConnection,
  findOpenIdProvider,
  findPerson,
  findSubjectHolder,
  findTaken,
  hasLinkedPeople,
  listConnections,
  listPeople,
} from './connections.queries.ts'

const getConnection = async (db: Db, connectionId: number): Promise<contract.Connection> => {
  const connection = await findConnection(db, connectionId)
  if (!connection) throw notFound('This connection')
  return connection
}

const refuseTaken = async (
  db: Db,
  parts: { Name: string; Issuer: string; ClientId: string },
  exceptId: number,
): Promise<void> => {
  const field = await findTaken(db, parts, exceptId)
  if (!field) return
  const what = field === 'Name' ? parts.Name : 'A connection with this issuer and client ID'
  throw conflict('name_taken', `${what} already exists. Nothing was saved.`, field)
}

const refuseIssuer = (issuer: string, allowed: readonly string[]): void => {
  try {
    readAddress(issuer, allowed)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw ruleBroken('address', `${error.message} Nothing was saved.`, 'Issuer')
  }
}

const changes = ({ Name, Issuer, ClientId, SubjectClaim }: contract.Connection) => ({
  Name,
  Issuer,
  ClientId,
  SubjectClaim,
})

const providerRoutes = [
  handle(contract.listConnections, ({ db }) => listConnections(db)),

  handle(contract.getConnection, ({ db, params }) => getConnection(db, params.connectionId)),

  handle(contract.createConnection, async ({ db, body, user, services, audit }) => {
    const { webhookAllow, secretKey } = services.config
    refuseIssuer(body.Issuer, webhookAllow)
    await refuseTaken(db, body, 0)
    await refuseMissingProgram(db, body.ProgramId)
    const { id } = await db
      .insertInto('saml_provider')
      .values({
        kind: 'oidc',
        name: body.Name,
        entity_id: body.Issuer,
        client_id: body.ClientId,
        subject_claim: body.SubjectClaim,
        created_by: user.Id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Sealed for its own row, whose number is known now.
    if (body.ClientSecret)
      await db
        .updateTable('saml_provider')
        .set({ client_secret: seal(secretKey, secretContext(id), body.ClientSecret) })
        .where('id', '=', id)
        .execute()
    await linkProgram(db, id, { programId: body.ProgramId, accessLevel: body.AccessLevel, by: user.Id })
    const made = await getConnection(db, id)
    audit.programId = body.ProgramId
    audit.detail = { ...changes(made), AccessLevel: body.AccessLevel }
    return made
  }),

  handle(contract.updateConnection, async ({ db, params: { connectionId }, body, services, audit }) => {
    await lockProvider(db, connectionId)
    const before = await getConnection(db, connectionId)
    await refuseTaken(db, { ...body, Issuer: before.Issuer }, connectionId)
    if (body.SubjectClaim !== before.SubjectClaim && (await hasLinkedPeople(db, connectionId))) {
      throw conflict(
        'linked_people',
        'People are linked by the claim that is used now, so it stays as it is. Unlink them first; nothing was saved.',
        'SubjectClaim',
      )
    }
    const { secretKey } = services.config
    await db
      .updateTable('saml_provider')
      .set({
        name: body.Name,
        client_id: body.ClientId,
        subject_claim: body.SubjectClaim,
        ...(body.RemoveSecret && { client_secret: null }),
        ...(body.ClientSecret && {
          client_secret: seal(secretKey, secretContext(connectionId), body.ClientSecret),
        }),
      })
      .where('id', '=', connectionId)
      .execute()
    const after = await getConnection(db, connectionId)
    audit.detail = {
      Before: changes(before),
      After: changes(after),
      IsCredentialChanged: body.RemoveSecret || body.ClientSecret !== '',
    }
    return after
  }),

  handle(contract.deleteConnection, async ({ db, params: { connectionId }, audit }) => {
    await lockProvider(db, connectionId)
    audit.detail = changes(await getConnection(db, connectionId))
    await db
      .updateTable('saml_provider')
      .set({ deleted_at: sql`now()`, client_secret: null })
      .where('id', '=', connectionId)
      .execute()
  }),

  handle(contract.testConnection, async ({ db, params: { connectionId }, services }) => {
    const provider = await findOpenIdProvider(db, connectionId)
    if (!provider) throw notFound('This connection')
    const steps = await tryOpenId(services, provider)
    const failed = steps.find(({ isOk }) => !isOk)
    await noteConnection(services, connectionId, failed?.detail ?? '')
    return {
      IsOk: !failed,
      Steps: steps.map(({ name, isOk, detail }) => ({ Name: name, IsOk: isOk, Detail: detail })),
    }
  }),
]

const programRoutes = [
  handle(contract.connectProgram, async ({ db, params: { connectionId }, body, user, audit }) => {
    await lockProvider(db, connectionId)
    const before = await getConnection(db, connectionId)
    await refuseMissingProgram(db, body.ProgramId)
    audit.programId = body.ProgramId
    audit.detail = {
      Name: before.Name,
      Before: before.Programs.find(({ ProgramId }) => ProgramId === body.ProgramId)?.AccessLevel ?? null,
      After: body.AccessLevel,
    }
    await linkProgram(db, connectionId, {
      programId: body.ProgramId,
      accessLevel: body.AccessLevel,
      by: user.Id,
    })
    return getConnection(db, connectionId)
  }),

  handle(contract.disconnectProgram, async ({ db, params: { connectionId, programId }, audit }) => {
    await lockProvider(db, connectionId)
    const before = await getConnection(db, connectionId)
    if (!before.Programs.some(({ ProgramId }) => ProgramId === programId)) throw notFound('This program')
    if (before.Programs.length === 1) {
      throw conflict(
        'last_program',
        `This is the last program of ${before.Name}, so it stays connected. Connect another first, or delete the connection.`,
      )
    }
    audit.detail = { Name: before.Name }
    await unlinkProgram(db, connectionId, programId)
  }),
]

const personRoutes = [
  handle(contract.listConnectedPeople, async ({ db, params: { connectionId }, query }) => {
    await getConnection(db, connectionId)
    const { page, pageSize, search, IsLinked } = query
    return listPeople(db, connectionId, { page, pageSize, search: search.trim(), isLinked: IsLinked })
  }),

  handle(
    contract.saveConnectedPerson,
    async ({ db, params: { connectionId, userId }, body, user, audit }) => {
      await lockProvider(db, connectionId)
      const { Name } = await getConnection(db, connectionId)
      const before = await findPerson(db, connectionId, userId)
      if (!before) throw notFound('This person')
      if (body.Subject) {
        const holder = await findSubjectHolder(db, connectionId, {
          subject: body.Subject,
          email: before.Email,
          exceptId: userId,
        })
        if (holder) {
          throw conflict(
            'name_taken',
            `${holder} is known by this name already and has another email address. Unlink that account first; nothing was saved.`,
            'Subject',
          )
        }
        await saveUserName(db, connectionId, before, { nameId: body.Subject, by: user.Id })
      } else await deleteUserName(db, connectionId, before)
      audit.subjectId = userId
      audit.programId = before.ProgramId
      audit.detail = { Connection: Name, Before: before.Subject, After: body.Subject || null }
      const after = await findPerson(db, connectionId, userId)
      if (!after) throw notFound('This person')
      return after
    },
  ),
]

export const connectionRoutes = [...providerRoutes, ...programRoutes, ...personRoutes]
