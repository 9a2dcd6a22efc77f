import { sql } from 'kysely'
import type { MenuNode } from '#contract/menus/menus.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Gives the items their rows, where they have none yet. */
export const insertMenuItems = async (db: Db, ids: readonly number[]): Promise<void> => {
  await db
    .insertInto('menu_item')
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Sets which types see which items, in one statement. */
export const saveProgTypes = async (
  db: Db,
  changes: readonly { Id: number; ProgTypes: string }[],
  by: number,
): Promise<void> => {
  await sql`
    update menu_item m set prog_types = each.types, updated_at = now(), updated_by = ${by}
    from unnest(${changes.map(({ Id }) => Id)}::bigint[], ${changes.map(({ ProgTypes }) => ProgTypes)}::text[])
      as each (id, types)
    where m.id = each.id and m.prog_types <> each.types`.execute(db)
}

export const saveProgramItem = async (
  db: Db,
  programId: number,
  itemId: number,
  values: {
    link_order: number
    link_name: string | null
    title: string
    access_levels: number[] | null
    directions: string
    updated_by: number
  },
): Promise<void> => {
  await db
    .insertInto('program_menu_item')
    .values({ program_id: programId, menu_item_id: itemId, ...values })
    .onConflict((conflict) =>
      conflict.columns(['program_id', 'menu_item_id']).doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute()
}

/** Saves the tree when nobody else did since `version`; answers whether it was saved. */
export const saveNodes = async (
  db: Db,
  programId: number,
  version: number,
  nodes: readonly MenuNode[] | null,
  by: number,
): Promise<boolean> => {
  const values = { nodes: nodes && JSON.stringify(nodes), version: version + 1, updated_by: by }
  const saved = await db
    .insertInto('program_menu')
    .values({ program_id: programId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('program_id')
        .doUpdateSet({ ...values, updated_at: sql`now()` })
        .where('program_menu.version', '=', version),
    )
    .executeTakeFirst()
  return saved.numInsertedOrUpdatedRows === 1n
}
