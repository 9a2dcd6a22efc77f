import type { SeriesInput } from '#contract/scheduling/series.ts'
import { maxSeriesDates } from '#contract/scheduling/series-rules.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'

/** What is chosen in the dialog that schedules a term. */
export interface SeriesChoice {
  studentIds: ReadonlySet<number>
  /** In the order of the groups. */
  shiftIds: readonly number[]
  /** Who was put into another group by hand, and which one, from 0. */
  moves: ReadonlyMap<number, number>
  weekdays: number[]
  startDate: string | null
  endDate: string | null
  occurrences: number | null
  /** One of `repeats`. */
  repeat: string
  weeksOn: number | null
  weeksOff: number | null
  rotateEvery: string
  skipsDaysOff: boolean
}

/** Weeks on and off that people choose often, as 'on-off'. */
export const repeats: readonly { value: string; word: WordKey }[] = [
  { value: '1-0', word: 'series.everyWeek' },
  { value: '1-1', word: 'series.everySecond' },
  { value: '2-1', word: 'series.twoOnOneOff' },
  { value: '2-2', word: 'series.twoOnTwoOff' },
  { value: '3-1', word: 'series.threeOnOneOff' },
  { value: 'other', word: 'series.otherWeeks' },
]

/** After how many weeks groups can change shifts; 0 is never. */
export const rotateChoices = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12] as const

/** What a rotation begins with: its own dates, or from today on when it runs already. */
export const startOfSeries = (
  rotation: { StartDate: string; EndDate: string } | undefined,
  today: string,
): SeriesChoice => ({
  studentIds: new Set(),
  shiftIds: [],
  moves: new Map(),
  weekdays: [],
  startDate: rotation
    ? today > rotation.StartDate && today <= rotation.EndDate
      ? today
      : rotation.StartDate
    : null,
  endDate: rotation?.EndDate ?? null,
  occurrences: null,
  repeat: '1-0',
  weeksOn: 1,
  weeksOff: 0,
  rotateEvery: '0',
  skipsDaysOff: true,
})

export type SeriesProblems = Partial<Record<keyof SeriesChoice, string>>

/** What is wrong with a choice, by field. What is only missing yet is no problem. */
export const problemsOf = (words: Words, choice: SeriesChoice): SeriesProblems => {
  const range = (value: number | null, least: number, most: number): string | undefined =>
    value !== null && (value < least || value > most) ? words('series.between', { least, most }) : undefined
  const { startDate, endDate, occurrences, weeksOn, weeksOff, repeat } = choice
  const found: [keyof SeriesChoice, string | false | undefined | null][] = [
    ['endDate', startDate && endDate && endDate < startDate && words('series.backwards')],
    ['occurrences', range(occurrences, 1, maxSeriesDates)],
    ['weeksOn', repeat === 'other' && range(weeksOn, 1, 52)],
    ['weeksOff', repeat === 'other' && range(weeksOff, 0, 52)],
  ]
  return Object.fromEntries(found.filter(([, problem]) => problem)) as SeriesProblems
}

/** What keeps a choice from being checked, in words; undefined when nothing does. */
export const lackOf = (words: Words, choice: SeriesChoice): string | undefined => {
  const { studentIds, shiftIds, weekdays, startDate, endDate, occurrences } = choice
  const [problem] = Object.values(problemsOf(words, choice))
  if (problem) return problem
  if (studentIds.size === 0 || shiftIds.length === 0 || weekdays.length === 0) return words('series.choose')
  if (startDate === null || (endDate === null && occurrences === null)) return words('series.chooseDates')
  if (choice.repeat === 'other' && (choice.weeksOn === null || choice.weeksOff === null))
    return words('series.between', { least: 0, most: 52 })
  return studentIds.size < shiftIds.length ? words('series.fewStudents') : undefined
}

/** A complete choice as the call takes it; the students in the order of the list. */
export const inputOf = (
  rotationId: number,
  choice: SeriesChoice,
  order: readonly { Id: number }[],
): SeriesInput => {
  const [on, off] =
    choice.repeat === 'other'
      ? [choice.weeksOn ?? 1, choice.weeksOff ?? 0]
      : (choice.repeat.split('-').map(Number) as [number, number])
  return {
    RotationId: rotationId,
    StudentIds: order.map(({ Id }) => Id).filter((id) => choice.studentIds.has(id)),
    SiteShiftIds: [...choice.shiftIds],
    Groups: [...choice.moves]
      .filter(([id]) => choice.studentIds.has(id))
      .map(([StudentId, Group]) => ({ StudentId, Group })),
    StartDate: choice.startDate ?? '',
    EndDate: choice.endDate,
    Occurrences: choice.occurrences,
    Weekdays: choice.weekdays,
    WeeksOn: on,
    WeeksOff: off,
    RotateEvery: choice.shiftIds.length > 1 ? Number(choice.rotateEvery) : 0,
    SkipsDaysOff: choice.skipsDaysOff,
  }
}
