import { IconCalendarCheck, IconCalendarQuestion } from '@tabler/icons-react'
import { daysBetween } from '#contract/core/calendar.ts'
import {
  examWeeks,
  isFarPast,
  isNothingAsked,
  neededPace,
  type PacePart,
  type Risk,
} from '#contract/progress/forecast-rules.ts'
import type { Progress } from '#contract/progress/progress.ts'
import { shortBy } from '#contract/time/short-by.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { dateOfInstant, formatDate, formatHours } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './ProgressCard.module.css'

type Figures = Omit<Progress, 'Notes' | 'Plans'>

const paceText = (words: Words, part: PacePart, { Hours, Exams }: Figures): string =>
  part === 'hours'
    ? words('progress.perWeekHours', { hours: formatHours(Hours.PerWeek) })
    : words('progress.perWeekExams', { count: Math.round(Exams.PerWeek * examWeeks) })

/** Approved hours of those required, and what is pending besides. */
export const hoursDoneText = (words: Words, { Done, Pending, Needed }: Figures['Hours']): string =>
  words(Pending > 0 ? 'progress.hoursOfPending' : 'progress.hoursOf', {
    done: formatHours(Done),
    pending: formatHours(Pending),
    needed: formatHours(Needed),
  })

/** What is still to come of the hours of all rotations, and whether it reaches what is required. */
export const hoursText = (
  words: Words,
  { Done, Needed, Projection, By, DoneOn, ShortMinutes }: Figures['Hours'],
): string =>
  By === null
    ? words(Needed === 0 ? 'progress.noHoursAsked' : 'progress.done')
    : words(`progress.hoursBy_${By}`, {
        ahead: formatHours(Projection - Done),
        date: formatDate(DoneOn),
        hours: formatHours(ShortMinutes),
      })

/** The same of the rotation that falls short, where one does. */
const shortInText = (words: Words, { ShortIn }: Figures['Hours']): string =>
  ShortIn
    ? words('progress.shortIn', {
        rotation: ShortIn.Rotation,
        done: formatHours(ShortIn.Done),
        needed: formatHours(ShortIn.Needed),
        ahead: formatHours(ShortIn.Projection - ShortIn.Done),
        hours: formatHours(shortBy(ShortIn)),
      })
    : ''

/** A reason to look after somebody. Being short of hours says of which rotation, since all together may have enough. */
const riskText = (words: Words, risk: Risk, { ShortIn }: Figures['Hours']): string =>
  words(
    `progress.risk_${risk}`,
    ShortIn ? { hours: formatHours(shortBy(ShortIn)), rotation: ShortIn.Rotation } : {},
  )

/** All reasons to look after somebody, what matters most first. */
export const risksText = (words: Words, { Risks, Hours }: Pick<Figures, 'Risks' | 'Hours'>): string =>
  Risks.map((risk) => riskText(words, risk, Hours)).join(' · ')

/** What the coordinator has yet to give somebody new. */
export const lacksText = (words: Words, { Lacks }: Pick<Figures, 'Lacks'>): string =>
  Lacks.map((part) => words(`progress.lacks_${part}`)).join(' · ')

/** What decides the day of completion. */
const decisionText = (words: Words, figures: Figures): string => {
  const { DecidedBy, Hours } = figures
  if (DecidedBy === null) return ''
  const pace = paceText(words, DecidedBy, figures)
  return DecidedBy === 'hours' && Hours.By !== null
    ? words(`progress.forecastBy_${Hours.By}`, { pace, hours: formatHours(Hours.ShortMinutes) })
    : words('progress.forecastBy_competencies', { pace })
}

/** Whether the pace of what decides the day leads nowhere near the planned end. */
export const isFarOff = ({ CompletesOn, DecidedBy, EndsOn, Hours, Exams }: Figures): boolean =>
  isFarPast({
    CompletesOn,
    DecidedBy,
    EndsOn,
    PerWeek: (DecidedBy === 'hours' ? Hours : Exams).PerWeek,
  })

