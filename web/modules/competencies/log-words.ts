import type { LogState } from '#contract/competencies/log-rules.ts'
import type { OwnEntry } from '#contract/competencies/procedure-logs.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'

export const stateTags: Readonly<Record<LogState, { status: Status; word: WordKey }>> = {
  submitted: { status: 'pending', word: 'procedureLog.waiting' },
  verified: { status: 'approved', word: 'procedureLog.verified' },
  returned: { status: 'rejected', word: 'procedureLog.returnedState' },
}

const participations: Readonly<Record<string, WordKey>> = {
  observed: 'procedureLog.observed',
  assisted: 'procedureLog.assisted',
  performed: 'procedureLog.performed',
}

/** A participation as its program names it; the usual names are said in the language of whoever reads them. */
export const participationName = (words: Words, name: string): string => {
  const key = participations[name.toLowerCase()]
  return key ? words(key) : name
}

/** How an entry was done: participation, patient, repeats, pathology, shift. */
export const entryLine = (words: Words, entry: OwnEntry): string =>
  [
    entry.Level && participationName(words, entry.Level),
    entry.Patient !== 'adult' && words(`procedureLog.${entry.Patient}`),
    entry.Repeats > 0 && words('procedureLog.repeatOf', { count: entry.Repeats, reason: entry.RepeatReason }),
    entry.Radiographer !== '' && words('procedureLog.present', { name: entry.Radiographer }),
    entry.Pathology ?? entry.OtherPathology,
    !entry.HasShift && words('procedureLog.noShift'),
  ]
    .filter(Boolean)
    .join(' · ')
