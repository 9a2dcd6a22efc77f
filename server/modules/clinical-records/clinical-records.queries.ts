import { type RawBuilder, sql } from 'kysely'
import type * as contract from '#contract/clinical-records/clinical-records.ts'
import type { ClinicalRecord, RecordContent } from '#contract/clinical-records/clinical-records.ts'
import { readNumber, type SharedPart } from '#contract/clinical-records/record-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** A moment as the program's day. */
const day = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone p.time_zone)::date`

const columns = sql`
  r.id as "Id", r.number as "Number", r.student_id as "StudentId",
  listed_name(r.content ->> 'LastName', r.content ->> 'FirstName') as "Student", r.content ->> 'Cohort' as "Cohort",
  r.clearance_id is not null as "IsFinal",
  case when r.revoked_at is not null then 'revoked' when r.replaced_at is not null then 'replaced' else 'valid' end as "State",
  ${day(sql`r.issued_at`)} as "IssuedOn", coalesce(trim(i.first_name || ' ' || i.last_name), '') as "IssuedBy",
  ${day(sql`r.revoked_at`)} as "RevokedOn", trim(v.first_name || ' ' || v.last_name) as "RevokedBy", r.revoke_reason as "RevokeReason",
  n.number as "ReplacedBy", r.shares as "Shares"`

const joined = sql`
  join program p on p.id = r.program_id
  left join account i on i.program_id = r.program_id and i.id = r.issued_by
  left join account v on v.program_id = r.program_id and v.id = r.revoked_by
  left join clinical_record n on n.program_id = r.program_id and n.id = r.replaced_by`

const list = async (db: Db, programId: number, which: RawBuilder<unknown>): Promise<ClinicalRecord[]> => {
  const { rows } = await sql<ClinicalRecord>`select ${columns} from clinical_record r ${joined}
    where r.program_id = ${programId} and ${which} order by r.id desc`.execute(db)
  return rows
}

/** A student's records, the newest first. */
export const listRecordsOf = (db: Db, programId: number, studentId: number): Promise<ClinicalRecord[]> =>
  list(db, programId, sql`r.student_id = ${studentId}`)

export const listRecordsByIds = (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<ClinicalRecord[]> => list(db, programId, sql`r.id = any (${[...ids]}::bigint[])`)

/** A record, of this student where one is named. */
export const findRecord = async (
  db: Db,
  programId: number,
  recordId: number,
  studentId?: number,
): Promise<ClinicalRecord | undefined> =>
  (
    await list(
      db,
      programId,
      sql`r.id = ${recordId} and ${studentId === undefined ? sql`true` : sql`r.student_id = ${studentId}`}`,
    )
  )[0]

const states: Record<(typeof contract.recordStates)[number], RawBuilder<unknown>> = {
  valid: sql`r.revoked_at is null and r.replaced_at is null`,
  revoked: sql`r.revoked_at is not null`,
  replaced: sql`r.replaced_at is not null`,
}

/** A page of the records that were issued, the newest first; searched by name or number. */
export const pageRecords = async (
  db: Db,
  programId: number,
  {
    page,
    pageSize,
    search,
    State,
  }: { page: number; pageSize: number; search?: string | undefined; State?: keyof typeof states | undefined },
) => {
  const number = search ? readNumber(search) : undefined
  const named = search
    ? isFound(sql`(r.content ->> 'FirstName') || ' ' || (r.content ->> 'LastName')`, search)
    : sql`true`
  const found = sql`r.program_id = ${programId} and ${State ? states[State] : sql`true`}
    and ${number ? sql`r.number = ${number}` : named}`
  const { rows } = await sql<ClinicalRecord>`select ${columns}
    from (select * from clinical_record r where ${found}
      order by r.issued_at desc, r.id desc limit ${pageSize} offset ${(page - 1) * pageSize}) r ${joined}
    order by r.issued_at desc, r.id desc`.execute(db)
  const total = await sql<{
    count: number
  }>`select count(*) as count from clinical_record r where ${found}`.execute(db)
  return { Items: rows, Total: total.rows[0]!.count, Page: page, PageSize: pageSize }
}

/** Work on the records and the clearance of these students, one after the other. */
export const lockRecordsOf = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('clinical-record:' || ${programId}::bigint || ':' || s.id, 0))
    from (select distinct unnest(${[...studentIds]}::bigint[]) as id order by 1) s`.execute(db)
}

export const getRecordFile = async (
  db: Db,
  programId: number,
  recordId: number,
): Promise<{ name: string; storeKey: string }> => {
  const { rows } = await sql<{ name: string; storeKey: string }>`select f.name, f.store_key as "storeKey"
    from clinical_record r join stored_file f on f.id = r.file_id
    where r.program_id = ${programId} and r.id = ${recordId}`.execute(db)
  return rows[0]!
}

/** The signed credential of a record. */
export const getCredential = async (db: Db, programId: number, recordId: number): Promise<string> => {
  const { rows } = await sql<{ credential: string }>`select r.credential from clinical_record r
    where r.program_id = ${programId} and r.id = ${recordId}`.execute(db)
  return rows[0]!.credential
}

export interface CheckedRecord {
  number: string
  content: RecordContent
  isFinal: boolean
  shares: SharedPart[]
  /** Of its PDF and of its credential. */
  hashes: string[]
  issuedOn: string
  revokedOn: string | null
  replacedOn: string | null
}

/** A record as whoever verifies it asks for it; days are those of the program. */
export const readForVerifying = async (
  db: Db,
  programId: number,
  recordId: number,
): Promise<CheckedRecord | undefined> => {
  const { rows } = await sql<CheckedRecord>`
    select r.number, r.content, r.clearance_id is not null as "isFinal", r.shares, array[encode(r.sha256, 'hex'), encode(r.credential_sha256, 'hex')] as hashes,
      (r.issued_at at time zone p.time_zone)::date as "issuedOn", (r.revoked_at at time zone p.time_zone)::date as "revokedOn",
      (r.replaced_at at time zone p.time_zone)::date as "replacedOn"
    from clinical_record r join program p on p.id = r.program_id
    where r.program_id = ${programId} and r.id = ${recordId}`.execute(db)
  return rows[0]
}

/** A student's clearance that holds; undefined without one. */
export const findClearance = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<contract.Clearance | undefined> =>
  (await listClearances(db, programId, [studentId])).get(studentId)

export const listClearances = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
): Promise<Map<number, contract.Clearance>> => {
  const { rows } = await sql<contract.Clearance & { studentId: number }>`
    select c.student_id as "studentId", c.id as "Id", c.name as "Name", ${day(sql`c.signed_at`)} as "SignedOn", c.text as "Text",
      c.exception as "Exception", c.checks as "Checks"
    from clearance c join program p on p.id = c.program_id
    where c.program_id = ${programId} and c.student_id = any (${[...studentIds]}::bigint[]) and c.withdrawn_at is null`.execute(
    db,
  )
  return new Map(rows.map(({ studentId, ...clearance }) => [studentId, clearance]))
}
