import { IconCircleCheck, IconClock, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { getOwnExams } from '#contract/competencies/exams.ts'
import type { StandingProcedure } from '#contract/competencies/procedure-logs.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { kindWords } from './exam-words.ts'
import classes from './exams.module.css'

/** Open exams that are in sight at first. */
const mostReady = 4

/** On the student's card: exams under way, rechecks that are due, and exams that can be asked for. */
export function ExamsSection({ procedures }: { procedures: readonly StandingProcedure[] }) {
  const words = useWords()
  const exams = useRead(getOwnExams)
  const [isWhole, setWhole] = useState(false)
  useLiveEvent('procedure-logs', () => void exams.refetch(), 1_000)
  if (!exams.data) return null
  const { Exams, Attempts } = exams.data
  const nameOf = new Map(procedures.map(({ Id, Name }) => [Id, Name]))
  const procedureOf = new Map(procedures.map((each) => [each.Id, each]))
  const open = Attempts.filter(({ State }) => State === 'open')
  const ready = Exams.filter(({ IsReady }) => IsReady)
  const rechecks = ready.filter(({ Recheck }) => Recheck !== null)
  const first = ready.filter(({ Recheck }) => Recheck === null)
  const waiting = Exams.filter(
    ({ IsReady, Missing, Failed }) =>
      !IsReady && Failed > 0 && Missing.some(({ Kind }) => Kind === 'retry' || Kind === 'remediation'),
  )
  const indirect = Exams.filter(({ Supervision }) => Supervision === 'indirect').length
  const passed = Exams.filter(({ PassedOn }) => PassedOn !== null).length
  const askLink = (procedureId: number) => (
    <PageLink
      href={`/new/competencies/exam?procedure=${procedureId}`}
      className={classes.ask}
      aria-label={words('exams.askFor', { name: nameOf.get(procedureId) ?? '' })}
    >
      {words('exams.ask')}
    </PageLink>
  )
  return (
    <>
      <ul className={classes.card}>
        <li>
          <PageLink href="/new/competencies/exams" className={classes.row} data-link>
            <span className={classes.rowText}>
              <b>{words('exams.myExams')}</b>
              <span>{words('exams.passedCount', { count: passed })}</span>
            </span>
          </PageLink>
        </li>
        <li>
          <PageLink href="/new/competencies/supervision" className={classes.row} data-link>
            <span className={classes.rowText}>
              <b>{words('exams.supervisionTitle')}</b>
              <span>{words('exams.indirectCount', { count: indirect })}</span>
            </span>
          </PageLink>
        </li>
      </ul>
      {open.length > 0 && (
        <section aria-label={words('exams.underWay')} className={classes.group}>
          <div className={classes.part}>
            <h2>{words('exams.underWay')}</h2>
          </div>
          <ul className={classes.card}>
            {open.map((attempt) => (
              <li key={attempt.Id}>
                <PageLink href={`/new/competencies/exams/${attempt.Id}`} className={classes.row} data-link>
                  <IconClock size={22} stroke={1.75} aria-hidden style={{ flex: 'none' }} />
                  <span className={classes.rowText}>
                    <b>{attempt.Procedure}</b>
                    <span>
                      {attempt.IsSimulated && !attempt.IsSimulationApproved
                        ? words('exams.simulationWaits')
                        : attempt.Way === 'handover'
                          ? words('exams.handedLine', { examiner: attempt.Examiner })
                          : words('exams.askedLine', {
                              examiner: attempt.Examiner,
                              date: formatDate(dateOfInstant(attempt.DeclaredAt)),
                            })}
                    </span>
                  </span>
                </PageLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      {rechecks.length > 0 && (
        <section aria-label={words('exams.rechecks')} className={classes.group}>
          <div className={classes.part}>
            <h2>{words('exams.rechecks')}</h2>
            <span className={classes.quiet}>{rechecks.length}</span>
          </div>
          <ul className={classes.card}>
            {rechecks.map(({ ProcedureId, Recheck }) => (
              <li key={ProcedureId} className={classes.row}>
                <IconRefresh size={22} stroke={1.75} aria-hidden style={{ flex: 'none' }} />
                <span className={classes.rowText}>
                  <b>{nameOf.get(ProcedureId)}</b>
                  <span>
                    {[
                      Recheck && words(kindWords[Recheck.Kind]),
                      Recheck?.DueOn && words('exams.dueOn', { date: formatDate(Recheck.DueOn) }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                {askLink(ProcedureId)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && (
        <section aria-label={words('exams.nextAttempt')} className={classes.group}>
          <div className={classes.part}>
            <h2>{words('exams.nextAttempt')}</h2>
          </div>
          <ul className={classes.card}>
            {waiting.map(({ ProcedureId, Missing, Failed }) => (
              <li key={ProcedureId} className={classes.row}>
                <span className={classes.rowText}>
                  <b>{nameOf.get(ProcedureId)}</b>
                  <span>
                    {[words('exams.failedLine', { count: Failed }), ...Missing.map(({ Text }) => Text)].join(
                      ' · ',
                    )}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label={words('exams.ready')} className={classes.group}>
        <div className={classes.part}>
          <h2>{words('exams.ready')}</h2>
          <span className={classes.quiet}>{first.length}</span>
        </div>
        {first.length === 0 ? (
          <p className={classes.quiet}>{words('procedureLog.nothingReady')}</p>
        ) : (
          <ul className={classes.card}>
            {first.slice(0, isWhole ? undefined : mostReady).map(({ ProcedureId, Failed }) => {
              const procedure = procedureOf.get(ProcedureId)
              return (
                <li key={ProcedureId} className={classes.row}>
                  <IconCircleCheck
                    size={22}
                    stroke={1.75}
                    aria-hidden
                    style={{ color: 'var(--p-clean)', flex: 'none' }}
                  />
                  <span className={classes.rowText}>
                    <b>{procedure?.Name}</b>
                    <span>
                      {[
                        procedure &&
                          procedure.LogsNeeded > 0 &&
                          words('procedureLog.loggedOf', {
                            count: procedure.Counted,
                            total: procedure.LogsNeeded,
                          }),
                        Failed > 0 && words('exams.failedLine', { count: Failed }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  {askLink(ProcedureId)}
                </li>
              )
            })}
            {first.length > mostReady && !isWhole && (
              <li className={classes.row}>
                <button type="button" className={classes.link} onClick={() => setWhole(true)}>
                  {words('procedureLog.showAll', { count: first.length })}
                </button>
              </li>
            )}
          </ul>
        )}
      </section>
    </>
  )
}
