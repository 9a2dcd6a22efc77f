import { useCallback, useState } from 'react'
import { addDays } from '#contract/core/calendar.ts'
import { getOwnSchedule } from '#contract/scheduling/own-schedule.ts'
import { listOwnShiftChanges, listTakers, offerShift } from '#contract/shift-changes/shift-changes.ts'
import { call } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import type { OptionSearch } from '#web/ui/choice/use-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { dateOfInstant } from '#web/ui/dates.ts'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { shiftText } from './change-words.ts'
import classes from './shift-changes.module.css'

const daysAhead = 120

/** Offers an own shift to everyone who could take it, or to some. */
export function OfferDialog(props: { assignmentId: number | null; onClose: (isOffered: boolean) => void }) {
  const words = useWords()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const schedule = useRead(getOwnSchedule, {
    query: { FromDate: today, ThroughDate: addDays(today, daysAhead) },
  })
  const [shiftId, setShiftId] = useState(props.assignmentId === null ? null : String(props.assignmentId))
  const [kind, setKind] = useState<'cover' | 'swap'>('cover')
  const [isToSome, setToSome] = useState(false)
  const [people, setPeople] = useState<string[]>([])
  const [names, setNames] = useState<Record<string, string>>({})
  const [note, setNote] = useState('')
  const { problem, attempt } = useAttempt()
  const save = useSave(offerShift, { refresh: [listOwnShiftChanges] })
  const shifts = (schedule.data?.Shifts ?? []).filter(({ StartsAt }) => Date.parse(StartsAt) > Date.now())
  const search = useCallback<OptionSearch>(
    async (text) => {
      const found = await call(listTakers, {
        query: { AssignmentId: Number(shiftId), Kind: kind, search: text },
      })
      setNames((known) => ({
        ...known,
        ...Object.fromEntries(found.map(({ Id, Name }) => [String(Id), Name])),
      }))
      return { options: found.map(({ Id, Name }) => ({ value: String(Id), label: Name })), hasMore: false }
    },
    [shiftId, kind],
  )
  const isReady = shiftId !== null && (!isToSome || people.length > 0)
  const run = () =>
    attempt(async () => {
      await save.run({
        body: {
          AssignmentId: Number(shiftId),
          Kind: kind,
          StudentIds: isToSome ? people.map(Number) : [],
          Note: note.trim(),
        },
      })
      toast.done(words('shiftChanges.didOffer'))
      props.onClose(true)
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={() => props.onClose(false)}
      title={words('shiftChanges.offerTitle')}
      subtitle={words('shiftChanges.offerKeeps')}
      actions={
        <DialogActions
          verb={words('shiftChanges.offerVerb')}
          onCancel={() => props.onClose(false)}
          onRun={() => void run()}
          isRunning={save.isRunning}
          isDisabled={!isReady}
        />
      }
    >
      <div className={classes.fields}>
        {schedule.data && shifts.length === 0 && (
          <p className={classes.quiet}>{words('shiftChanges.noShifts')}</p>
        )}
        <SelectField
          label={words('shiftChanges.offerWhich')}
          name="AssignmentId"
          required
          options={shifts.map((shift) => ({ value: String(shift.Id), label: shiftText(shift) }))}
          value={shiftId}
          onChange={(next) => {
            setShiftId(next)
            setPeople([])
          }}
        />
        <SelectField
          label={words('shiftChanges.offerHow')}
          name="Kind"
          required
          options={[
            { value: 'cover', label: words('shiftChanges.offerCover') },
            { value: 'swap', label: words('shiftChanges.offerSwap') },
          ]}
          value={kind}
          onChange={(next) => {
            setKind(next === 'swap' ? 'swap' : 'cover')
            setPeople([])
          }}
        />
        <SelectField
          label={words('shiftChanges.offerWhom')}
          name="Whom"
          required
          options={[
            { value: 'all', label: words('shiftChanges.offerAll') },
            { value: 'some', label: words('shiftChanges.offerSome') },
          ]}
          value={isToSome ? 'some' : 'all'}
          onChange={(next) => setToSome(next === 'some')}
        />
        {isToSome && shiftId !== null && (
          <MultiSelectField
            key={`${shiftId} ${kind}`}
            label={words('shiftChanges.offerPeople')}
            description={words('shiftChanges.offerPeopleHint')}
            name="StudentIds"
            required
            most={50}
            search={search}
            chosenLabels={names}
            value={people}
            onChange={setPeople}
          />
        )}
        <TextField
          label={words('shiftChanges.offerNote')}
          hint={words('shiftChanges.offerNoteHint')}
          name="Note"
          maxLength={300}
          value={note}
          onChange={setNote}
        />
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
