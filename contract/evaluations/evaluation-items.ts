import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Ids, RequiredLine, Text } from '#contract/core/fields.ts'
import { getEvaluationTemplate, InputType, Item, ItemCategory, ItemGroup } from './evaluations.ts'

/**
 * What a template asks: items in categories, and groups of items of which one answer may be required. `getEvaluationTemplate`
 * answers all of it. Changes count for every evaluation that is not submitted yet; the others show the form as it was.
 */
const inTemplate = z.strictObject({ programId: Id, templateId: Id })
const oneItem = inTemplate.extend({ itemId: Id })
const oneCategory = inTemplate.extend({ categoryId: Id })
const oneGroup = inTemplate.extend({ groupId: Id })
const template = '/programs/:programId/evaluation-templates/:templateId'
const gone = { 422: 'the category, group or score type no longer exists' }

const question = { CategoryId: Id, IsMandatory: z.boolean().default(false) }
const scored = { ScoreTypeId: Id, GroupId: Id.nullable().default(null) }
const fillIn = {
  InputType,
  /** For `choice`, at least two. */
  Choices: z.array(RequiredLine(255)).max(50).default([]),
  /** A score that is asked besides. */
  ScoreTypeId: Id.nullable().default(null),
}
const hasChoices = (input: { InputType: z.infer<typeof InputType>; Choices: string[] }): boolean =>
  input.InputType !== 'choice' || new Set(input.Choices).size >= 2
const fewChoices = { path: ['Choices'], error: 'needs at least two different choices' }

const ItemInput = z.strictObject({ ...question, ...scored, Text: RequiredLine(2_000) })
const FibItemInput = z
  .strictObject({ ...question, ...fillIn, Text: RequiredLine(2_000) })
  .refine(hasChoices, fewChoices)

/** Pasted lines, one item each; which of them are taken is decided by `readItemLines`. */
const pasted = { Lines: Text(200_000) }
const Inserted = z.object({
  Items: z.array(Item),
  Refused: z.array(
    z.object({
      /** From 1, as pasted. */
      Line: z.number().int(),
      Text: z.string(),
      Reason: z.enum(['too_long', 'control', 'twice', 'exists', 'full']),
    }),
  ),
})
const Changed = z.object({ Changed: z.number().int() })

export const createItem = endpoint({
  method: 'POST',
  path: `${template}/items`,
  may: 'evaluations.design',
  summary: 'Add a scored item at the end of its category',
  params: inTemplate,
  body: ItemInput,
  answer: Item,
  errors: gone,
})

export const updateItem = endpoint({
  method: 'POST',
  path: `${template}/items/:itemId`,
  may: 'evaluations.design',
  summary: 'Change a scored item',
  params: oneItem,
  body: ItemInput,
  answer: Item,
  errors: gone,
  basis: { read: getEvaluationTemplate, item: 'itemId', within: 'Items' },
})

export const insertItems = endpoint({
  method: 'POST',
  path: `${template}/items/insertions`,
  may: 'evaluations.design',
  summary: 'Add a scored item for each pasted line (Bulk Insert)',
  params: inTemplate,
  body: z.strictObject({ ...question, ...scored, ...pasted }),
  answer: Inserted,
  errors: gone,
})

export const changeItemScores = endpoint({
  method: 'POST',
  path: `${template}/items/score-changes`,
  may: 'evaluations.design',
  summary: 'Give items another score type (Bulk Score Change)',
  params: inTemplate,
  body: z.strictObject({ Ids: Ids.min(1), ScoreTypeId: Id }),
  answer: Changed,
  errors: gone,
})

export const createFibItem = endpoint({
  method: 'POST',
  path: `${template}/fib-items`,
  may: 'evaluations.design',
  summary: 'Add a fill-in item at the end of its category',
  params: inTemplate,
  body: FibItemInput,
  answer: Item,
  errors: gone,
})

export const updateFibItem = endpoint({
  method: 'POST',
  path: `${template}/fib-items/:itemId`,
  may: 'evaluations.design',
  summary: 'Change a fill-in item',
  params: oneItem,
  body: FibItemInput,
  answer: Item,
  errors: gone,
  basis: { read: getEvaluationTemplate, item: 'itemId', within: 'Items' },
})

