import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'

/** All shift types in the order of the legend. */
export const shiftTypes: readonly ShiftType[] = ['day', 'evening', 'night', 'weekend', 'other']

const typeKeys = {
  day: 'scheduling.day',
  evening: 'scheduling.evening',
  night: 'scheduling.night',
  weekend: 'scheduling.weekend',
  other: 'scheduling.other',
} as const satisfies Record<ShiftType, WordKey>

export const shiftTypeName = (words: Words, type: ShiftType): string => words(typeKeys[type])

/** The weekdays as they are named together, so that those of a weekend are beside each other; 0 is Sunday. */
const weekOrder = [1, 2, 3, 4, 5, 6, 0] as const

const dayKeys = [
  'scheduling.sun',
  'scheduling.mon',
  'scheduling.tue',
  'scheduling.wed',
  'scheduling.thu',
  'scheduling.fri',
  'scheduling.sat',
] as const

export const weekdayName = (words: Words, day: number): string => words(dayKeys[day]!)

/** 'Mon–Fri', 'Sat, Sun', 'Mon, Wed, Thu': runs of three and more are drawn together. */
export const weekdaysText = (words: Words, days: readonly number[]): string => {
  const positions = weekOrder.flatMap((day, position) => (days.includes(day) ? [position] : []))
  const runs: number[][] = []
  for (const position of positions) {
    const run = runs.at(-1)
    if (run && run.at(-1) === position - 1) run.push(position)
    else runs.push([position])
  }
  const name = (position: number) => weekdayName(words, weekOrder[position]!)
  return runs
    .flatMap((run) => (run.length > 2 ? [`${name(run[0]!)}–${name(run.at(-1)!)}`] : run.map(name)))
    .join(', ')
}
