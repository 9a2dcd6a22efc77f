import type { ExamResult, Placement, WithdrawalReason } from '#contract/graduates/measures-rules.ts'

/** Choices as files show them and imports take them. */

export const resultNames: Record<ExamResult, string> = {
  passed: 'Passed',
  failed: 'Failed',
  high: 'High cut',
}

export const reasonNames: Record<WithdrawalReason, string> = {
  academic: 'Academic',
  medical: 'Medical',
  family: 'Family',
  financial: 'Financial',
  military: 'Military',
  relocation: 'Relocation',
  changedField: 'Changed field',
  otherReason: 'Other',
}

export const placementNames: Record<Placement, string> = {
  field: 'Employed in the field',
  otherField: 'Employed in another field',
  seeking: 'Looking for work',
  education: 'Continuing education',
  military: 'Active military duty',
  unreachable: 'Not reachable',
  notMoving: 'Not willing to move',
  termsRefused: 'Refused pay or hours',
}
