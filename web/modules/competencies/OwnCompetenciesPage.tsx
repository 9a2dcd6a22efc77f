import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import {
  getOwnStanding,
  listOwnLog,
  type Standing,
  type StandingProcedure,
} from '#contract/competencies/procedure-logs.ts'
import { logsMissing, progressOf, type Share, stateOf } from '#contract/competencies/standing-rules.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { later } from '#web/ui/later.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './procedure-log.module.css'
import { WaitingLines } from './WaitingLines.tsx'

/** The student's card: which exams are open, and what each major study still asks. */
export function OwnCompetenciesPage() {
  const words = useWords()
  const standing = useRead(getOwnStanding)
  const log = useRead(listOwnLog, { query: { days: 1 } })
  if (standing.error && !standing.data) return <ReadProblem read={standing} />
  return (
    <div className={classes.screen}>
      <title>{`${words('procedureLog.title')} · Practicum`}</title>
      <h1 className={classes.title}>{words('procedureLog.title')}</h1>
      <WaitingLines />
      {standing.data &&
        (standing.data.List ? (
          <Card
            standing={standing.data}
            electivesNeeded={standing.data.List.ElectivesNeeded}
            waiting={log.data?.WaitingCount ?? 0}
            returned={log.data?.ReturnedCount ?? 0}
          />
        ) : (
          <PageMessage kind="empty" text={words('procedureLog.noList')} />
        ))}
    </div>
  )
}

/** Comes after the card, which is what the page is opened for. */
const ExamsSection = later(() => import('./ExamsSection.tsx').then(({ ExamsSection: Section }) => Section))

const radius = 46
const around = 2 * Math.PI * radius

function Ring({ Needed, Ready }: Share) {
  const words = useWords()
  return (
    <div className={classes.ring}>
      <svg viewBox="0 0 108 108" width={108} height={108} aria-hidden>
        <circle cx={54} cy={54} r={radius} fill="none" stroke="var(--p-line)" strokeWidth={11} />
        {Ready > 0 && (
          <circle
            cx={54}
            cy={54}
            r={radius}
            fill="none"
            stroke="var(--p-data)"
            strokeWidth={11}
            strokeLinecap="round"
            strokeDasharray={`${(around * Ready) / Needed} ${around}`}
          />
        )}
      </svg>
      <p>
        <b>{Ready}</b>
        {words('procedureLog.ofTotal', { total: Needed })}
      </p>
    </div>
  )
}

/** What a procedure still waits for. */
export const stateText = (words: Words, procedure: StandingProcedure): string => {
  const state = stateOf(procedure)
  if (state === 'ready') return words('procedureLog.stateReady')
  if (state === 'waiting') return words('procedureLog.stateWaiting')
  const count = logsMissing(procedure)
  return words(state === 'more' ? 'procedureLog.stateMore' : 'procedureLog.stateNotBegun', { count })
}

function Card(props: { standing: Standing; electivesNeeded: number; waiting: number; returned: number }) {
  const { standing, returned, waiting } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const [shown, setShown] = useState<'studies' | 'procedures'>('studies')
  const progress = progressOf(props.electivesNeeded, standing.Studies, standing.Procedures)
  const logged = standing.Procedures.reduce((sum, { Logged }) => sum + Logged, 0)
  const figure = ({ Ready, Needed }: Share) => words('procedureLog.ofNeeded', { count: Ready, total: Needed })
  return (
    <>
      <section className={`${classes.card} ${classes.summary}`}>
        <Ring {...progress.Mandatory} />
        <div className={classes.figures}>
          <b>{words('procedureLog.mandatoryReady')}</b>
          <dl className={classes.figures}>
            <div>
              <dt>{words('procedureLog.electives')}</dt>
              <dd>{figure(progress.Electives)}</dd>
            </div>
            <div>
              <dt>{words('procedureLog.patientCare')}</dt>
              <dd>{figure(progress.PatientCare)}</dd>
            </div>
            <div>
              <dt>{words('procedureLog.logged')}</dt>
              <dd>{logged}</dd>
            </div>
          </dl>
        </div>
      </section>
      <section className={classes.card}>
        <PageLink href="/new/competencies/history" className={classes.row} data-link>
          <span className={classes.rowText}>
            <b>{words('procedureLog.myLog')}</b>
            {returned > 0 ? (
              <span className={classes.reason}>{words('procedureLog.returned', { count: returned })}</span>
            ) : (
              <span>{words('procedureLog.myLogLine', { waiting, returned })}</span>
            )}
          </span>
        </PageLink>
      </section>
      <ExamsSection procedures={standing.Procedures} />
      <div className={classes.part}>
        <h2>{words('procedureLog.whereYouStand')}</h2>
        <button
          type="button"
          className={classes.link}
          onClick={() => setShown(shown === 'studies' ? 'procedures' : 'studies')}
        >
          {words(shown === 'studies' ? 'procedureLog.owedAll' : 'procedureLog.owedBack')}
        </button>
      </div>
      {progress.Lacking.map(({ Study, Electives }) => (
        <p key={Study} className={classes.quiet}>
          {Study === null
            ? words('procedureLog.lackingAll', { count: Electives })
            : words('procedureLog.lackingStudy', { study: Study, count: Electives })}
        </p>
      ))}
      {shown === 'studies' ? (
        <>
          <ul className={classes.card}>
            {progress.Studies.map(({ Id, Name, ...share }) => (
              <li key={Id} className={classes.study}>
                <span className={classes.studyHead}>
                  <b>{Name}</b>
                  <span>{figure(share)}</span>
                </span>
                <Bar name={Name} {...share} />
              </li>
            ))}
          </ul>
          <p className={classes.quiet}>{words('procedureLog.legend')}</p>
        </>
      ) : (
        standing.Studies.map((study) => (
          <section key={study.Id} className={classes.card} aria-label={study.Name}>
            <div className={classes.dayHead}>
              <b>{study.Name}</b>
            </div>
            <ul className={classes.entries}>
              {standing.Procedures.filter(({ MajorStudyId }) => MajorStudyId === study.Id).map(
                (procedure) => (
                  <li key={procedure.Id} className={classes.row}>
                    <span className={classes.rowText}>
                      <b>{procedure.Name}</b>
                      <span>
                        {[
                          stateText(words, procedure),
                          procedure.LogsNeeded > 0 &&
                            words('procedureLog.loggedOf', {
                              count: procedure.Counted,
                              total: procedure.LogsNeeded,
                            }),
                          !procedure.IsMandatory && words('procedureLog.optional'),
                        ]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                    </span>
                  </li>
                ),
              )}
            </ul>
          </section>
        ))
      )}
      <Button
        size="xl"
        className={classes.add}
        leftSection={<IconPlus size={20} stroke={2} aria-hidden />}
        onClick={() => navigate('/competencies/log')}
      >
        {words('procedureLog.log')}
      </Button>
    </>
  )
}

const piecesOf = ({ Needed, Ready, Begun }: Share) =>
  Array.from({ length: Needed }, (_none, index) => ({
    key: index,
    is: index < Ready ? 'ready' : index < Ready + Begun ? 'begun' : undefined,
  }))

/** One piece for each procedure that is needed: open exams, begun ones, the rest. */
function Bar({ name, Needed, Ready, Begun }: Share & { name: string }) {
  const words = useWords()
  return (
    <div
      className={classes.bar}
      role="img"
      aria-label={words('procedureLog.barLabel', { name, ready: Ready, needed: Needed, begun: Begun })}
    >
      {piecesOf({ Needed, Ready, Begun }).map(({ key, is }) => (
        <i key={key} data-is={is} />
      ))}
    </div>
  )
}
