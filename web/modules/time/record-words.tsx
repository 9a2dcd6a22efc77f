import {
  IconAlertTriangle,
  IconCalendarOff,
  IconCalendarX,
  IconClockExclamation,
  IconClockPause,
  IconEdit,
  IconHourglassHigh,
  IconLogin2,
  IconLogout,
  IconMapPinOff,
  IconMessage2,
  IconPlaneInflight,
  IconRefresh,
  IconStack2,
  IconUserEdit,
  IconWifiOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDistance } from '#contract/sites/distance.ts'
import { type Doubt, type DoubtCode, doubts } from '#contract/time/insight.ts'
import type { TimeKind, TimeRecord, TimeStatus } from '#contract/time/time-records.ts'
import { formatHours } from '#web/ui/dates.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'

const doubtIcons: Record<DoubtCode, typeof IconMapPinOff> = {
  far_away: IconMapPinOff,
  no_assignment: IconCalendarOff,
  change_asked: IconMessage2,
  clock_off: IconClockExclamation,
  impossible_travel: IconPlaneInflight,
  offline: IconWifiOff,
  self_reported: IconUserEdit,
  overlaps: IconStack2,
  too_long: IconHourglassHigh,
  outside_tolerance: IconClockPause,
  poor_accuracy: IconAlertTriangle,
  unknown_network: IconWifiOff,
  no_position: IconMapPinOff,
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
      return words('time.doubtTooLong', { hours: formatHours(Value) })
    case 'poor_accuracy':
      return words('time.doubtAccuracy', { distance: formatDistance(Value) })
    case 'unknown_network':
      return words('time.doubtFarAway', { distance: formatDistance(Value) })
    case 'no_position':
      return words('time.doubtNoPosition')
  }
}

/** Why records are in Careful Review, as a kind without its figures: "Far from site". */
const kindKeys: Partial<Record<DoubtCode, WordKey>> = {
  far_away: 'time.kindFarAway',
  clock_off: 'time.kindClockOff',
  too_long: 'time.kindTooLong',
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

const typeKeys = {
  in: 'time.typeIn',
  out: 'time.typeOut',
  exception: 'time.typeException',
  absence: 'time.typeAbsence',
  makeup: 'time.typeMakeup',
} as const satisfies Record<TimeKind, WordKey>
const statusKeys = {
  pending: 'time.pending',
  approved: 'time.approved',
  rejected: 'time.rejected',
} as const satisfies Record<TimeStatus, WordKey>
export const statusName = (words: Words, status: TimeStatus): string => words(statusKeys[status])

export const typeName = (words: Words, type: TimeKind): string => words(typeKeys[type])

const typeIcons: Record<TimeKind, typeof IconLogin2> = {
  in: IconLogin2,
  out: IconLogout,
  exception: IconEdit,
  absence: IconCalendarX,
  makeup: IconRefresh,
}
export const typeIcon = (type: TimeKind, size = 16): ReactNode => {
  const Icon = typeIcons[type]
  return <Icon size={size} stroke={1.75} aria-hidden />
}

const shiftKeys = {
  day: 'time.shiftDay',
  evening: 'time.shiftEvening',
  night: 'time.shiftNight',
  weekend: 'time.shiftWeekend',
  other: 'time.shiftOther',
} as const satisfies Record<string, WordKey>
export const shiftTypeName = (words: Words, type: keyof typeof shiftKeys): string => words(shiftKeys[type])

const minutesText = (words: Words, minutes: number, type: TimeKind | undefined): string =>
  words(
    type === 'out'
      ? minutes > 0
        ? 'time.leftLate'
        : 'time.leftEarly'
      : minutes > 0
        ? 'time.minutesLate'
        : 'time.minutesEarly',
    { count: Math.abs(minutes) },
  )

type Timed = Pick<TimeRecord, 'Type' | 'Time' | 'EndTime' | 'OffsetMinutes'>

/** '06:58', for reported hours '07:00–15:30'. */
export const timeText = ({ Type, Time, EndTime }: Timed): string =>
  Type !== 'in' && Type !== 'out' && EndTime ? `${Time}–${EndTime}` : Time

/** 'on time', '38 min early', of a clock-out 'left 4 min late'; '' without a shift. */
export const offsetText = (words: Words, { OffsetMinutes, Type }: Timed): string =>
  OffsetMinutes === null
    ? ''
    : Math.abs(OffsetMinutes) <= 3
      ? words('time.onTime')
      : minutesText(words, OffsetMinutes, Type)

/** 'inside, ±46 ft', '4.2 mi away', 'no position'. */
export const placeText = (
  words: Words,
  { Distance, Accuracy, IsInside }: Pick<TimeRecord, 'Distance' | 'Accuracy' | 'IsInside'>,
): string =>
  Distance === null
    ? words('time.noPosition')
    : IsInside
      ? Accuracy === null
        ? words('time.insideOnly')
        : words('time.inside', { distance: formatDistance(Accuracy) })
      : words('time.away', { distance: formatDistance(Distance) })

/** How long ago a moment was, roughly: '42 min ago', 'yesterday', '3 days ago'. */
export const agoText = (words: Words, instant: string, now = Date.now()): string => {
  const minutes = Math.max(0, Math.round((now - Date.parse(instant)) / 60_000))
  if (minutes < 60) return words('time.minutesAgo', { count: minutes })
  const hours = Math.round(minutes / 60)
  if (hours < 18) return words('time.hoursAgo', { count: hours })
  const days = Math.max(1, Math.round(hours / 24))
  return days === 1 ? words('time.yesterday') : words('time.daysAgo', { count: days })
}
