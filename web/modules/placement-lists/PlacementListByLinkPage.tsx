import { useState } from 'react'
import type { LinkState } from '#contract/links/links.ts'
import {
  answerPlacementList,
  type ListedStudent,
  openPlacementList,
  reasonLength,
} from '#contract/placement-lists/placement-lists.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { LinkGate } from '#web/shared/LinkGate.tsx'
import { LinkPaper } from '#web/shared/LinkPaper.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate, isPast } from '#web/ui/dates.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { periodOf } from './list-words.ts'
import classes from './placement-lists.module.css'

interface Answer {
  IsConfirmed: boolean
  Reason: string
}

/** Who comes to the site, for its contact to confirm or decline: behind a link and a mailed code, without an account. */
export function PlacementListByLinkPage() {
  const { token = '' } = useParams()
  const words = useWords()
  return (
    <LinkGate token={token} kind="list" title={words('placementLists.linkTitle')}>
      {(link) => <Opened token={token} link={link} />}
    </LinkGate>
  )
}

function Opened({ token, link }: { token: string; link: LinkState }) {
  const words = useWords()
  const params = { token }
  const list = useRead(openPlacementList, { params })
  const save = useSave(answerPlacementList, { refresh: [openPlacementList] })
  const [answers, setAnswers] = useState<ReadonlyMap<number, Answer>>(new Map())
  const [waiting, setWaiting] = useState<number>()
  const { problem, attempt } = useAttempt()
  const { data } = list
  const answer = (given: readonly (readonly [number, Answer])[]) => {
    setWaiting(undefined)
    setAnswers(new Map([...answers, ...given]))
  }
  const isDifferent = ({ StudentId, IsConfirmed, Reason }: ListedStudent): boolean => {
    const given = answers.get(StudentId)
    return (
      given !== undefined &&
      (given.IsConfirmed !== IsConfirmed || (!given.IsConfirmed && given.Reason !== Reason))
    )
  }
  const changed = data?.Items.filter(isDifferent) ?? []
  const unanswered =
    data?.Items.filter(({ StudentId, IsConfirmed }) => IsConfirmed === null && !answers.has(StudentId)) ?? []
  const send = () =>
    attempt(async () => {
      const { Waiting } = await save.run({
        params,
        body: {
          Answers: changed.flatMap(({ StudentId }) => {
            const given = answers.get(StudentId)
            return given ? [{ StudentId, ...given, Reason: given.Reason.trim() }] : []
          }),
        },
      })
      setAnswers(new Map())
      setWaiting(Waiting)
    })
  return (
    <LinkPaper title={words('placementLists.linkTitle')} link={link} heading={data?.Site}>
      {list.error && !data && (
        <PageMessage kind="error" text={list.error.message} onRetry={() => void list.refetch()} />
      )}
      {data && (
        <>
          <p>
            <b>{data.Rotation}</b>.{' '}
            {words(isPast(data.AnswerBy) ? 'placementLists.linkLate' : 'placementLists.linkIntro', {
              date: formatDate(data.AnswerBy),
            })}
          </p>
          {data.Note && <p className={classes.quiet}>{data.Note}</p>}
          {data.Items.length === 0 && <PageMessage kind="empty" text={words('placementLists.linkEmpty')} />}
          <ul className={classes.list}>
            {data.Items.map((student) => (
              <Student
                key={student.StudentId}
                student={student}
                given={answers.get(student.StudentId)}
                onAnswer={(given) => answer([[student.StudentId, given]])}
              />
            ))}
          </ul>
          <Problem text={problem} />
          {data.Items.length > 0 && (
            <div className={classes.foot}>
              <p className={classes.quiet} role="status">
                {waiting === undefined
                  ? changed.length === 0 && words('placementLists.linkNothing')
                  : waiting === 0
                    ? words('placementLists.linkThanks')
                    : words('placementLists.linkThanksWaiting', { count: waiting })}
              </p>
              <div className={classes.buttons}>
                {unanswered.length > 1 && (
                  <Button
                    size="md"
                    variant="default"
                    onClick={() =>
                      answer(
                        unanswered.map(({ StudentId }) => [StudentId, { IsConfirmed: true, Reason: '' }]),
                      )
                    }
                  >
                    {words('placementLists.linkConfirmAll', { count: unanswered.length })}
                  </Button>
                )}
                {changed.length > 0 && (
                  <Button size="md" loading={save.isRunning} onClick={() => void send()}>
                    {words('placementLists.linkSend', { count: changed.length })}
                  </Button>
                )}
              </div>
            </div>
          )}
        </>
      )}
    </LinkPaper>
  )
}

function Student(props: {
  student: ListedStudent
  /** What was chosen and not sent yet. */
  given: Answer | undefined
  onAnswer: (answer: Answer) => void
}) {
  const { student, given, onAnswer } = props
  const words = useWords()
  const isConfirmed = given ? given.IsConfirmed : student.IsConfirmed
  const reason = given?.Reason ?? student.Reason
  const choice = (value: boolean, text: string) => (
    <Button
      size="md"
      variant={isConfirmed === value ? 'filled' : 'default'}
      color={value ? undefined : 'red'}
      aria-pressed={isConfirmed === value}
      aria-label={`${text}: ${student.Student}`}
      onClick={() => onAnswer({ IsConfirmed: value, Reason: value ? '' : reason })}
    >
      {text}
    </Button>
  )
  return (
    <li>
      <div className={classes.who}>
        <b>{student.Student}</b>
        <span>{[student.StudentLevel, periodOf(student, words)].filter(Boolean).join(' · ')}</span>
        {!given && student.IsConfirmed !== null && (
          <span>
            <StatusTag status={student.IsConfirmed ? 'approved' : 'rejected'}>
              {words(student.IsConfirmed ? 'placementLists.confirmed' : 'placementLists.declined')}
            </StatusTag>
          </span>
        )}
      </div>
      <div className={classes.buttons}>
        {choice(true, words('placementLists.linkConfirm'))}
        {choice(false, words('placementLists.linkDecline'))}
      </div>
      {isConfirmed === false && (
        <div className={classes.wide}>
          <TextField
            label={words('placementLists.linkWhy')}
            hint={words('placementLists.linkWhyHint')}
            name={`Reason${student.StudentId}`}
            required
            maxLength={reasonLength}
            value={reason}
            onChange={(Reason) => onAnswer({ IsConfirmed: false, Reason })}
          />
        </div>
      )}
    </li>
  )
}
