import type { ReactNode } from 'react'
import { isMet } from '#contract/requirements/requirement-rules.ts'
import {
  getStudentHours,
  listStudentEvaluations,
  listStudentNotes,
  listStudentRecords,
  listStudentRequirements,
  listStudentShifts,
} from '#contract/students/students.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { HoursRing } from '#web/shared/HoursRing.tsx'
import { RequirementState } from '#web/shared/RequirementState.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { WeekBars } from '#web/ui/charts/WeekBars.tsx'
import { dateOfInstant, formatDate, formatDay, formatHours } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type At, ScoreTrend } from './student-lists.tsx'
import type { Part } from './student-parts.ts'
import { isOpenVerification, kindName, VerificationTag } from './student-states.tsx'
import classes from './students.module.css'

type Answer = { error: Error | null; refetch: () => Promise<unknown>; data: unknown }

function Tile(props: { title: string; verb?: string; onOpen?: () => void; of: Answer; children: ReactNode }) {
  const { title, verb, onOpen, of, children } = props
  return (
    <section className={classes.tile} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {verb && (
          <button type="button" className={classes.open} onClick={onOpen}>
            {verb}
          </button>
        )}
      </header>
      {of.error ? (
        <PageMessage kind="error" text={of.error.message} onRetry={() => void of.refetch()} />
      ) : (
        of.data !== undefined && children
      )}
    </section>
  )
}

/** The tiles of a student's record; each opens its part in place. */
export function StudentOverview(props: {
  at: At
  hasFiles: boolean
  isActive: boolean
  onOpen: (part: Part) => void
}) {
  const { at, hasFiles, isActive, onOpen } = props
  return (
    <div className={classes.tiles}>
      {hasFiles && <Hours at={at} isActive={isActive} onOpen={onOpen} />}
      <NextShifts at={at} onOpen={onOpen} />
      <Scores at={at} onOpen={onOpen} />
      {hasFiles ? (
        <Required at={at} isActive={isActive} onOpen={onOpen} />
      ) : (
        <LastRecords at={at} onOpen={onOpen} />
      )}
      {hasFiles && <Attendance at={at} onOpen={onOpen} />}
      {hasFiles && <LastNotes at={at} onOpen={onOpen} />}
    </div>
  )
}

type TileProps = { at: At; onOpen: (part: Part) => void }
/** Of somebody who has left nothing is forecast, and nothing is asked. */
type ActiveTileProps = TileProps & { isActive: boolean }

const inHours = (minutes: number): number => Math.round(minutes / 6) / 10

