import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import assign from './AssignDialog.module.css'
import classes from './series.module.css'
import { repeats, rotateChoices, type SeriesChoice, type SeriesProblems } from './series-choice.ts'
import { WeekdayField } from './WeekdayField.tsx'

export type SeriesWhenProps = {
  choice: SeriesChoice
  problems: SeriesProblems
  onChange: (change: Partial<SeriesChoice>) => void
}

/** When a series runs: its dates, weekdays, weeks on and off, and how often the groups change. */
export function SeriesWhen({ choice, problems, onChange }: SeriesWhenProps) {
  const words = useWords()
  const field = <K extends keyof SeriesChoice>(name: K) => ({
    name: `series-${name}`,
    value: choice[name],
    onChange: (value: SeriesChoice[K]) => onChange({ [name]: value } as Partial<SeriesChoice>),
    ...(problems[name] && { error: problems[name] }),
  })
  return (
    <section className={assign.column} aria-label={words('series.stepWhen')}>
      <div className={assign.heading}>
        <h2>3 {words('series.stepWhen')}</h2>
      </div>
      <div className={classes.when}>
        <WeekdayField label={words('scheduling.weekdays')} required {...field('weekdays')} />
        <div className={classes.pair}>
          <DateField label={words('scheduling.startDate')} hint="" required {...field('startDate')} />
          <DateField label={words('scheduling.endDate')} hint="" {...field('endDate')} />
        </div>
        <NumberField
          label={words('series.occurrences')}
          hint={words('series.occurrencesHint')}
          description={words('series.occurrencesDetail')}
          min={1}
          {...field('occurrences')}
        />
        <SelectField
          label={words('series.repeat')}
          required
          options={repeats.map(({ value, word }) => ({ value, label: words(word) }))}
          {...field('repeat')}
          onChange={(repeat) => onChange({ repeat: repeat ?? '1-0' })}
        />
        {choice.repeat === 'other' && (
          <div className={classes.pair}>
            <NumberField label={words('series.weeksOn')} required min={1} {...field('weeksOn')} />
            <NumberField label={words('series.weeksOff')} required min={0} {...field('weeksOff')} />
          </div>
        )}
        {choice.shiftIds.length > 1 && (
          <SelectField
            label={words('series.rotate')}
            required
            options={rotateChoices.map((count) => ({
              value: String(count),
              label: count === 0 ? words('series.rotateNever') : words('series.rotateEvery', { count }),
            }))}
            {...field('rotateEvery')}
            onChange={(rotateEvery) => onChange({ rotateEvery: rotateEvery ?? '0' })}
          />
        )}
        <CheckField label={words('series.skipsDaysOff')} {...field('skipsDaysOff')} />
      </div>
    </section>
  )
}
