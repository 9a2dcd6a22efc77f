/** The parts of a student's record, as its address names them. */
export type Part =
  | 'overview'
  | 'progress'
  | 'schedule'
  | 'records'
  | 'evaluations'
  | 'competencies'
  | 'requirements'
  | 'notes'
  | 'emails'
  | 'changes'
