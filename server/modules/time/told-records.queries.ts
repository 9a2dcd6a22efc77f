import { sql } from 'kysely'
import type { TimeKind } from '#contract/time/time-records.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { AuditNote } from '#server/core/runtime/audit.ts'
import { kindNames } from './record-file.rules.ts'

/** What the audit says of a time record: days and times where the program is, hours as 7:45. */
export interface ToldRecord {
  Type: string
  Date: string
  Time: string
  EndTime?: string
  Site?: string
  Hours?: string
  Status: string
}

/** How many records of one person a note of the audit names. */
const most = 20

interface Row {
  id: number
  studentId: number
  kind: TimeKind
  told: Omit<ToldRecord, 'Type'>
}

const read = async (db: Db, programId: number, where: ReturnType<typeof sql>): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select r.id, r.student_id as "studentId", r.kind, jsonb_strip_nulls(jsonb_build_object(
      'Date', to_char(r.occurred_at at time zone p.time_zone, 'YYYY-MM-DD'),
      'Time', to_char(r.occurred_at at time zone p.time_zone, 'HH24:MI'),
      'EndTime', to_char(r.ends_at at time zone p.time_zone, 'HH24:MI'), 'Site', s.name,
      'Hours', case when r.minutes > 0 then r.minutes / 60 || ':' || lpad((r.minutes % 60)::text, 2, '0') end,
      'Status', r.status)) as told
    from time_record r join program p on p.id = r.program_id
    left join site s on s.program_id = r.program_id and s.id = r.site_id
    where r.program_id = ${programId} and ${where}
    order by r.occurred_at, r.id`.execute(db)
  return rows
}

const toldOf = ({ kind, told }: Row): ToldRecord => ({ Type: kindNames[kind], ...told })

/** These records, as the audit names them. */
export const tellRecords = async (db: Db, programId: number, ids: readonly number[]): Promise<ToldRecord[]> =>
  (await read(db, programId, sql`r.id = any (${[...ids]}::bigint[])`)).map(toldOf)

type Parts = NonNullable<AuditNote['parts']>

const partsOf = (rows: readonly Row[]): Parts =>
  [...Map.groupBy(rows, ({ studentId }) => studentId)].map(([subjectId, own]) => ({
    subjectId,
    detail: {
      Records: own.slice(0, most).map(toldOf),
      ...(own.length > most && { RecordsInAll: own.length }),
    },
  }))

/** For each student of these records a part of the audit's note. */
export const partsOfRecords = async (db: Db, programId: number, ids: readonly number[]): Promise<Parts> =>
  partsOf(await read(db, programId, sql`r.id = any (${[...ids]}::bigint[])`))

/** The same of what somebody decided at one moment. */
export const partsDecidedAt = async (
  db: Db,
  { programId, accountId }: { programId: number; accountId: number },
  decidedAt: string | null,
): Promise<Parts> =>
  decidedAt === null
    ? []
    : partsOf(
        await read(
          db,
          programId,
          sql`r.decided_by = ${accountId} and r.decided_at = ${decidedAt}::timestamptz and r.deleted_at is null`,
        ),
      )
