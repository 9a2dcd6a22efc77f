import { sumCheck } from '#server/core/runtime/sum-check.ts'
import { evaluationSums } from './evaluation-sums.commands.ts'

/** Proves the stored results of evaluations every night. */
export const checkEvaluationSums = sumCheck(evaluationSums, {
  name: 'evaluations:check-sums',
  cron: '40 7 * * *',
})
