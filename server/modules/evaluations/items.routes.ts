import type { DeclaredFailure } from '#contract/core/failure.ts'
import * as contract from '#contract/evaluations/evaluation-items.ts'
import type { ItemCategory, ItemGroup, TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { itemLimit, readItemLines } from '#contract/evaluations/evaluations-rules.ts'
import { evaluationFailures } from '#contract/evaluations/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  addCategory,
  addGroup,
  changeGroup,
  insertItems,
  type NewItem,
  renameCategory,
  setItemsDeleted,
  setPartDeleted,
  updateItems,
  writeOrder,
} from './items.commands.ts'
import { findForDesign, findTemplate } from './templates.queries.ts'

const getForDesign = async (db: Db, programId: number, templateId: number): Promise<TemplateDetail> => {
  const template = await findForDesign(db, programId, templateId)
  if (!template) throw fail(evaluationFailures.no_template)
  return template
}

interface Question {
  CategoryId: number
  IsMandatory: boolean
  ScoreTypeId: number | null
  GroupId?: number | null
  InputType?: NewItem['input_type']
  Choices?: string[]
}

/** Whatever an item refers to must be on the form; a deleted score type only where the item has it already. */
const refuseForeignParts = (template: TemplateDetail, question: Question, before?: Question): void => {
  if (!template.Categories.some(({ Id }) => Id === question.CategoryId))
    throw fail(evaluationFailures.category_gone, 'CategoryId')
  expectScoreType(template, question.ScoreTypeId, before?.ScoreTypeId ?? null)
  if (question.GroupId && !template.Groups.some(({ Id }) => Id === question.GroupId)) {
    throw fail(evaluationFailures.group_gone, 'GroupId')
  }
}

const expectScoreType = (template: TemplateDetail, id: number | null, before: number | null): void => {
  if (id === null || id === before) return
  if (!template.ScoreTypes.some((type) => type.Id === id && !type.IsDeleted)) {
    throw fail(evaluationFailures.score_type_gone, 'ScoreTypeId')
  }
}

const valuesOf = (question: Question): NewItem => ({
  category_id: question.CategoryId,
  kind: question.InputType ? 'fib' : 'scored',
  score_type_id: question.ScoreTypeId,
  group_id: question.GroupId ?? null,
  input_type: question.InputType ?? null,
  choices: question.InputType === 'choice' ? (question.Choices ?? []) : [],
  is_mandatory: question.IsMandatory,
})

const textsOf = (template: TemplateDetail, kind: 'scored' | 'fib'): string[] =>
  template.Items.filter(({ Kind }) => Kind === kind).map(({ Text }) => Text)

const addItem = async (
  db: Db,
  { programId, templateId }: { programId: number; templateId: number },
  question: Question & { Text: string },
) => {
  const template = await getForDesign(db, programId, templateId)
  refuseForeignParts(template, question)
  const values = valuesOf(question)
  if (textsOf(template, values.kind).length >= itemLimit) {
    throw fail(evaluationFailures.template_full, { Title: template.Title, Count: itemLimit })
  }
  const [item] = await insertItems(db, programId, templateId, values, [question.Text])
  // One text makes one item.
  return item!
}

const changeItem = async (
  db: Db,
  { programId, templateId, itemId }: { programId: number; templateId: number; itemId: number },
  question: Question & { Text: string },
) => {
  const template = await getForDesign(db, programId, templateId)
  const values = valuesOf(question)
  const before = template.Items.find(({ Id, Kind }) => Id === itemId && Kind === values.kind)
  if (!before) throw fail(evaluationFailures.no_item)
  refuseForeignParts(template, question, before)
  await updateItems(db, programId, templateId, [itemId], values.kind, { ...values, text: question.Text })
  const after = await findTemplate(db, programId, templateId)
  // Both are locked since they were read above.
  return { before, item: after!.Items.find(({ Id }) => Id === itemId)! }
}

const insertLines = async (
  db: Db,
  { programId, templateId }: { programId: number; templateId: number },
  question: Question & { Lines: string },
) => {
  const template = await getForDesign(db, programId, templateId)
  refuseForeignParts(template, question)
  const values = valuesOf(question)
  const { Taken, Refused } = readItemLines(question.Lines, textsOf(template, values.kind))
  return { Items: await insertItems(db, programId, templateId, values, Taken), Refused }
}

