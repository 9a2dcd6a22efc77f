import type { ListedStudent, PlacementList } from '#contract/placement-lists/placement-lists.ts'
import { formatDate } from '#web/ui/dates.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'

/** How a list is marked: what needs a look comes before what is done. */
export const tagOf = ({ State, IsLate, Declined }: PlacementList): { status: Status; word: WordKey } => {
  if (State === 'withdrawn') return { status: 'unmatched', word: 'placementLists.stateWithdrawn' }
  if (State === 'answered')
    return Declined > 0
      ? { status: 'rejected', word: 'placementLists.stateDeclined' }
      : { status: 'approved', word: 'placementLists.stateAnswered' }
  return IsLate
    ? { status: 'careful', word: 'placementLists.stateLate' }
    : { status: 'pending', word: 'placementLists.stateWaiting' }
}

/** '5 confirmed, 1 declined, 2 waiting', without what is zero. */
export const answersText = ({ Students, Confirmed, Declined }: PlacementList, words: Words): string =>
  (
    [
      ['placementLists.confirmedCount', Confirmed],
      ['placementLists.declinedCount', Declined],
      ['placementLists.waitingCount', Students - Confirmed - Declined],
    ] as const
  )
    .filter(([, count]) => count > 0)
    .map(([key, count]) => words(key, { count }))
    .join(', ')

/** '08/24/2026–12/11/2026 · 12 shifts' */
export const periodOf = ({ FirstDate, LastDate, Shifts }: ListedStudent, words: Words): string =>
  words('placementLists.period', {
    dates:
      FirstDate === LastDate ? formatDate(FirstDate) : `${formatDate(FirstDate)}–${formatDate(LastDate)}`,
    shifts: words('placementLists.shifts', { count: Shifts }),
  })
