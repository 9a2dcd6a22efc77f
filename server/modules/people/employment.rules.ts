import { type PlacementRow, type PlacementTotals, placementRate } from '#contract/people/employment.ts'

type Counts = Omit<PlacementTotals, 'Rate'>

const names = [
  'Graduates',
  'Field',
  'Other',
  'Seeking',
  'Education',
  'Military',
  'NotSeeking',
  'Unknown',
] as const satisfies readonly (keyof Counts)[]

/** The cohorts with their rates, and all of them together. */
export const placementOf = (
  cohorts: readonly Omit<PlacementRow, 'Rate'>[],
): { Rows: PlacementRow[]; Totals: PlacementTotals } => {
  const sums = Object.fromEntries(
    names.map((name) => [name, cohorts.reduce((sum, cohort) => sum + cohort[name], 0)]),
  ) as Counts
  return {
    Rows: cohorts.map((cohort) => ({ ...cohort, Rate: placementRate(cohort) })),
    Totals: { ...sums, Rate: placementRate(sums) },
  }
}
