import { addMonths } from '#contract/core/calendar.ts'

/**
 * The measures that accreditors ask programs to publish: pass rate, placement rate and completion rate. A measure is data, so
 * that a program can follow its accreditor when figures change (docs/decisions/measures-are-data.md).
 */

export const measureKinds = ['pass', 'placement', 'completion'] as const
export type MeasureKind = (typeof measureKinds)[number]

/** Who counts as a success, by kind. */
export const successes = {
  pass: ['first', 'any', 'high'],
  placement: ['field', 'positive'],
  completion: ['onTime', 'ever'],
} as const satisfies Record<MeasureKind, readonly string[]>
export type Success = (typeof successes)[MeasureKind][number]

/** Out of whom, by kind. */
export const populations = {
  pass: ['tested', 'graduates'],
  placement: ['available', 'graduates'],
  completion: ['entered', 'allEntered'],
} as const satisfies Record<MeasureKind, readonly string[]>
export type Population = (typeof populations)[MeasureKind][number]

/** What a measure is held against: a percentage, the mean of the nation as entered for each year, or nothing. */
export const targets = ['threshold', 'mean', 'none'] as const
export type Target = (typeof targets)[number]

export const examResults = ['passed', 'failed', 'high'] as const
export type ExamResult = (typeof examResults)[number]

/** Why somebody left before graduating; all but the first are not academic. */
export const withdrawalReasons = [
  'academic',
  'medical',
  'family',
  'financial',
  'military',
  'relocation',
  'changedField',
  'otherReason',
] as const
export type WithdrawalReason = (typeof withdrawalReasons)[number]

/** What a graduate does. The last five are left out of the labor market, as JRCERT lists them. */
export const placements = [
  'field',
  'otherField',
  'seeking',
  'education',
  'military',
  'unreachable',
  'notMoving',
  'termsRefused',
] as const
export type Placement = (typeof placements)[number]
const leftOut: readonly string[] = ['education', 'military', 'unreachable', 'notMoving', 'termsRefused']

/** What is known of a person who entered the program. Dates are YYYY-MM-DD. */
export interface GraduateFacts {
  EnteredOn: string | null
  GraduatedOn: string | null
  WithdrewOn: string | null
  WithdrawalReason: WithdrawalReason | null
  /** The first attempt at the credentialing exam, and when it was first passed, at any attempt. */
  FirstAttemptOn: string | null
  FirstAttemptResult: ExamResult | null
  PassedOn: string | null
  /** When the higher of two cut scores was reached, where the exam has two. */
  HighCutOn: string | null
  Placement: Placement | null
  StartedWorkOn: string | null
}

/** What a placement measure asks of a person. */
export type PlacementFacts = Pick<GraduateFacts, 'GraduatedOn' | 'Placement' | 'StartedWorkOn'>

export interface Measure {
  Kind: MeasureKind
  Success: Success
  Population: Population
  /** The window in months: after graduation, and of completion after entering; null for no end. */
  WithinMonths: number | null
  /** Years that count together. */
  Years: number
  Target: Target
  /** Percent. */
  Threshold: number | null
}

/** Totals that are entered for a year in place of counting, such as a nursing board reports them; null: only the mean is. */
export interface YearTotals {
  Year: number
  Numerator: number | null
  Denominator: number | null
  /** The nation's mean in percent. */
  Mean: number | null
}

export interface YearResult {
  Year: number
  Numerator: number
  Denominator: number
  /** Graduates of whom no work is known. They count only once their window is over. */
  Unknown: number
  /** Percent with one decimal; null where nobody counts. */
  Rate: number | null
  /** Somebody's window still runs, so that the year does not count yet. */
  IsOpen: boolean
  /** Entered, not counted. */
  IsEntered: boolean
  Mean: number | null
}

export interface MeasureResult {
  /** The latest first. */
  Years: YearResult[]
  /** All of the years that count, added up: 49 of 58, not a mean of rates. Null where no year counts yet. */
  Pooled: {
    From: number
    Through: number
    Numerator: number
    Denominator: number
    Rate: number | null
  } | null
  /** What the rate is held against, in percent; null where nothing is, or the mean is not entered for every year. */
  Against: number | null
  IsMet: boolean | null
}

