import { sumCheck } from '#server/core/runtime/sum-check.ts'

/** Proves the stored sums of logged procedures every night. */
export const checkProcedureSums = sumCheck('procedure', {
  name: 'competencies:check-sums',
  cron: '55 7 * * *',
})