function Hours({ at, isActive, onOpen }: ActiveTileProps) {
  const words = useWords()
  const answer = useRead(getStudentHours, at)
  const found = answer.data
  const rotation = found?.Rotation
  const hours = rotation?.Hours ?? found?.All
  const title = rotation ? words('students.hoursIn', { rotation: rotation.Name }) : words('students.hours')
  const planned = hours?.Parts.MakeupPlanned ?? 0
  const pending = (hours?.Pending ?? 0) - planned
  const last = (found?.Weeks.length ?? 0) - 1
  return (
    <Tile title={title} verb={words('students.openRecords')} onOpen={() => onOpen('records')} of={answer}>
      {found && hours && (
        <>
          <div className={classes.hours}>
            <HoursRing
              approved={hours.Approved}
              pending={pending}
              planned={planned}
              target={hours.Target}
              caption={words('students.hoursOf', { hours: formatHours(hours.Target) })}
              label={words('students.hoursLabel', {
                approved: formatHours(hours.Approved),
                pending: formatHours(pending),
                target: formatHours(hours.Target),
              })}
            />
            <WeekBars
              bars={found.Weeks.map((week, index) => ({
                label:
                  index === last
                    ? words('students.thisWeek')
                    : `${week.Week.slice(5, 7)}/${week.Week.slice(8, 10)}`,
                value: inHours(week.ApprovedMinutes),
                pending: inHours(week.PendingMinutes),
                isNow: index === last,
              }))}
              {...(rotation && { target: inHours(rotation.WeeklyTargetMinutes) })}
              label={words('students.weeks')}
              valueName={words('students.approvedName')}
              pendingName={words('students.pendingName')}
              height={130}
            />
          </div>
          <p className={classes.foot}>
            <span>
              <b>{formatHours(hours.Approved)}</b> {words('students.approved')}
            </span>
            <span>
              <b>{formatHours(pending)}</b> {words('students.pending')}
            </span>
            {planned > 0 && (
              <span>
                <b>{formatHours(planned)}</b> {words('students.makeupPlanned')}
              </span>
            )}
            {hours.Makeup > 0 && (
              <span>
                <b>{formatHours(hours.Makeup)}</b> {words('students.makeup')}
              </span>
            )}
            {isActive && (
              <span>
                {rotation
                  ? words('students.projected', {
                      hours: formatHours(hours.Projection, true),
                      date: formatDate(rotation.EndDate),
                    })
                  : words('students.projectedAll', { hours: formatHours(hours.Projection, true) })}
              </span>
            )}
            {isActive &&
              hours.Target > 0 &&
              (hours.Difference < 0 ? (
                <span data-bad>
                  {words('students.tooFew', { hours: formatHours(-hours.Difference, true) })}
                </span>
              ) : (
                <span data-good>
                  {words('students.enough', { hours: formatHours(hours.Difference, true) })}
                </span>
              ))}
          </p>
        </>
      )}
    </Tile>
  )
}

