import { openShiftNoteLength } from '#contract/shift-changes/open-shifts.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './shift-changes.module.css'

export interface OpenShiftValues {
  places: number | null
  hours: number | null
  levels: string[]
  note: string
}

/** What can be said of an open shift at any time: for how many, until when, for which levels, with which note. */
export function OpenShiftFields(props: {
  placesLabel: string
  values: OpenShiftValues
  onChange: (values: OpenShiftValues) => void
}) {
  const words = useWords()
  const { values } = props
  const levels = useSchedulingOptions('level', values.levels.map(Number))
  const set = (change: Partial<OpenShiftValues>) => props.onChange({ ...values, ...change })
  return (
    <>
      <div className={classes.pair}>
        <NumberField
          label={props.placesLabel}
          name="Places"
          required
          min={1}
          max={1000}
          value={values.places}
          onChange={(places) => set({ places })}
        />
        <NumberField
          label={words('shiftChanges.closesHours')}
          name="ClosesHoursBefore"
          min={0}
          max={1440}
          value={values.hours}
          onChange={(hours) => set({ hours })}
        />
      </div>
      <MultiSelectField
        label={words('shiftChanges.levels')}
        hint={words('shiftChanges.levelsHint')}
        placeholder={words('shiftChanges.everyLevel')}
        name="LevelIds"
        search={levels.search}
        chosenLabels={levels.chosenLabels}
        value={values.levels}
        onChange={(chosen) => set({ levels: chosen })}
      />
      <TextField
        label={words('shiftChanges.note')}
        hint={words('shiftChanges.noteHint')}
        name="Note"
        maxLength={openShiftNoteLength}
        value={values.note}
        onChange={(note) => set({ note })}
      />
    </>
  )
}
