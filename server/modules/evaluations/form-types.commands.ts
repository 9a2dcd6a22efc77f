import type { BodyOf } from '#contract/core/endpoint.ts'
import type { createFormType } from '#contract/evaluations/form-types.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

type Input = BodyOf<typeof createFormType>

const values = ({ Name, ViewOnForm }: Input) => ({ name: Name, view_on_form: ViewOnForm })

export const addFormType = (db: Db, programId: number, input: Input): Promise<number> =>
  addRow(db, 'form_type', { program_id: programId, ...values(input) })

export const changeFormType = (db: Db, key: RowKey, input: Input): Promise<boolean> =>
  changeRow(db, 'form_type', key, values(input))

export const setFormTypeDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'form_type', key, isDeleted)
