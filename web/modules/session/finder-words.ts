import type { WordKey } from '#web/words/plain-words.ts'

/** By which other words the finder knows a page of members, by its path below `/new/`. */
export const ownWords: Readonly<Record<string, WordKey>> = {
  clock: 'finder.clock',
  approve: 'finder.approveOwn',
  schedule: 'finder.schedule',
  'open-shifts': 'finder.openShifts',
  swaps: 'finder.swaps',
  competencies: 'finder.skills',
  requirements: 'finder.requirementsOwn',
  safety: 'finder.safety',
  exams: 'finder.exams',
  'verify-procedures': 'finder.verify',
  evaluate: 'finder.evaluate',
  hours: 'finder.hoursOwn',
  students: 'finder.students',
  documents: 'finder.documentsOwn',
  progress: 'finder.progressOwn',
  'clinical-record': 'finder.recordOwn',
  '': 'finder.homeOwn',
}
