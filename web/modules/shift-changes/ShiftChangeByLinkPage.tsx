import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { LinkState } from '#contract/links/links.ts'
import {
  answerShiftChange,
  type ChangeState,
  openShiftChange,
} from '#contract/shift-changes/shift-changes.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { LinkGate } from '#web/shared/LinkGate.tsx'
import { LinkOutcome } from '#web/shared/LinkOutcome.tsx'
import { LinkPaper } from '#web/shared/LinkPaper.tsx'
import { Button } from '#web/ui/buttons.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './shift-changes.module.css'

const textOfState: Record<ChangeState, WordKey> = {
  open: 'shiftChanges.linkCanceled',
  pending: 'shiftChanges.linkYouApprovedPending',
  done: 'shiftChanges.linkDone',
  declined: 'shiftChanges.linkOtherDeclined',
  canceled: 'shiftChanges.linkCanceled',
  failed: 'shiftChanges.linkFailed',
  expired: 'shiftChanges.linkExpired',
}

/** What has become of a request that is answered or over. */
const outcomeOf = ({ Answer, State }: AnswerOf<typeof openShiftChange>): WordKey => {
  if (Answer === 'declined') return 'shiftChanges.linkYouDeclined'
  return Answer === 'approved' && State === 'done' ? 'shiftChanges.linkYouApproved' : textOfState[State]
}

const toneOf = ({ Answer, State }: AnswerOf<typeof openShiftChange>) => {
  if (Answer === 'declined' || State === 'declined') return 'rejected'
  return Answer === 'approved' || State === 'done' ? 'approved' : 'quiet'
}

/** A swap or cover for the contact of the site: behind a link and a mailed code, without an account. */
export function ShiftChangeByLinkPage() {
  const { token = '' } = useParams()
  const words = useWords()
  return (
    <LinkGate token={token} kind="swap" title={words('shiftChanges.linkTitle')}>
      {(link) => <Opened token={token} link={link} />}
    </LinkGate>
  )
}

function Opened({ token, link }: { token: string; link: LinkState }) {
  const words = useWords()
  const params = { token }
  const request = useRead(openShiftChange, { params })
  const save = useSave(answerShiftChange)
  const [reason, setReason] = useState('')
  const [thanks, setThanks] = useState<WordKey>()
  const { problem, attempt } = useAttempt()
  const answer = (IsApproved: boolean) =>
    attempt(async () => {
      const { State } = await save.run({ params, body: { IsApproved, Reason: reason.trim() } })
      setThanks(
        !IsApproved
          ? 'shiftChanges.linkDeclined'
          : State === 'done'
            ? 'shiftChanges.linkApproved'
            : 'shiftChanges.linkApprovedPending',
      )
    })
  const { data } = request
  const isAsked = data?.State === 'pending' && data.Answer === null
  return (
    <LinkPaper title={words('shiftChanges.linkTitle')} link={link} heading={data?.Site}>
      {thanks && (
        <LinkOutcome
          tone={thanks === 'shiftChanges.linkDeclined' ? 'rejected' : 'approved'}
          text={words(thanks)}
        />
      )}
      {!thanks && request.error && !data && (
        <PageMessage kind="error" text={request.error.message} onRetry={() => void request.refetch()} />
      )}
      {!thanks && data && (
        <>
          {isAsked && <p>{words('shiftChanges.linkIntro', { site: data.Site })}</p>}
          <ul className={classes.people}>
            {data.Lines.map((line) => (
              <li key={line.Shift}>
                <b>{line.Shift}</b>
                <span>
                  {words('shiftChanges.linkTo', { to: line.To })}{' '}
                  <span className={classes.quiet}>{words('shiftChanges.linkFrom', { from: line.From })}</span>
                </span>
              </li>
            ))}
          </ul>
          {isAsked ? (
            <div className={classes.fields}>
              <TextField
                label={words('shiftChanges.linkReason')}
                name="Reason"
                maxLength={300}
                value={reason}
                onChange={setReason}
              />
              <Problem text={problem} />
              <div className={classes.buttons}>
                <Button size="md" loading={save.isRunning} onClick={() => void answer(true)}>
                  {words('shiftChanges.linkApprove')}
                </Button>
                <Button
                  size="md"
                  variant="default"
                  disabled={save.isRunning}
                  onClick={() => void answer(false)}
                >
                  {words('shiftChanges.linkDecline')}
                </Button>
              </div>
            </div>
          ) : (
            <LinkOutcome tone={toneOf(data)} text={words(outcomeOf(data))} />
          )}
        </>
      )}
    </LinkPaper>
  )
}
