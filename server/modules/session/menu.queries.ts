import { sql } from 'kysely'
import type { MenuNode } from '#contract/menus.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Item } from './menu.rules.ts'

/** What is kept about the items; with a program, as it changed them for itself. */
export const listKeptItems = async (db: Db, programId: number | null): Promise<Item[]> => {
  const { rows } = await sql<Item>`
    select m.id as "Id", m.parent_id as "ParentId", m.page_key as "PageKey", m.page_url as "PageUrl",
      coalesce(p.link_order, m.link_order) as "LinkOrder", coalesce(p.link_name, m.link_name) as "LinkName",
      coalesce(p.title, m.title) as "Title",
      case when p.menu_item_id is null then m.access_levels else p.access_levels end as "AccessLevels",
      coalesce(p.directions, m.directions) as "Directions", m.is_menu_item as "IsMenuItem",
      m.link_level as "LinkLevel", m.prog_types as "ProgTypes"
    from menu_item m
    left join program_menu_item p on p.program_id = ${programId} and p.menu_item_id = m.id`.execute(db)
  return rows
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

/** Gives the items of the catalogue their rows, where they have none yet. */
export const keepItems = async (db: Db, items: readonly Item[]): Promise<void> => {
  await db
    .insertInto('menu_item')
    .values(
      items.map((item) => ({
        id: item.Id,
        parent_id: item.ParentId,
        page_key: item.PageKey,
        page_url: item.PageUrl,
        link_order: item.LinkOrder,
        link_name: item.LinkName,
        is_menu_item: item.IsMenuItem,
        link_level: item.LinkLevel,
      })),
    )
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
