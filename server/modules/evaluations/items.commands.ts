import { sql } from 'kysely'
import type { z } from 'zod'
import type { BodyOf } from '#contract/core/endpoint.ts'
import type { createGroup, FormOrder } from '#contract/evaluations/evaluation-items.ts'
import type { InputType, Item } from '#contract/evaluations/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey } from '#server/core/database/rows.ts'

/** A new item's columns but its text and place. */
export interface NewItem {
  category_id: number
  kind: 'scored' | 'fib'
  score_type_id: number | null
  group_id: number | null
  input_type: z.infer<typeof InputType> | null
  choices: string[]
  is_mandatory: boolean
}

/** Adds an item for each text at the end of the template, in their order. */
export const insertItems = async (
  db: Db,
  programId: number,
  templateId: number,
  item: NewItem,
  texts: readonly string[],
): Promise<Item[]> => {
  if (texts.length === 0) return []
  const { rows } = await sql<Item>`
    insert into evaluation_item (program_id, template_id, category_id, kind, position, text, score_type_id, group_id,
      input_type, choices, is_mandatory)
    select ${programId}, ${templateId}, ${item.category_id}, ${item.kind}, last.position + line.number, line.text,
      ${item.score_type_id}, ${item.group_id}, ${item.input_type}, ${item.choices}::text[], ${item.is_mandatory}
    from unnest(${texts}::text[]) with ordinality as line (text, number),
      (select coalesce(max(position), 0) as position from evaluation_item
        where program_id = ${programId} and template_id = ${templateId}) as last
    order by line.number
    returning id as "Id", category_id as "CategoryId", kind as "Kind", text as "Text", score_type_id as "ScoreTypeId",
      group_id as "GroupId", input_type as "InputType", choices as "Choices", is_mandatory as "IsMandatory"`.execute(
    db,
  )
  return rows.toSorted((a, b) => a.Id - b.Id)
}

/** Changes items of the template that are on its form; answers how many. */
export const updateItems = async (
  db: Db,
  programId: number,
  templateId: number,
  itemIds: readonly number[],
  kind: 'scored' | 'fib',
  change: Partial<NewItem> & { text?: string },
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('evaluation_item')
    .set(change)
    .where('program_id', '=', programId)
    .where('template_id', '=', templateId)
    .where('id', 'in', [...itemIds])
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Takes items off the form, or brings them back; answers how many changed. */
export const setItemsDeleted = async (
  db: Db,
  programId: number,
  templateId: number,
  itemIds: readonly number[],
  isDeleted: boolean,
): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('evaluation_item')
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('template_id', '=', templateId)
    .where('id', 'in', [...itemIds])
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Writes the place of every category and item. */
export const writeOrder = async (
  db: Db,
  programId: number,
  templateId: number,
  order: FormOrder,
): Promise<void> => {
  const categories = order.map(({ CategoryId }, index) => ({ id: CategoryId, position: index + 1 }))
  await sql`update evaluation_category c set position = o.position
    from jsonb_to_recordset(${JSON.stringify(categories)}::jsonb) as o (id bigint, position integer)
    where c.program_id = ${programId} and c.template_id = ${templateId} and c.id = o.id`.execute(db)
  const items = order
    .flatMap(({ CategoryId, ItemIds }) => ItemIds.map((id) => ({ id, category: CategoryId })))
    .map((item, index) => ({ ...item, position: index + 1 }))
  await sql`update evaluation_item i set category_id = o.category, position = o.position
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as o (id bigint, category bigint, position integer)
    where i.program_id = ${programId} and i.template_id = ${templateId} and i.id = o.id`.execute(db)
}

/** Adds a category at the end of the form; answers its id. */
export const addCategory = (db: Db, programId: number, templateId: number, name: string): Promise<number> =>
  addRow(db, 'evaluation_category', {
    program_id: programId,
    template_id: templateId,
    name,
    position: sql<number>`(select coalesce(max(position), 0) + 1 from evaluation_category
      where program_id = ${programId} and template_id = ${templateId})`,
  })

export const renameCategory = (db: Db, key: RowKey, name: string): Promise<boolean> =>
  changeRow(db, 'evaluation_category', key, { name })

type GroupInput = BodyOf<typeof createGroup>

export const addGroup = (
  db: Db,
  programId: number,
  templateId: number,
  { Name, IsMandatory }: GroupInput,
): Promise<number> =>
  addRow(db, 'item_group', {
    program_id: programId,
    template_id: templateId,
    name: Name,
    is_mandatory: IsMandatory,
  })

export const changeGroup = (db: Db, key: RowKey, { Name, IsMandatory }: GroupInput): Promise<boolean> =>
  changeRow(db, 'item_group', key, { name: Name, is_mandatory: IsMandatory })

type Part = 'evaluation_category' | 'item_group'

/** Takes a category or group off the form, or brings it back; whether there was something to change. */
export const setPartDeleted = async (
  db: Db,
  table: Part,
  programId: number,
  templateId: number,
  id: number,
  isDeleted: boolean,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('template_id', '=', templateId)
    .where('id', '=', id)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
