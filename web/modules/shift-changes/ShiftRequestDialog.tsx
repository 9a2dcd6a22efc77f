import { useState } from 'react'
import { decideShiftChange, getShiftChange, listShiftChanges } from '#contract/shift-changes/shift-changes.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { dateOfInstant, formatDate, formatInstant } from '#web/ui/dates.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { kindWords, shiftText, spoken, stateTags } from './change-words.ts'
import { ShiftLine } from './ShiftLine.tsx'
import classes from './shift-changes.module.css'

const actions: Readonly<Record<string, WordKey>> = {
  offered: 'shiftChanges.actOffered',
  asked: 'shiftChanges.actAsked',
  taken: 'shiftChanges.actTaken',
  withdrawn: 'shiftChanges.actWithdrawn',
  proposed: 'shiftChanges.actProposed',
  refused: 'shiftChanges.actRefused',
  approved: 'shiftChanges.actApproved',
  declined: 'shiftChanges.actDeclined',
  done: 'shiftChanges.actDone',
  canceled: 'shiftChanges.actCanceled',
  failed: 'shiftChanges.actFailed',
  expired: 'shiftChanges.actExpired',
}

/** A swap, cover or drop with its history, to approve or decline. */
export function ShiftRequestDialog({ changeId, onClose }: { changeId: number; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const zone = useTimeZone()
  const mayDecide = useMay()('shift-changes.decide')
  const params = { programId, changeId }
  const request = useRead(getShiftChange, { params }, { keepsLast: false })
  const save = useSave(decideShiftChange, { refresh: [listShiftChanges, getShiftChange] })
  const [reason, setReason] = useState('')
  const { problem, attempt } = useAttempt()
  const { data } = request
  const decide = (IsApproved: boolean) =>
    attempt(async () => {
      await save.run({ params, body: { IsApproved, Reason: reason.trim() } })
      toast.done(words(IsApproved ? 'shiftChanges.didApprove' : 'shiftChanges.didDeclineRequest'))
      onClose()
    })
  const isWaiting = data?.State === 'pending' && mayDecide
  return (
    <Dialog
      opened
      stayOnOutsideClick={isWaiting}
      onClose={onClose}
      title={data ? words(kindWords[data.Kind]) : words('shiftChanges.requestTitle')}
      actions={
        isWaiting && (
          <>
            <Button size="lg" variant="default" loading={save.isRunning} onClick={() => void decide(false)}>
              {words('shiftChanges.decline')}
            </Button>
            <Button size="lg" loading={save.isRunning} onClick={() => void decide(true)}>
              {words('shiftChanges.approve')}
            </Button>
          </>
        )
      }
    >
      {request.error && <PageMessage kind="error" text={request.error.message} />}
      {data && (
        <div className={classes.fields}>
          <ShiftLine
            shift={data.Given}
            end={
              <StatusTag status={stateTags[data.State].status}>{words(stateTags[data.State].word)}</StatusTag>
            }
          />
          <p className={classes.quiet}>
            {[
              spoken(data.Student),
              data.TakerId !== null && words('shiftChanges.takerTakes', { taker: spoken(data.Taker) }),
              data.Returned && words('shiftChanges.inReturn', { shift: shiftText(data.Returned) }),
            ]
              .filter(Boolean)
              .join('. ')}
          </p>
          {data.Note && <p className={classes.said}>{data.Note}</p>}
          {data.Blocked && (
            <p className={classes.blocked}>
              {words('shiftChanges.blockedNow', { reason: data.Blocked.Message })}
            </p>
          )}
          {data.Sites.map((site) => (
            <p key={site.Site} className={classes.quiet}>
              {site.Site}:{' '}
              {site.AnsweredAt === null
                ? words('shiftChanges.siteWaiting', { recipient: site.Recipient })
                : words('shiftChanges.siteAnswered', {
                    recipient: site.Recipient,
                    date: formatDate(dateOfInstant(site.AnsweredAt)),
                  })}
            </p>
          ))}
          {isWaiting && (
            <TextField
              label={words('shiftChanges.reason')}
              hint={words('shiftChanges.reasonHint')}
              name="Reason"
              maxLength={300}
              value={reason}
              onChange={setReason}
            />
          )}
          <Problem text={problem} />
          <section>
            <h2 className={classes.heading}>{words('shiftChanges.history')}</h2>
            <ul className={classes.people}>
              {data.Events.map((event) => (
                <li key={`${event.At} ${event.Action}`}>
                  <span>
                    {words(actions[event.Action] ?? 'shiftChanges.actAsked')}
                    {event.Detail && `. ${event.Detail}`}
                  </span>
                  <span className={classes.quiet}>
                    {event.Actor || words('shiftChanges.byItself')}, {formatInstant(event.At, zone)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Dialog>
  )
}
