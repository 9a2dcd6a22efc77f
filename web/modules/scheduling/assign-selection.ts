import { weekdayOf } from '#contract/core/calendar.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { getPlacementPlan } from '#contract/scheduling/planning.ts'

export type Plan = AnswerOf<typeof getPlacementPlan>
export type PlanDay = Plan['Days'][number]

/** What is chosen in the Add/Remove dialog. */
export interface Selection {
  shiftId: number | null
  studentIds: ReadonlySet<number>
  dates: ReadonlySet<string>
}

export const nothingChosen: Selection = { shiftId: null, studentIds: new Set(), dates: new Set() }

/** The month 'YYYY-MM' that lies `months` after another. */
export const monthAfter = (month: string, months: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const index = year * 12 + number - 1 + months
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

/** The six or fewer weeks of a month, Sunday first; days of the neighbors fill the ends. */
export const weeksOfMonth = (month: string): string[][] => {
  const first = new Date(`${month}-01T00:00:00Z`)
  const start = first.getTime() - first.getUTCDay() * 86_400_000
  const weeks: string[][] = []
  for (let week = 0; week < 6; week++) {
    const days = Array.from({ length: 7 }, (_, day) =>
      new Date(start + (week * 7 + day) * 86_400_000).toISOString().slice(0, 10),
    )
    if (week > 0 && days[0]!.slice(0, 7) > month) break
    weeks.push(days)
  }
  return weeks
}

/** The weekdays of the chosen dates as they are named together, from Monday on; 0 is Sunday. */
export const weekdaysOfDates = (dates: Iterable<string>): number[] =>
  [...new Set([...dates].map(weekdayOf))].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))

/** Days of the month that take students, on the given weekdays or on all. */
export const openDays = (days: readonly PlanDay[], onWeekdays?: readonly number[]): string[] =>
  days
    .filter(({ State, IsBlocked }) => !IsBlocked && State !== 'full')
    .map(({ Date: date }) => date)
    .filter((date) => !onWeekdays || onWeekdays.includes(weekdayOf(date)))

/** The assignments of the chosen students on the chosen shift and dates: what Remove takes away. */
export const chosenAssignments = (
  { shiftId, studentIds, dates }: Selection,
  plans: readonly Plan[],
): number[] => {
  const ids: number[] = []
  for (const { Assigned } of plans) {
    Assigned.Ids.forEach((id, index) => {
      if (
        Assigned.SiteShiftIds[index] === shiftId &&
        studentIds.has(Assigned.StudentIds[index]!) &&
        dates.has(Assigned.Dates[index]!)
      )
        ids.push(id)
    })
  }
  return ids
}

interface KeptSelection {
  shiftId: number
  studentIds: number[]
  dates: string[]
}

const keyOf = (programId: number, rotationId: number): string => `last-assignment:${programId}:${rotationId}`

/** Use Last brings back what was added last in this tab for the rotation: shift, students and dates. */
export const keepLast = (programId: number, rotationId: number, selection: Selection): void => {
  if (selection.shiftId === null) return
  const kept: KeptSelection = {
    shiftId: selection.shiftId,
    studentIds: [...selection.studentIds],
    dates: [...selection.dates],
  }
  try {
    sessionStorage.setItem(keyOf(programId, rotationId), JSON.stringify(kept))
  } catch {
    // Without storage there is no last choice to bring back; nothing else depends on it.
  }
}

export const readLast = (programId: number, rotationId: number): Selection | undefined => {
  try {
    const text = sessionStorage.getItem(keyOf(programId, rotationId))
    if (!text) return undefined
    const { shiftId, studentIds, dates } = JSON.parse(text) as KeptSelection
    return { shiftId, studentIds: new Set(studentIds), dates: new Set(dates) }
  } catch {
    return undefined
  }
}
