import { sql } from 'kysely'
import type { DirectoryField } from '#contract/people/directory-fields.ts'
import type { UserDetail } from '#contract/people/people.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Our fields of a person, by the names that they have in a directory's words. */
export const fieldNames: Readonly<Record<string, DirectoryField>> = {
  firstName: 'FirstName',
  middleName: 'MiddleName',
  lastName: 'LastName',
  suffix: 'Suffix',
  email: 'EmailAddress',
  phone: 'PhoneNumber',
  number: 'StudentNumber',
}

interface Row {
  account_id: number
  directory: string
  fields: string[]
  kept: string[]
}
const named = (fields: readonly string[]): DirectoryField[] =>
  fields.flatMap((field) => fieldNames[field] ?? [])
const asDirectory = ({ directory, fields, kept }: Row): NonNullable<UserDetail['Directory']> => ({
  Name: directory,
  Fields: named(fields),
  Kept: named(kept),
})

/** What a directory says of a person; null of whom none says anything. */
export const findDirectory = async (
  db: Db,
  programId: number,
  accountId: number,
): Promise<UserDetail['Directory']> => {
  const { rows } = await sql<Row>`select account_id, directory, fields, kept from directory_field
    where program_id = ${programId} and account_id = ${accountId}`.execute(db)
  return rows[0] ? asDirectory(rows[0]) : null
}

/** The same of all people of a program. */
export const listDirectories = async (
  db: Db,
  programId: number,
): Promise<ReadonlyMap<number, NonNullable<UserDetail['Directory']>>> => {
  const { rows } = await sql<Row>`select account_id, directory, fields, kept from directory_field
    where program_id = ${programId}`.execute(db)
  return new Map(rows.map((row) => [row.account_id, asDirectory(row)]))
}
