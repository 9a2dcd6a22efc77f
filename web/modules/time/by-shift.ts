import type { ByShift } from './use-deciding.tsx'

/** Supervisors approve shifts, and are told of shifts. */
export const byShift: ByShift = {
  approved: 'time.approvedShifts',
  rejected: 'time.rejectedShift',
  undone: 'time.shiftsUndone',
}
