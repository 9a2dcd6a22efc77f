import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { may, type Permission, permissions } from '#contract/core/permissions.ts'
import type { ApiKey } from '#contract/keys/keys.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The keys that are not revoked, of one program and of all together; row-level security shows the latter to super admins alone. */
const keys = (db: Db, programId: number) =>
  db
    .selectFrom('api_key as k')
    .leftJoin('account as a', 'a.id', 'k.account_id')
    .where(({ eb, or }) => or([eb('k.program_id', '=', programId), eb('k.program_id', 'is', null)]))
    .where('k.revoked_at', 'is', null)

const listed = (db: Db, programId: number) =>
  keys(db, programId)
    .select(['k.id', 'k.name', 'k.ending', 'k.program_id', 'k.rights', 'k.calls_per_minute'])
    .select(['k.expires_at', 'k.created_at', 'k.rotated_at', 'k.last_used_at', 'k.refused_at'])
    .select(sql<string[]>`k.networks::text[]`.as('networks'))
    .select(sql<boolean>`coalesce(k.expires_at <= now(), false)`.as('is_expired'))
    .select(
      sql<string | null>`case when k.previous_until > now() then k.previous_until end`.as('previous_until'),
    )
    .select(sql<string | null>`host(k.last_used_address)`.as('last_used_address'))
    .select(sql<string | null>`host(k.refused_address)`.as('refused_address'))
    .select(sql<ApiKey['RefusedReason']>`k.refused_reason`.as('refused_reason'))
    .select(['a.access_level', 'a.super_admin_areas', personName('a').as('person')])
    .select(
      // People of other programs are hidden; those of a super admin's key for all programs are not.
      sql<boolean>`k.ended_at is null and a.id is not null and a.deleted_at is null and a.deactivated_at is null
        and (a.program_id = k.program_id or a.access_level = ${Level.SuperAdmin})`.as('has_person'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

const isRight = (name: string): name is Permission => Object.hasOwn(permissions, name)

const shown = (row: Row): ApiKey => {
  const maker = {
    AccessLevel: row.access_level ?? Level.Unknown,
    SuperAdminAreas: row.super_admin_areas ?? null,
  }
  const isKept =
    row.has_person &&
    may(maker, 'api-keys.manage') &&
    (row.program_id !== null || row.access_level === Level.SuperAdmin)
  return {
    Id: row.id,
    Name: row.name,
    Ending: row.ending,
    IsForAllPrograms: row.program_id === null,
    Rights: row.rights,
    LostRights: row.rights.filter((right) => !isRight(right) || !may(maker, right)),
    Networks: row.networks.map((network) => network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '')),
    CallsPerMinute: row.calls_per_minute,
    State: row.is_expired ? 'expired' : isKept ? 'active' : 'ended',
    ExpireDate: row.expires_at,
    CreateBy: row.person,
    CreateDate: row.created_at,
    RotateDate: row.rotated_at,
    PreviousUntil: row.previous_until,
    LastUsedDate: row.last_used_at,
    LastUsedAddress: row.last_used_address,
    RefusedDate: row.refused_at,
    RefusedAddress: row.refused_address,
    RefusedReason: row.refused_reason,
  }
}

export const listApiKeys = async (db: Db, programId: number): Promise<ApiKey[]> =>
  (await listed(db, programId).orderBy(sql`lower(k.name)`).orderBy('k.id').execute()).map(shown)

export const findApiKey = async (db: Db, programId: number, keyId: number): Promise<ApiKey | undefined> => {
  const row = await listed(db, programId).where('k.id', '=', keyId).executeTakeFirst()
  return row && shown(row)
}
