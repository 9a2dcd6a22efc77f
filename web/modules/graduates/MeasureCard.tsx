import type { ReactNode } from 'react'
import type { Measure, PublishedYear } from '#contract/graduates/measures-rules.ts'
import { aboutMeasure, againstText, percentText, yearsText } from '#web/shared/measure-text.ts'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './graduates.module.css'

export interface CardYear extends PublishedYear {
  /** Why the year is not counted as others are. */
  note?: string
  /** People of whom nothing is known; they count only once their window is over. Undefined: it is not asked. */
  unknown?: number
  /** Outside the years that count together. */
  isQuiet?: boolean
}

type MeasureCardProps = {
  measure: Pick<Measure, 'Kind' | 'Success' | 'Population' | 'WithinMonths' | 'Target'> & { Name: string }
  pooled: {
    From: number
    Through: number
    Numerator: number
    Denominator: number
    Rate: number | null
  } | null
  against: number | null
  isShort: boolean
  years: readonly CardYear[]
  /** In place of figures of too few people. */
  hidden?: string
  status?: ReactNode
  /** The way to the people behind the rate. */
  people?: ReactNode
}

/** A measure: its rate with the people behind it, and the years that make it. */
export function MeasureCard(props: MeasureCardProps) {
  const { measure, pooled, against, isShort, years, hidden, status, people } = props
  const words = useWords()
  const hasUnknown = years.some(({ unknown }) => unknown !== undefined)
  const held = againstText(words, { Target: measure.Target, Against: against })
  return (
    <section className={classes.card} aria-label={measure.Name}>
      <header>
        <h2>{measure.Name}</h2>
        {status}
      </header>
      <p className={classes.about}>
        {aboutMeasure(words, measure)} {people}
      </p>
      {pooled ? (
        <div className={classes.rate}>
          <b>{percentText(pooled.Rate)}</b>
          <div>
            <Meter
              value={pooled.Rate ?? 0}
              most={100}
              isBad={isShort}
              label={`${percentText(pooled.Rate)}, ${words('effectiveness.ofPeople', { count: pooled.Numerator, all: pooled.Denominator })}`}
            />
            <span>
              {[
                words('effectiveness.ofPeople', { count: pooled.Numerator, all: pooled.Denominator }),
                yearsText(pooled),
                held,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
        </div>
      ) : (
        <p className={classes.noRate}>
          <b>{words('effectiveness.noRate')}</b> {words('effectiveness.noRateDetail')}
        </p>
      )}
      {years.length > 0 && (
        <table aria-label={words('effectiveness.yearsOf', { name: measure.Name })}>
          <thead>
            <tr>
              <th scope="col">{words('effectiveness.year')}</th>
              <th scope="col">{words('effectiveness.number')}</th>
              <th scope="col">{words('effectiveness.outOf')}</th>
              {hasUnknown && <th scope="col">{words('effectiveness.unknown')}</th>}
              <th scope="col">{words('effectiveness.rate')}</th>
            </tr>
          </thead>
          <tbody>
            {years.map((year) => (
              <tr key={year.Year} data-quiet={year.isQuiet || undefined}>
                <th scope="row">
                  {year.Year} {year.note && <small>{year.note}</small>}
                </th>
                {year.Denominator === null ? (
                  <td colSpan={hasUnknown ? 4 : 3}>{hidden}</td>
                ) : (
                  <>
                    <td>{year.Numerator}</td>
                    <td>{year.Denominator}</td>
                    {hasUnknown && <td>{year.unknown ?? '–'}</td>}
                    <td>{percentText(year.Rate)}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
