import type { TimeRecord, TimeShift } from '#contract/time/time-records.ts'
import { formatDay } from '#web/ui/dates.ts'
import type { Words } from '#web/words/plain-words.ts'
import { timeText, typeName } from './record-words.tsx'

/** A shift is named by the record that its hours belong to: the last one. */
export const keyOf = ({ Records }: Pick<TimeShift, 'Records'>): number => Records.at(-1)!.Id

/** Whether all of a shift that waits can be approved. */
export const isShiftReady = ({ Insight }: Pick<TimeShift, 'Insight'>): boolean => Insight !== 'u'

type Told = Pick<TimeRecord, 'Type' | 'Date' | 'Time' | 'EndTime' | 'OffsetMinutes'>

/** 'Thu 11/19 · 06:58–15:30'; over midnight 'Thu 11/19 → Fri 11/20 · 23:06–07:23'; '?' for a half that is missing. */
export const shiftSpan = (words: Words, { Records }: { Records: readonly Told[] }): string => {
  const [first] = Records
  const last = Records.at(-1)!
  if (!first) return ''
  if (first.Type !== 'in' && first.Type !== 'out')
    return `${formatDay(first.Date)} · ${typeName(words, first.Type)} ${timeText(first)}`
  const begin = first.Type === 'in' ? first : undefined
  const end = last.Type === 'out' ? last : undefined
  const day = formatDay(first.Date)
  const days = begin && end && begin.Date !== end.Date ? `${day} → ${formatDay(end.Date)}` : day
  return `${days} · ${begin?.Time ?? '?'}–${end?.Time ?? '?'}`
}

/** 'Okafor, Amara, Wed 11/18 · 14:58–23:21' */
export const shiftName = (words: Words, shift: Pick<TimeShift, 'Records'>): string =>
  `${shift.Records[0]!.Student}, ${shiftSpan(words, shift)}`
