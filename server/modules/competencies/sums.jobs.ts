import { sumCheck } from '#server/core/runtime/sum-check.ts'
import { competencySums, procedureSums } from './competency-sums.commands.ts'

/** Proves the stored sums of logged procedures every night. */
export const checkProcedureSums = sumCheck(procedureSums, {
  name: 'competencies:check-sums',
  cron: '55 7 * * *',
})

/** Proves every night how students are doing on their lists. */
export const checkCompetencySums = sumCheck(competencySums, {
  name: 'competencies:check-standing',
  cron: '10 8 * * *',
})

export const competencyJobs = [checkProcedureSums, checkCompetencySums]
