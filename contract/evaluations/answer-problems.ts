import { type Text, text } from '#contract/language/texts.ts'
import type { AnswerFacts, ItemFacts } from './evaluations-rules.ts'

const problems = {
  not_a_score: text(
    '{Item}: is not one of the scores of this item',
    '{Item}: no es una de las calificaciones de esta pregunta',
  ),
  number: text('{Item}: must be a number', '{Item}: debe ser un número'),
  below_zero: text('{Item}: must be 0 or more', '{Item}: debe ser 0 o más'),
  date: text('{Item}: must be a date', '{Item}: debe ser una fecha'),
  yes_or_no: text('{Item}: must be yes or no', '{Item}: debe ser sí o no'),
  not_a_choice: text('{Item}: is not one of the choices', '{Item}: no es una de las opciones'),
  too_long: text(
    '{Item}: must be one line of at most 255 characters',
    '{Item}: debe ser una sola línea de 255 caracteres como máximo',
  ),
}

/** What is wrong with an answer to what the form does not ask. */
export const notOfForm = text(
  '{Item}: is not a question of this form',
  '{Item}: no es una pregunta de este formulario',
)

const isoDate = /^\d{4}-\d{2}-\d{2}$/

/** What is wrong with an answer to an item, or null. Text longer than 10,000 characters is refused before. */
export const answerProblem = (item: ItemFacts, answer: AnswerFacts): Text<`{Item}${string}`> | null => {
  if (item.Kind === 'scored') {
    if (answer.ScoreValueId === null) return null
    return item.ScoreValues.some(({ Id }) => Id === answer.ScoreValueId) ? null : problems.not_a_score
  }
  if (answer.ScoreValueId !== null && !item.ScoreValues.some(({ Id }) => Id === answer.ScoreValueId)) {
    return problems.not_a_score
  }
  const text = answer.Text?.trim() ?? ''
  if (text === '') return null
  switch (item.InputType) {
    case 'number':
      // What forms ask by number is counted or measured: hours, procedures, days.
      if (!/^-?\d{1,12}([.]\d{1,6})?$/.test(text)) return problems.number
      return text.startsWith('-') && Number(text) !== 0 ? problems.below_zero : null
    case 'date':
      return isoDate.test(text) &&
        !Number.isNaN(Date.parse(text)) &&
        new Date(text).toISOString().startsWith(text)
        ? null
        : problems.date
    case 'yesno':
      return text === 'yes' || text === 'no' ? null : problems.yes_or_no
    case 'choice':
      return item.Choices.includes(text) ? null : problems.not_a_choice
    case 'short':
      return text.length <= 255 && !text.includes('\n') ? null : problems.too_long
    default:
      return null
  }
}
