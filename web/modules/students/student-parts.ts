/** The parts of a student's record, as its address names them. */
export type Part =
  | 'overview'
  | 'schedule'
  | 'records'
  | 'evaluations'
  | 'requirements'
  | 'notes'
  | 'emails'
  | 'changes'
