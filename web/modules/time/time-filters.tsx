import { addDays, weekOf } from '#contract/core/calendar.ts'
import { getPersonalFilterSettings } from '#contract/scheduling/personal-filters.ts'
import { lateAfterMinutes, missedAfterMinutes } from '#contract/time/insight.ts'
import type { TimeStatus } from '#contract/time/time-records.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ChoiceChip, LevelsChip } from '#web/shared/ChoiceChip.tsx'
import { dateOfInstant } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { statusName } from './record-words.tsx'
import classes from './time.module.css'

/** The filters of the lists of time as they are in the address; the cohort has no control. */
export const noFilters = {
  status: '',
  type: '',
  late: false,
  leftOut: false,
  begun: false,
  area: null as number | null,
  site: null as number | null,
  student: null as number | null,
  levels: [] as number[],
  from: '',
  through: '',
  editedFrom: '',
  editedThrough: '',
  editor: null as number | null,
  myStudents: false,
  mySites: false,
}
export type TimeFilterValues = typeof noFilters

export const filtersOf = (at: TimeFilterValues): TimeFilterValues =>
  Object.fromEntries(
    Object.keys(noFilters).map((name) => [name, at[name as keyof TimeFilterValues]]),
  ) as TimeFilterValues

/** The query of the calls; `only` names the filters that a call knows. */
export const queryOf = (at: TimeFilterValues) => ({
  ...(at.status === 'takenBack'
    ? { Status: 'rejected' as const, IsTakenBack: true }
    : at.status && {
        Status: at.status as TimeStatus,
        ...(at.status === 'rejected' && { IsTakenBack: false }),
      }),
  ...(at.type && { Type: at.type as 'in' }),
  ...(at.late && { IsLate: true }),
  ...(at.leftOut && { IsLeftOut: true }),
  ...(at.begun && { IsBegun: true }),
  ...(at.area !== null && { AreaId: at.area }),
  ...(at.site !== null && { SiteId: at.site }),
  ...(at.student !== null && { StudentId: at.student }),
  ...(at.levels.length > 0 && { StudentLevelIds: at.levels }),
  ...(at.from && { FromDate: at.from }),
  ...(at.through && { ThroughDate: at.through }),
  ...(at.editedFrom && { EditedFrom: at.editedFrom }),
  ...(at.editedThrough && { EditedThrough: at.editedThrough }),
  ...(at.editor !== null && { EditedById: at.editor }),
  ...(at.myStudents && { MyStudents: true }),
  ...(at.mySites && { MySites: true }),
})

export const sameFilters = (one: TimeFilterValues, other: TimeFilterValues): boolean =>
  JSON.stringify(filtersOf(one)) === JSON.stringify(filtersOf(other))

export type TimeFilterBarProps = {
  applied: TimeFilterValues
  /** What Reset goes back to. */
  start?: TimeFilterValues
  /** Sets what has changed; the other filters stay as they are. */
  onApply: (change: Partial<TimeFilterValues>) => void
  /** Shows Apply, which looks again. */
  onAgain?: () => void
  /** Which of the optional filters the screen has. */
  has?: {
    status?: 'any' | 'one'
    type?: boolean
    late?: boolean
    leftOut?: boolean
    begun?: boolean
    edited?: boolean
    levels?: boolean
    presets?: boolean
  }
  /** What the list shows while no dates are chosen. */
  noDates?: string
}

/** Ready ranges of days. */
const datePresets = (words: Words, today: string) => {
  const weekStart = weekOf(today)
  const preset = (label: string, from: string, to: string) => ({ label, range: { from, to } })
  return [
    preset(words('time.presetToday'), today, today),
    preset(words('time.presetYesterday'), addDays(today, -1), addDays(today, -1)),
    preset(words('time.presetThisWeek'), weekStart, addDays(weekStart, 6)),
    preset(words('time.presetLastWeek'), addDays(weekStart, -7), addDays(weekStart, -1)),
  ]
}

