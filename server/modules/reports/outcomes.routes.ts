import { addDays, weekOf } from '#contract/core/calendar.ts'
import * as contract from '#contract/reports/outcomes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { readPlacementRates } from '../people/employment.service.ts'
import { getProgramContext, type ProgramContext } from '../programs/context.queries.ts'
import { countStanding, pageAgreements } from '../sites/agreements.queries.ts'
import { type AttendanceDay, readAttendance } from '../time/attendance.queries.ts'
import { currentRotation } from '../time/hours.queries.ts'
import { type RotationHours, readRotationLevels } from '../time/rotation-hours.queries.ts'
import {
  countPlan,
  type Days,
  listBegunRotations,
  type RotationRow,
  readEvaluationMeans,
  readSiteUse,
  rotationBefore,
  rotationOf,
} from './outcomes.queries.ts'

/** Where no rotation runs, and no day is given. */
const usualDays = 90

interface Asked {
  FromDate?: string | undefined
  ThroughDate?: string | undefined
}

/** The period that is asked for, and the one before it. */
const periodOf = async (
  db: Db,
  programId: number,
  { FromDate, ThroughDate }: Asked,
): Promise<{ program: ProgramContext; today: string; now: Days; before: Days }> => {
  const program = await getProgramContext(db, programId)
  const today = todayIn(program.TimeZone)
  const through = ThroughDate ?? addDays(today, -1)
  const rotation = FromDate ? undefined : await currentRotation(db, programId, through)
  const longest = addDays(through, 1 - contract.maxOutcomeDays)
  const wanted = FromDate ?? rotation?.start_date ?? addDays(through, 1 - usualDays)
  // A start after the end that was not given is the day itself.
  const from = wanted < longest ? longest : wanted > through ? through : wanted
  const now = { from, through }
  return { program, today, now, before: contract.periodBefore(now) }
}

const answerOf = ({ now, before }: { now: Days; before: Days }) => ({
  FromDate: now.from,
  ThroughDate: now.through,
  BeforeFrom: before.from,
  BeforeThrough: before.through,
})

const completionOf = (
  rotation: RotationRow,
  { Students, Finish }: Pick<RotationHours, 'Students' | 'Finish'>,
) => ({
  RotationId: rotation.id,
  Name: rotation.name,
  StartDate: rotation.start_date,
  EndDate: rotation.end_date,
  Students,
  Reach: Finish,
})

const readCompletion = async (
  db: Db,
  { Id: programId }: ProgramContext,
  today: string,
  now: Days,
): Promise<contract.Outcomes['Completion']> => {
  const rotation = await rotationOf(db, programId, now)
  if (!rotation) return null
  const before = await rotationBefore(db, programId, rotation.start_date)
  const hours = await readRotationLevels(
    db,
    programId,
    today,
    [rotation, ...(before ? [before] : [])].map(({ id }) => id),
  )
  const levelsOf = ({ id }: RotationRow) => hours.filter(({ RotationId }) => RotationId === id)
  const sumsOf = (each: RotationRow): RotationHours => {
    const sum = (figure: keyof RotationHours): number =>
      levelsOf(each).reduce((total, level) => total + level[figure], 0)
    return {
      Students: sum('Students'),
      Approved: sum('Approved'),
      Target: sum('Target'),
      Finish: sum('Finish'),
    }
  }
  const sums = sumsOf(rotation)
  const sumsBefore = before && sumsOf(before)
  return {
    ...completionOf(rotation, sums),
    TargetMinutes: sums.Target,
    ApprovedMinutes: sums.Approved,
    // Without a target nobody reaches it, or fails to.
    Levels: (sums.Target > 0 ? levelsOf(rotation) : []).map(({ LevelId, Level, Students, Finish }) => ({
      LevelId,
      Level: Level ?? '',
      Students,
      Reach: Finish,
    })),
    Before: before && sumsBefore && sumsBefore.Target > 0 ? completionOf(before, sumsBefore) : null,
  }
}

const figures = [
  'Shifts',
  'PlannedMinutes',
  'ApprovedMinutes',
  'PendingMinutes',
  'AbsenceMinutes',
  'Absences',
  'Late',
  'Missed',
] as const satisfies readonly (keyof contract.Attendance)[]

const sumOf = (days: readonly AttendanceDay[]): contract.Attendance =>
  Object.fromEntries(
    figures.map((figure) => [figure, days.reduce((sum, day) => sum + day[figure], 0)]),
  ) as contract.Attendance

const weeksOf = (days: readonly AttendanceDay[]) => {
  const weeks = new Map<
    string,
    { Week: string; Monday: string; PlannedMinutes: number; WorkedMinutes: number }
  >()
  for (const day of days) {
    const Week = weekOf(day.Date)
    const week = weeks.get(Week) ?? { Week, Monday: addDays(Week, 1), PlannedMinutes: 0, WorkedMinutes: 0 }
    week.PlannedMinutes += day.PlannedMinutes
    week.WorkedMinutes += day.ApprovedMinutes + day.PendingMinutes
    weeks.set(Week, week)
  }
  return [...weeks.values()]
}

/** Bars of a chart: a longer period shows its last weeks. */
const maxWeeks = 16

export const outcomeRoutes = [
  handle(contract.getOutcomes, async ({ db, params: { programId }, query }) => {
    const period = await periodOf(db, programId, query)
    const { program, today, now, before } = period
    const days = await readAttendance(db, programId, { from: before.from, through: now.through })
    const own = days.filter(({ Date: date }) => date >= now.from)
    const ending = await pageAgreements(db, programId, {
      search: '',
      Standing: 'ending',
      sort: 'TerminationDate',
      page: 1,
      pageSize: 4,
    })
    const placement = await readPlacementRates(db, programId, today)
    const year = Number(today.slice(0, 4))
    const rotations = await listBegunRotations(db, programId, today)
    return {
      ...answerOf(period),
      Rotations: rotations.map(({ id, name, start_date, end_date }) => ({
        Id: id,
        Name: name,
        StartDate: start_date,
        EndDate: end_date,
      })),
      Completion: await readCompletion(db, program, today, now),
      Attendance: {
        Now: sumOf(own),
        Before: sumOf(days.filter(({ Date: date }) => date < now.from)),
        Weeks: weeksOf(own).slice(-maxWeeks),
      },
      Agreements: {
        Urgent: (await countStanding(db, programId, 'urgent')).Count,
        Ending: ending.Total,
        Expired: (await countStanding(db, programId, 'expired')).Count,
        Next: ending.Items.map(({ Id, SiteId, Site, TerminationDate, Days }) => ({
          Id,
          SiteId,
          Site,
          TerminationDate: TerminationDate ?? '',
          Days: Days ?? 0,
        })),
      },
      Placement: {
        Graduates: placement.Totals.Graduates,
        Rate: placement.Totals.Rate,
        Cohorts: placement.Rows.slice(0, 4).map(({ Cohort, Graduates, Field, Rate }) => ({
          Cohort,
          Graduates,
          Field,
          Rate,
        })),
      },
      Plan: { Year: year, ...(await countPlan(db, programId, year)) },
    }
  }),

  handle(contract.getSiteUse, async ({ db, params: { programId }, query }) => {
    const period = await periodOf(db, programId, query)
    return { ...answerOf(period), ...(await readSiteUse(db, programId, period.now, period.before)) }
  }),

  handle(contract.getEvaluationMeans, async ({ db, params: { programId }, query }) => {
    const period = await periodOf(db, programId, query)
    return {
      ...answerOf(period),
      ...(await readEvaluationMeans(db, programId, period.now, period.before)),
    }
  }),
]
