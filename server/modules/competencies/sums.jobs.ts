import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'
import { sumCheck } from '#server/core/runtime/sum-check.ts'
import { competencySums, procedureSums } from './competency-sums.commands.ts'

/** Folds what changes have added to where procedures were logged. It is right before it, too. */
export const foldProcedureSums = job({
  name: 'competencies:fold-sums',
  payload: z.object({}).loose(),
  cron: '*/5 * * * *',
  work: async (_payload, { pool }) => {
    await pool.query('select fold_procedure_sums()')
  },
})

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

export const competencyJobs = [foldProcedureSums, checkProcedureSums, checkCompetencySums]
