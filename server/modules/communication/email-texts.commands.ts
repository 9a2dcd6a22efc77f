import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

interface Text {
  name: string
  subject: string
  html: string
}

export const addEmailText = (db: Db, programId: number, accountId: number, text: Text): Promise<number> =>
  addRow(db, 'email_text', { ...text, program_id: programId, created_by: accountId })

export const changeEmailText = (db: Db, key: RowKey, text: Text): Promise<boolean> =>
  changeRow(db, 'email_text', key, text)

/** Deletes a text; answers its name, undefined when it is not there. */
export const deleteEmailText = async (db: Db, { programId, id }: RowKey): Promise<string | undefined> =>
  (
    await db
      .updateTable('email_text')
      .set({ deleted_at: sql`now()` })
      .where('program_id', '=', programId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
  )?.name

export const restoreEmailText = (db: Db, key: RowKey): Promise<boolean> =>
  setRowDeleted(db, 'email_text', key, false)
