import { useState } from 'react'
import {
  answerOffer,
  listOwnShiftChanges,
  listReturnable,
  type OwnShiftChange,
} from '#contract/shift-changes/shift-changes.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { shiftText, spoken } from './change-words.ts'
import { ShiftLine } from './ShiftLine.tsx'
import classes from './shift-changes.module.css'

/** A shift that somebody else offers: take it, give one in return, or decline. */
export function OfferCard({ change }: { change: OwnShiftChange }) {
  const words = useWords()
  const save = useSave(answerOffer, { refresh: [listOwnShiftChanges] })
  const [isChoosing, setChoosing] = useState(false)
  const student = spoken(change.Student)
  const isSwap = change.Kind === 'swap'
  const params = { changeId: change.Id }
  const take = async () => {
    const isSure = await confirm({
      text: words('shiftChanges.takeQuestion'),
      detail: shiftText(change.Given),
      verb: words('shiftChanges.take'),
    })
    if (!isSure) return
    await attempt(async () => {
      const { State } = await save.run({ params, body: { Answer: 'take' } })
      toast.done(words(State === 'done' ? 'shiftChanges.didTake' : 'shiftChanges.didTakePending'))
    }, words('shiftChanges.notTaken'))
  }
  const decline = () =>
    attempt(async () => {
      await save.run({ params, body: { Answer: 'decline' } })
      toast.done(words('shiftChanges.didDecline'))
    }, words('shiftChanges.notTaken'))
  return (
    <li className={classes.shift}>
      <ShiftLine shift={change.Given} />
      <p className={classes.quiet}>
        {words(isSwap ? 'shiftChanges.offersSwap' : 'shiftChanges.offersCover', { student })}
      </p>
      {change.Note && <p className={classes.said}>{change.Note}</p>}
      {change.Blocked && (
        <p className={classes.blocked}>
          {change.Blocked.Message}{' '}
          {change.Blocked.Rule === 'compliance' && (
            <PageLink href="/new/requirements">{words('shiftChanges.seeRequirements')}</PageLink>
          )}
        </p>
      )}
      {change.Answer === 'proposed' && (
        <p className={classes.quiet}>{words('shiftChanges.proposedByYou', { student })}</p>
      )}
      <div className={classes.buttons}>
        {!change.Blocked && (
          <Button
            size="md"
            variant={change.Answer === 'proposed' ? 'default' : 'filled'}
            loading={save.isRunning}
            onClick={() => (isSwap ? setChoosing(true) : void take())}
          >
            {words(isSwap ? 'shiftChanges.proposeReturn' : 'shiftChanges.take')}
          </Button>
        )}
        <Button size="md" variant="default" disabled={save.isRunning} onClick={() => void decline()}>
          {words('shiftChanges.decline')}
        </Button>
      </div>
      {isChoosing && <ReturnDialog change={change} student={student} onClose={() => setChoosing(false)} />}
    </li>
  )
}

/** Chooses which own shift is given in return. */
function ReturnDialog(props: { change: OwnShiftChange; student: string; onClose: () => void }) {
  const words = useWords()
  const { change, student, onClose } = props
  const params = { changeId: change.Id }
  const shifts = useRead(listReturnable, { params }, { keepsLast: false })
  const save = useSave(answerOffer, { refresh: [listOwnShiftChanges] })
  const give = (AssignmentId: number) =>
    attempt(async () => {
      await save.run({ params, body: { Answer: 'take', AssignmentId } })
      toast.done(words('shiftChanges.didPropose', { student }))
      onClose()
    }, words('shiftChanges.notTaken'))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('shiftChanges.returnTitle')}
      subtitle={words('shiftChanges.returnHint', { student })}
    >
      {shifts.error && <p className={classes.problem}>{shifts.error.message}</p>}
      {shifts.data?.length === 0 && (
        <p className={classes.quiet}>{words('shiftChanges.noReturn', { student })}</p>
      )}
      <ul className={classes.cards}>
        {shifts.data?.map((shift) => (
          <li key={shift.AssignmentId} className={classes.shift}>
            <ShiftLine shift={shift} />
            <div className={classes.buttons}>
              <Button size="md" loading={save.isRunning} onClick={() => void give(shift.AssignmentId)}>
                {words('shiftChanges.returnVerb')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
