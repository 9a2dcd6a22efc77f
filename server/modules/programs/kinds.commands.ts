import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, setRowDeleted } from '#server/core/database/rows.ts'

interface ClassInput {
  Name: string
  Value: string
}

export const addProgramClass = (db: Db, { Name, Value }: ClassInput): Promise<number> =>
  addRow(db, 'program_class', { name: Name, value: Value })

export const changeProgramClass = (db: Db, id: number, { Name, Value }: ClassInput): Promise<boolean> =>
  changeRow(db, 'program_class', { id }, { name: Name, value: Value })

/** Deletes a class; its programs are of none then. */
export const deleteProgramClass = async (db: Db, id: number): Promise<void> => {
  await db.updateTable('program').set({ program_class_id: null }).where('program_class_id', '=', id).execute()
  await setRowDeleted(db, 'program_class', { id }, true)
}

export const addProgramType = (db: Db, name: string): Promise<number> => addRow(db, 'program_type', { name })

export const changeProgramType = (db: Db, id: number, name: string): Promise<boolean> =>
  changeRow(db, 'program_type', { id }, { name })

/** Deletes a type; its programs are of none then. */
export const deleteProgramType = async (db: Db, id: number): Promise<void> => {
  await db.updateTable('program').set({ program_type_id: null }).where('program_type_id', '=', id).execute()
  await setRowDeleted(db, 'program_type', { id }, true)
}
