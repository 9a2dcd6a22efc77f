import { sql } from 'kysely'
import type { SamlUser } from '#contract/saml/saml.ts'
import { endSessionsBy } from '#server/core/auth/session-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type NewRow, type RowChange } from '#server/core/database/rows.ts'

/** Adds a provider of any kind; answers its id. */
export const addProvider = (db: Db, values: NewRow<'saml_provider'>): Promise<number> =>
  addRow(db, 'saml_provider', values)

export const changeProvider = (db: Db, id: number, values: RowChange<'saml_provider'>): Promise<boolean> =>
  changeRow(db, 'saml_provider', { id }, values)

/** Deletes a provider, and forgets its secret. */
export const deleteProvider = (db: Db, id: number): Promise<boolean> =>
  changeProvider(db, id, { deleted_at: sql`now()`, client_secret: null })

/** Keeps the key of the installation; of two that are made at the same time the first counts. */
export const addSamlKey = async (db: Db, key: NewRow<'saml_key'>): Promise<void> => {
  await db
    .insertInto('saml_key')
    .values(key)
    .onConflict((taken) => taken.doNothing())
    .execute()
}

/** Links a program, also one that was linked before and unlinked since. */
export const linkProgram = async (
  db: Db,
  samlId: number,
  { programId, accessLevel, by }: { programId: number; accessLevel: number; by: number },
): Promise<void> => {
  await db
    .insertInto('saml_program')
    .values({ program_id: programId, provider_id: samlId, access_level: accessLevel, created_by: by })
    .onConflict((conflict) =>
      conflict
        .columns(['program_id', 'provider_id'])
        .doUpdateSet({ access_level: accessLevel, removed_at: null, created_at: sql`now()`, created_by: by }),
    )
    .execute()
}

export const unlinkProgram = async (db: Db, samlId: number, programId: number): Promise<void> => {
  await db
    .updateTable('saml_program')
    .set({ removed_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('provider_id', '=', samlId)
    .execute()
}

export const saveUserName = async (
  db: Db,
  samlId: number,
  { ProgramId, UserId }: Pick<SamlUser, 'ProgramId' | 'UserId'>,
  { nameId, by }: { nameId: string; by: number },
): Promise<void> => {
  await db
    .insertInto('saml_user')
    .values({
      program_id: ProgramId,
      account_id: UserId,
      provider_id: samlId,
      name_id: nameId,
      created_by: by,
    })
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'account_id', 'provider_id']).doUpdateSet({ name_id: nameId }),
    )
    .execute()
}

export const deleteUserName = async (
  db: Db,
  samlId: number,
  { ProgramId, UserId }: Pick<SamlUser, 'ProgramId' | 'UserId'>,
): Promise<void> => {
  await db
    .deleteFrom('saml_user')
    .where('program_id', '=', ProgramId)
    .where('account_id', '=', UserId)
    .where('provider_id', '=', samlId)
    .execute()
  // What the name has opened ends with it.
  await endSessionsBy(db, UserId, samlId)
}
