import { type ReadLines, readLines } from '#contract/core/lines.ts'
/** What an evaluation still needs before it can be submitted: rules that the form on the phone and the server share. */

export interface ScoreValueFacts {
  Id: number
  Label: string
  /** Null for N/A. */
  Value: number | null
  IsNotApplicable: boolean
  /** Choosing it asks for a comment. */
  NeedsComment: boolean
}

export type InputType = 'short' | 'long' | 'number' | 'date' | 'yesno' | 'choice'

export interface ItemFacts {
  Id: number
  Kind: 'scored' | 'fib'
  Text: string
  GroupId: number | null
  IsMandatory: boolean
  InputType: InputType | null
  Choices: readonly string[]
  ScoreValues: readonly ScoreValueFacts[]
}

export interface GroupFacts {
  Id: number
  Name: string
  /** At least one of its items must be answered. */
  IsMandatory: boolean
}

export interface AnswerFacts {
  ItemId: number
  ScoreValueId: number | null
  Text: string | null
  Comment: string | null
}

export type MissingKind = 'answer' | 'comment' | 'group'
export interface Missing {
  Kind: MissingKind
  /** The item at fault, or the first item of the group. */
  ItemId: number
  /** The group's name where it is about one. */
  Group: string | null
}

/**
 * The answers that still fit the form, which may have changed since they were given: those of items that are gone are left
 * out, and a score that its item no longer offers counts as not given.
 */
export const standingAnswers = <Answer extends AnswerFacts>(
  items: readonly ItemFacts[],
  answers: readonly Answer[],
): Answer[] => {
  const byId = new Map(items.map((item) => [item.Id, item]))
  return answers.flatMap((answer) => {
    const item = byId.get(answer.ItemId)
    if (!item) return []
    const isOffered = item.ScoreValues.some(({ Id }) => Id === answer.ScoreValueId)
    return [isOffered ? answer : { ...answer, ScoreValueId: null }]
  })
}

const isAnswered = (answer: AnswerFacts | undefined): boolean =>
  answer !== undefined && (answer.ScoreValueId !== null || Boolean(answer.Text?.trim()))

/** What is missing, in the order of the form; nothing means that it can be submitted. */
export const missingOf = (
  items: readonly ItemFacts[],
  groups: readonly GroupFacts[],
  answers: readonly AnswerFacts[],
): Missing[] => {
  const byItem = new Map(answers.map((answer) => [answer.ItemId, answer]))
  const missing: Missing[] = []
  for (const item of items) {
    const answer = byItem.get(item.Id)
    if (item.IsMandatory && !isAnswered(answer))
      missing.push({ Kind: 'answer', ItemId: item.Id, Group: null })
    const chosen = item.ScoreValues.find(({ Id }) => Id === answer?.ScoreValueId)
    if (chosen?.NeedsComment && !answer?.Comment?.trim())
      missing.push({ Kind: 'comment', ItemId: item.Id, Group: null })
  }
  for (const group of groups) {
    const members = items.filter(({ GroupId }) => GroupId === group.Id)
    if (!group.IsMandatory || members.length === 0) continue
    if (!members.some(({ Id }) => isAnswered(byItem.get(Id)))) {
      missing.push({ Kind: 'group', ItemId: members[0]!.Id, Group: group.Name })
    }
  }
  return missing
}

/** How many items have an answer, for the progress line. */
export const answeredCount = (items: readonly ItemFacts[], answers: readonly AnswerFacts[]): number => {
  const byItem = new Map(answers.map((answer) => [answer.ItemId, answer]))
  return items.filter(({ Id }) => isAnswered(byItem.get(Id))).length
}

/** The mean of the scores given, N/A left out; null when nothing was scored. */
export const meanScore = (items: readonly ItemFacts[], answers: readonly AnswerFacts[]): number | null => {
  const values = answers.flatMap((answer) => {
    const item = items.find(({ Id }) => Id === answer.ItemId)
    const value = item?.ScoreValues.find(({ Id }) => Id === answer.ScoreValueId)?.Value
    return value === null || value === undefined ? [] : [value]
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * What each answer counts in results: its score, where that is on its scale (0 the lowest, 1 the highest; null for N/A
 * and for a scale of one value), and whether it is low: the lowest of its scale, or one that asks for a comment.
 */
export const markAnswers = (
  items: readonly ItemFacts[],
  answers: readonly AnswerFacts[],
): { Score: number | null; Share: number | null; IsLow: boolean }[] => {
  const byItem = new Map(items.map((item) => [item.Id, item.ScoreValues]))
  return answers.map(({ ItemId, ScoreValueId }) => {
    const values = byItem.get(ItemId) ?? []
    const chosen = values.find(({ Id }) => Id === ScoreValueId)
    const score = chosen?.Value ?? null
    if (chosen === undefined || score === null) return { Score: null, Share: null, IsLow: false }
    const scale = values.flatMap(({ Value }) => (Value === null ? [] : [Value]))
    const [lowest, highest] = [Math.min(...scale), Math.max(...scale)]
    const share = highest > lowest ? (score - lowest) / (highest - lowest) : null
    return { Score: score, Share: share, IsLow: chosen.NeedsComment || share === 0 }
  })
}

/** An uncompleted evaluation is late when its end date has passed. */
export const isLate = (evaluation: { EndDate: string | null; Status: 0 | 1 }, today: string): boolean =>
  evaluation.Status === 0 && evaluation.EndDate !== null && evaluation.EndDate < today

/** The longest text of an item, in characters. */
export const longestItem = 2_000
/** Most items of a kind in one template. */
export const itemLimit = 300

/**
 * Which lines of a pasted text become items (Bulk Insert). Refused by name: what is too long, twice, or there already, and what
 * does not fit in anymore.
 */
export const readItemLines = (pasted: string, existing: readonly string[]): ReadLines =>
  readLines(pasted, existing, { longest: longestItem, limit: itemLimit })
