import { IconMessageQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import { listRequestOptions } from '#contract/evaluations/evaluation-making.ts'
import {
  type EvaluationRow,
  listOwnEvaluations,
  mostOwnEvaluations,
} from '#contract/evaluations/evaluations.ts'
import type { Kept } from '#web/api/queue/stores.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { KeptHere } from '#web/shared/KeptHere.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { answersOf } from './answer-store.ts'
import { answersKind } from './answers-kind.ts'
import classes from './evaluations.module.css'
import { RequestDialog } from './RequestDialog.tsx'
import { ResultsLink } from './ResultsLink.tsx'

/** What waits for me, what I have filled, and what others wrote about me. */
export function OwnEvaluationsPage() {
  const words = useWords()
  const own = useRead(listOwnEvaluations)
  const options = useRead(listRequestOptions)
  const [isAsking, setAsking] = useState(false)
  const mayAsk = (options.data?.Templates.length ?? 0) > 0
  const waiting = own.data?.Waiting.length ?? 0
  return (
    <Page
      title={words('evaluations.mine')}
      count={own.data && waiting > 0 ? words('evaluations.count', { count: waiting }) : undefined}
      actions={
        <>
          <ResultsLink address="/new/evaluate/results" label={words('evaluations.ownResults')} />
          {mayAsk && (
            <Button
              leftSection={<IconMessageQuestion size={17} stroke={1.75} aria-hidden />}
              onClick={() => setAsking(true)}
            >
              {words('evaluations.request')}
            </Button>
          )}
        </>
      }
      inset
    >
      <WaitingAnswers rows={own.data ? [...own.data.Waiting, ...own.data.Filled] : []} />
      {own.error && !own.data ? (
        <PageMessage kind="error" text={own.error.message} onRetry={() => void own.refetch()} />
      ) : (
        own.data && (
          <>
            <List
              title={words('evaluations.waiting')}
              rows={own.data.Waiting}
              empty={words('evaluations.nothingWaits')}
            />
            {own.data.AboutMe.length > 0 && (
              <List
                title={words('evaluations.aboutMe')}
                rows={own.data.AboutMe}
                isAboutMe
                empty={words('evaluations.nothingAbout')}
              />
            )}
            <List
              title={words('evaluations.filled')}
              rows={own.data.Filled}
              empty={words('evaluations.nothingFilled')}
            />
          </>
        )
      )}
      {isAsking && <RequestDialog onClose={() => setAsking(false)} />}
    </Page>
  )
}

/** Answers that wait on this device, and what the server refused of them. */
function WaitingAnswers({ rows }: { rows: readonly EvaluationRow[] }) {
  const words = useWords()
  const nameOf = (item: Kept): string =>
    rows.find(({ Id }) => Id === answersOf(item).evaluationId)?.Template ?? words('evaluations.unknownForm')
  return (
    <KeptHere
      kind={answersKind}
      sentText={words('evaluations.sentLate')}
      waitingText={(item) =>
        words(answersOf(item).isSubmitted ? 'evaluations.waitingSubmitted' : 'evaluations.waitingHere', {
          name: nameOf(item),
        })
      }
      refusedText={(item, reason) => words('evaluations.refusedHere', { name: nameOf(item), reason })}
    />
  )
}

function List(props: { title: string; rows: EvaluationRow[]; empty: string; isAboutMe?: boolean }) {
  const words = useWords()
  const zone = useTimeZone()
  const { title, rows, empty, isAboutMe } = props
  return (
    <Section title={title}>
      {rows.length === 0 && <p className={classes.quiet}>{empty}</p>}
      <ul className={classes.list}>
        {rows.map((row) => (
          <li key={row.Id}>
            <PageLink href={`/new/evaluate/${row.Id}`} className={classes.row}>
              <span className={classes.rowText}>
                <b>{row.Template}</b>
                <span>
                  {[
                    isAboutMe ? row.Evaluator : row.Subject,
                    row.Site === row.Subject ? '' : row.Site,
                    formatDate(row.Date),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              {row.Status === 1 ? (
                <StatusTag status="approved">
                  {row.SubmittedAt
                    ? words('evaluations.handedIn', {
                        date: formatDate(dateOfInstant(row.SubmittedAt, zone)),
                      })
                    : words('evaluations.completed')}
                </StatusTag>
              ) : row.IsLate ? (
                <StatusTag status="rejected">
                  {words('evaluations.late', { date: formatDate(row.EndDate ?? row.Date) })}
                </StatusTag>
              ) : (
                <StatusTag status="pending">
                  {row.EndDate
                    ? words('evaluations.due', { date: formatDate(row.EndDate) })
                    : words('evaluations.noDue')}
                </StatusTag>
              )}
            </PageLink>
          </li>
        ))}
      </ul>
      {rows.length === mostOwnEvaluations && (
        <p className={classes.quiet}>{words('evaluations.onlyFirst', { count: rows.length })}</p>
      )}
    </Section>
  )
}
