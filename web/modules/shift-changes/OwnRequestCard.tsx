import {
  cancelShiftChange,
  chooseProposal,
  listOwnShiftChanges,
  type OwnShiftChange,
} from '#contract/shift-changes/shift-changes.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { shiftText, spoken, stateTags } from './change-words.ts'
import { ShiftLine } from './ShiftLine.tsx'
import classes from './shift-changes.module.css'

const linesOf = (words: Words, change: OwnShiftChange): string[] => {
  if (!change.IsOwn) return [words('shiftChanges.youTake', { student: spoken(change.Student) })]
  const isOpen = change.State === 'open'
  return [
    change.Kind === 'drop'
      ? words('shiftChanges.ownDrop')
      : words(change.Kind === 'swap' ? 'shiftChanges.ownSwap' : 'shiftChanges.ownCover'),
    ...(isOpen && change.Kind !== 'drop'
      ? [
          change.AskedCount === null
            ? words('shiftChanges.askedAll')
            : words('shiftChanges.askedSome', { count: change.AskedCount }),
        ]
      : []),
    ...(change.TakerId === null ? [] : [words('shiftChanges.takerTakes', { taker: spoken(change.Taker) })]),
  ]
}

/** An own request or a shift that the student takes, with what can be done about it. */
export function OwnRequestCard({ change }: { change: OwnShiftChange }) {
  const words = useWords()
  const choose = useSave(chooseProposal, { refresh: [listOwnShiftChanges] })
  const cancel = useSave(cancelShiftChange, { refresh: [listOwnShiftChanges] })
  const params = { changeId: change.Id }
  const tag = stateTags[change.State]
  const isRunning = change.State === 'open' || change.State === 'pending'
  const swapWith = async ({ StudentId, Student, Shift }: OwnShiftChange['Proposals'][number]) => {
    const isSure = await confirm({
      text: words('shiftChanges.chooseQuestion', { student: Student }),
      detail: words('shiftChanges.chooseDetail', {
        given: shiftText(change.Given),
        returned: shiftText(Shift),
      }),
      verb: words('shiftChanges.chooseIt'),
    })
    if (!isSure) return
    await attempt(async () => {
      const { State } = await choose.run({ params, body: { StudentId } })
      toast.done(words(State === 'done' ? 'shiftChanges.didChoose' : 'shiftChanges.didChoosePending'))
    }, words('shiftChanges.notTaken'))
  }
  const takeBack = () =>
    attemptWhenSure(
      {
        text: words(change.IsOwn ? 'shiftChanges.takeBackQuestion' : 'shiftChanges.stepBackQuestion'),
        verb: words(change.IsOwn ? 'shiftChanges.takeBack' : 'shiftChanges.stepBack'),
      },
      async () => {
        await cancel.run({ params })
        toast.done(words(change.IsOwn ? 'shiftChanges.didTakeBack' : 'shiftChanges.didStepBack'))
      },
      words('shiftChanges.notTaken'),
    )
  return (
    <li className={classes.shift}>
      <ShiftLine shift={change.Given} end={<StatusTag status={tag.status}>{words(tag.word)}</StatusTag>} />
      <p className={classes.quiet}>{linesOf(words, change).join('. ')}</p>
      {change.Returned && (
        <p className={classes.quiet}>
          {words('shiftChanges.inReturn', { shift: shiftText(change.Returned) })}
        </p>
      )}
      {change.Reason && <p className={classes.said}>{change.Reason}</p>}
      {change.Proposals.length > 0 && (
        <section aria-label={words('shiftChanges.proposalsTitle')}>
          <h2 className={classes.heading}>{words('shiftChanges.proposalsTitle')}</h2>
          <ul className={classes.people}>
            {change.Proposals.map((proposal) => (
              <li key={proposal.StudentId}>
                <span>
                  <b>{proposal.Student}</b>
                  <br />
                  <span className={classes.quiet}>{shiftText(proposal.Shift)}</span>
                </span>
                <Button size="md" loading={choose.isRunning} onClick={() => void swapWith(proposal)}>
                  {words('shiftChanges.chooseIt')}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {isRunning && (
        <div className={classes.buttons}>
          <Button size="md" variant="default" loading={cancel.isRunning} onClick={() => void takeBack()}>
            {words(change.IsOwn ? 'shiftChanges.takeBack' : 'shiftChanges.stepBack')}
          </Button>
        </div>
      )}
    </li>
  )
}
