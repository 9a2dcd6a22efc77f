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
): Promise<{ Rows: PlacementRow[]; Totals: PlacementTotals }> =>
  placementByCohort(await listPlaced(db, programId), await findPlacementMeasure(db, programId), today)
