import type { PlacementRow, PlacementTotals } from '#contract/employment.ts'

type Counts = Omit<PlacementTotals, 'Rate'>

/** Percent with work in the field among those on the labor market, with one decimal; null where nobody is on it. */
export const placementRate = ({ Field, Other, Seeking }: Counts): number | null => {
  const available = Field + Other + Seeking
  return available === 0 ? null : Math.round((Field / available) * 1_000) / 10
}

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