export const rateOf = (numerator: number, denominator: number): number | null =>
  denominator === 0 ? null : Math.round((numerator / denominator) * 1_000) / 10

const yearOf = (date: string): number => Number(date.slice(0, 4))

/** The last day of a window that begins on `from`; null without an end. */
const windowEnd = (from: string, months: number | null): string | null =>
  months === null ? null : addMonths(from, months)

const isWithin = (date: string | null, from: string, months: number | null): boolean => {
  const end = windowEnd(from, months)
  return date !== null && (end === null || date <= end)
}

interface Counted {
  year: number
  /** The day on which the window is over; null where it has no end. */
  ends: string | null
  isSuccess: boolean
  /** Nobody has told what became of the person. */
  isUnknown?: boolean
  /** Without an end: the person may still become a success. */
  isStillIn?: boolean
}

/** Whether nothing is known of a person and there is time to ask still: no year counts them so far. */
const isYetUnknown = ({ ends, isUnknown }: Counted, today: string): boolean =>
  isUnknown === true && (ends === null || ends >= today)

const countPass = (person: GraduateFacts, measure: Measure): Counted | null => {
  const { GraduatedOn, FirstAttemptOn, FirstAttemptResult, PassedOn, HighCutOn } = person
  if (GraduatedOn === null) return null
  const inTime = (date: string | null) => isWithin(date, GraduatedOn, measure.WithinMonths)
  if (measure.Population === 'tested' && !inTime(FirstAttemptOn)) return null
  const isSuccess =
    measure.Success === 'first'
      ? inTime(FirstAttemptOn) && FirstAttemptResult !== null && FirstAttemptResult !== 'failed'
      : inTime(measure.Success === 'high' ? HighCutOn : PassedOn)
  return { year: yearOf(GraduatedOn), ends: windowEnd(GraduatedOn, measure.WithinMonths), isSuccess }
}

const countPlacement = (person: PlacementFacts, measure: Measure): Counted | null => {
  const { GraduatedOn, Placement, StartedWorkOn } = person
  if (GraduatedOn === null) return null
  if (measure.Population === 'available' && Placement !== null && leftOut.includes(Placement)) return null
  const isEmployed =
    Placement === 'field' &&
    // Who works in the field already, before graduating or on a day nobody told, is placed.
    (StartedWorkOn === null || isWithin(StartedWorkOn, GraduatedOn, measure.WithinMonths))
  const isFurther = measure.Success === 'positive' && (Placement === 'education' || Placement === 'military')
  return {
    year: yearOf(GraduatedOn),
    ends: windowEnd(GraduatedOn, measure.WithinMonths),
    isSuccess: isEmployed || isFurther,
    isUnknown: Placement === null,
  }
}

const countCompletion = (person: GraduateFacts, measure: Measure): Counted | null => {
  const { EnteredOn, GraduatedOn, WithdrewOn, WithdrawalReason } = person
  if (EnteredOn === null) return null
  const isExcused = WithdrewOn !== null && WithdrawalReason !== 'academic'
  if (measure.Population === 'entered' && isExcused) return null
  const due = windowEnd(EnteredOn, measure.WithinMonths)
  return {
    // The class is told by the year in which it should be done, or else by that of its entry: one class is one year.
    year: yearOf(due ?? EnteredOn),
    ends: due,
    isStillIn: due === null && GraduatedOn === null && WithdrewOn === null,
    isSuccess:
      GraduatedOn !== null &&
      (measure.Success === 'ever' || isWithin(GraduatedOn, EnteredOn, measure.WithinMonths)),
  }
}

const counters = { pass: countPass, placement: countPlacement, completion: countCompletion }

/** What a measure makes of a person: a success, counted without being one, still open, or left out. */
export const partStates = ['success', 'counted', 'open', 'leftOut'] as const
/** Why: nothing is known yet, or what the measure asks first is missing, or the person is out of its population. */
export const partReasons = ['unknown', 'noDay', 'untested', 'market', 'excused'] as const

