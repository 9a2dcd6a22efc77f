/** One line of the result: a figure beside what it must reach and what it should. */
export interface Figure {
  what: string
  value: number
  /** How the value is written, such as `2.1×` or `96 ms`. */
  text: string
  must: number | undefined
  stretch: number | undefined
  /** The bar as it is written. */
  bar: string
  isMore?: boolean
  note?: string
}

export type Verdict = 'stretch' | 'must' | 'missed' | 'n/a' | ''

/** How a figure compares with its bar: '' where there is none, 'n/a' where nothing could be measured. */
export const verdictOf = ({ value, must, stretch, isMore }: Figure): Verdict => {
  if (Number.isNaN(value)) return 'n/a'
  if (must === undefined) return ''
  const reaches = (bar: number) => (isMore ? value >= bar : value <= bar)
  if (stretch !== undefined && reaches(stretch)) return 'stretch'
  return reaches(must) ? 'must' : 'missed'
}

const columns = (figure: Figure): string[] => [
  figure.what,
  Number.isNaN(figure.value) ? 'n/a' : figure.text,
  figure.bar,
  verdictOf(figure),
  figure.note ?? '',
]
const titles = ['what', 'measured', 'must / stretch', 'reached', 'beside it']

/** The table for a terminal, in columns. */
export const asText = (figures: readonly Figure[]): string => {
  const rows = [titles, ...figures.map(columns)]
  const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The table for docs/performance.md. */
export const asMarkdown = (figures: readonly Figure[]): string =>
  [titles, titles.map(() => '---'), ...figures.map(columns)].map((row) => `| ${row.join(' | ')} |`).join('\n')