/** The filters of a list of time. */
export function TimeFilterBar({
  applied,
  start = noFilters,
  onApply,
  onAgain,
  has = {},
  noDates,
}: TimeFilterBarProps) {
  const words = useWords()
  const personal = useRead(getPersonalFilterSettings)
  const today = dateOfInstant(Date.now(), useTimeZone())
  const chip = <K extends keyof TimeFilterValues>(name: K) => ({
    value: applied[name],
    onChange: (value: TimeFilterValues[K]) => onApply({ [name]: value }),
  })
  const statuses = (['pending', 'approved', 'rejected'] as const).map((value) => ({
    value,
    label: statusName(words, value),
  }))
  const takenBack = { value: 'takenBack', label: words('time.reportTakenBack') }
  return (
    <FilterBar
      onReset={() => onApply(start)}
      isSet={!sameFilters(applied, start)}
      {...(onAgain && { onApply: onAgain })}
      applyLabel={words('time.apply')}
      resetLabel={words('time.reset')}
    >
      {has.status && (
        <SelectChip
          name={words('time.status')}
          options={[...statuses, takenBack]}
          none={words('time.anyStatus')}
          fixed={has.status === 'one'}
          value={applied.status || null}
          onChange={(value) => onApply({ status: value ?? '' })}
        />
      )}
      {has.type && (
        <SelectChip
          name={words('time.type')}
          options={[
            { value: 'in', label: words('time.typeIn') },
            { value: 'out', label: words('time.typeOut') },
            { value: 'exception', label: words('time.typeException') },
            { value: 'absence', label: words('time.typeAbsence') },
            { value: 'makeup', label: words('time.typeMakeup') },
          ]}
          value={applied.type || null}
          onChange={(value) => onApply({ type: value ?? '' })}
        />
      )}
      {has.late && (
        <SelectChip
          name={words('time.punctuality')}
          options={[{ value: 'late', label: words('time.lateOnly', { count: lateAfterMinutes }) }]}
          value={applied.late ? 'late' : null}
          onChange={(value) => onApply({ late: value !== null })}
        />
      )}
      {has.leftOut && (
        <SelectChip
          name={words('time.approval')}
          options={[{ value: 'leftOut', label: words('time.leftOutOnly') }]}
          value={applied.leftOut ? 'leftOut' : null}
          onChange={(value) => onApply({ leftOut: value !== null })}
        />
      )}
      {has.begun && (
        <SelectChip
          name={words('time.shifts')}
          options={[{ value: 'begun', label: words('time.begunShifts', { count: missedAfterMinutes }) }]}
          none={words('time.endedShifts')}
          value={applied.begun ? 'begun' : null}
          onChange={(value) => onApply({ begun: value !== null })}
        />
      )}
      <ChoiceChip kind="area" name={words('time.area')} {...chip('area')} />
      <ChoiceChip kind="site" name={words('time.site')} {...chip('site')} />
      <ChoiceChip kind="student" name={words('time.student')} {...chip('student')} />
      {has.levels && <LevelsChip name={words('time.level')} {...chip('levels')} />}
      <DateRangeChip
        name={words('time.date')}
        value={{ from: applied.from || null, to: applied.through || null }}
        onChange={({ from, to }) => onApply({ from: from ?? '', through: to ?? '' })}
        presets={has.presets ? datePresets(words, today) : []}
        {...(noDates && { none: noDates })}
      />
      {has.edited && (
        <>
          <DateRangeChip
            name={words('time.edited')}
            keepsName
            value={{ from: applied.editedFrom || null, to: applied.editedThrough || null }}
            onChange={({ from, to }) => onApply({ editedFrom: from ?? '', editedThrough: to ?? '' })}
            presets={datePresets(words, today)}
          />
          <ChoiceChip kind="editor" name={words('time.editedBy')} {...chip('editor')} />
        </>
      )}
      {personal.data?.IsStudentFilterEnabled && (
        <PersonalTick label={words('time.myStudents')} {...chip('myStudents')} />
      )}
      {personal.data?.IsSiteFilterEnabled && (
        <PersonalTick label={words('time.mySites')} {...chip('mySites')} />
      )}
    </FilterBar>
  )
}

function PersonalTick(props: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className={classes.tick}>
      <input
        type="checkbox"
        className="p-tick"
        checked={props.value}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
}