/** How a person counts in a measure, and in which year. */
export interface PersonPart {
  State: (typeof partStates)[number]
  Reason: (typeof partReasons)[number] | null
  Year: number | null
}

/** Whether a person is in the denominator of the rate. */
export const isCounted = ({ State }: PersonPart): boolean => State === 'success' || State === 'counted'

const missing = { pass: 'untested', placement: 'market', completion: 'excused' } as const

const partFrom = (
  counted: Counted | null,
  { kind, day }: { kind: MeasureKind; day: string | null },
  today: string,
): PersonPart => {
  if (counted === null)
    return {
      State: 'leftOut',
      Reason: day === null ? 'noDay' : missing[kind],
      Year: day === null ? null : yearOf(day),
    }
  const { year: Year, isSuccess, isUnknown } = counted
  if (isYetUnknown(counted, today)) return { State: 'open', Reason: 'unknown', Year }
  return { State: isSuccess ? 'success' : 'counted', Reason: isUnknown ? 'unknown' : null, Year }
}

/** How a measure counts a person, as `resultOf` does. */
export const partOf = (measure: Measure, person: GraduateFacts, today: string): PersonPart => {
  const { Kind: kind } = measure
  const day = kind === 'completion' ? person.EnteredOn : person.GraduatedOn
  return partFrom(counters[kind](person, measure), { kind, day }, today)
}

/** A cohort in which somebody has a day of graduation counts by these days alone, as years do. */
const datedCohorts = (
  people: readonly { Cohort: string; GraduatedOn: string | null }[],
): ReadonlySet<string> =>
  new Set(people.flatMap(({ Cohort, GraduatedOn }) => (GraduatedOn === null ? [] : [Cohort])))

/**
 * How a placement measure counts people of cohorts: as it counts a year. Where nobody of a cohort has a day of graduation, alumni count by
 * what they told, and not while they told nothing.
 */
export const placementPartsOf = <Person extends PlacementFacts & { Cohort: string }>(
  measure: Measure,
  people: readonly Person[],
  today: string,
): { person: Person; part: PersonPart }[] => {
  const dated = datedCohorts(people)
  return people.map((person) => {
    const isDated = person.GraduatedOn !== null
    if (!isDated && dated.has(person.Cohort))
      return { person, part: { State: 'leftOut', Reason: 'noDay', Year: null } }
    // Without the day there is no window, and so none that is over.
    const facts = isDated ? person : { ...person, GraduatedOn: today, StartedWorkOn: null }
    const part = partFrom(
      countPlacement(facts, measure),
      { kind: 'placement', day: facts.GraduatedOn },
      today,
    )
    return { person, part: isDated ? part : { ...part, Year: null } }
  })
}

/** Whether a share reaches a percentage, without rounding it first. */
const reaches = (numerator: number, denominator: number, percent: number): boolean =>
  numerator * 100 >= percent * denominator - 1e-9

/**
 * A measure by year and over the years that count: the latest closed one and those before it. A year is closed when it is
 * over and nobody's window runs any longer; totals that are entered are closed, and go before what is counted.
 *
 * @param today YYYY-MM-DD where the program is
 */
