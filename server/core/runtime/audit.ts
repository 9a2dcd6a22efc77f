import { type CompiledQuery, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** What a handler may add to the audit row of its call. */
export interface AuditNote {
  /** The person whose record was seen or changed. */
  subjectId?: number
  /** All whose records were seen, where they are several. */
  subjectIds?: readonly number[]
  /** A row for each of several people, with what is only theirs beside the detail. */
  parts?: readonly { subjectId: number; detail: Record<string, unknown> }[]
  /** The program that was changed, where it is not the one of the address or the session. */
  programId?: number
  /** Old and new values, counts, names: small. Never a secret. */
  detail?: Record<string, unknown>
}

export interface AuditEntry {
  programId: number | null
  accountId: number | null
  action: string
  /** Null for what the product does by itself. */
  address: string | null
  subjectId?: number | undefined
  detail?: unknown
}

const secret = /password|secret|token|code|answers|^body$|html|directions/i
const maxDetail = 4_000

/** The call's own input, without what is secret or long. */
export const auditable = (input: unknown): Record<string, unknown> | undefined => {
  if (typeof input !== 'object' || input === null) return undefined
  const kept = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      secret.test(name)
        ? '…'
        : typeof value === 'string' && value.length > 200
          ? `${value.slice(0, 200)}…`
          : value,
    ]),
  )
  return JSON.stringify(kept).length > maxDetail ? { Fields: Object.keys(kept) } : kept
}

/** One row of the audit, for a call's closing statements. */
export const auditEntry = (db: Db, entry: AuditEntry): CompiledQuery =>
  sql`insert into audit (program_id, account_id, action, subject_id, detail, address)
    values (${entry.programId}, ${entry.accountId}, ${entry.action}, ${entry.subjectId ?? null},
      ${entry.detail ? JSON.stringify(entry.detail) : null}::jsonb, ${entry.address})`.compile(db)

/** As `auditEntry`, a row for each of several people, in one statement. */
export const auditEntries = (db: Db, entry: AuditEntry, subjectIds: readonly number[]): CompiledQuery =>
  sql`insert into audit (program_id, account_id, action, subject_id, detail, address)
    select ${entry.programId}, ${entry.accountId}, ${entry.action}, subject, ${entry.detail ? JSON.stringify(entry.detail) : null}::jsonb,
      ${entry.address}::inet from unnest(${[...subjectIds]}::bigint[]) subject`.compile(db)

/** As `auditEntry`, a row for each part, with what is its own. */
export const auditParts = (
  db: Db,
  { detail, ...entry }: AuditEntry,
  parts: NonNullable<AuditNote['parts']>,
): CompiledQuery =>
  sql`insert into audit (program_id, account_id, action, subject_id, detail, address)
    select ${entry.programId}, ${entry.accountId}, ${entry.action}, (part ->> 'subjectId')::bigint,
      coalesce(${detail ? JSON.stringify(detail) : null}::jsonb, '{}') || (part -> 'detail'), ${entry.address}::inet
    from jsonb_array_elements(${JSON.stringify(parts)}::jsonb) part`.compile(db)

/** Writes a row of the audit at once. */
export const writeAudit = async (db: Db, entry: AuditEntry): Promise<void> => {
  await db.executeQuery(auditEntry(db, entry))
}