const itemRoutes = [
  handle(contract.createItem, ({ db, params, body }) => addItem(db, params, body)),
  handle(contract.createFibItem, ({ db, params, body }) => addItem(db, params, body)),

  handle(contract.updateItem, async ({ db, params, body, audit }) => {
    const { before, item } = await changeItem(db, params, body)
    audit.detail = { Before: before, After: item }
    return item
  }),
  handle(contract.updateFibItem, async ({ db, params, body, audit }) => {
    const { before, item } = await changeItem(db, params, body)
    audit.detail = { Before: before, After: item }
    return item
  }),

  handle(contract.insertItems, async ({ db, params, body, audit }) => {
    const inserted = await insertLines(db, params, body)
    audit.detail = { Added: inserted.Items.length, Refused: inserted.Refused.length }
    return inserted
  }),
  handle(contract.insertFibItems, async ({ db, params, body, audit }) => {
    const inserted = await insertLines(db, params, body)
    audit.detail = { Added: inserted.Items.length, Refused: inserted.Refused.length }
    return inserted
  }),

  handle(contract.changeItemScores, async ({ db, params: { programId, templateId }, body }) => {
    expectScoreType(await getForDesign(db, programId, templateId), body.ScoreTypeId, null)
    const change = { score_type_id: body.ScoreTypeId }
    return { Changed: await updateItems(db, programId, templateId, body.Ids, 'scored', change) }
  }),
  handle(contract.changeItemInputs, async ({ db, params: { programId, templateId }, body }) => {
    await getForDesign(db, programId, templateId)
    const change = { input_type: body.InputType, choices: body.InputType === 'choice' ? body.Choices : [] }
    return { Changed: await updateItems(db, programId, templateId, body.Ids, 'fib', change) }
  }),

  handle(contract.removeItems, async ({ db, params: { programId, templateId }, body }) => {
    await getForDesign(db, programId, templateId)
    return { Changed: await setItemsDeleted(db, programId, templateId, body.Ids, true) }
  }),
  handle(contract.restoreItems, async ({ db, params: { programId, templateId }, body }) => {
    await refuseDeletedParent(db, programId, {
      table: 'evaluation_item',
      ids: body.Ids,
      parent: 'evaluation_template',
      by: 'template_id',
      name: 'title',
    })
    await refuseDeletedParent(db, programId, {
      table: 'evaluation_item',
      ids: body.Ids,
      parent: 'evaluation_category',
      by: 'category_id',
    })
    await getForDesign(db, programId, templateId)
    return { Changed: await setItemsDeleted(db, programId, templateId, body.Ids, false) }
  }),

  handle(contract.orderItems, async ({ db, params: { programId, templateId }, body }) => {
    const template = await getForDesign(db, programId, templateId)
    const isSame = (named: number[], there: { Id: number }[]) =>
      named.toSorted((a, b) => a - b).join() ===
      there
        .map(({ Id }) => Id)
        .toSorted((a, b) => a - b)
        .join()
    const categories = body.Categories.map(({ CategoryId }) => CategoryId)
    const items = body.Categories.flatMap(({ ItemIds }) => ItemIds)
    if (!isSame(categories, template.Categories) || !isSame(items, template.Items)) {
      throw fail(evaluationFailures.items_changed)
    }
    await writeOrder(db, programId, templateId, body.Categories)
  }),
]

const refuseTakenName = (list: { Id: number; Name: string }[], name: string, exceptId = 0): void => {
  const wanted = name.toLowerCase()
  if (list.some((each) => each.Id !== exceptId && each.Name.toLowerCase() === wanted)) {
    throw fail(evaluationFailures.name_taken, { Name: name }, 'Name')
  }
}

const getPart = <Part extends { Id: number }>(list: Part[], id: number, missing: DeclaredFailure): Part => {
  const part = list.find(({ Id }) => Id === id)
  if (!part) throw fail(missing)
  return part
}

