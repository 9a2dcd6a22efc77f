import { sql } from 'kysely'
import { type SyncEvent, type SyncKey, type SyncLog, syncModules } from '#contract/imports/sync.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

const syncRight = 'data-sync.send'

/** Which runs a list shows; without a program those of all, as far as row-level security shows them. */
export interface LogFilter {
  programId: number | undefined
  moduleId: number | undefined
  failedOnly: boolean
  /** After this moment. */
  since: string | undefined
}

const matching = (db: Db, { programId, moduleId, failedOnly, since }: LogFilter) =>
  db
    .selectFrom('sync_log as l')
    .$if(programId !== undefined, (query) => query.where('l.program_id', '=', programId!))
    .$if(moduleId !== undefined, (query) => query.where('l.module_id', '=', moduleId!))
    .$if(since !== undefined, (query) => query.where('l.created_at', '>', since!))
    .$if(failedOnly, (query) => query.where(sql<boolean>`not (l.event ->> 'Success')::boolean`))

// Logs hold ids of the list only.
const moduleName = (id: number): string => syncModules.find(({ Id }) => Id === id)!.Name

/** A page of runs, newest first. */
export const pageLogs = async (
  db: Db,
  filter: LogFilter,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: SyncLog[]; Total: number; Page: number; PageSize: number }> => {
  const { Total } = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const rows = await matching(db, filter)
    .innerJoin('program as p', 'p.id', 'l.program_id')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .select(['l.id as Id', 'l.module_id as ModuleId', 'l.created_at as Date', 'l.account_id as UserId'])
    .select(['l.program_id as ProgramId', 'p.name as ProgramName', 'c.name as CollegeName'])
    .select(sql<SyncEvent>`l.event`.as('Event'))
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return {
    Items: rows.map((row) => ({ ...row, ModuleName: moduleName(row.ModuleId) })),
    Total,
    Page: page,
    PageSize: pageSize,
  }
}

/** Keys that send rows and open nothing else. The page API Keys shows them too. */
const keys = (db: Db, programId: number) =>
  db
    .selectFrom('api_key as k')
    .leftJoin('account as a', 'a.id', 'k.account_id')
    .select(['k.id as Id', 'k.name as Name', 'k.ending as Ending', 'k.created_at as CreateDate'])
    .select(['k.last_used_at as LastUsedDate', personName('a').as('CreateBy')])
    .where('k.program_id', '=', programId)
    .where(sql<boolean>`k.rights = ${[syncRight]}::text[]`)
    .where('k.revoked_at', 'is', null)
    .where('k.ended_at', 'is', null)

export const listKeys = (db: Db, programId: number): Promise<SyncKey[]> =>
  keys(db, programId).orderBy(sql`lower(k.name)`).execute()

export const findKey = (db: Db, programId: number, keyId: number): Promise<SyncKey | undefined> =>
  keys(db, programId).where('k.id', '=', keyId).executeTakeFirst()
