import { coreFailures } from '#contract/core/failures.ts'
import { maxDocumentFileBytes } from '#contract/documents/documents-rules.ts'
import { paymentFailures } from '#contract/payments/failures.ts'
import * as contract from '#contract/payments/payments.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { sentFile, storeDocumentFile } from '#server/core/files/stored-files.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findProgram, listPrograms } from '../programs/programs.queries.ts'
import {
  addArrangement,
  changeArrangement,
  keepEvidenceAsked,
  setArrangementDeleted,
  setEvidence,
} from './arrangements.commands.ts'
import {
  type ArrangementRow,
  findArrangement,
  findEvidence,
  pageArrangements,
} from './arrangements.queries.ts'

const missing = () => fail(paymentFailures.no_arrangement)

const getArrangement = async (db: Db, programId: number, arrangementId: number): Promise<ArrangementRow> => {
  const arrangement = await findArrangement(db, programId, arrangementId)
  if (!arrangement) throw missing()
  return arrangement
}

/** An arrangement with the address of its evidence. */
const withUrl = (services: Services, row: ArrangementRow): contract.Arrangement => ({
  ...row,
  Evidence: row.Evidence && {
    ...row.Evidence,
    Date: new Date(row.Evidence.Date).toISOString(),
    Url: `${services.config.appRoot}/new/api/programs/${row.ProgramId}/payment-arrangements/${row.Id}/evidence`,
  },
})

/** What the audit keeps of an arrangement. */
const told = (row: ArrangementRow) => ({
  ArrangementId: row.Id,
  Payer: row.Payer,
  PayerName: row.PayerName,
  CentsPerStudent: row.CentsPerStudent,
  State: row.State,
  IsExempt: row.IsExempt,
  Evidence: row.Evidence?.Name ?? null,
  StartsOn: row.StartsOn,
  EndsOn: row.EndsOn,
})

const setDeleted = async (
  db: Db,
  { programId, arrangementId: id }: { programId: number; arrangementId: number },
  isDeleted: boolean,
): Promise<void> => {
  if (!(await setArrangementDeleted(db, { programId, id }, isDeleted))) throw missing()
}

export const arrangementRoutes = [
  handle(contract.listArrangements, async ({ db, user, query, services }) => {
    const { ProgramId } = query
    if (ProgramId !== undefined && !user.isSuperAdmin && ProgramId !== user.ProgramId)
      throw fail(coreFailures.no_program)
    if (user.isSuperAdmin)
      await workOn(
        db,
        ProgramId === undefined ? (await listPrograms(db, user)).map(({ Id }) => Id) : [ProgramId],
      )
    const page = await pageArrangements(db, query)
    return { ...page, Items: page.Items.map((row) => withUrl(services, row)) }
  }),

  handle(contract.getArrangement, async ({ db, params, services }) =>
    withUrl(services, await getArrangement(db, params.programId, params.arrangementId)),
  ),

  handle(contract.createArrangement, async ({ db, params: { programId }, body, user, services, audit }) => {
    const program = await findProgram(db, programId)
    if (!program || program.DelFlag) throw fail(coreFailures.no_program)
    const id = await addArrangement(db, programId, user.Id, body)
    const made = await getArrangement(db, programId, id)
    audit.detail = told(made)
    return withUrl(services, made)
  }),

  handle(contract.updateArrangement, async ({ db, params, body, services, audit }) => {
    const { programId, arrangementId } = params
    const before = await getArrangement(db, programId, arrangementId)
    await changeArrangement(db, { programId, id: arrangementId }, body)
    const after = await getArrangement(db, programId, arrangementId)
    audit.detail = { Before: told(before), After: told(after) }
    return withUrl(services, after)
  }),

  handle(contract.deleteArrangement, async ({ db, params, audit }) => {
    const before = await getArrangement(db, params.programId, params.arrangementId)
    if (before.InvoiceCount > 0) throw fail(paymentFailures.in_use)
    audit.detail = told(before)
    await setDeleted(db, params, true)
  }),

  handle(contract.restoreArrangement, async ({ db, params, services, audit }) => {
    await setDeleted(db, params, false)
    const back = await getArrangement(db, params.programId, params.arrangementId)
    audit.detail = told(back)
    return withUrl(services, back)
  }),

  handle(contract.saveEvidence, async ({ db, params, files, services, user, audit }) => {
    const { programId, arrangementId } = params
    const before = await getArrangement(db, programId, arrangementId)
    if (!before.IsExempt) throw fail(paymentFailures.not_exempt)
    const file = sentFile(files, maxDocumentFileBytes)
    await setEvidence(
      db,
      { programId, id: arrangementId },
      await storeDocumentFile(db, services, file, { programId, accountId: user.Id }),
    )
    audit.detail = { ArrangementId: arrangementId, Filename: file.name }
    return withUrl(services, await getArrangement(db, programId, arrangementId))
  }),

  handle(contract.deleteEvidence, async ({ db, params, audit }) => {
    const before = await getArrangement(db, params.programId, params.arrangementId)
    if (!before.Evidence) throw fail(paymentFailures.no_evidence)
    audit.detail = { ArrangementId: before.Id, Filename: before.Evidence.Name }
    await setEvidence(db, { programId: params.programId, id: params.arrangementId }, null)
  }),

  handle(contract.downloadEvidence, async ({ db, params, services, audit }) => {
    const file = await findEvidence(db, params.programId, params.arrangementId)
    if (!file) throw fail(paymentFailures.no_evidence)
    audit.detail = { ArrangementId: params.arrangementId, Filename: file.name }
    return { name: file.name, type: file.media_type, chunks: await services.files.read(file.store_key) }
  }),

  handle(contract.answerEvidenceQuestion, async ({ db, params: { programId, arrangementId }, user }) => {
    await getArrangement(db, programId, arrangementId)
    await keepEvidenceAsked(db, programId, arrangementId, user.Id)
  }),
]
