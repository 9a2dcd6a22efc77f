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
