import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { listOwnPlaces } from '#contract/competencies/competency-grid.ts'
import { getOwnStanding, listOwnLog, type Standing } from '#contract/competencies/procedure-logs.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { StandingStudies, StandingSummary } from '#web/shared/StandingCard.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { later } from '#web/ui/later.tsx'
import { OwnScreen } from '#web/ui/OwnScreen.tsx'
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
    <OwnScreen title={words('procedureLog.title')}>
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
    </OwnScreen>
  )
}

/** Comes after the card, which is what the page is opened for. */
const ExamsSection = later(() => import('./ExamsSection.tsx').then(({ ExamsSection: Section }) => Section))

function Card(props: { standing: Standing; electivesNeeded: number; waiting: number; returned: number }) {
  const { standing, returned, waiting } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const [isWanted, setWanted] = useState(false)
  const places = useRead(listOwnPlaces, {}, { isEnabled: isWanted })
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
      <ExamsSection procedures={standing.Procedures} />
      <StandingStudies
        standing={standing}
        electivesNeeded={props.electivesNeeded}
        places={places.data?.Procedures}
        onProcedures={() => setWanted(true)}
      />
      <div className={classes.foot}>
        <Button
          size="xl"
          fullWidth
          leftSection={<IconPlus size={20} stroke={2} aria-hidden />}
          onClick={() => navigate('/competencies/log')}
        >
          {words('procedureLog.log')}
        </Button>
      </div>
    </>
  )
}
