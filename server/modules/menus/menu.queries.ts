import { sql } from 'kysely'
import type { MenuNode } from '#contract/menus/menus.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Decision } from './menu.rules.ts'

/** What was decided about the items; with a program, also what it changed for itself. */
export const listDecisions = async (db: Db, programId: number | null): Promise<Decision[]> => {
  const { rows } = await sql<
    Required<Omit<Decision, 'LinkName'>> & { LinkName: string | null; IsChanged: boolean }
  >`
    select m.id as "Id", m.prog_types as "ProgTypes", p.menu_item_id is not null as "IsChanged",
      p.link_order as "LinkOrder", p.link_name as "LinkName", p.title as "Title",
      p.access_levels as "AccessLevels", p.directions as "Directions"
    from menu_item m
    left join program_menu_item p on p.program_id = ${programId} and p.menu_item_id = m.id`.execute(db)
  return rows.map(({ IsChanged, LinkName, Id, ProgTypes, ...changed }) => ({
    Id,
    ProgTypes,
    // Without its own name the item keeps the product's.
    ...(IsChanged && { ...changed, ...(LinkName !== null && { LinkName }) }),
  }))
}

export interface ProgramMenuSettings {
  ProgramTypeId: number | null
  /** Visible To Program: its people see what it changed. */
  IsVisible: boolean
  Version: number
  Nodes: MenuNode[] | null
}

/** What of a program decides about its menu; undefined when it is not there. */
export const findMenuSettings = async (
  db: Db,
  programId: number | null,
): Promise<ProgramMenuSettings | undefined> => {
  if (programId === null) return undefined
  const { rows } = await sql<ProgramMenuSettings>`
    select p.program_type_id as "ProgramTypeId", p.is_menu_visible as "IsVisible",
      coalesce(m.version, 0) as "Version", m.nodes as "Nodes"
    from program p left join program_menu m on m.program_id = p.id
    where p.id = ${programId} and p.deleted_at is null`.execute(db)
  return rows[0]
}

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

export const listProgramTypeIds = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('program_type').select('id').where('deleted_at', 'is', null).execute()
  return rows.map(({ id }) => id)
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
