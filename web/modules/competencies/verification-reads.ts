import { countWaiting, listProcedureLogs, listWaitingDays } from '#contract/competencies/log-verification.ts'
import { getInboxItems } from '#contract/inbox/inbox.ts'

/** What a verification makes old. */
export const verificationReads = [listWaitingDays, countWaiting, listProcedureLogs, getInboxItems]
