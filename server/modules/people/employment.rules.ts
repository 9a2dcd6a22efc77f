import {
  isCounted,
  type Measure,
  type PersonPart,
  placementPartsOf,
  rateOf,
} from '#contract/graduates/measures-rules.ts'
import type { EmploymentStatus, PlacementRow, PlacementTotals } from '#contract/people/employment.ts'
import type { PlacedPerson } from './employment.queries.ts'

interface Counted {
  person: PlacedPerson
  part: PersonPart
}

const totalsOf = (people: readonly Counted[]): PlacementTotals => {
  const count = (status: EmploymentStatus | null): number =>
    people.filter(({ person }) => person.Status === status).length
  const placed = people.filter(({ part }) => part.State === 'success').length
  const counted = people.filter(({ part }) => isCounted(part)).length
  return {
    Graduates: people.length,
    Field: count('field'),
    Other: count('other'),
    Seeking: count('seeking'),
    Education: count('education'),
    Military: count('military'),
    NotSeeking: count('notSeeking'),
    Unknown: count(null),
    Rate: rateOf(placed, counted),
    Placed: placed,
    Counted: counted,
  }
}

/** The cohorts with their rates, and all of them together, by the measure that the program publishes. */
export const placementByCohort = (
  people: readonly PlacedPerson[],
  measure: Measure,
  today: string,
): { Rows: PlacementRow[]; Totals: PlacementTotals } => {
  const counted = placementPartsOf(measure, people, today)
  return {
    Rows: [...Map.groupBy(counted, ({ person }) => person.Cohort)].map(([Cohort, own]) => ({
      Cohort,
      ...totalsOf(own),
    })),
    Totals: totalsOf(counted),
  }
}
