import { useState } from 'react'
import { datesBetween, weekdayOf } from '#contract/core/calendar.ts'
import { getSiteShift } from '#contract/scheduling/site-shifts.ts'
import { createOpenShifts, listOpenShifts, maxOpenDates } from '#contract/shift-changes/open-shifts.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { OpenShiftFields, type OpenShiftValues } from './OpenShiftFields.tsx'
import classes from './shift-changes.module.css'

/** Opens a shift for sign-up on every day of a range on which it runs. */
export function NewOpenShiftsDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const [rotation, setRotation] = useState<string | null>(null)
  const [shiftId, setShiftId] = useState<string | null>(null)
  const [from, setFrom] = useState<string | null>(null)
  const [through, setThrough] = useState<string | null>(null)
  const [values, setValues] = useState<OpenShiftValues>({ places: 1, hours: 24, levels: [], note: '' })
  const [isAnnounced, setAnnounced] = useState(true)
  const { problem, attempt } = useAttempt()
  const rotations = useSchedulingOptions('rotation', [rotation === null ? null : Number(rotation)])
  const shifts = useSchedulingOptions('shift', [shiftId === null ? null : Number(shiftId)])
  const shift = useRead(
    getSiteShift,
    { params: { programId, siteShiftId: Number(shiftId) || 1 } },
    { isEnabled: shiftId !== null, keepsLast: false },
  )
  const create = useSave(createOpenShifts, { refresh: [listOpenShifts] })
  const last = through ?? from
  const dates =
    shift.data && from && last && from <= last
      ? datesBetween(from, last).filter((date) => shift.data?.Weekdays.includes(weekdayOf(date)))
      : []
  const isTooMany = dates.length > maxOpenDates
  const isReady =
    rotation !== null && shiftId !== null && dates.length > 0 && !isTooMany && values.places !== null
  const run = () =>
    attempt(async () => {
      const { Created, Skipped } = await create.run({
        params: { programId },
        body: {
          RotationId: Number(rotation),
          SiteShiftId: Number(shiftId),
          Dates: dates,
          LevelIds: values.levels.map(Number),
          Places: values.places ?? 1,
          ClosesHoursBefore: values.hours ?? 0,
          Note: values.note.trim(),
          IsAnnounced: isAnnounced,
        },
      })
      toast.done({
        title: words('shiftChanges.didOpen', { count: Created }),
        ...(Skipped > 0 && { detail: words('shiftChanges.skipped', { count: Skipped }) }),
      })
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('shiftChanges.newOpenTitle')}
      subtitle={words('shiftChanges.newOpenHint')}
      actions={
        <DialogActions
          verb={
            dates.length > 0
              ? words('shiftChanges.openDays', { count: dates.length })
              : words('shiftChanges.openNow')
          }
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={create.isRunning}
          isDisabled={!isReady}
        />
      }
    >
      <div className={classes.fields}>
        <SelectField
          label={words('shiftChanges.rotation')}
          name="RotationId"
          required
          search={rotations.search}
          chosenLabel={rotation === null ? undefined : rotations.chosenLabels[rotation]}
          value={rotation}
          onChange={setRotation}
        />
        <SelectField
          label={words('shiftChanges.shift')}
          name="SiteShiftId"
          required
          search={shifts.search}
          chosenLabel={shiftId === null ? undefined : shifts.chosenLabels[shiftId]}
          value={shiftId}
          onChange={setShiftId}
        />
        <div className={classes.pair}>
          <DateField
            label={words('shiftChanges.from')}
            name="From"
            required
            value={from}
            onChange={setFrom}
          />
          <DateField
            label={words('shiftChanges.through')}
            name="Through"
            value={through}
            onChange={setThrough}
          />
        </div>
        <OpenShiftFields placesLabel={words('shiftChanges.places')} values={values} onChange={setValues} />
        <CheckField
          label={words('shiftChanges.announce')}
          description={words('shiftChanges.announceHint')}
          name="IsAnnounced"
          value={isAnnounced}
          onChange={setAnnounced}
        />
        {shift.data && from && dates.length === 0 && (
          <p className={classes.quiet}>{words('shiftChanges.noDays')}</p>
        )}
        {isTooMany && (
          <p className={classes.quiet}>{words('shiftChanges.tooMany', { count: maxOpenDates })}</p>
        )}
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
