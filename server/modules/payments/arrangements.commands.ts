import type { ArrangementValues } from '#contract/payments/payments.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

const values = (input: ArrangementValues) => ({
  payer: input.Payer,
  payer_name: input.PayerName,
  payer_email: input.PayerEmail,
  payer_address: input.PayerAddress,
  cents_per_student: input.CentsPerStudent,
  state: input.State,
  is_exempt: input.IsExempt,
  starts_on: input.StartsOn,
  ends_on: input.EndsOn,
  notes: input.Notes,
})

export const addArrangement = (
  db: Db,
  programId: number,
  accountId: number,
  input: ArrangementValues,
): Promise<number> =>
  addRow(db, 'payment_arrangement', {
    ...values(input),
    program_id: programId,
    created_by: accountId,
    updated_by: accountId,
  })

export const changeArrangement = (db: Db, key: RowKey, input: ArrangementValues): Promise<boolean> =>
  changeRow(db, 'payment_arrangement', key, values(input))

/** Keeps the file that proves an exemption from tax; null takes it away. */
export const setEvidence = (db: Db, key: RowKey, fileId: number | null): Promise<boolean> =>
  changeRow(db, 'payment_arrangement', key, { evidence_file_id: fileId })

export const setArrangementDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'payment_arrangement', key, isDeleted)

/** Keeps that a person was asked for the evidence; a second time changes nothing. */
export const keepEvidenceAsked = async (
  db: Db,
  programId: number,
  arrangementId: number,
  accountId: number,
): Promise<void> => {
  await db
    .insertInto('payment_evidence_question')
    .values({ program_id: programId, arrangement_id: arrangementId, account_id: accountId })
    .onConflict((row) => row.doNothing())
    .execute()
}