export const resultOf = (
  measure: Measure,
  people: readonly GraduateFacts[],
  entered: readonly YearTotals[],
  today: string,
): MeasureResult => {
  const years = new Map<number, YearResult>()
  const thisYear = yearOf(today)
  const at = (Year: number): YearResult => {
    const known = years.get(Year)
    if (known) return known
    const made = {
      Year,
      Numerator: 0,
      Denominator: 0,
      Unknown: 0,
      Rate: null,
      IsOpen: Year >= thisYear,
      IsEntered: false,
      Mean: null,
    }
    years.set(Year, made)
    return made
  }
  for (const person of people) {
    const counted = counters[measure.Kind](person, measure)
    if (!counted) continue
    const year = at(counted.year)
    if (counted.isUnknown) year.Unknown += 1
    if (!isYetUnknown(counted, today)) year.Denominator += 1
    if (counted.isSuccess) year.Numerator += 1
    if (counted.isStillIn || (counted.ends !== null && counted.ends >= today)) year.IsOpen = true
  }
  for (const { Year, Numerator, Denominator, Mean } of entered) {
    const year = at(Year)
    year.Mean = Mean
    if (Numerator !== null && Denominator !== null)
      Object.assign(year, { Numerator, Denominator, IsOpen: false, IsEntered: true })
  }
  const Years = [...years.values()].toSorted((a, b) => b.Year - a.Year)
  for (const year of Years) year.Rate = rateOf(year.Numerator, year.Denominator)
  const last = Years.find(({ IsOpen, Denominator }) => !IsOpen && Denominator > 0)
  if (!last) return { Years, Pooled: null, Against: null, IsMet: null }
  const pool = Years.filter(
    ({ Year, IsOpen }) => !IsOpen && Year <= last.Year && Year > last.Year - measure.Years,
  )
  const Numerator = pool.reduce((sum, year) => sum + year.Numerator, 0)
  const Denominator = pool.reduce((sum, year) => sum + year.Denominator, 0)
  const Against = againstOf(measure, pool)
  return {
    Years,
    Pooled: {
      From: pool.at(-1)!.Year,
      Through: last.Year,
      Numerator,
      Denominator,
      Rate: rateOf(Numerator, Denominator),
    },
    Against: Against === null ? null : Math.round(Against * 100) / 100,
    IsMet: Against === null ? null : reaches(Numerator, Denominator, Against),
  }
}

/** The threshold, or the mean of the years, each by as many people as the program's own; not rounded. */
const againstOf = (measure: Measure, pool: readonly YearResult[]): number | null => {
  if (measure.Target === 'none') return null
  if (measure.Target === 'threshold') return measure.Threshold
  const people = pool.reduce((sum, year) => sum + year.Denominator, 0)
  let sum = 0
  for (const { Denominator, Mean } of pool) {
    if (Denominator === 0) continue
    if (Mean === null) return null
    sum += Mean * Denominator
  }
  return sum / people
}

/**
 * Whether a program meets what is asked. Measures with the same alternative are met when one of them is, as where a board
 * asks for first attempts, or for all attempts, or for the nation's mean.
 */
export const unmetOf = <M extends { Alternative: string; Result: MeasureResult }>(
  measures: readonly M[],
): M[] =>
  measures.filter(
    ({ Alternative, Result }) =>
      Result.IsMet === false &&
      !measures.some(
        (other) => Alternative !== '' && other.Alternative === Alternative && other.Result.IsMet === true,
      ),
  )

/** A year as the public sees it: null figures are those of too few people. */
export interface PublishedYear {
  Year: number
  Numerator: number | null
  Denominator: number | null
  Rate: number | null
}

/**
 * What may be published where figures of fewer than `fewest` people are hidden (0 hides nothing). A single hidden year could
 * be told from the sum and the other years, so the smallest of those is hidden with it.
 */
export const publishedOf = (
  { Years, Pooled }: MeasureResult,
  fewest: number,
): { Years: PublishedYear[]; Pooled: MeasureResult['Pooled'] } => {
  if (!Pooled || Pooled.Denominator < fewest) return { Years: [], Pooled: null }
  const pool = Years.filter(({ Year, IsOpen }) => !IsOpen && Year >= Pooled.From && Year <= Pooled.Through)
  const hidden = new Set(
    pool.filter(({ Denominator }) => Denominator > 0 && Denominator < fewest).map(({ Year }) => Year),
  )
  if (hidden.size === 1) {
    const [next] = pool
      .filter(({ Year, Denominator }) => !hidden.has(Year) && Denominator > 0)
      .toSorted((a, b) => a.Denominator - b.Denominator)
    if (next) hidden.add(next.Year)
  }
  return {
    Years: pool.map(({ Year, Numerator, Denominator, Rate }) =>
      hidden.has(Year)
        ? { Year, Numerator: null, Denominator: null, Rate: null }
        : { Year, Numerator, Denominator, Rate },
    ),
    Pooled,
  }
}
