import { BlockList } from 'node:net'
import { sql } from 'kysely'
import type pg from 'pg'
import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { may, type Permission, permissions } from '#contract/core/permissions.ts'
import { transaction } from '#server/core/database/pool.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { hashToken, type SignedIn, type User } from './session.ts'

/** As `find_api_key` answers it: the key, the person whose rights bound its own, and its program. */
interface KeyRow {
  key_id: number
  key_name: string
  key_program_id: number | null
  rights: string[]
  networks: string[]
  calls_per_minute: number
  is_expired: boolean
  account_id: number
  user_name: string
  first_name: string
  last_name: string
  email: string
  is_email_confirmed: boolean
  is_demo: boolean
  access_level: number
  super_admin_areas: number | null
  college_id: number | null
  program_name: string | null
  college_name: string | null
  time_zone: string
}

/** The rights of a key that its person has still. */
const presentRights = ({ rights, access_level, super_admin_areas }: KeyRow): Permission[] => {
  const maker = { AccessLevel: access_level, SuperAdminAreas: super_admin_areas }
  return rights.filter(
    (right): right is Permission => Object.hasOwn(permissions, right) && may(maker, right as Permission),
  )
}

/**
 * The caller behind a key. The key of one program sees that program alone, whoever made it, and is a coordinator at the most where
 * a level decides; what it may is decided by its rights.
 */
const callerOf = (row: KeyRow): SignedIn => {
  const isForAll = row.key_program_id === null
  const user: User = {
    Id: row.account_id,
    UserName: row.user_name,
    Name: `${row.first_name} ${row.last_name}`.trim() || row.user_name,
    EmailAddress: row.email,
    AccessLevel: isForAll ? row.access_level : Math.min(row.access_level, Level.Coord),
    SuperAdminAreas: row.super_admin_areas,
    IsDemo: row.is_demo,
    IsEmailAddressConfirmed: row.is_email_confirmed,
    isSuperAdmin: isForAll,
    ProgramId: row.key_program_id,
    ProgramName: row.program_name,
    CollegeName: row.college_name,
    TimeZone: row.time_zone,
    KeyRights: presentRights(row),
    key: {
      Id: row.key_id,
      Name: row.key_name,
      maker: { AccessLevel: row.access_level, SuperAdminAreas: row.super_admin_areas },
    },
  }
  return {
    user,
    session: {
      id: 0,
      csrfToken: '',
      collegeId: row.college_id,
      programId: row.key_program_id,
      templateId: null,
      isProgramMenuEnabled: false,
      isAdminMenuSemiHidden: false,
      expiresAt: new Date(0).toISOString(),
      isAntiForgeryEnabled: false,
      isShared: false,
      isProven: false,
      carriesProof: false,
      viewer: null,
      step: undefined,
    },
  }
}

/** What a caller without a good key learns: the same for unknown, revoked and forgotten ones. */
export const unknownKey = (): Failure => fail(coreFailures.unknown_key)

const isWithin = (address: string, networks: readonly string[]): boolean => {
  const familyOf = (text: string) => (text.includes(':') ? ('ipv6' as const) : ('ipv4' as const))
  const list = new BlockList()
  for (const network of networks) {
    const [first = '', prefix] = network.split('/')
    list.addSubnet(first, Number(prefix ?? (familyOf(first) === 'ipv4' ? 32 : 128)), familyOf(first))
  }
  return list.check(address, familyOf(address))
}

interface Refusal {
  reason: 'expired' | 'network' | 'owner'
  failure: Failure
}

