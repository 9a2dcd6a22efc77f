import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import type { ProcedurePlaces } from '#contract/competencies/competency-grid.ts'
import { gridStateOf } from '#contract/competencies/grid-states.ts'
import type { Standing, StandingProcedure } from '#contract/competencies/procedure-logs.ts'
import { progressOf, type Share } from '#contract/competencies/progress-rules.ts'
import { logsMissing } from '#contract/competencies/standing-rules.ts'
import { formatDate, formatDay } from '#web/ui/dates.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './StandingCard.module.css'

const radius = 46
const around = 2 * Math.PI * radius

function Ring({ Needed, Passed }: Share) {
  const words = useWords()
  return (
    <div className={classes.ring}>
      <svg viewBox="0 0 108 108" width={108} height={108} aria-hidden>
        <circle cx={54} cy={54} r={radius} fill="none" stroke="var(--p-line)" strokeWidth={11} />
        {Passed > 0 && (
          <circle
            cx={54}
            cy={54}
            r={radius}
            fill="none"
            stroke="var(--p-data)"
            strokeWidth={11}
            strokeLinecap="round"
            strokeDasharray={`${(around * Passed) / Needed} ${around}`}
          />
        )}
      </svg>
      <p>
        <b>{Passed}</b>
        {words('procedureLog.ofTotal', { total: Needed })}
      </p>
    </div>
  )
}

type ListOf = { standing: Standing; electivesNeeded: number }

const figureOf = (words: Words, { Passed, Needed }: Share): string =>
  words('procedureLog.ofNeeded', { count: Passed, total: Needed })

/** How far a student has come with their list, in four figures. */
export function StandingSummary({ standing, electivesNeeded }: ListOf) {
  const words = useWords()
  const progress = progressOf(electivesNeeded, standing.Studies, standing.Procedures)
  return (
    <section className={`${classes.card} ${classes.summary}`}>
      <Ring {...progress.Mandatory} />
      <div className={classes.figures}>
        <b>{words('procedureLog.mandatoryPassed')}</b>
        <dl className={classes.figures}>
          <div>
            <dt>{words('procedureLog.electives')}</dt>
            <dd>{figureOf(words, progress.Electives)}</dd>
          </div>
          <div>
            <dt>{words('procedureLog.patientCare')}</dt>
            <dd>{figureOf(words, progress.PatientCare)}</dd>
          </div>
          <div>
            <dt>{words('procedureLog.logged')}</dt>
            <dd>{standing.Procedures.reduce((sum, { Logged }) => sum + Logged, 0)}</dd>
          </div>
        </dl>
      </div>
    </section>
  )
}

/** What a procedure has come to, or still waits for. */
const stateText = (words: Words, procedure: StandingProcedure): string => {
  const count = logsMissing(procedure)
  switch (gridStateOf(procedure)) {
    case 'passed':
      return words('procedureLog.statePassed')
    case 'simulated':
      return words('procedureLog.stateSimulated')
    case 'failed':
      return words('procedureLog.stateFailed')
    case 'ready':
      return words('procedureLog.stateReady')
    case 'lab':
      return words('procedureLog.stateLab')
    case 'waiting':
      return words('procedureLog.stateWaiting')
    case 'more':
      return words('procedureLog.stateMore', { count })
    default:
      return words('procedureLog.stateNotBegun', { count })
  }
}

