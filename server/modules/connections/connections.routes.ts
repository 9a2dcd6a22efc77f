import * as contract from '#contract/connections/connections.ts'
import { connectionFailures } from '#contract/connections/failures.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { seal } from '#server/core/auth/seal.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { noteConnection } from '../identity/college-answers.commands.ts'
import { findRegisteredPlatform } from '../identity/lti.queries.ts'
import { tryLti } from '../identity/lti.service.ts'
import { secretContext, tryOpenId } from '../identity/openid.service.ts'
import { refuseMissingProgram } from '../saml/programs.service.ts'
import {
  addProvider,
  changeProvider,
  deleteProvider,
  deleteUserName,
  linkProgram,
  saveUserName,
  unlinkProgram,
} from '../saml/providers.commands.ts'
import { lockProvider } from '../saml/providers.queries.ts'
import { findPerson, findSubjectHolder, listPeople } from './connections.across.ts'
import { findOpenIdProvider, hasLinkedPeople, listConnections } from './connections.queries.ts'
import { getConnection, refuseAddress, refuseTaken } from './connections.service.ts'

const changes = ({ Name, Issuer, ClientId, SubjectClaim, HasOwnAnswer }: contract.Connection) => ({
  Name,
  Issuer,
  ClientId,
  SubjectClaim,
  HasOwnAnswer,
})

const providerRoutes = [
  handle(contract.listConnections, ({ db }) => listConnections(db)),

  handle(contract.getConnection, ({ db, params }) => getConnection(db, params.connectionId)),

  handle(contract.createConnection, async ({ db, body, user, services, audit }) => {
    const { webhookAllow, secretKey } = services.config
    refuseAddress('Issuer', body.Issuer, webhookAllow)
    await refuseTaken(db, body, 0)
    await refuseMissingProgram(db, body.ProgramId)
    const id = await addProvider(db, {
      kind: 'oidc',
      name: body.Name,
      entity_id: body.Issuer,
      client_id: body.ClientId,
      subject_claim: body.SubjectClaim,
      created_by: user.Id,
    })
    // Sealed for its own row, whose number is known now.
    if (body.ClientSecret)
      await changeProvider(db, id, { client_secret: seal(secretKey, secretContext(id), body.ClientSecret) })
    await linkProgram(db, id, { programId: body.ProgramId, accessLevel: body.AccessLevel, by: user.Id })
    const made = await getConnection(db, id)
    audit.programId = body.ProgramId
    audit.detail = { ...changes(made), AccessLevel: body.AccessLevel }
    return made
  }),

  handle(contract.updateConnection, async ({ db, params: { connectionId }, body, services, audit }) => {
    await lockProvider(db, connectionId)
    const before = await getConnection(db, connectionId, 'oidc')
    await refuseTaken(db, { ...body, Issuer: before.Issuer }, connectionId)
    if (body.SubjectClaim !== before.SubjectClaim && (await hasLinkedPeople(db, connectionId))) {
      throw fail(connectionFailures.linked_people, 'SubjectClaim')
    }
    const { secretKey } = services.config
    await changeProvider(db, connectionId, {
      name: body.Name,
      client_id: body.ClientId,
      subject_claim: body.SubjectClaim,
      ...(body.HasOwnAnswer !== undefined && { has_own_answer: body.HasOwnAnswer }),
      ...(body.RemoveSecret && { client_secret: null }),
      ...(body.ClientSecret && {
        client_secret: seal(secretKey, secretContext(connectionId), body.ClientSecret),
      }),
    })
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
    await deleteProvider(db, connectionId)
  }),

  handle(contract.testConnection, async ({ db, params: { connectionId }, services }) => {
    const [provider, platform] = [
      await findOpenIdProvider(db, connectionId),
      await findRegisteredPlatform(db, connectionId),
    ]
    const steps = provider
      ? await tryOpenId(services, provider)
      : platform && (await tryLti(services, platform))
    if (!steps) throw fail(connectionFailures.no_connection)
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
    if (!before.Programs.some(({ ProgramId }) => ProgramId === programId)) throw fail(coreFailures.no_program)
    if (before.Programs.length === 1) {
      throw fail(connectionFailures.last_program, { Name: before.Name })
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
      if (!before) throw fail(peopleFailures.no_person)
      if (body.Subject) {
        const holder = await findSubjectHolder(db, connectionId, {
          subject: body.Subject,
          email: before.Email,
          exceptId: userId,
        })
        if (holder) {
          throw fail(connectionFailures.person_name_taken, { Person: holder }, 'Subject')
        }
        await saveUserName(db, connectionId, before, { nameId: body.Subject, by: user.Id })
      } else await deleteUserName(db, connectionId, before)
      audit.subjectId = userId
      audit.programId = before.ProgramId
      audit.detail = { Connection: Name, Before: before.Subject, After: body.Subject || null }
      const after = await findPerson(db, connectionId, userId)
      if (!after) throw fail(peopleFailures.no_person)
      return after
    },
  ),
]

export const connectionRoutes = [...providerRoutes, ...programRoutes, ...personRoutes]
