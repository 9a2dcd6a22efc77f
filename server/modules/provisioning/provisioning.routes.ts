import { sql } from 'kysely'
import { connectionFailures } from '#contract/connections/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { provisioningFailures } from '#contract/provisioning/failures.ts'
import * as contract from '#contract/provisioning/provisioning.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { lockProvider } from '../saml/providers.queries.ts'
import {
  addScimConnection,
  applyGroupLevels,
  changeScimConnection,
  deleteScimConnection,
  saveGroupLevels,
} from './provisioning.commands.ts'
import { findProgramProvider, findProvisioning, membersOf } from './provisioning.queries.ts'

const off: contract.Provisioning = {
  IsOn: false,
  MaxLevel: Level.Student,
  DefaultLevel: Level.Student,
  AdoptsByEmail: false,
  Ending: '',
  PreviousUntil: null,
  LastUsedDate: null,
  LastErrorDate: null,
  LastError: '',
  UserCount: 0,
  Groups: [],
}

interface Place {
  connectionId: number
  programId: number
}

const getProvider = async (db: Db, { programId, connectionId }: Place) => {
  const provider = await findProgramProvider(db, programId, connectionId)
  // Learning management systems send nobody: their rosters are read.
  if (!provider || provider.kind === 'lti') throw fail(connectionFailures.no_connected_program)
  return provider
}

const getProvisioning = async (db: Db, place: Place): Promise<contract.Provisioning> => {
  const found = await findProvisioning(db, place.programId, place.connectionId)
  return found ? { IsOn: true, ...found } : off
}

/** One that nobody has seen, and what is kept of it. */
const newKey = () => {
  const Key = `scim_${newToken()}`
  return { Key, key_hash: hashToken(Key), ending: Key.slice(-4) }
}

const refuseOff = async (db: Db, place: Place): Promise<void> => {
  await getProvider(db, place)
  if (!(await findProvisioning(db, place.programId, place.connectionId)))
    throw fail(provisioningFailures.no_provisioning)
}

const rowOf = ({ programId, connectionId }: Place) => ({ program_id: programId, provider_id: connectionId })

export const provisioningRoutes = [
  handle(contract.getProvisioning, async ({ db, params }) => {
    await getProvider(db, params)
    return getProvisioning(db, params)
  }),

  handle(contract.saveProvisioning, async ({ db, params, body, user, audit }) => {
    await lockProvider(db, params.connectionId)
    const provider = await getProvider(db, params)
    const before = await getProvisioning(db, params)
    const levels = {
      max_level: body.MaxLevel,
      default_level: body.DefaultLevel,
      adopts_by_email: body.AdoptsByEmail ?? before.AdoptsByEmail,
    }
    const made = before.IsOn ? undefined : newKey()
    if (made) {
      const { key_hash, ending } = made
      await addScimConnection(db, { ...rowOf(params), ...levels, key_hash, ending, created_by: user.Id })
    } else await changeScimConnection(db, rowOf(params), levels)
    const known = new Map(before.Groups.map((group) => [group.Id, group]))
    const changed = body.Groups.filter(({ Id, Level }) => {
      const group = known.get(Id)
      if (!group) throw fail(provisioningFailures.group_gone, 'Groups')
      return group.Level !== Level
    })
    await saveGroupLevels(db, rowOf(params), changed, body.MaxLevel)
    const members = await membersOf(
      db,
      params.programId,
      changed.map(({ Id }) => Id),
    )
    const moved = await applyGroupLevels(
      db,
      { ...rowOf(params), ...levels, provider_name: provider.name, provider_kind: provider.kind },
      members,
    )
    audit.detail = {
      Connection: provider.name,
      ...body,
      IsNew: !before.IsOn,
      LevelsChanged: moved.length,
    }
    return { ...(await getProvisioning(db, params)), Key: made?.Key ?? null }
  }),

  handle(contract.rotateProvisioningKey, async ({ db, params }) => {
    await refuseOff(db, params)
    const { Key, key_hash, ending } = newKey()
    await changeScimConnection(db, rowOf(params), {
      key_hash,
      ending,
      previous_hash: sql<Buffer>`key_hash`,
      previous_until: sql<string>`now() + make_interval(hours => ${contract.keyOverlapHours}::integer)`,
    })
    return { Key }
  }),

  handle(contract.endProvisioning, async ({ db, params }) => {
    await refuseOff(db, params)
    await deleteScimConnection(db, rowOf(params))
  }),
]
