import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import {
  getOpenShift,
  listOpenShifts,
  type SignupState,
  updateOpenShift,
} from '#contract/shift-changes/open-shifts.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { OpenShiftFields, type OpenShiftValues } from './OpenShiftFields.tsx'
import { ShiftLine } from './ShiftLine.tsx'
import classes from './shift-changes.module.css'

type Answer = AnswerOf<typeof getOpenShift>

const tags: Readonly<Record<SignupState, { status: Status; word: WordKey }>> = {
  placed: { status: 'approved', word: 'shiftChanges.signupPlaced' },
  waiting: { status: 'pending', word: 'shiftChanges.signupWaiting' },
  dropped: { status: 'unmatched', word: 'shiftChanges.signupDropped' },
  removed: { status: 'unmatched', word: 'shiftChanges.signupRemoved' },
  left: { status: 'unmatched', word: 'shiftChanges.signupLeft' },
  closed: { status: 'unmatched', word: 'shiftChanges.signupClosed' },
}

/** An open shift: who has signed up, and what can be changed about it. */
export function OpenShiftDialog({ openShiftId, onClose }: { openShiftId: number; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const open = useRead(getOpenShift, { params: { programId, openShiftId } }, { keepsLast: false })
  useLiveEvent('open-shifts', () => void open.refetch(), 1_000)
  if (!open.data)
    return (
      <Dialog opened onClose={onClose} title={words('shiftChanges.signupsTitle')}>
        {open.error && <PageMessage kind="error" text={open.error.message} />}
      </Dialog>
    )
  return <Opened key={openShiftId} open={open.data} onClose={onClose} />
}

function Opened({ open, onClose }: { open: Answer; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const mayManage = useMay()('open-shifts.manage') && open.State !== 'closed'
  // What the fields were filled from: the read beside them is renewed while people sign up.
  const [basis] = useState(open)
  const save = useSave(updateOpenShift, { refresh: [listOpenShifts, getOpenShift] })
  const [values, setValues] = useState<OpenShiftValues>({
    places: open.Places,
    hours: open.ClosesHoursBefore,
    levels: open.LevelIds.map(String),
    note: open.Note,
  })
  const { problem, attempt } = useAttempt()
  const run = () =>
    attempt(async () => {
      await save.run(
        {
          params: { programId, openShiftId: open.Id },
          body: {
            Places: values.places ?? open.Places,
            LevelIds: values.levels.map(Number),
            ClosesHoursBefore: values.hours ?? open.ClosesHoursBefore,
            Note: values.note.trim(),
          },
        },
        { basedOn: basis },
      )
      toast.done(words('shiftChanges.saved'))
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick={mayManage}
      onClose={onClose}
      title={words('shiftChanges.signupsTitle')}
      actions={
        mayManage && (
          <DialogActions
            verb={words('shiftChanges.save')}
            onCancel={onClose}
            onRun={() => void run()}
            isRunning={save.isRunning}
          />
        )
      }
    >
      <div className={classes.fields}>
        <ShiftLine shift={open} />
        <ul className={classes.people}>
          {open.Signups.map((signup, index) => (
            <li key={signup.Id}>
              <StudentLink id={signup.StudentId}>{signup.Student}</StudentLink>
              <StatusTag status={tags[signup.State].status}>
                {words(tags[signup.State].word, {
                  date: formatDate(dateOfInstant(signup.At)),
                  place: index + 1 - open.Taken,
                })}
              </StatusTag>
              {signup.Hindrance && <p className={classes.quiet}>{signup.Hindrance}</p>}
            </li>
          ))}
        </ul>
        {open.Signups.length === 0 && <p className={classes.quiet}>{words('shiftChanges.noSignups')}</p>}
        {mayManage && (
          <OpenShiftFields
            placesLabel={words('shiftChanges.placesOne')}
            values={values}
            onChange={setValues}
          />
        )}
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
