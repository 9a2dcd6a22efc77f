import { type Item, inputTypes } from '#contract/evaluations/evaluations.ts'
import type { Words } from '#web/words/plain-words.ts'

/** Options of a list or chip from what has an id and a name or title. */
export const optionsOf = (list: readonly { Id: number; Name?: string; Title?: string }[]) =>
  list.map(({ Id, Name, Title }) => ({ value: String(Id), label: Name ?? Title ?? '' }))

/** The same for a cell, whose values are the ids themselves. */
export const cellOptionsOf = (list: readonly { Id: number; Name?: string; Title?: string }[]) =>
  list.map(({ Id, Name, Title }) => ({ value: Id, label: Name ?? Title ?? '' }))

export const inputOptions = (words: Words) =>
  inputTypes.map((value) => ({ value, label: words(`evaluations.input_${value}`) }))

/** Choices as they are typed into one field: 'Left | Right'. */
export const printChoices = (choices: readonly string[]): string => choices.join(' | ')
export const readChoices = (text: string): string[] => [
  ...new Set(
    text
      .split('|')
      .map((choice) => choice.trim())
      .filter(Boolean),
  ),
]

/** An item of a kind with its number on the form, as evaluators count. */
export type NumberedItem = Item & { Number: number }

export const numberedItems = (
  items: readonly Item[],
  kind: Item['Kind'],
  categoryId: number,
): NumberedItem[] =>
  items
    .map((item, index) => ({ ...item, Number: index + 1 }))
    .filter(({ Kind, CategoryId }) => Kind === kind && (categoryId === 0 || CategoryId === categoryId))