function Attendance({ at, onOpen }: TileProps) {
  const words = useWords()
  const answer = useRead(getStudentHours, at)
  const found = answer.data?.Attendance
  const figures = found && [
    [words('students.worked'), found.Worked],
    [words('students.unmatched'), found.Unmatched],
    [
      found.Late > 0 ? words('students.lateMean', { minutes: found.LateMinutes }) : words('students.late'),
      found.Late,
    ],
    [words('students.absent'), found.Absent],
    [words('students.missed'), found.Missed],
    [words('students.corrections'), found.CorrectionsOpen],
  ]
  return (
    <Tile
      title={words('students.attendance', { date: formatDate(found?.Since) })}
      verb={words('students.openSchedule')}
      onOpen={() => onOpen('schedule')}
      of={answer}
    >
      <dl className={classes.figures}>
        {figures?.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Tile>
  )
}

function NextShifts({ at, onOpen }: TileProps) {
  const words = useWords()
  const answer = useRead(listStudentShifts, { ...at, query: { When: 'next', pageSize: 4 } })
  return (
    <Tile
      title={words('students.nextShifts')}
      verb={words('students.openSchedule')}
      onOpen={() => onOpen('schedule')}
      of={answer}
    >
      {answer.data?.Total === 0 && <p className={classes.quiet}>{words('students.noNext')}</p>}
      <ul className={classes.list}>
        {answer.data?.Items.map((shift) => (
          <li key={shift.AssignmentId}>
            <ShiftMark kind={shift.ShiftType} />
            <span className={`${classes.grow} p-ellipsis`} title={shift.Site}>
              <b>{formatDay(shift.Date)}</b> {shift.Site}
            </span>
            <span className={classes.end}>
              {shift.StartTime}–{shift.EndTime}
            </span>
          </li>
        ))}
      </ul>
    </Tile>
  )
}

function LastRecords({ at, onOpen }: TileProps) {
  const words = useWords()
  const answer = useRead(listStudentRecords, { ...at, query: { pageSize: 4 } })
  return (
    <Tile
      title={words('students.records')}
      verb={words('students.openRecords')}
      onOpen={() => onOpen('records')}
      of={answer}
    >
      {answer.data?.Items.length === 0 && <p className={classes.quiet}>{words('students.recordsEmpty')}</p>}
      <ul className={classes.list}>
        {answer.data?.Items.map((record) => (
          <li key={record.Id}>
            <span className={classes.grow}>
              <b>{formatDay(record.Date)}</b> {record.Time} · {kindName(words, record.Type)}
            </span>
            <StatusTag status={record.Status} />
          </li>
        ))}
      </ul>
    </Tile>
  )
}

function Scores({ at, onOpen }: TileProps) {
  const words = useWords()
  const answer = useRead(listStudentEvaluations, { ...at, query: { pageSize: 1 } })
  const found = answer.data
  const trend = found?.Trend ?? []
  const mean = trend.reduce((sum, { Percent }) => sum + Percent, 0) / Math.max(1, trend.length)
  return (
    <Tile
      title={words('students.evaluations')}
      verb={words('students.openEvaluations')}
      onOpen={() => onOpen('evaluations')}
      of={answer}
    >
      {found && (
        <>
          {found.Total === 0 && <p className={classes.quiet}>{words('students.evaluationsEmpty')}</p>}
          {trend.length > 1 && <ScoreTrend trend={trend} height={120} />}
          <p className={classes.foot}>
            {trend.length > 0 && (
              <span>
                <b>{words('students.average', { percent: mean.toFixed(1), count: trend.length })}</b>
              </span>
            )}
            <span>
              {found.NextDue
                ? words('students.summaryDue', {
                    completed: found.Completed,
                    open: found.Open,
                    date: formatDate(found.NextDue),
                  })
                : words('students.summary', { completed: found.Completed, open: found.Open })}
            </span>
          </p>
        </>
      )}
    </Tile>
  )
}

/** Most that are in the tile; the part has all. */
const most = 5

function Required({ at, isActive, onOpen }: ActiveTileProps) {
  const words = useWords()
  const answer = useRead(listStudentRequirements, at)
  const required = (answer.data?.Requirements ?? []).filter(({ State }) => !isMet(State))
  const verified = [...(answer.data?.BackgroundChecks ?? []), ...(answer.data?.Immunizations ?? [])].filter(
    isOpenVerification,
  )
  const count = required.length + verified.length
  return (
    <Tile
      title={words('students.requirements')}
      verb={words('students.openRequirements')}
      onOpen={() => onOpen('requirements')}
      of={answer}
    >
      <ul className={classes.list}>
        {required.slice(0, most).map((row) => (
          <li key={`${row.Id} ${row.Site}`}>
            <span className={`${classes.grow} p-ellipsis`} title={row.Name}>
              {row.Name}
            </span>
            <RequirementState state={row.State} until={row.Expires} />
          </li>
        ))}
        {verified.slice(0, Math.max(0, most - required.length)).map((row) => (
          <li key={row.Id ?? row.Item}>
            <span className={`${classes.grow} p-ellipsis`} title={row.Item}>
              {row.Item}
            </span>
            <VerificationTag row={row} />
          </li>
        ))}
      </ul>
      <p className={classes.quiet}>
        {count === 0
          ? words(isActive ? 'students.allInOrder' : 'students.nothingAsked')
          : words('students.needAttention', { count })}
      </p>
    </Tile>
  )
}

function LastNotes({ at, onOpen }: TileProps) {
  const words = useWords()
  const timeZone = useTimeZone()
  const answer = useRead(listStudentNotes, { ...at, query: { pageSize: 2 } })
  const total = answer.data?.Total ?? 0
  return (
    <Tile
      title={words('students.notes')}
      verb={total > 0 ? words('students.openNotes', { count: total }) : words('students.addNote')}
      onOpen={() => onOpen('notes')}
      of={answer}
    >
      {total === 0 && <p className={classes.quiet}>{words('students.notesEmpty')}</p>}
      <ul className={classes.list}>
        {answer.data?.Items.map((note) => (
          <li key={note.Id}>
            <div>
              <p className={classes.quiet}>
                {note.By} · {formatDate(dateOfInstant(note.At, timeZone))}
              </p>
              <p>{note.Text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Tile>
  )
}