const inHours = (minutes: number): string => formatHours(Math.round(minutes))
const inCompetencies = (count: number): string => count.toFixed(1)

/** Where the pace leads nowhere near the planned end: what a week needs, and what it has now. */
const neededText = (words: Words, figures: Figures, timeZone: string, forStaff: boolean): string => {
  const { DecidedBy, EndsOn, Hours, Exams } = figures
  const isHours = DecidedBy === 'hours'
  const left = isHours ? Hours.ShortMinutes : Exams.Needed - Exams.Done
  const format = isHours ? inHours : inCompetencies
  const part = isHours ? 'hours' : 'competencies'
  const needed = EndsOn && neededPace(left, EndsOn, dateOfInstant(Date.now(), timeZone))
  const parts = {
    date: formatDate(EndsOn),
    left: isHours ? inHours(left) : left,
    now: format(isHours ? Hours.PerWeek : Exams.PerWeek),
  }
  return needed
    ? words(`progress.${forStaff ? 'needed' : 'yourNeeded'}_${part}`, {
        ...parts,
        count: needed.weeks,
        pace: format(needed.perWeek),
      })
    : words(`progress.pastEnd_${part}`, parts)
}

/** Why hours that assigned shifts leave open are no risk, where they are none. */
const whyNoRisk = (words: Words, { Hours, Risks, EndsOn, CompletesOn }: Figures): string => {
  if (Hours.ShortMinutes === 0 || Risks.includes('forecast') || Risks.includes('hours')) return ''
  if (!EndsOn) return words('progress.shortNoEnd')
  return words(CompletesOn && CompletesOn <= EndsOn ? 'progress.shortInTime' : 'progress.shortOther')
}

/** The planned end against the forecast: "12 days late". */
const againstEnd = (words: Words, figures: Figures): string => {
  const { CompletesOn, EndsOn } = figures
  if (!EndsOn || !CompletesOn || isFarOff(figures)) return ''
  const days = daysBetween(EndsOn, CompletesOn)
  if (days === 0) return words('progress.onTime')
  return days > 0 ? words('progress.behind', { count: days }) : words('progress.early', { count: -days })
}

/** Why somebody is at risk, or that nobody has to worry. */
function RiskTags({ figures: { Risks, Hours } }: { figures: Figures }) {
  const words = useWords()
  if (Risks.length === 0) return <StatusTag status="approved">{words('progress.noRisk')}</StatusTag>
  return (
    <span className={classes.tags}>
      {Risks.map((risk) => (
        <StatusTag key={risk} status="careful">
          {riskText(words, risk, Hours)}
        </StatusTag>
      ))}
    </span>
  )
}

function Bar({ done, pending = 0, needed }: { done: number; pending?: number; needed: number }) {
  const share = Math.min(1, done / needed)
  const withPending = Math.min(1, (done + pending) / needed)
  return (
    <span
      className={classes.bar}
      data-full={share === 1 || undefined}
      style={{ '--share': share, '--with-pending': withPending } as React.CSSProperties}
      aria-hidden
    />
  )
}

/** Why a part has no day on which it is done. */
const withoutDate = (words: Words, { Hours, Exams }: Figures, part: PacePart): string => {
  const hasPace = (part === 'hours' ? Hours : Exams).PerWeek > 0
  return words(`progress.${hasPace ? 'tooSlow' : 'noForecast'}_${part}`, {
    hours: formatHours(Hours.ShortMinutes),
  })
}

