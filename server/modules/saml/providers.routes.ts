import { peopleFailures } from '#contract/people/failures.ts'
import { samlFailures } from '#contract/saml/failures.ts'
import * as contract from '#contract/saml/saml.ts'
import { type Certificates, readCertificates } from '#server/core/auth/certificates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { refuseMissingProgram } from './programs.service.ts'
import {
  addProvider,
  changeProvider,
  deleteProvider,
  deleteUserName,
  linkProgram,
  saveUserName,
  unlinkProgram,
} from './providers.commands.ts'
import { findProvider, findTakenName, listProviders, lockProvider } from './providers.queries.ts'
import { findNameIdConflict, findUser, listUsers } from './users.across.ts'

const getProvider = async (db: Db, samlId: number): Promise<contract.SamlProvider> => {
  const provider = await findProvider(db, samlId)
  if (!provider) throw fail(samlFailures.no_saml_provider)
  return provider
}

const refuseTakenName = async (
  db: Db,
  names: { Name: string; EntityId: string },
  exceptId: number,
): Promise<void> => {
  const field = await findTakenName(db, names, exceptId)
  if (!field) return
  const what = field === 'Name' ? names.Name : 'Another provider with this entity ID'
  throw fail(samlFailures.name_taken, { Name: what }, field)
}

const readCertificate = (text: string): Certificates => {
  try {
    return readCertificates(text)
  } catch (error) {
    throw fail(samlFailures.certificate, { Reason: (error as Error).message }, 'Certificate')
  }
}

type Input = Pick<contract.SamlProvider, 'Name' | 'EntityId' | 'SsoUrl' | 'SloUrl' | 'Certificate'>

const values = (body: Input) => {
  const { pems, expiresAt } = readCertificate(body.Certificate)
  return {
    name: body.Name,
    entity_id: body.EntityId,
    sso_url: body.SsoUrl,
    slo_url: body.SloUrl,
    certificate: pems.join('\n'),
    certificate_expires_at: expiresAt.toISOString(),
  }
}

const auditable = ({ Name, EntityId, SsoUrl, SloUrl }: Input) => ({ Name, EntityId, SsoUrl, SloUrl })

const providerRoutes = [
  handle(contract.listSamlProviders, ({ db }) => listProviders(db)),

  handle(contract.getSamlProvider, ({ db, params }) => getProvider(db, params.samlId)),

  handle(contract.createSamlProvider, async ({ db, body, user }) => {
    const row = values(body)
    await refuseTakenName(db, body, 0)
    await refuseMissingProgram(db, body.ProgramId)
    const id = await addProvider(db, { ...row, created_by: user.Id })
    await linkProgram(db, id, {
      programId: body.ProgramId,
      accessLevel: contract.noLevelGranted,
      by: user.Id,
    })
    return getProvider(db, id)
  }),

  handle(contract.updateSamlProvider, async ({ db, params: { samlId }, body, audit }) => {
    const before = await getProvider(db, samlId)
    const row = values(body)
    await refuseTakenName(db, body, samlId)
    audit.detail = {
      Before: auditable(before),
      After: auditable(body),
      IsCertificateChanged: row.certificate !== before.Certificate,
    }
    await changeProvider(db, samlId, row)
    return getProvider(db, samlId)
  }),

  handle(contract.deleteSamlProvider, async ({ db, params: { samlId }, audit }) => {
    await lockProvider(db, samlId)
    const before = await getProvider(db, samlId)
    if (before.HasMultiple) {
      throw fail(samlFailures.linked_programs, { Name: before.Name, Count: before.Programs.length })
    }
    audit.detail = auditable(before)
    await deleteProvider(db, samlId)
  }),

  handle(contract.linkSamlProgram, async ({ db, params: { samlId }, body, user, audit }) => {
    await lockProvider(db, samlId)
    const before = await getProvider(db, samlId)
    await refuseMissingProgram(db, body.ProgramId)
    if (before.Programs.some(({ ProgramId }) => ProgramId === body.ProgramId)) {
      throw fail(samlFailures.linked, { Name: before.Name }, 'ProgramId')
    }
    audit.programId = body.ProgramId
    audit.detail = { Name: before.Name, ...body }
    await linkProgram(db, samlId, {
      programId: body.ProgramId,
      accessLevel: body.AccessLevel,
      by: user.Id,
    })
    return getProvider(db, samlId)
  }),

  handle(contract.unlinkSamlProgram, async ({ db, params: { samlId, programId }, audit }) => {
    await lockProvider(db, samlId)
    const before = await getProvider(db, samlId)
    if (!before.Programs.some(({ ProgramId }) => ProgramId === programId)) throw fail(samlFailures.no_link)
    if (!before.HasMultiple) {
      throw fail(samlFailures.last_program, { Name: before.Name })
    }
    audit.detail = { Name: before.Name }
    await unlinkProgram(db, samlId, programId)
  }),
]

const userRoutes = [
  handle(contract.listSamlUsers, async ({ db, params: { samlId }, query }) => {
    const { ProgramId, ...page } = query
    return listUsers(db, await getProvider(db, samlId), { ...page, programId: ProgramId ?? null })
  }),

  handle(contract.saveSamlUser, async ({ db, params: { samlId, userId }, body, user, audit }) => {
    await lockProvider(db, samlId)
    const provider = await getProvider(db, samlId)
    const before = await findUser(db, provider, userId)
    if (!before) throw fail(peopleFailures.no_person)
    const nameId = body.Delete ? '' : body.SamlNameId
    if (nameId) {
      const holder = await findNameIdConflict(db, samlId, { nameId, email: before.Email, exceptId: userId })
      if (holder) {
        throw fail(samlFailures.name_id_taken, { Person: holder }, 'SamlNameId')
      }
      await saveUserName(db, samlId, before, { nameId, by: user.Id })
    } else await deleteUserName(db, samlId, before)
    audit.subjectId = userId
    audit.programId = before.ProgramId
    audit.detail = { Provider: provider.Name, Before: before.SamlNameId, After: nameId || null }
    // The account was linked above, in this transaction.
    return (await findUser(db, provider, userId))!
  }),
]

export const samlRoutes = [...providerRoutes, ...userRoutes]
