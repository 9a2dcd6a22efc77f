import { useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { maxSeriesGroups } from '#contract/scheduling/series.ts'
import { groupName } from '#contract/scheduling/series-rules.ts'
import type { SiteShift } from '#contract/scheduling/site-shifts.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { useWords } from '#web/words/use-words.ts'
import assign from './AssignDialog.module.css'
import classes from './series.module.css'
import { weekdaysText } from './shift-words.ts'

export type SeriesShiftsProps = {
  shifts: readonly SiteShift[] | undefined
  /** In the order of the groups. */
  value: readonly number[]
  onChange: (ids: number[]) => void
}

/** The shifts of a series: each takes a group, in the order in which they were chosen. */
export function SeriesShifts({ shifts, value, onChange }: SeriesShiftsProps) {
  const words = useWords()
  const [text, setText] = useState('')
  const found = useMemo(() => {
    const isFound = finder(text)
    return (shifts ?? []).filter(({ Code, Site, Name, StartTime }) =>
      isFound(`${Code} ${Site} ${Name} ${StartTime}`),
    )
  }, [shifts, text])
  const toggle = (id: number) =>
    onChange(value.includes(id) ? value.filter((each) => each !== id) : [...value, id])
  return (
    <section className={assign.column} aria-label={words('series.stepShifts')}>
      <div className={assign.heading}>
        <h2>2 {words('series.stepShifts')}</h2>
        {value.length > 0 && <span className={assign.badge}>{value.length}</span>}
        <span className={assign.links}>
          <button
            type="button"
            onClick={() =>
              onChange([...new Set([...value, ...found.map(({ Id }) => Id)])].slice(0, maxSeriesGroups))
            }
          >
            {words('series.allShifts')}
          </button>
          <button type="button" onClick={() => onChange([])}>
            {words('scheduling.clear')}
          </button>
        </span>
      </div>
      <SearchBox
        label={words('scheduling.findShift')}
        value={text}
        onChange={setText}
        delay={0}
        width={600}
      />
      <fieldset className={`${assign.list} ${classes.shifts}`} aria-label={words('series.stepShifts')}>
        {shifts && found.length === 0 && <p className="p-muted">{words('scheduling.noShifts')}</p>}
        {found.map((shift) => {
          const group = value.indexOf(shift.Id)
          return (
            <label key={shift.Id} className={assign.shift} data-on={group >= 0 || undefined}>
              <input
                type="checkbox"
                className="p-tick"
                checked={group >= 0}
                disabled={group < 0 && value.length >= maxSeriesGroups}
                onChange={() => toggle(shift.Id)}
              />
              <ShiftMark kind={shift.Type} />
              <span className={assign.grow}>
                <span className={assign.line}>
                  <b>{shift.Code}</b> {shift.StartTime}–{shift.EndTime} ·{' '}
                  {weekdaysText(words, shift.Weekdays)}
                </span>
                <span className={assign.detail} title={shift.Site}>
                  {shift.Site}
                </span>
              </span>
              {group >= 0 && value.length > 1 ? (
                <span className={classes.letter}>
                  <span className="p-sr-only">{words('series.groupOf', { name: groupName(group) })}</span>
                  <span aria-hidden>{groupName(group)}</span>
                </span>
              ) : (
                <span className={assign.quiet}>{words('scheduling.aDay', { count: shift.Capacity })}</span>
              )}
            </label>
          )
        })}
      </fieldset>
      {value.length > 0 && (
        <p className={classes.hint}>{words('series.groupsHint', { count: value.length })}</p>
      )}
    </section>
  )
}
