import { getInboxItems } from '#contract/inbox/inbox.ts'
import { listDecided, listDecisions } from '#contract/time/approvals.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import { listMissedTimeRecords } from '#contract/time/missed-shifts.ts'
import {
  countTimeRecords,
  getTimeRecord,
  listPendingShifts,
  listTimeRecords,
} from '#contract/time/time-records.ts'

/** Everything that shows records; read again after each change. */
export const recordReads = [
  listTimeRecords,
  listPendingShifts,
  countTimeRecords,
  getTimeRecord,
  listMissedTimeRecords,
  getHoursSummary,
  getInboxItems,
  listDecisions,
  listDecided,
] as const
