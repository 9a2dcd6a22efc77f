import { daysBetween } from '#contract/core/calendar.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { getScheduleGrid } from '#contract/scheduling/planning.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'

export type GridAnswer = AnswerOf<typeof getScheduleGrid>

/** One assignment in the picture. */
export interface GridCell {
  id: number
  row: number
  /** Days after the first one shown. */
  day: number
  shift: number
  minutes: number
  /** Two shifts on one day share its width: which part of how many. */
  part: number
  parts: number
}

/** The answer's columns unpacked into rows, once per answer. */
export interface GridModel {
  days: number
  names: string[]
  levels: (number | null)[]
  studentIds: number[]
  cellsOf: GridCell[][]
  cellById: Map<number, GridCell>
  conflictOf: Map<number, GridAnswer['Conflicts'][number]>
  /** Day → name of the day off. */
  daysOff: Map<number, string>
}

export const unpackGrid = (answer: GridAnswer): GridModel => {
  const { Students, Cells } = answer
  const dayOf = (date: string) => daysBetween(answer.FromDate, date)
  const days = dayOf(answer.ThroughDate) + 1
  const cellsOf: GridCell[][] = Students.Id.map(() => [])
  const cellById = new Map<number, GridCell>()
  Cells.Id.forEach((id, index) => {
    const cell: GridCell = {
      id,
      row: Cells.Student[index]!,
      day: Cells.Day[index]!,
      shift: Cells.Shift[index]!,
      minutes: Cells.Minutes[index]!,
      part: 0,
      parts: 1,
    }
    const row = cellsOf[cell.row]!
    const sameDay = row.filter(({ day }) => day === cell.day)
    cell.part = sameDay.length
    for (const each of [...sameDay, cell]) each.parts = sameDay.length + 1
    row.push(cell)
    cellById.set(id, cell)
  })
  const daysOff = new Map<number, string>()
  for (const { Name, StartDate, EndDate } of answer.DaysOff) {
    const last = Math.min(dayOf(EndDate), days - 1)
    for (let day = Math.max(0, dayOf(StartDate)); day <= last; day++) daysOff.set(day, Name)
  }
  return {
    days,
    names: Students.LastName.map((last, index) => `${last}, ${Students.FirstName[index]}`),
    levels: Students.StudentLevelId,
    studentIds: Students.Id,
    cellsOf,
    cellById,
    conflictOf: new Map(answer.Conflicts.map((conflict) => [conflict.AssignmentId, conflict])),
    daysOff,
  }
}

/** Minutes of each row in the seven days from a day on. */
export const weekMinutes = (model: GridModel, firstDay: number): number[] =>
  model.cellsOf.map((cells) =>
    cells.reduce((sum, { day, minutes }) => (day >= firstDay && day < firstDay + 7 ? sum + minutes : sum), 0),
  )

/** Stretches of days off that follow one another under the same name, for their labels. */
export const daysOffRuns = (model: GridModel): { name: string; from: number; length: number }[] => {
  const runs: { name: string; from: number; length: number }[] = []
  for (const [day, name] of [...model.daysOff].sort(([a], [b]) => a - b)) {
    const run = runs.at(-1)
    if (run && run.name === name && run.from + run.length === day) run.length++
    else runs.push({ name, from: day, length: 1 })
  }
  return runs
}

export const shiftLetter: Record<ShiftType, string> = {
  day: 'D',
  evening: 'E',
  night: 'N',
  weekend: 'W',
  other: 'O',
}
