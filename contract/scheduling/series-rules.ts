import { addDays, daysBetween, weekdayOf, weekOf } from '#contract/core/calendar.ts'

/** The rule of a series of placements as pure functions: which days it gives, and who is where on each of them. */

/** When a series runs. It ends with its last date, or after a number of dates. */
export interface SeriesRule {
  StartDate: string
  EndDate: string | null
  Occurrences: number | null
  /** 0 is Sunday. */
  Weekdays: readonly number[]
  /** So many weeks with dates, then so many without. */
  WeeksOn: number
  WeeksOff: number
}

/** Most dates of one series, and the longest stretch that it is looked for in. */
export const maxSeriesDates = 400
const longestDays = 732

export interface SeriesDay {
  Date: string
  /** Which of the weeks with dates it is in, from 0. */
  Week: number
}

interface DayOffFacts {
  Name: string
  StartDate: string
  EndDate: string
}

/** The last day that a series can have. */
export const lastSeriesDay = ({ StartDate, EndDate }: SeriesRule): string => {
  const latest = addDays(StartDate, longestDays)
  return EndDate === null || EndDate > latest ? latest : EndDate
}

/** The days of a rule. Days off are left out with their names, and are made up for where the rule counts its dates. */
export const seriesDays = (
  rule: SeriesRule,
  daysOff: readonly DayOffFacts[],
): { Days: SeriesDay[]; Skipped: { Date: string; Name: string }[] } => {
  const weekdays = new Set(rule.Weekdays)
  const last = lastSeriesDay(rule)
  const most = Math.min(rule.Occurrences ?? maxSeriesDates, maxSeriesDates)
  const firstWeek = weekOf(rule.StartDate)
  const Days: SeriesDay[] = []
  const Skipped: { Date: string; Name: string }[] = []
  for (let date = rule.StartDate; date <= last && Days.length < most; date = addDays(date, 1)) {
    if (!weekdays.has(weekdayOf(date))) continue
    const week = Math.floor(daysBetween(firstWeek, date) / 7)
    const turn = Math.floor(week / (rule.WeeksOn + rule.WeeksOff))
    const inTurn = week % (rule.WeeksOn + rule.WeeksOff)
    if (inTurn >= rule.WeeksOn) continue
    const off = daysOff.find(({ StartDate, EndDate }) => date >= StartDate && date <= EndDate)
    if (off) Skipped.push({ Date: date, Name: off.Name })
    else Days.push({ Date: date, Week: turn * rule.WeeksOn + inTurn })
  }
  return { Days, Skipped }
}

/** Groups of the same size, or one more in the first ones, in the given order. */
export const splitEvenly = <T>(items: readonly T[], groups: number): T[][] => {
  const size = Math.floor(items.length / groups)
  const larger = items.length % groups
  let at = 0
  return Array.from({ length: groups }, (_, index) => {
    const from = at
    at += size + (index < larger ? 1 : 0)
    return items.slice(from, at)
  })
}

/** The groups after some were moved to another one: they follow those who were there, and the others stay where they are. */
export const movedBetween = <T>(groups: readonly (readonly T[])[], moves: ReadonlyMap<T, number>): T[][] => {
  const all = groups.flatMap((group, from) =>
    group.map((item) => ({ item, from, to: moves.get(item) ?? from })),
  )
  return groups.map((_, index) => {
    const here = all.filter(({ to }) => to === index)
    return [...here.filter(({ from }) => from === index), ...here.filter(({ from }) => from !== index)].map(
      ({ item }) => item,
    )
  })
}

/** 'A' for the first group, 'B' for the second. */
export const groupName = (index: number): string => String.fromCharCode(65 + index)

/** Where a group is in a week: its own place, and every `rotateEvery` weeks the next one; 0 stays. */
export const placeOfGroup = (group: number, week: number, rotateEvery: number, places: number): number =>
  rotateEvery === 0 ? group : (group + Math.floor(week / rotateEvery)) % places
