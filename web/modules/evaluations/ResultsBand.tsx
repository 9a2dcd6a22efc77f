import type { ResultSummary } from '#contract/evaluations/evaluation-results.ts'
import { ChartKey } from '#web/ui/charts/ChartKey.tsx'
import { Histogram } from '#web/ui/charts/Histogram.tsx'
import { TrendLine } from '#web/ui/charts/TrendLine.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './results.module.css'

/** 'YYYY-MM' as 'MM/YYYY'. */
export const monthName = (month: string): string => `${month.slice(5)}/${month.slice(0, 4)}`

/** Figures, trend and spread of the results; `isCompared` draws the program's line beside the chosen one. */
export function ResultsBand(props: { summary: ResultSummary; name: string; isCompared: boolean }) {
  const words = useWords()
  const { summary, name, isCompared } = props
  const { Totals, Trend, Fifths } = summary
  const percent = (value: number | null) =>
    value === null ? '–' : words('evaluations.percent', { value: value.toFixed(1) })
  return (
    <div className={classes.band}>
      <dl>
        <div>
          <dt>{words('evaluations.ofScale')}</dt>
          <dd>{percent(Totals.Percent)}</dd>
        </div>
        {isCompared && (
          <div>
            <dt>{words('evaluations.inProgram')}</dt>
            <dd>{percent(Totals.ProgramPercent)}</dd>
          </div>
        )}
        <div>
          <dt>{words('evaluations.answers')}</dt>
          <dd>{Totals.Answers.toLocaleString('en-US')}</dd>
        </div>
        <div>
          <dt>{words('evaluations.lowScores')}</dt>
          <dd>{Totals.Low.toLocaleString('en-US')}</dd>
        </div>
      </dl>
      <div className={classes.trend}>
        <TrendLine
          label={words('evaluations.trendLabel')}
          most={100}
          valueName={name}
          format={(value) => `${Math.round(value)} %`}
          points={Trend.map(({ Month, Percent, ProgramPercent }) => ({
            label: monthName(Month),
            value: Percent,
            compared: isCompared ? ProgramPercent : null,
          }))}
          {...(isCompared && { comparedName: words('evaluations.inProgram') })}
        />
        {isCompared && Trend.some(({ ProgramPercent }) => ProgramPercent !== null) && (
          <ChartKey
            items={[
              { mark: 'data', label: name },
              { mark: 'target', label: words('evaluations.inProgram') },
            ]}
          />
        )}
      </div>
      <Histogram
        label={words('evaluations.fifthsLabel')}
        height={150}
        bins={Fifths.map((count, index) => ({ from: index * 20, to: index * 20 + 20, count }))}
        format={(value) => `${value} %`}
      />
    </div>
  )
}
