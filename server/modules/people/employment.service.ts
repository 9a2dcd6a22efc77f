import type { RatePerson } from '#contract/graduates/effectiveness.ts'
import { isCounted, type Measure, placementPartsOf } from '#contract/graduates/measures-rules.ts'
import type { PlacementRow, PlacementTotals } from '#contract/people/employment.ts'
import type { Db } from '#server/core/database/pool.ts'
import { findPlacementMeasure } from '../graduates/effectiveness.queries.ts'
import { listPlaced } from './employment.queries.ts'
import { placementByCohort } from './employment.rules.ts'

/** Placement by cohort, the latest first, and of all: by the measure, and of the people, of the program's effectiveness. */
export const readPlacementRates = async (
  db: Db,
  programId: number,
  today: string,
): Promise<{ Rows: PlacementRow[]; Totals: PlacementTotals; Measure: Measure }> => {
  const Measure = await findPlacementMeasure(db, programId)
  return { ...placementByCohort(await listPlaced(db, programId), Measure, today), Measure }
}

/** Who counts in the placement rate of a cohort, or of all, and why. */
export const readPlacementPeople = async (
  db: Db,
  programId: number,
  { today, cohort }: { today: string; cohort: string | undefined },
): Promise<RatePerson[]> => {
  const measure = await findPlacementMeasure(db, programId)
  const people = await listPlaced(db, programId)
  return placementPartsOf(measure, people, today)
    .map(({ person: { Name, Cohort, Status }, part: told }) => {
      // Who told to look for no work is known, though not by the reasons that accreditors name.
      const part =
        told.State === 'open' && Status === 'notSeeking'
          ? { ...told, State: 'leftOut' as const, Reason: 'market' as const }
          : told
      return { Name, Cohort, ...part, IsInRate: isCounted(part) }
    })
    .filter(({ Cohort }) => cohort === undefined || Cohort === cohort)
}
