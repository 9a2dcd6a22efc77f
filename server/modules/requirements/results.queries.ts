import { sql } from 'kysely'
import type { EventField } from '#contract/requirements/requirement-fields.ts'
import type { Db } from '#server/core/database/pool.ts'

/** What was recorded of a vendor's result before. */
export interface VendorProof {
  studentId: number
  requirementId: number
  events: EventField[]
}

export const listVendorProofs = async (db: Db, programId: number): Promise<VendorProof[]> => {
  const { rows } = await sql<VendorProof>`
    select p.student_id as "studentId", p.requirement_id as "requirementId", p.events
    from requirement_proof p where p.program_id = ${programId} and p.source = 'vendor' and p.deleted_at is null`.execute(
    db,
  )
  return rows
}

/** A vendor's result of the verification page. */
export interface Verified {
  studentId: number
  type: number
  vendor: string
  item: string
  status: string
  result: string
  orderedOn: string | null
  completedOn: string | null
  expiresOn: string | null
}

/** Verifications that a run has added for these students, or those of these ids. */
export const listVerified = async (
  db: Db,
  programId: number,
  { importId, ...of }: { importId: number } & ({ students: readonly number[] } | { ids: readonly number[] }),
): Promise<Verified[]> => {
  const { rows } = await sql<Verified>`
    select student_id as "studentId", type, vendor, item, status, result, ordered_on as "orderedOn", completed_on as "completedOn",
      expires_on as "expiresOn"
    from verification where program_id = ${programId} and deleted_at is null
      and ${
        'ids' in of
          ? sql`id = any (${[...of.ids]}::bigint[])`
          : sql`import_id = ${importId} and student_id = any (${[...of.students]}::bigint[])`
      }
    order by id`.execute(db)
  return rows
}
