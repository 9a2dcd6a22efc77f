import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCalendarOff,
  IconClockExclamation,
  IconClockPause,
  IconLink,
  IconMapPinOff,
  IconMessage2,
  IconPlaneInflight,
  IconStack2,
  IconUserEdit,
  IconWifiOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDistance } from '#contract/sites/distance.ts'
import { type Doubt, type DoubtCode, doubts } from '#contract/time/insight.ts'
import type { TimeChange, TimeKind } from '#contract/time/time-records.ts'
import { formatDate } from '#web/ui/dates.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { minutesText } from './record-words.tsx'

const doubtIcons: Record<DoubtCode, typeof IconMapPinOff> = {
  far_away: IconMapPinOff,
  no_assignment: IconCalendarOff,
  change_asked: IconMessage2,
  clock_off: IconClockExclamation,
  impossible_travel: IconPlaneInflight,
  offline: IconWifiOff,
  self_reported: IconUserEdit,
  overlaps: IconStack2,
  too_long: IconClockExclamation,
  outside_tolerance: IconClockPause,
  poor_accuracy: IconAlertTriangle,
  unknown_network: IconWifiOff,
  no_position: IconMapPinOff,
  by_staff: IconUserEdit,
  other_half: IconLink,
  taken_back: IconArrowBackUp,
}

/** A doubt as people read it, such as "4.2 mi from site"; a clock-out is not late but left late. */
export const doubtText = (words: Words, { Code, Value = 0 }: Doubt, type?: TimeKind): string => {
  switch (Code) {
    case 'far_away':
      return words('time.doubtFarAway', { distance: formatDistance(Value) })
    case 'no_assignment':
      return words('time.doubtNoAssignment')
    case 'change_asked':
      return words('time.doubtChangeAsked')
    case 'clock_off':
      return words('time.doubtClockOff', { count: Value })
    case 'impossible_travel':
      return words('time.doubtTravel')
    case 'offline':
      return words('time.doubtOffline')
    case 'self_reported':
      return words('time.doubtSelfReported')
    case 'outside_tolerance':
      return minutesText(words, Value, type)
    case 'overlaps':
      return words('time.doubtOverlaps')
    case 'too_long':
      return words('time.doubtTooLong')
    case 'poor_accuracy':
      return words('time.doubtAccuracy', { distance: formatDistance(Value) })
    case 'unknown_network':
      return words('time.doubtFarAway', { distance: formatDistance(Value) })
    case 'no_position':
      return words('time.doubtNoPosition')
    case 'by_staff':
      return words('time.doubtByStaff')
    case 'other_half':
      return words(type === 'out' ? 'time.doubtClockIn' : 'time.doubtClockOut')
    case 'taken_back':
      return words(
        type === undefined || type === 'in' || type === 'out'
          ? 'time.doubtTakenBack'
          : 'time.reportTakenBack',
      )
  }
}

/** Why records are not clean, as a kind without its figures: "Far from site". */
const kindKeys: Partial<Record<DoubtCode, WordKey>> = {
  far_away: 'time.kindFarAway',
  clock_off: 'time.kindClockOff',
  outside_tolerance: 'time.kindOutside',
  poor_accuracy: 'time.kindAccuracy',
  unknown_network: 'time.kindNear',
  other_half: 'time.kindOtherHalf',
}
export const doubtKind = (words: Words, code: DoubtCode): string => {
  const key = kindKeys[code]
  return key ? words(key) : doubtText(words, { Code: code })
}

export const doubtStatus = ({ Code }: Doubt): Status => (doubts[Code].isGrave ? 'careful' : 'review')

export const doubtIcon = ({ Code }: Doubt, size = 14): ReactNode => {
  const Icon = doubtIcons[Code]
  return <Icon size={size} stroke={2} aria-hidden />
}

/** The gravest doubts first. */
export const sortDoubts = (reasons: readonly Doubt[]): Doubt[] =>
  reasons.toSorted((one, other) => Number(doubts[other.Code].isGrave) - Number(doubts[one.Code].isGrave))

/** What a student asks for: another time, or that the clock-in be taken back. */
export const changeText = (words: Words, change: TimeChange): string =>
  change.IsRemoval
    ? words('time.asksRemoval')
    : `${change.WasTime} → ${change.Date === change.WasDate ? '' : `${formatDate(change.Date)} `}${change.Time}`
