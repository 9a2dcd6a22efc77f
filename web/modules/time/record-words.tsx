import {
  IconAlertTriangle,
  IconCalendarOff,
  IconCalendarX,
  IconClockExclamation,
  IconClockPause,
  IconEdit,
  IconLogin2,
  IconLogout,
  IconMapPinOff,
  IconMessage2,
  IconPlaneInflight,
  IconRefresh,
  IconUserEdit,
  IconWifiOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Doubt, type DoubtCode, doubts } from '#contract/insight.ts'
import type { TimeKind, TimeRecord } from '#contract/time.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/use-words.ts'

/** Beyond half a mile people here think in miles. */
export const tellDistance = (words: Words, metres: number): string =>
  metres < 800
    ? words('time.metresAway', { metres: Math.round(metres) })
    : words('time.milesAway', { miles: (metres / 1609.344).toFixed(1) })

const bareDistance = (metres: number): string =>
  metres < 800 ? `${Math.round(metres)} m` : `${(metres / 1609.344).toFixed(1)} mi`

const doubtIcons: Record<DoubtCode, typeof IconMapPinOff> = {
  far_away: IconMapPinOff,
  no_assignment: IconCalendarOff,
  change_asked: IconMessage2,
  clock_off: IconClockExclamation,
  impossible_travel: IconPlaneInflight,
  offline: IconWifiOff,
  self_reported: IconUserEdit,
  outside_tolerance: IconClockPause,
  poor_accuracy: IconAlertTriangle,
  unknown_network: IconWifiOff,
  no_position: IconMapPinOff,
}

/** A doubt as people read it, such as "4.2 mi from site". */
export const doubtText = (words: Words, { Code, Value = 0 }: Doubt): string => {
  switch (Code) {
    case 'far_away':
      return words('time.doubtFarAway', { distance: bareDistance(Value) })
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
      return words(Value < 0 ? 'time.doubtEarly' : 'time.doubtLate', { count: Math.abs(Value) })
    case 'poor_accuracy':
      return words('time.doubtAccuracy', { metres: Value })
    case 'unknown_network':
      return words('time.doubtNetwork', { metres: Value })
    case 'no_position':
      return words('time.doubtNoPosition')
  }
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
export const shiftName = (words: Words, type: keyof typeof shiftKeys): string => words(shiftKeys[type])

type Timed = Pick<TimeRecord, 'Type' | 'Time' | 'EndTime' | 'OffsetMinutes'>

/** '06:58', for reported hours '07:00–15:30'. */
export const timeText = ({ Type, Time, EndTime }: Timed): string =>
  Type !== 'in' && Type !== 'out' && EndTime ? `${Time}–${EndTime}` : Time

/** 'on time', '38 min early', '4 min late'; '' without a shift. */
export const offsetText = (words: Words, { OffsetMinutes }: Timed): string =>
  OffsetMinutes === null
    ? ''
    : Math.abs(OffsetMinutes) <= 3
      ? words('time.onTime')
      : words(OffsetMinutes > 0 ? 'time.minutesLate' : 'time.minutesEarly', {
          count: Math.abs(OffsetMinutes),
        })

/** 'inside, ±14 m', '4.2 mi away', 'no position'. */
export const placeText = (
  words: Words,
  { Distance, Accuracy, IsInside }: Pick<TimeRecord, 'Distance' | 'Accuracy' | 'IsInside'>,
): string =>
  Distance === null
    ? words('time.noPosition')
    : IsInside
      ? Accuracy === null
        ? words('time.insideOnly')
        : words('time.inside', { metres: Accuracy })
      : tellDistance(words, Distance)

/** How long ago a moment was, roughly: '42 min ago', 'yesterday', '3 days ago'. */
export const agoText = (words: Words, instant: string, now = Date.now()): string => {
  const minutes = Math.max(0, Math.round((now - Date.parse(instant)) / 60_000))
  if (minutes < 60) return words('time.minutesAgo', { count: minutes })
  const hours = Math.round(minutes / 60)
  if (hours < 18) return words('time.hoursAgo', { count: hours })
  const days = Math.max(1, Math.round(hours / 24))
  return days === 1 ? words('time.yesterday') : words('time.daysAgo', { count: days })
}
