import { alphabetical } from '#contract/core/alphabet.ts'
import type { Out } from '#contract/core/endpoint.ts'
import { maxPlacements } from '#contract/scheduling/assignments.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { type Finding, placementRules } from '#contract/scheduling/scheduling-rules.ts'
import * as contract from '#contract/scheduling/series.ts'
import {
  groupName,
  lastSeriesDay,
  movedBetween,
  placeOfGroup,
  seriesDays,
  splitEvenly,
} from '#contract/scheduling/series-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { listDaysOffBetween, listPlacements, listStudentNames, lockStudents } from './placement.queries.ts'
import { placeNew } from './placing.commands.ts'
import { checkPlacing, getEditableProgram, type PlacementRequest } from './placing.queries.ts'

type Series = Out<typeof contract.SeriesInput>
type Plan = Pick<contract.SeriesAnswer, 'Unchanged' | 'Dates' | 'Skipped' | 'Groups'> & {
  requests: PlacementRequest[]
}

const requestKey = ({ StudentId, SiteShiftId, Date: date }: Omit<PlacementRequest, 'RotationId'>): string =>
  `${StudentId} ${SiteShiftId} ${date}`

/** What a series requests, without what is there already. */
const planSeries = async (db: Db, programId: number, series: Series): Promise<Plan> => {
  const daysOff = series.SkipsDaysOff
    ? await listDaysOffBetween(db, programId, series.StartDate, lastSeriesDay(series))
    : []
  const { Days, Skipped } = seriesDays(series, daysOff)
  const studentIds = [...new Set(series.StudentIds)]
  if (studentIds.length * Days.length > maxPlacements)
    throw fail(schedulingFailures.too_many, { Most: maxPlacements.toLocaleString('en-US') }, 'EndDate')
  const groups = movedBetween(
    splitEvenly(studentIds, series.SiteShiftIds.length),
    new Map(series.Groups.map(({ StudentId, Group }) => [StudentId, Group])),
  )
  const requested = Days.flatMap(({ Date: date, Week }) =>
    groups.flatMap((ids, group) => {
      const at = placeOfGroup(group, Week, series.RotateEvery, series.SiteShiftIds.length)
      return ids.map((StudentId) => ({
        RotationId: series.RotationId,
        SiteShiftId: series.SiteShiftIds[at]!,
        StudentId,
        Date: date,
      }))
    }),
  )
  const first = Days[0]
  const there =
    first === undefined ? [] : await listPlacements(db, programId, studentIds, first.Date, Days.at(-1)!.Date)
  const known = new Set(there.map(requestKey))
  const requests = requested.filter((request) => !known.has(requestKey(request)))
  return {
    requests,
    Unchanged: requested.length - requests.length,
    Dates: Days.map(({ Date: date }) => date),
    Skipped,
    Groups: groups.map((StudentIds, index) => ({
      Name: groupName(index),
      StudentIds,
      SiteShiftId: series.SiteShiftIds[index]!,
    })),
  }
}

/** Findings by reason, in the order of the rules, with the people in the order of their names. */
const byReason = (
  findings: readonly Finding[],
  names: ReadonlyMap<number, string>,
): contract.SeriesFinding[] => {
  const groups = Map.groupBy(findings, ({ Rule }) => Rule)
  return placementRules.flatMap((Rule) => {
    const found = groups.get(Rule)
    if (!found) return []
    const People = [...Map.groupBy(found, ({ StudentId }) => StudentId)]
      .map(([StudentId, own]) => ({
        StudentId,
        Name: names.get(StudentId) ?? '',
        Count: own.length,
        Message: own[0]!.Message,
      }))
      .toSorted((a, b) => alphabetical(a.Name, b.Name))
    return [{ Rule, Count: found.length, People }]
  })
}

const answerOf = async (
  db: Db,
  programId: number,
  { requests: _requests, ...plan }: Plan,
  done: { Added: number; Ids: number[]; Refused: readonly Finding[]; Warnings: readonly Finding[] },
): Promise<contract.SeriesAnswer> => {
  const told = [...done.Refused, ...done.Warnings].map(({ StudentId }) => StudentId)
  const names = await listStudentNames(db, programId, [...new Set(told)])
  return {
    ...plan,
    Added: done.Added,
    Ids: done.Ids,
    Conflicts: byReason(done.Refused, names),
    Warnings: byReason(done.Warnings, names),
  }
}

const nothing = { Added: 0, Ids: [], Refused: [], Warnings: [] }

export const seriesRoutes = [
  handle(contract.checkPlacementSeries, async ({ db, params: { programId }, body, user }) => {
    const program = await getEditableProgram(db, programId, user)
    const plan = await planSeries(db, programId, body)
    if (plan.requests.length === 0) return answerOf(db, programId, plan, nothing)
    const { Accepted, ...checked } = await checkPlacing(db, { programId, program, requests: plan.requests })
    return answerOf(db, programId, plan, { ...checked, Added: Accepted.length, Ids: [] })
  }),

  handle(contract.addPlacementSeries, async ({ db, params: { programId }, body, user, audit }) => {
    const program = await getEditableProgram(db, programId, user)
    // Held from here on, so that of two who place the same students the later one finds what the first one placed.
    await lockStudents(db, programId, body.StudentIds)
    const plan = await planSeries(db, programId, body)
    if (plan.Dates.length === 0) throw fail(schedulingFailures.no_dates, 'Weekdays')
    const placed =
      plan.requests.length === 0
        ? nothing
        : await placeNew(db, { programId, program, requests: plan.requests }, user.Id, {
            isAllOrNothing: false,
          })
    const { StudentIds: _students, Groups, ...series } = body
    const studentIds = [...new Set(plan.requests.map(({ StudentId }) => StudentId))]
    audit.subjectIds = studentIds
    audit.detail = {
      ...series,
      Students: studentIds.length,
      Groups: Groups.length,
      Added: placed.Added,
      Unchanged: plan.Unchanged,
      Refused: placed.Refused.length,
    }
    return answerOf(db, programId, plan, placed)
  }),
]