const categoryRoutes = [
  handle(contract.createCategory, async ({ db, params: { programId, templateId }, body }) => {
    const { Categories } = await getForDesign(db, programId, templateId)
    refuseTakenName(Categories, body.Name)
    if (Categories.length >= 50) throw fail(evaluationFailures.categories_full)
    const id = await addCategory(db, programId, templateId, body.Name)
    return { Id: id, Name: body.Name }
  }),

  handle(contract.renameCategory, async ({ db, params, body, audit }): Promise<ItemCategory> => {
    const { programId, templateId, categoryId } = params
    const { Categories } = await getForDesign(db, programId, templateId)
    const before = getPart(Categories, categoryId, evaluationFailures.no_category)
    refuseTakenName(Categories, body.Name, categoryId)
    audit.detail = { Before: before.Name, After: body.Name }
    await renameCategory(db, { programId, id: categoryId }, body.Name)
    return { Id: categoryId, Name: body.Name }
  }),

  handle(contract.removeCategory, async ({ db, params: { programId, templateId, categoryId }, audit }) => {
    const { Categories, Items } = await getForDesign(db, programId, templateId)
    const category = getPart(Categories, categoryId, evaluationFailures.no_category)
    audit.detail = {
      Name: category.Name,
      Items: Items.filter(({ CategoryId }) => CategoryId === categoryId).length,
    }
    await setPartDeleted(db, 'evaluation_category', programId, templateId, categoryId, true)
  }),

  handle(contract.restoreCategory, async ({ db, params: { programId, templateId, categoryId } }) => {
    await refuseDeletedParent(db, programId, {
      table: 'evaluation_category',
      ids: [categoryId],
      parent: 'evaluation_template',
      by: 'template_id',
      name: 'title',
    })
    await getForDesign(db, programId, templateId)
    if (!(await setPartDeleted(db, 'evaluation_category', programId, templateId, categoryId, false))) {
      throw fail(evaluationFailures.no_category)
    }
    const after = await findTemplate(db, programId, templateId)
    // The template is locked since it was read above.
    return getPart(after!.Categories, categoryId, evaluationFailures.no_category)
  }),
]

const groupRoutes = [
  handle(contract.createGroup, async ({ db, params: { programId, templateId }, body }) => {
    const { Groups } = await getForDesign(db, programId, templateId)
    refuseTakenName(Groups, body.Name)
    if (Groups.length >= 50) throw fail(evaluationFailures.groups_full)
    const id = await addGroup(db, programId, templateId, body)
    return { Id: id, ...body }
  }),

  handle(contract.updateGroup, async ({ db, params, body, audit }): Promise<ItemGroup> => {
    const { programId, templateId, groupId } = params
    const { Groups } = await getForDesign(db, programId, templateId)
    const before = getPart(Groups, groupId, evaluationFailures.no_group)
    refuseTakenName(Groups, body.Name, groupId)
    audit.detail = { Before: before, After: body }
    await changeGroup(db, { programId, id: groupId }, body)
    return { Id: groupId, ...body }
  }),

  handle(contract.removeGroup, async ({ db, params: { programId, templateId, groupId }, audit }) => {
    const { Groups } = await getForDesign(db, programId, templateId)
    audit.detail = { Name: getPart(Groups, groupId, evaluationFailures.no_group).Name }
    await setPartDeleted(db, 'item_group', programId, templateId, groupId, true)
  }),

  handle(contract.restoreGroup, async ({ db, params: { programId, templateId, groupId } }) => {
    await refuseDeletedParent(db, programId, {
      table: 'item_group',
      ids: [groupId],
      parent: 'evaluation_template',
      by: 'template_id',
      name: 'title',
    })
    await getForDesign(db, programId, templateId)
    if (!(await setPartDeleted(db, 'item_group', programId, templateId, groupId, false))) {
      throw fail(evaluationFailures.no_group)
    }
    const after = await findTemplate(db, programId, templateId)
    // The template is locked since it was read above.
    return getPart(after!.Groups, groupId, evaluationFailures.no_group)
  }),
]

export const evaluationItemRoutes = [...itemRoutes, ...categoryRoutes, ...groupRoutes]
