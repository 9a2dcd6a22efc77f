import { sql } from 'kysely'
import type { GraduateFacts, Measure, YearTotals } from '#contract/graduates/measures-rules.ts'
import type { Db } from '#server/core/database/pool.ts'

/** A measure as it is kept. */
export interface KeptMeasure extends Measure {
  Id: number
  Name: string
  Alternative: string
  FewestShown: number
  IsPublished: boolean
  Entered: YearTotals[]
}

export const listMeasures = async (db: Db, programId: number): Promise<KeptMeasure[]> => {
  const [measures, years] = await Promise.all([
    db
      .selectFrom('outcome_measure')
      .select(['id as Id', 'name as Name', 'kind as Kind', 'success as Success', 'population as Population'])
      .select(['within_months as WithinMonths', 'years as Years', 'target as Target'])
      .select(sql<number | null>`threshold::double precision`.as('Threshold'))
      .select(['alternative as Alternative', 'fewest_shown as FewestShown', 'is_published as IsPublished'])
      .where('program_id', '=', programId)
      .orderBy('position')
      .orderBy('id')
      .execute() as Promise<Omit<KeptMeasure, 'Entered'>[]>,
    db
      .selectFrom('outcome_year')
      .select(['measure_id', 'year as Year', 'numerator as Numerator', 'denominator as Denominator'])
      .select(sql<number | null>`mean::double precision`.as('Mean'))
      .where('program_id', '=', programId)
      .orderBy('year', 'desc')
      .execute(),
  ])
  const entered = Map.groupBy(years, ({ measure_id }) => measure_id)
  return measures.map((measure) => ({
    ...measure,
    Entered: (entered.get(measure.Id) ?? []).map(({ measure_id: _, ...totals }) => totals),
  }))
}

/** By what the program counts placement: its own measure, or else that of JRCERT. */
export const findPlacementMeasure = async (db: Db, programId: number): Promise<Measure> =>
  (await listMeasures(db, programId)).find(({ Kind }) => Kind === 'placement') ?? usualPlacement

const usualPlacement: Measure = {
  Kind: 'placement',
  Success: 'field',
  Population: 'available',
  WithinMonths: 12,
  Years: 5,
  Target: 'threshold',
  Threshold: 75,
}

/** What the measures ask of everybody who entered the program. */
export const listFacts = async (
  db: Db,
  programId: number,
): Promise<(GraduateFacts & { Name: string; Cohort: string })[]> =>
  db
    .selectFrom('graduate')
    .select(sql<string>`listed_name(last_name, first_name)`.as('Name'))
    .select('cohort as Cohort')
    .select(['entered_on as EnteredOn', 'graduated_on as GraduatedOn', 'withdrew_on as WithdrewOn'])
    .select(['withdrawal_reason as WithdrawalReason', 'first_attempt_on as FirstAttemptOn'])
    .select(['first_attempt_result as FirstAttemptResult', 'passed_on as PassedOn'])
    .select(['high_cut_on as HighCutOn', 'placement as Placement', 'started_work_on as StartedWorkOn'])
    .where('program_id', '=', programId)
    .where('deleted_at', 'is', null)
    // The columns of choices are text to the database.
    .execute() as Promise<(GraduateFacts & { Name: string; Cohort: string })[]>

export const getPublication = async (
  db: Db,
  programId: number,
): Promise<{ IsPublic: boolean; Introduction: string }> =>
  (await db
    .selectFrom('published_outcomes')
    .select(['is_public as IsPublic', 'introduction as Introduction'])
    .where('program_id', '=', programId)
    .executeTakeFirst()) ?? { IsPublic: false, Introduction: '' }

/** One change of the measures at a time in a program. */
export const awaitMeasures = async (db: Db, programId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`measures:${programId}`}, 0))`.execute(db)
}
