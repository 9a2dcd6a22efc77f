import type { Measure, MeasureResult } from '#contract/graduates/measures-rules.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'

type Rules = Pick<Measure, 'Kind' | 'Success' | 'Population' | 'WithinMonths'>

/** What a measure counts, in a sentence. */
export const aboutMeasure = (words: Words, { Kind, Success, Population, WithinMonths }: Rules): string => {
  const within =
    WithinMonths === null
      ? words('effectiveness.atAnyTime')
      : words('effectiveness.within', { count: WithinMonths })
  // Every pair of a kind has its sentence.
  return words(`effectiveness.about_${Kind}_${Success}_${Population}` as WordKey, { within })
}

/** '84.5 %', or a dash. */
export const percentText = (rate: number | null): string => (rate === null ? '–' : `${rate.toFixed(1)} %`)

export const yearsText = ({ From, Through }: NonNullable<MeasureResult['Pooled']>): string =>
  From === Through ? String(From) : `${From}–${Through}`

/** What a rate is held against; '' where nothing is. */
export const againstText = (
  words: Words,
  { Target, Against }: Pick<Measure, 'Target'> & Pick<MeasureResult, 'Against'>,
): string => {
  if (Target === 'none') return ''
  if (Against === null) return Target === 'mean' ? words('effectiveness.meanMissing') : ''
  return words(Target === 'mean' ? 'effectiveness.nationalMean' : 'effectiveness.benchmark', {
    percent: Against,
  })
}
