import { datesBetween, daysBetween } from '#contract/core/calendar.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { getScheduleDays, getScheduleGrid } from '#contract/scheduling/schedule-grid.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { formatDay } from '#web/ui/dates.ts'

export type GridPage = AnswerOf<typeof getScheduleGrid>
export type GridHead = AnswerOf<typeof getScheduleDays>

/** A shift as the cells name it. */
export interface GridShift {
  type: ShiftType
  code: string
  site: string
  siteCode: string
}

/** One assignment in the picture. */
export interface GridCell {
  id: number
  row: number
  /** Days after the first one shown. */
  day: number
  shift: GridShift
  minutes: number
  /** Two shifts on one day share its width: which part of how many. */
  part: number
  parts: number
  conflict: GridPage['Conflicts'][number] | undefined
}

/** One student in the picture. */
export interface GridRow {
  studentId: number
  name: string
  level: number | null
  cells: GridCell[]
}

/** A page's columns as rows; `offset` is how many rows are before it. */
const unpack = ({ Students, Shifts, Cells, Conflicts }: GridPage, offset: number): GridRow[] => {
  const rows = Students.Id.map(
    (studentId, index): GridRow => ({
      studentId,
      name: `${Students.LastName[index]}, ${Students.FirstName[index]}`,
      level: Students.StudentLevelId[index] ?? null,
      cells: [],
    }),
  )
  // Columns of one table: each has as many entries as there are ids.
  const shifts = Shifts.Id.map(
    (_, index): GridShift => ({
      type: Shifts.Type[index]!,
      code: Shifts.Code[index]!,
      site: Shifts.Site[index]!,
      siteCode: Shifts.SiteCode[index]!,
    }),
  )
  const conflictOf = new Map(Conflicts.map((conflict) => [conflict.AssignmentId, conflict]))
  Cells.Id.forEach((id, index) => {
    const { cells } = rows[Cells.Student[index]!]!
    const cell: GridCell = {
      id,
      row: offset + Cells.Student[index]!,
      day: Cells.Day[index]!,
      shift: shifts[Cells.Shift[index]!]!,
      minutes: Cells.Minutes[index]!,
      part: 0,
      parts: 1,
      conflict: conflictOf.get(id),
    }
    const sameDay = cells.filter(({ day }) => day === cell.day)
    cell.part = sameDay.length
    for (const each of [...sameDay, cell]) each.parts = sameDay.length + 1
    cells.push(cell)
  })
  return rows
}

const unpacked = new WeakMap<GridPage, GridRow[]>()

/** The rows of a page, unpacked once an answer: a row is the same object until it is read again. */
export const rowsOfPage = (page: GridPage, offset: number): GridRow[] => {
  let rows = unpacked.get(page)
  if (!rows) {
    rows = unpack(page, offset)
    unpacked.set(page, rows)
  }
  return rows
}

/** The days that are shown. */
export interface GridDays {
  from: string
  dates: string[]
  /** 'Thu 12/03' */
  labels: string[]
}

export const daysOf = (from: string, through: string): GridDays => {
  const dates = datesBetween(from, through)
  return { from, dates, labels: dates.map((date) => formatDay(date)) }
}

/** Day → name of the day off. */
export const daysOffIn = (
  { from, dates }: GridDays,
  daysOff: GridHead['DaysOff'],
): ReadonlyMap<number, string> => {
  const names = new Map<number, string>()
  for (const { Name, StartDate, EndDate } of daysOff) {
    const last = Math.min(daysBetween(from, EndDate), dates.length - 1)
    for (let day = Math.max(0, daysBetween(from, StartDate)); day <= last; day++) names.set(day, Name)
  }
  return names
}

/** Minutes of a row in the seven days from a day on. */
export const weekMinutes = ({ cells }: GridRow, firstDay: number): number =>
  cells.reduce((sum, { day, minutes }) => (day >= firstDay && day < firstDay + 7 ? sum + minutes : sum), 0)

/** Stretches of days off that follow one another under the same name, for their labels. */
export const daysOffRuns = (
  daysOff: ReadonlyMap<number, string>,
): { name: string; from: number; length: number }[] => {
  const runs: { name: string; from: number; length: number }[] = []
  for (const [day, name] of [...daysOff].sort(([a], [b]) => a - b)) {
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
