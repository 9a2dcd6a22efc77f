import { type Measure, placementPartOf, placementRateOf } from '#contract/graduates/measures-rules.ts'
import type { EmploymentStatus, PlacementRow, PlacementTotals } from '#contract/people/employment.ts'
import type { PlacedPerson } from './employment.queries.ts'

const totalsOf = (people: readonly PlacedPerson[], measure: Measure, today: string): PlacementTotals => {
  const count = (status: EmploymentStatus | null): number =>
    people.filter(({ Status }) => Status === status).length
  const parts = people.map((person) => placementPartOf(measure, person, today))
  const placed = parts.filter(({ State }) => State === 'success')
  return {
    Graduates: people.length,
    Field: count('field'),
    Other: count('other'),
    Seeking: count('seeking'),
    Education: count('education'),
    Military: count('military'),
    NotSeeking: count('notSeeking'),
    Unknown: count(null),
    Rate: placementRateOf(measure, people, today),
    Placed: placed.length,
    Counted: placed.length + parts.filter(({ State }) => State === 'counted').length,
  }
}

/** The cohorts with their rates, and all of them together, by the measure that the program publishes. */
export const placementByCohort = (
  people: readonly PlacedPerson[],
  measure: Measure,
  today: string,
): { Rows: PlacementRow[]; Totals: PlacementTotals } => ({
  Rows: [...Map.groupBy(people, ({ Cohort }) => Cohort)].map(([Cohort, own]) => ({
    Cohort,
    ...totalsOf(own, measure, today),
  })),
  Totals: totalsOf(people, measure, today),
})
