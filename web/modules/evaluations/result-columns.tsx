import type { ResultRow } from '#contract/evaluations/evaluation-results.ts'
import { Meter } from '#web/ui/charts/Meter.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { monthName } from './ResultsBand.tsx'
import classes from './results.module.css'

const nameOf = (words: Words, row: ResultRow): string =>
  /^\d{4}-\d{2}$/.test(row.Key) ? monthName(row.Key) : row.Name || words('evaluations.wholeProgram')

const difference = (row: ResultRow): string =>
  row.ProgramPercent === null
    ? '–'
    : (row.Percent - row.ProgramPercent).toLocaleString('en-US', {
        signDisplay: 'exceptZero',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      })

/** The columns of results; `header` names what the rows are. */
export const resultColumns = (words: Words, header: string, isSortable: boolean): GridColumn<ResultRow>[] => {
  const figure = { align: 'end' as const, width: 104 }
  const percent = (value: number | null) =>
    value === null ? '–' : words('evaluations.percent', { value: value.toFixed(1) })
  return [
    {
      id: 'Name',
      header,
      identity: true,
      sortable: isSortable,
      minWidth: 220,
      grow: 3,
      text: (row) => nameOf(words, row),
      cell: (row) => nameOf(words, row),
      detail: (row) => row.Detail,
    },
    {
      ...figure,
      id: 'Answers',
      header: words('evaluations.answers'),
      sortable: isSortable,
      cell: (row) => row.Answers.toLocaleString('en-US'),
    },
    {
      ...figure,
      id: 'Mean',
      header: words('evaluations.mean'),
      width: 80,
      cell: (row) => row.Mean?.toFixed(2) ?? '–',
    },
    {
      id: 'Percent',
      header: words('evaluations.ofScale'),
      sortable: isSortable,
      minWidth: 160,
      align: 'end',
      text: (row) => percent(row.Percent),
      cell: (row) => (
        <span className={classes.score}>
          <Meter value={row.Percent} most={100} label={percent(row.Percent)} />
          {percent(row.Percent)}
        </span>
      ),
    },
    {
      ...figure,
      id: 'ProgramPercent',
      header: words('evaluations.inProgram'),
      cell: (row) => percent(row.ProgramPercent),
    },
    { ...figure, id: 'Against', header: words('evaluations.against'), width: 130, cell: difference },
    {
      id: 'Low',
      header: words('evaluations.lowScores'),
      sortable: isSortable,
      width: 116,
      text: (row) => String(row.Low),
      cell: (row) =>
        row.Low === 0 ? (
          '–'
        ) : (
          <StatusTag status="careful">{words('evaluations.low', { count: row.Low })}</StatusTag>
        ),
    },
  ]
}
