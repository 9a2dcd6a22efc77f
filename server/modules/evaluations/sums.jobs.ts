import { sumCheck } from '#server/core/runtime/sum-check.ts'

/** Proves the stored results of evaluations every night. */
export const checkEvaluationSums = sumCheck('evaluation', {
  name: 'evaluations:check-sums',
  cron: '40 7 * * *',
})
