import type { StoredSums } from './core/runtime/sum-check.ts'
import { competencySums, procedureSums } from './modules/competencies/competency-sums.commands.ts'
import { evaluationSums } from './modules/evaluations/evaluation-sums.commands.ts'
import { verificationSums } from './modules/requirements/verification-sums.commands.ts'
import { timeSums } from './modules/time/time-sums.commands.ts'

/** All sums that are kept of records: each is proved every night by a job of its domain, and recounted by `npm run admin -- recount`. */
export const storedSums: readonly StoredSums[] = [
  timeSums,
  evaluationSums,
  verificationSums,
  procedureSums,
  competencySums,
]