/** Why a known key is refused; undefined when it is not. */
const refusalOf = (row: KeyRow, address: string): Refusal | undefined => {
  if (row.networks.length > 0 && !isWithin(address, row.networks))
    return {
      reason: 'network',
      failure: fail(coreFailures.key_network, { Name: row.key_name, Address: address }),
    }
  if (row.is_expired)
    return {
      reason: 'expired',
      failure: fail(coreFailures.expired_key, { Name: row.key_name }),
    }
  const maker = { AccessLevel: row.access_level, SuperAdminAreas: row.super_admin_areas }
  if (
    !may(maker, 'api-keys.manage') ||
    (row.key_program_id === null && row.access_level !== Level.SuperAdmin)
  )
    return {
      reason: 'owner',
      failure: fail(coreFailures.key_owner, { Name: row.key_name }),
    }
  return undefined
}

/** How a key's calls of this minute are counted. */
export interface KeyUse {
  limit: number
  remaining: number
  /** Seconds until the count begins anew. */
  seconds: number
}

/** Kept for the key's page, and in the audit once an hour and address. */
const noteRefusal = async (
  pool: pg.Pool,
  { key_id, key_name, key_program_id }: KeyRow,
  address: string,
  reason: Refusal['reason'],
): Promise<void> => {
  const tenant = {
    accountId: null,
    programIds: key_program_id === null ? [] : [key_program_id],
    isSuper: key_program_id === null,
  }
  await transaction(pool, tenant, async (db) => {
    const { rows } =
      await sql`update api_key set refused_at = now(), refused_address = ${address}, refused_reason = ${reason}
      where id = ${key_id} and (refused_at is null or refused_at < now() - interval '1 hour'
        or refused_address is distinct from ${address}::inet or refused_reason is distinct from ${reason}) returning id`.execute(
        db,
      )
    if (rows.length > 0)
      await writeAudit(db, {
        programId: key_program_id,
        accountId: null,
        action: 'key refused',
        address,
        detail: { ByKey: { Id: key_id, Name: key_name }, Reason: reason },
      })
  })
}

/**
 * Who calls with this key from this address. Asking counts: against the key's limit, on all processes, and as its last use.
 *
 * @throws Failure 401 for a key that is unknown, revoked or expired; 403 for a forbidden network, and when its person may keep no
 * keys any longer
 */
export const admitKey = async (
  pool: pg.Pool,
  key: string,
  from: string,
): Promise<SignedIn & { use: KeyUse }> => {
  const address = plainAddress(from)
  const { rows } = await pool.query<KeyRow>({
    name: 'find_api_key',
    text: 'select * from find_api_key($1)',
    values: [hashToken(key)],
  })
  const row = rows[0]
  if (!row) {
    metrics.apiKey('unknown')
    throw unknownKey()
  }
  const refusal = refusalOf(row, address)
  if (refusal) {
    metrics.apiKey(refusal.reason)
    await noteRefusal(pool, row, address, refusal.reason)
    throw refusal.failure
  }
  metrics.apiKey('admitted')
  const counted = await pool.query<{ calls: number; seconds: number }>({
    name: 'count_api_key_call',
    text: 'select * from count_api_key_call($1, $2)',
    values: [row.key_id, address],
  })
  const { calls, seconds } = counted.rows[0]!
  const limit = row.calls_per_minute
  return { ...callerOf(row), use: { limit, remaining: limit - calls, seconds } }
}

/** The person behind a key as it is now, for work that goes on after its call; undefined when the key is in use no longer. */
export const findKeyUser = async (pool: pg.Pool, keyId: number): Promise<User | undefined> => {
  const { rows } = await pool.query<KeyRow>('select * from find_api_key(null, $1)', [keyId])
  const row = rows[0]
  if (!row) return undefined
  const maker = { AccessLevel: row.access_level, SuperAdminAreas: row.super_admin_areas }
  return row.is_expired || !may(maker, 'api-keys.manage') ? undefined : callerOf(row).user
}

/**
 * The highest level that a caller reaches and gives: the own one. A key does not touch people above faculty, for with their addresses
 * whoever stole the key would sign in as one of them.
 */
export const highestManageableLevel = ({ AccessLevel, key }: Pick<User, 'AccessLevel' | 'key'>): number =>
  key ? Math.min(AccessLevel, Level.Faculty) : AccessLevel
