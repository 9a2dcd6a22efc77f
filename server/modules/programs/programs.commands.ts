import { sql } from 'kysely'
import type { ProgramOptions } from '#contract/programs/program-options.ts'
import type { CollegeInput, ProgramInput } from '#contract/programs/programs.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowChange, setRowDeleted } from '#server/core/database/rows.ts'

const collegeValues = (body: CollegeInput) => ({
  name: body.Name,
  address: body.Address,
  city: body.City,
  state: body.State,
  zip: body.Zip,
  phone: body.Phone,
  website: body.Website,
  latitude: body.Latitude,
  longitude: body.Longitude,
})

const programValues = (body: ProgramInput) => ({
  college_id: body.CollegeId,
  name: body.Name,
  modality_id: body.ModalityId,
  program_class_id: body.ProgramClassId,
  program_type_id: body.ProgramTypeId,
  language_profile_id: body.LanguageProfileId,
  state: body.State,
  time_zone: body.TimeZone,
  has_credit: body.HasCredit,
  requires_totp: body.RequiresTotp,
  is_payment_enabled: body.HasPayments,
  active_from: body.ActiveFrom,
  active_through: body.ActiveThrough,
})

const changed = (accountId: number) => ({ updated_at: sql<string>`now()`, updated_by: accountId })

export const addCollege = (db: Db, accountId: number, body: CollegeInput): Promise<number> =>
  addRow(db, 'college', { created_by: accountId, ...collegeValues(body) })

export const changeCollege = (db: Db, id: number, accountId: number, body: CollegeInput): Promise<boolean> =>
  changeRow(db, 'college', { id }, { ...collegeValues(body), ...changed(accountId) })

export const deleteCollege = (db: Db, id: number, accountId: number): Promise<boolean> =>
  changeRow(db, 'college', { id }, { deleted_at: sql`now()`, updated_by: accountId })

export const restoreCollege = (db: Db, id: number): Promise<boolean> =>
  setRowDeleted(db, 'college', { id }, false)

export const addModality = (db: Db, name: string): Promise<number> => addRow(db, 'modality', { name })

/** Renames a modality, and deletes it or brings it back. */
export const changeModality = (
  db: Db,
  id: number,
  { Name, DelFlag }: { Name: string; DelFlag: boolean },
): Promise<boolean> =>
  changeRow(
    db,
    'modality',
    { id },
    { name: Name, deleted_at: DelFlag ? sql<string>`coalesce(deleted_at, now())` : null },
  )

export const deleteModality = (db: Db, id: number): Promise<boolean> =>
  setRowDeleted(db, 'modality', { id }, true)

export const addProgram = (db: Db, accountId: number, body: ProgramInput): Promise<number> =>
  addRow(db, 'program', { created_by: accountId, ...programValues(body) })

/** Changes columns of a program. */
export const changeProgram = async (db: Db, id: number, values: RowChange<'program'>): Promise<void> => {
  await changeRow(db, 'program', { id }, values)
}

/** Changes a program as its form says. */
export const saveProgram = (db: Db, id: number, accountId: number, body: ProgramInput): Promise<void> =>
  changeProgram(db, id, { ...programValues(body), ...changed(accountId) })

export const saveProgramOptions = (
  db: Db,
  id: number,
  accountId: number,
  options: ProgramOptions,
): Promise<void> => changeProgram(db, id, { options: JSON.stringify(options), ...changed(accountId) })

/** Whether the people of a program see the menu that it has changed. */
export const setMenuVisible = (db: Db, id: number, accountId: number, isVisible: boolean): Promise<void> =>
  changeProgram(db, id, { is_menu_visible: isVisible, ...changed(accountId) })

export const setProgramDeleted = (db: Db, id: number, accountId: number, isDeleted: boolean): Promise<void> =>
  changeProgram(db, id, { deleted_at: isDeleted ? sql`now()` : null, updated_by: accountId })
