import { IconCalendarX, IconEdit, IconLogin2, IconLogout, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDistance } from '#contract/sites/distance.ts'
import { lateAfterMinutes } from '#contract/time/insight.ts'
import { isTakenBack, type TimeKind, type TimeRecord, type TimeStatus } from '#contract/time/time-records.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'

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

export type Decided = Pick<TimeRecord, 'Status' | 'Reasons' | 'TimeChangeRequest'>

/** How a record stands, told to its student or to staff: what a student took back is not called rejected. */
export const standing = (words: Words, record: Decided, isOwn = false): string =>
  isTakenBack(record)
    ? words(isOwn ? 'time.takenBackByYou' : 'time.reportTakenBack')
    : statusName(words, record.Status)

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

/** '4 min late', of a clock-out 'left 4 min late'. */
export const minutesText = (words: Words, minutes: number, type: TimeKind | undefined): string =>
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
    : Math.abs(OffsetMinutes) <= lateAfterMinutes
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
