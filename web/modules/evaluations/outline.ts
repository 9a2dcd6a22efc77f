import type { TemplateDetail, TemplateInput } from '#contract/evaluations.ts'

/**
 * Questions and scores as lines of text: the quickest way to write a form down, and to paste one in.
 *
 * Questions: `# Name` begins a category; `> ` before a line makes it fill-in, `>number `, `>date `, `>yesno `, `>short ` of
 * that kind, `>choice Question = A | B` with choices; `*` behind a line makes it mandatory, `+` puts it into the group of
 * which one answer is needed. Scores: `Label = value`.
 */
type ItemInput = NonNullable<TemplateInput['Items']>[number]
type FibInput = NonNullable<TemplateInput['FibItems']>[number]
type ScoreInput = NonNullable<TemplateInput['ScoreTypes']>[number]['Values'][number]

const kinds = ['short', 'long', 'number', 'date', 'yesno', 'choice'] as const
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export interface Questions {
  Categories: { Name: string }[]
  Items: ItemInput[]
  FibItems: FibInput[]
  hasGroup: boolean
}

export const parseQuestions = (text: string, firstCategory: string): Questions => {
  const result: Questions = { Categories: [], Items: [], FibItems: [], hasGroup: false }
  for (const line of lines(text)) {
    if (line.startsWith('#')) {
      result.Categories.push({ Name: line.replace(/^#+\s*/, '') || firstCategory })
      continue
    }
    if (result.Categories.length === 0) result.Categories.push({ Name: firstCategory })
    const Category = result.Categories.length - 1
    const marks = /[*+\s]*$/.exec(line)?.[0] ?? ''
    const IsMandatory = marks.includes('*')
    const isGrouped = marks.includes('+')
    const plain = line.slice(0, line.length - marks.length)
    if (plain.startsWith('>')) {
      const kind = kinds.find((each) => plain.slice(1).startsWith(`${each} `)) ?? 'long'
      const rest = plain.replace(/^>\s*/, '').replace(new RegExp(`^${kind}\\s+`), '')
      const [question = '', choices = ''] = kind === 'choice' ? rest.split('=') : [rest]
      result.FibItems.push({
        Category,
        Text: question.trim(),
        InputType: kind,
        Choices: choices
          .split('|')
          .map((choice) => choice.trim())
          .filter(Boolean),
        IsMandatory,
      })
    } else {
      result.Items.push({ Category, Text: plain, ScoreType: 0, Group: isGrouped ? 0 : null, IsMandatory })
      result.hasGroup ||= isGrouped
    }
  }
  return result
}

export const printQuestions = (template: TemplateDetail): string =>
  template.Categories.map((category) => {
    const items = template.Items.filter(({ CategoryId }) => CategoryId === category.Id).map((item) => {
      const marks = `${item.GroupId ? ' +' : ''}${item.IsMandatory ? ' *' : ''}`
      if (item.Kind === 'scored') return `${item.Text}${marks}`
      const kind = item.InputType === 'long' || !item.InputType ? '' : `${item.InputType} `
      const choices = item.InputType === 'choice' ? ` = ${item.Choices.join(' | ')}` : ''
      return `>${kind || ' '}${item.Text}${choices}${marks}`
    })
    return [`# ${category.Name}`, ...items].join('\n')
  }).join('\n\n')

export const parseScores = (
  text: string,
  commentBelow: number | null,
  withNotApplicable: boolean,
): ScoreInput[] => {
  const scores: ScoreInput[] = lines(text).map((line, index) => {
    const match = /^(.*?)\s*=\s*(-?\d+(?:[.]\d+)?)$/.exec(line)
    const Value = match ? Number(match[2]) : index + 1
    return {
      Label: (match ? match[1] : line) || line,
      Value,
      NeedsComment: commentBelow !== null && Value < commentBelow,
    }
  })
  return withNotApplicable ? [...scores, { Label: 'N/A', Value: null, IsNotApplicable: true }] : scores
}

export const printScores = (
  values: readonly { Label: string; Value: number | null; IsNotApplicable: boolean }[],
): string =>
  values
    .filter(({ IsNotApplicable }) => !IsNotApplicable)
    .map(({ Label, Value }) => `${Label} = ${Value}`)
    .join('\n')
