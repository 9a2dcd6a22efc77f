import { sql } from 'kysely'
import type * as contract from '#contract/clinical-records/clinical-records.ts'
import type { RecordContent } from '#contract/clinical-records/clinical-records.ts'
import type { SharedPart } from '#contract/clinical-records/record-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface NewRecord {
  studentId: number
  number: string
  clearanceId: number | null
  content: RecordContent
  fileId: number
  sha256: Buffer
  collegeId: number
  credential: string
  credentialSha256: Buffer
}

/**
 * Keeps a record in place of the student's valid one, whose choice of what is shared goes on. The caller holds the lock of the
 * student's records. Answers its id.
 */
export const insertRecord = async (
  db: Db,
  programId: number,
  record: NewRecord,
  accountId: number,
): Promise<number> => {
  // The valid one makes room first, and says which one takes its place: so the id is drawn ahead.
  const { rows } = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('clinical_record', 'id')) as id`.execute(db)
  const id = Number(rows[0]!.id)
  const replaced = await sql<{
    shares: SharedPart[]
  }>`update clinical_record set replaced_at = now(), replaced_by = ${id}
    where program_id = ${programId} and student_id = ${record.studentId} and revoked_at is null and replaced_at is null
    returning shares`.execute(db)
  await sql`insert into clinical_record
      (program_id, id, number, student_id, clearance_id, content, file_id, sha256, college_id, credential,
      credential_sha256, shares, issued_by)
    overriding system value values (${programId}, ${id}, ${record.number}, ${record.studentId}, ${record.clearanceId},
      ${JSON.stringify(record.content)}::jsonb, ${record.fileId}, ${record.sha256}, ${record.collegeId}, ${record.credential},
      ${record.credentialSha256}, ${replaced.rows[0]?.shares ?? []}, ${accountId})`.execute(db)
  return id
}

/** Revokes a valid record; false where it is not valid any longer. */
export const revokeRecord = async (
  db: Db,
  programId: number,
  recordId: number,
  { reason, accountId }: { reason: string; accountId: number },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`update clinical_record
    set revoked_at = now(), revoked_by = ${accountId}, revoke_reason = ${reason}
    where program_id = ${programId} and id = ${recordId} and revoked_at is null and replaced_at is null`.execute(
    db,
  )
  return numAffectedRows > 0n
}

export const saveShares = async (
  db: Db,
  programId: number,
  recordId: number,
  shares: readonly SharedPart[],
): Promise<void> => {
  await sql`update clinical_record set shares = ${[...new Set(shares)]}
    where program_id = ${programId} and id = ${recordId}`.execute(db)
}

export const insertClearance = async (
  db: Db,
  programId: number,
  studentId: number,
  signed: {
    text: string
    version: number
    name: string
    exception: string
    checks: contract.ClearanceChecks
    address: string
    accountId: number
  },
): Promise<void> => {
  await sql`insert into clearance (program_id, student_id, text, version, name, exception, checks, address, signed_by)
    values (${programId}, ${studentId}, ${signed.text}, ${signed.version}, ${signed.name}, ${signed.exception},
      ${JSON.stringify(signed.checks)}::jsonb, ${signed.address}::inet, ${signed.accountId})`.execute(db)
}

/** Takes the clearance back; false where there is none. */
export const withdrawClearance = async (
  db: Db,
  programId: number,
  studentId: number,
  { reason, accountId }: { reason: string; accountId: number },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`update clearance
    set withdrawn_at = now(), withdrawn_by = ${accountId}, withdrawal_reason = ${reason}
    where program_id = ${programId} and student_id = ${studentId} and withdrawn_at is null`.execute(db)
  return numAffectedRows > 0n
}
