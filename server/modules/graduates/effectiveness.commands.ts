import type { EffectivenessInput } from '#contract/graduates/effectiveness.ts'
import type { Db } from '#server/core/database/pool.ts'

const toRow = (
  programId: number,
  position: number,
  measure: Omit<EffectivenessInput['Measures'][number], 'Entered'>,
) => ({
  program_id: programId,
  position,
  name: measure.Name,
  kind: measure.Kind,
  success: measure.Success,
  population: measure.Population,
  within_months: measure.WithinMonths,
  years: measure.Years,
  target: measure.Target,
  threshold: measure.Threshold,
  alternative: measure.Alternative,
  fewest_shown: measure.FewestShown,
  is_published: measure.IsPublished,
})

/** Puts measures, with the totals entered for them, in place of all there are. */
export const replaceMeasures = async (
  db: Db,
  programId: number,
  measures: EffectivenessInput['Measures'],
): Promise<void> => {
  await db.deleteFrom('outcome_measure').where('program_id', '=', programId).execute()
  if (measures.length === 0) return
  const made = await db
    .insertInto('outcome_measure')
    .values(measures.map((measure, position) => toRow(programId, position, measure)))
    .returning(['id', 'position'])
    .execute()
  const ids = new Map(made.map(({ id, position }) => [position, id]))
  const years = measures.flatMap(({ Entered }, position) =>
    Entered.map(({ Year, Numerator, Denominator, Mean }) => ({
      program_id: programId,
      // Every position was inserted above.
      measure_id: ids.get(position)!,
      year: Year,
      numerator: Numerator,
      denominator: Denominator,
      mean: Mean,
    })),
  )
  if (years.length > 0) await db.insertInto('outcome_year').values(years).execute()
}

export const savePublication = async (
  db: Db,
  programId: number,
  { IsPublic, Introduction }: Pick<EffectivenessInput, 'IsPublic' | 'Introduction'>,
  accountId: number,
): Promise<void> => {
  const row = { is_public: IsPublic, introduction: Introduction, updated_by: accountId }
  await db
    .insertInto('published_outcomes')
    .values({ program_id: programId, ...row })
    .onConflict((conflict) => conflict.column('program_id').doUpdateSet(row))
    .execute()
}