/** The day of completion, what decides it, and how far each part is. */
export function ProgressCard({ progress, forStaff = false }: { progress: Figures; forStaff?: boolean }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const { CompletesOn, DecidedBy, EndsOn, Hours, Exams } = progress
  const end = againstEnd(words, progress)
  const isFar = isFarOff(progress)
  const attendance = [
    progress.Absences > 0 && words('progress.absences', { count: progress.Absences }),
    progress.Late > 0 && words('progress.late', { count: progress.Late }),
    progress.MadeUp > 0 && words('progress.madeUp', { count: progress.MadeUp }),
  ].filter(Boolean)
  return (
    <section className={classes.card} aria-label={words('progress.title')}>
      <div className={classes.forecast}>
        {CompletesOn && !isFar ? (
          <IconCalendarCheck size={28} stroke={1.75} aria-hidden />
        ) : (
          <IconCalendarQuestion size={28} stroke={1.75} aria-hidden />
        )}
        <div>
          <h2>
            {isNothingAsked(progress)
              ? words('progress.nothingAsked')
              : DecidedBy === null
                ? words('progress.doneAll')
                : isFar
                  ? neededText(words, progress, timeZone, forStaff)
                  : CompletesOn
                    ? words('progress.forecast', { date: formatDate(CompletesOn) })
                    : withoutDate(words, progress, DecidedBy)}
          </h2>
          <p>
            {[
              isNothingAsked(progress) &&
                words(forStaff ? 'progress.nothingAskedStaff' : 'progress.nothingAskedDetail'),
              CompletesOn && !isFar && decisionText(words, progress),
              isFar && !forStaff && words('progress.askForPlan'),
              EndsOn &&
                !isFar &&
                [words('progress.endsOn', { date: formatDate(EndsOn) }), end].filter(Boolean).join(', '),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        </div>
        {forStaff && progress.Lacks.length > 0 && (
          <StatusTag status="review">{`${words('progress.notSetUp')}: ${lacksText(words, progress)}`}</StatusTag>
        )}
        {forStaff &&
          (progress.Risks.length > 0 || (progress.Lacks.length === 0 && !isNothingAsked(progress))) && (
            <RiskTags figures={progress} />
          )}
      </div>
      <dl className={classes.parts}>
        <div>
          <dt>{words('progress.hours')}</dt>
          <dd>
            {hoursDoneText(words, Hours)}
            {Hours.Needed > 0 && <Bar done={Hours.Done} pending={Hours.Pending} needed={Hours.Needed} />}
            <small>{hoursText(words, Hours)}</small>
            {Hours.ShortIn && <small>{shortInText(words, Hours)}</small>}
            {(Hours.By === 'shifts' || Hours.By === 'pace' || Hours.ShortIn) && (
              <small>{words('progress.expected')}</small>
            )}
            {forStaff && <small>{whyNoRisk(words, progress)}</small>}
          </dd>
        </div>
        <div>
          <dt>{words('progress.exams')}</dt>
          <dd>
            {Exams.Needed === 0
              ? words('progress.noneNeeded')
              : words('progress.examsOf', { done: Exams.Done, needed: Exams.Needed })}
            {Exams.Needed > 0 && (
              <>
                <Bar done={Exams.Done} needed={Exams.Needed} />
                <small>
                  {Exams.Done >= Exams.Needed
                    ? words('progress.done')
                    : paceText(words, 'competencies', progress)}
                </small>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{words('progress.requirements')}</dt>
          <dd>
            {progress.RequirementsMissing > 0
              ? words('progress.missing', { count: progress.RequirementsMissing })
              : words('progress.nothingMissing')}
          </dd>
        </div>
        <div>
          <dt>{words('progress.attendance')}</dt>
          <dd>
            {attendance.length > 0 ? attendance.join(' · ') : words('progress.noAbsence')}
            <small>{words('progress.lastDays')}</small>
          </dd>
        </div>
        <div>
          <dt>{words('progress.evaluations')}</dt>
          <dd>
            {progress.EvaluationPercent === null
              ? words('progress.noEvaluations')
              : words('progress.percent', { percent: progress.EvaluationPercent })}
            {progress.EvaluationPercent !== null && <small>{words('progress.ofScales')}</small>}
          </dd>
        </div>
      </dl>
    </section>
  )
}
