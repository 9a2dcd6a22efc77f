import { plainWords } from '#web/words/plain-words.ts'
import { formatDate } from '../dates.ts'
import { later } from '../later.tsx'
import type { DatePreset, DateRange } from './date-range.ts'
import { PanelChip } from './PanelChip.tsx'

export type DateRangeChipProps = {
  name: string
  /** Says its name with the dates too, where another chip has dates. */
  keepsName?: boolean
  value: DateRange
  onChange: (value: DateRange) => void
  none?: string
  /** Ready ranges: "This week". */
  presets?: DatePreset[]
}

/** The calendar is among the largest parts of a list, and most people never open it. */
const DateRangePanel = later(() => import('./DateRangePanel.tsx').then((m) => m.DateRangePanel))

function wordsOf(value: DateRange, none: string): string {
  if (value.from && value.to) return `${formatDate(value.from)} – ${formatDate(value.to)}`
  if (value.from) return plainWords('ui.fromDate', { date: formatDate(value.from) })
  if (value.to) return plainWords('ui.toDate', { date: formatDate(value.to) })
  return none
}

/** A filter by dates: two typed dates and ready ranges. */
export function DateRangeChip({
  name,
  keepsName = false,
  value,
  onChange,
  none = plainWords('ui.anyTime'),
  presets = [],
}: DateRangeChipProps) {
  const isSet = Boolean(value.from || value.to)
  const chip = {
    name: isSet && !keepsName ? '' : name,
    value: wordsOf(value, none),
    isSet,
    onClear: () => onChange({ from: null, to: null }),
  }
  return <PanelChip chip={chip} panel={DateRangePanel} props={{ chip, name, value, presets, onChange }} />
}
