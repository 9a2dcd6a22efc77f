import type { ChangeKind, ChangeState, GivenShift } from '#contract/shift-changes/shift-changes.ts'
import { formatDay } from '#web/ui/dates.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'

export const kindWords: Readonly<Record<ChangeKind, WordKey>> = {
  cover: 'shiftChanges.kindCover',
  swap: 'shiftChanges.kindSwap',
  drop: 'shiftChanges.kindDrop',
}

export const stateTags: Readonly<Record<ChangeState, { status: Status; word: WordKey }>> = {
  open: { status: 'review', word: 'shiftChanges.stateLooking' },
  pending: { status: 'pending', word: 'shiftChanges.statePending' },
  done: { status: 'approved', word: 'shiftChanges.stateDone' },
  declined: { status: 'rejected', word: 'shiftChanges.stateDeclined' },
  canceled: { status: 'unmatched', word: 'shiftChanges.stateCanceled' },
  failed: { status: 'rejected', word: 'shiftChanges.stateFailed' },
  expired: { status: 'unmatched', word: 'shiftChanges.stateExpired' },
}

/** 'Mon 12/03, 07:00–15:30, Harbor General' */
export const shiftText = (shift: Pick<GivenShift, 'Date' | 'StartTime' | 'EndTime' | 'Site'>): string =>
  `${formatDay(shift.Date)}, ${shift.StartTime}–${shift.EndTime}, ${shift.Site}`

/** `Sample, Ada` as `Ada Sample`. */
export const spoken = (name: string | null): string => (name ?? '').split(', ').toReversed().join(' ')
