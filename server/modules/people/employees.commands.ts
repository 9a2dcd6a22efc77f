import type { EmployeeValues } from '#contract/people/employees.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

const values = (body: EmployeeValues) => ({
  site_id: body.SiteId,
  first_name: body.FirstName,
  last_name: body.LastName,
  email: body.Email,
  dob: body.Dob,
  num_sdms: body.NumSdms,
  num_ardms: body.NumArdms,
  num_arrt: body.NumArrt,
  num_cci: body.NumCci,
  num_card_up: body.NumCardUp,
  registry_number: body.RegistryNumber,
})

/** Adds an employee of a site; answers their id. */
export const addEmployee = (
  db: Db,
  programId: number,
  accountId: number,
  body: EmployeeValues,
): Promise<number> =>
  addRow(db, 'employee', {
    program_id: programId,
    created_by: accountId,
    updated_by: accountId,
    ...values(body),
  })

export const changeEmployee = (db: Db, key: RowKey, body: EmployeeValues): Promise<boolean> =>
  changeRow(db, 'employee', key, values(body))

export const setEmployeeDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'employee', key, isDeleted)
