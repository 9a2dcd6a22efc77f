import { type EmploymentInput, hasEmployer } from '#contract/people/employment.ts'
import type { Db } from '#server/core/database/pool.ts'
import { tellPlacement } from '../graduates/graduates.commands.ts'

export const saveEmployment = async (
  db: Db,
  programId: number,
  accountId: number,
  input: EmploymentInput,
): Promise<void> => {
  const hasJob = hasEmployer(input.Status)
  const row = {
    status: input.Status,
    employer: hasJob ? input.Employer : '',
    position: hasJob ? input.Position : '',
    start_date: hasJob ? input.StartDate : null,
    credential: input.Credential,
    may_contact: input.MayContact,
    updated_by: accountId,
  }
  await db
    .insertInto('employment')
    .values({ program_id: programId, account_id: accountId, ...row })
    .onConflict((conflict) => conflict.columns(['program_id', 'account_id']).doUpdateSet(row))
    .execute()
  await tellPlacement(db, programId, accountId, { Status: input.Status, StartDate: row.start_date })
}
