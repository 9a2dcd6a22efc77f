import { countWaiting, listProcedureLogs, listWaitingDays } from '#contract/competencies/log-verification.ts'

/** What a verification makes old. */
export const verificationReads = [listWaitingDays, countWaiting, listProcedureLogs]