/** Each major study as a bar, or all procedures with what is missing and where it can be had. */
export function StandingStudies(
  props: ListOf & {
    /** Undefined while they are not known. */
    places: readonly ProcedurePlaces[] | undefined
    /** The list of procedures is opened, which alone shows places. */
    onProcedures: () => void
  },
) {
  const { standing } = props
  const words = useWords()
  const [shown, setShown] = useState<'studies' | 'procedures'>('studies')
  const progress = progressOf(props.electivesNeeded, standing.Studies, standing.Procedures)
  const turn = () => {
    if (shown === 'studies') props.onProcedures()
    setShown(shown === 'studies' ? 'procedures' : 'studies')
  }
  return (
    <>
      <div className={classes.head}>
        <h2>{words('procedureLog.whereYouStand')}</h2>
        <button type="button" className={classes.switch} onClick={turn}>
          {words(shown === 'studies' ? 'procedureLog.owedAll' : 'procedureLog.owedBack')}
        </button>
      </div>
      {progress.Lacking.map(({ Study, Electives }) => (
        <p key={Study} className={classes.lacking}>
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
                  <span>{figureOf(words, share)}</span>
                </span>
                <Bar name={Name} {...share} />
              </li>
            ))}
          </ul>
          <p className={classes.lacking}>{words('procedureLog.legend')}</p>
        </>
      ) : (
        <>
          <p className={classes.lacking}>{words('procedureLog.placesLegend')}</p>
          {standing.Studies.map((study) => (
            <section key={study.Id} className={classes.card} aria-label={study.Name}>
              <div className={classes.group}>{study.Name}</div>
              <ul className={classes.procedures}>
                {standing.Procedures.filter(({ MajorStudyId }) => MajorStudyId === study.Id).map(
                  (procedure) => (
                    <ProcedureLine
                      key={procedure.Id}
                      procedure={procedure}
                      places={props.places?.find(({ ProcedureId }) => ProcedureId === procedure.Id)}
                      arePlacesKnown={props.places !== undefined}
                    />
                  ),
                )}
              </ul>
            </section>
          ))}
        </>
      )}
      {standing.Earlier?.length > 0 && (
        <section className={classes.card} aria-label={words('procedureLog.earlier')}>
          <div className={classes.group}>{words('procedureLog.earlier')}</div>
          <ul className={classes.procedures}>
            <li>
              <span>{words('procedureLog.earlierHint')}</span>
            </li>
            {standing.Earlier.map((row) => (
              <li key={row.ProcedureId}>
                <b>{row.Name}</b>
                <span>
                  {[
                    row.List,
                    row.PassedOn && words('procedureLog.earlierPassed', { date: formatDate(row.PassedOn) }),
                    row.Logged > 0 && words('procedureLog.loggedCount', { count: row.Logged }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function ProcedureLine(props: {
  procedure: StandingProcedure
  places: ProcedurePlaces | undefined
  arePlacesKnown: boolean
}) {
  const { procedure, places } = props
  const words = useWords()
  const isOwed = ['not-begun', 'more'].includes(gridStateOf(procedure))
  return (
    <li>
      <b>{procedure.Name}</b>
      <span>
        {[
          stateText(words, procedure),
          procedure.LogsNeeded > 0 &&
            words('procedureLog.loggedOf', { count: procedure.Counted, total: procedure.LogsNeeded }),
          !procedure.IsMandatory && words('procedureLog.optional'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {isOwed && props.arePlacesKnown && (
        <span data-place>
          <IconMapPin size={15} stroke={1.75} aria-label={words('procedureLog.places')} />
          {places
            ? places.Sites.map(({ Name, Count, NextDate }) =>
                NextDate === null
                  ? words('procedureLog.placeLogged', { site: Name, count: Count })
                  : words('procedureLog.placeNext', {
                      site: Name,
                      date: formatDay(NextDate),
                      count: Count,
                    }),
              ).join(' · ')
            : words('procedureLog.placesNone')}
        </span>
      )}
    </li>
  )
}

const piecesOf = ({ Needed, Passed, Ready }: Share) =>
  Array.from({ length: Needed }, (_none, index) => ({
    key: index,
    is: index < Passed ? 'passed' : index < Passed + Ready ? 'ready' : undefined,
  }))

/** One piece for each procedure that is needed: passed, open exams, the rest. */
function Bar({ name, ...share }: Share & { name: string }) {
  const words = useWords()
  const { Passed, Ready, Needed } = share
  return (
    <div
      className={classes.bar}
      role="img"
      aria-label={words('procedureLog.barLabel', { name, passed: Passed, needed: Needed, ready: Ready })}
    >
      {piecesOf(share).map(({ key, is }) => (
        <i key={key} data-is={is} />
      ))}
    </div>
  )
}
