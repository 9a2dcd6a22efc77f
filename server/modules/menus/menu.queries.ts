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

export const listProgramTypeIds = async (db: Db): Promise<number[]> => {
  const rows = await db.selectFrom('program_type').select('id').where('deleted_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}