export const insertFibItems = endpoint({
  method: 'POST',
  path: `${template}/fib-items/insertions`,
  may: 'evaluations.design',
  summary: 'Add a fill-in item for each pasted line (Bulk Insert)',
  params: inTemplate,
  body: z.strictObject({ ...question, ...fillIn, ...pasted }).refine(hasChoices, fewChoices),
  answer: Inserted,
  errors: gone,
})

export const changeItemInputs = endpoint({
  method: 'POST',
  path: `${template}/fib-items/input-changes`,
  may: 'evaluations.design',
  summary: 'Give fill-in items another input type (Bulk Input Change)',
  params: inTemplate,
  body: z
    .strictObject({ Ids: Ids.min(1), InputType, Choices: fillIn.Choices })
    .refine(hasChoices, fewChoices),
  answer: Changed,
})

export const removeItems = endpoint({
  method: 'POST',
  path: `${template}/items/removals`,
  may: 'evaluations.design',
  summary: 'Take items off the form, scored and fill-in alike',
  params: inTemplate,
  body: z.strictObject({ Ids: Ids.min(1) }),
  answer: Changed,
})

export const restoreItems = endpoint({
  method: 'POST',
  path: `${template}/items/restorations`,
  may: 'evaluations.design',
  summary: 'Bring items back that were taken off',
  params: inTemplate,
  body: z.strictObject({ Ids: Ids.min(1) }),
  answer: Changed,
})

/** Where every category and item is, whole: what is not named, or named twice, is refused. */
export const FormOrder = z.array(z.strictObject({ CategoryId: Id, ItemIds: z.array(Id).max(600) })).max(50)
export type FormOrder = z.infer<typeof FormOrder>

export const orderItems = endpoint({
  method: 'POST',
  path: `${template}/order`,
  may: 'evaluations.design',
  summary: 'Rearrange categories and items',
  params: inTemplate,
  body: z.strictObject({ Categories: FormOrder }),
  errors: { 409: 'items were added or removed in the meantime' },
})

export const createCategory = endpoint({
  method: 'POST',
  path: `${template}/categories`,
  may: 'evaluations.design',
  summary: 'Add a category at the end of the form',
  params: inTemplate,
  body: z.strictObject({ Name: RequiredLine(255) }),
  answer: ItemCategory,
  errors: { 409: 'the name is taken' },
})

export const renameCategory = endpoint({
  method: 'POST',
  path: `${template}/categories/:categoryId`,
  may: 'evaluations.design',
  summary: 'Rename a category',
  params: oneCategory,
  body: z.strictObject({ Name: RequiredLine(255) }),
  answer: ItemCategory,
  errors: { 409: 'the name is taken' },
})

export const removeCategory = endpoint({
  method: 'DELETE',
  path: `${template}/categories/:categoryId`,
  may: 'evaluations.design',
  summary: 'Take a category off the form with its items',
  params: oneCategory,
})

export const restoreCategory = endpoint({
  method: 'POST',
  path: `${template}/categories/:categoryId/restore`,
  may: 'evaluations.design',
  summary: 'Bring a category back with its items',
  params: oneCategory,
  answer: ItemCategory,
})

const GroupInput = z.strictObject({ Name: RequiredLine(255), IsMandatory: z.boolean().default(false) })

export const createGroup = endpoint({
  method: 'POST',
  path: `${template}/groups`,
  may: 'evaluations.design',
  summary: 'Add a group; a mandatory one asks for at least one choice among its items',
  params: inTemplate,
  body: GroupInput,
  answer: ItemGroup,
  errors: { 409: 'the name is taken' },
})

export const updateGroup = endpoint({
  method: 'POST',
  path: `${template}/groups/:groupId`,
  may: 'evaluations.design',
  summary: 'Change a group',
  params: oneGroup,
  body: GroupInput,
  answer: ItemGroup,
  errors: { 409: 'the name is taken' },
  basis: { read: getEvaluationTemplate, item: 'groupId', within: 'Groups' },
})

export const removeGroup = endpoint({
  method: 'DELETE',
  path: `${template}/groups/:groupId`,
  may: 'evaluations.design',
  summary: 'Remove a group; its items stay and stand alone',
  params: oneGroup,
})

export const restoreGroup = endpoint({
  method: 'POST',
  path: `${template}/groups/:groupId/restore`,
  may: 'evaluations.design',
  summary: 'Bring a group back with its items',
  params: oneGroup,
  answer: ItemGroup,
})
