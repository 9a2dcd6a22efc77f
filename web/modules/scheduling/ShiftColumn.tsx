import { useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import type { SiteShift } from '#contract/scheduling/site-shifts.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './AssignDialog.module.css'

export type ShiftColumnProps = {
  shifts: readonly SiteShift[] | undefined
  value: number | null
  onChange: (id: number) => void
  /** Brings back the last choice; absent when nothing was added yet. */
  onUseLast?: (() => void) | undefined
}

/** The first column of Add/Remove: one shift of all that run during the rotation. */
export function ShiftColumn({ shifts, value, onChange, onUseLast }: ShiftColumnProps) {
  const words = useWords()
  const [text, setText] = useState('')
  const found = useMemo(() => {
    const isFound = finder(text)
    return (shifts ?? []).filter(({ Code, Site, Name, StartTime }) =>
      isFound(`${Code} ${Site} ${Name} ${StartTime}`),
    )
  }, [shifts, text])
  return (
    <section className={classes.column} aria-label={words('scheduling.stepShift')}>
      <div className={classes.heading}>
        <h2>1 {words('scheduling.stepShift')}</h2>
        <span className={classes.links}>
          <DisabledReason reason={!onUseLast && words('scheduling.noLast')}>
            <button type="button" onClick={() => onUseLast?.()}>
              {words('scheduling.useLast')}
            </button>
          </DisabledReason>
        </span>
      </div>
      <SearchBox
        label={words('scheduling.findShift')}
        value={text}
        onChange={setText}
        delay={0}
        width={600}
      />
      <div className={classes.list} role="radiogroup" aria-label={words('scheduling.stepShift')}>
        {shifts && found.length === 0 && <p className="p-muted">{words('scheduling.noShifts')}</p>}
        {found.map((shift) => (
          <label key={shift.Id} className={classes.shift} data-on={shift.Id === value || undefined}>
            <input
              type="radio"
              name="assign-shift"
              className={classes.radio}
              checked={shift.Id === value}
              onChange={() => onChange(shift.Id)}
            />
            <ShiftMark kind={shift.Type} />
            <span className={classes.grow}>
              <span className={classes.line}>
                <b>{shift.Code}</b> {shift.StartTime}–{shift.EndTime}
              </span>
              <span className={classes.detail} title={shift.Site}>
                {shift.Site}
              </span>
            </span>
            <span className={classes.quiet}>{words('scheduling.aDay', { count: shift.Capacity })}</span>
          </label>
        ))}
      </div>
    </section>
  )
}
