import { Button } from '@mantine/core'
import { IconCircleCheck, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { listOwnPlaces } from '#contract/competencies/competency-grid.ts'
import { gridStateOf } from '#contract/competencies/grid-states.ts'
import { getOwnStanding, listOwnLog, type Standing } from '#contract/competencies/procedure-logs.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { StandingStudies, StandingSummary } from '#web/shared/StandingCard.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
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

/** Open exams that are in sight at first. */
const mostReady = 4

function Card(props: { standing: Standing; electivesNeeded: number; waiting: number; returned: number }) {
  const { standing, returned, waiting } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const [isWanted, setWanted] = useState(false)
  const places = useRead(listOwnPlaces, {}, { isEnabled: isWanted })
  const [isWhole, setWhole] = useState(false)
  const care = new Set(standing.Studies.filter(({ IsPatientCare }) => IsPatientCare).map(({ Id }) => Id))
  const ready = standing.Procedures.filter(
    (each) => each.LogsNeeded > 0 && !care.has(each.MajorStudyId) && gridStateOf(each) === 'ready',
  )
  return (
    <>
      <StandingSummary standing={standing} electivesNeeded={props.electivesNeeded} />
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
      <div className={classes.part}>
        <h2>{words('procedureLog.readyForExam')}</h2>
        <span className={classes.quiet}>{ready.length}</span>
      </div>
      {ready.length === 0 ? (
        <p className={classes.quiet}>{words('procedureLog.nothingReady')}</p>
      ) : (
        <ul className={classes.card}>
          {ready.slice(0, isWhole ? undefined : mostReady).map((procedure) => (
            <li key={procedure.Id} className={classes.row}>
              <IconCircleCheck
                size={22}
                stroke={1.75}
                aria-hidden
                style={{ color: 'var(--p-clean)', flex: 'none' }}
              />
              <span className={classes.rowText}>
                <b>{procedure.Name}</b>
                <span>
                  {words('procedureLog.loggedOf', { count: procedure.Counted, total: procedure.LogsNeeded })}
                </span>
              </span>
            </li>
          ))}
          {ready.length > mostReady && !isWhole && (
            <li className={classes.row}>
              <button type="button" className={classes.link} onClick={() => setWhole(true)}>
                {words('procedureLog.showAll', { count: ready.length })}
              </button>
            </li>
          )}
        </ul>
      )}
      <StandingStudies
        standing={standing}
        electivesNeeded={props.electivesNeeded}
        places={places.data?.Procedures}
        onProcedures={() => setWanted(true)}
      />
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
