import { useState } from 'react'
import {
  addDoseReading,
  correctDoseReading,
  type DoseReading,
  listDoseReadings,
} from '#contract/safety/doses.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './safety.module.css'

const doses = [
  ['Deep', 'safety.deepField'],
  ['Lens', 'safety.lensField'],
  ['Shallow', 'safety.shallowField'],
] as const

/** Enters a reading by hand, or corrects the doses of one. */
export function DoseDialog({ reading, onClose }: { reading?: DoseReading; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const refresh = { refresh: [listDoseReadings] }
  const add = useSave(addDoseReading, refresh)
  const correct = useSave(correctDoseReading, refresh)
  const [student, setStudent] = useState<string | null>(null)
  const [badge, setBadge] = useState('')
  const [from, setFrom] = useState<string | null>(null)
  const [through, setThrough] = useState<string | null>(null)
  const [values, setValues] = useState<Record<(typeof doses)[number][0], number | null>>({
    Deep: reading?.Deep ?? null,
    Lens: reading?.Lens ?? null,
    Shallow: reading?.Shallow ?? null,
  })
  const [reason, setReason] = useState('')
  const found = useSchedulingOptions('student', [student === null ? null : Number(student)])
  const { problem, isRunning, attempt } = useAttempt()
  const isReady = reading
    ? reason.trim() !== ''
    : student !== null &&
      from !== null &&
      through !== null &&
      Object.values(values).some((dose) => dose !== null)
  const save = () =>
    attempt(async () => {
      const saved = reading
        ? await correct.run({
            params: { programId, readingId: reading.Id },
            body: { ...values, Reason: reason.trim() },
          })
        : await add.run({
            params: { programId },
            body: {
              StudentId: Number(student),
              Badge: badge.trim(),
              // The button waits for both.
              From: from!,
              // As above.
              Through: through!,
              ...values,
            },
          })
      toast.done(words(reading ? 'safety.didCorrect' : 'safety.didAdd', { name: saved.Student }))
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      title={words(reading ? 'safety.correctTitle' : 'safety.addReading')}
      {...(reading && {
        subtitle: `${reading.Student} · ${words('safety.period', {
          from: formatDate(reading.From),
          through: formatDate(reading.Through),
        })}`,
      })}
      onClose={onClose}
      actions={
        <DialogActions
          verb={words('safety.save')}
          onCancel={onClose}
          onRun={() => void save()}
          isRunning={isRunning}
          isDisabled={!isReady}
        />
      }
    >
      <div className={classes.form}>
        {!reading && (
          <>
            <SelectField
              label={words('safety.student')}
              required
              name="StudentId"
              search={found.search}
              {...(student !== null && { chosenLabel: found.chosenLabels[student] ?? '' })}
              value={student}
              onChange={setStudent}
            />
            <TextField
              label={words('safety.badgeField')}
              maxLength={60}
              name="Badge"
              value={badge}
              onChange={setBadge}
            />
            <DateField label={words('safety.from')} required name="From" value={from} onChange={setFrom} />
            <DateField
              label={words('safety.through')}
              required
              name="Through"
              value={through}
              onChange={setThrough}
            />
          </>
        )}
        {doses.map(([name, label]) => (
          <NumberField
            key={name}
            label={words(label)}
            name={name}
            min={0}
            {...(name === 'Deep' && { hint: words('safety.doseHint') })}
            value={values[name]}
            onChange={(dose) => setValues({ ...values, [name]: dose })}
          />
        ))}
        {reading && (
          <TextField
            label={words('safety.reason')}
            required
            maxLength={200}
            name="Reason"
            value={reason}
            onChange={setReason}
          />
        )}
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
