import { formatDate } from '../dates.ts'
import { later } from '../later.tsx'
import { PanelChip } from './PanelChip.tsx'

export type DateChipProps = {
  name: string
  value: string | null
  onChange: (date: string | null) => void
  none: string
}

const DatePanel = later(() => import('./DatePanel.tsx').then((m) => m.DatePanel))

/** A filter by one date, typed or picked. */
export function DateChip({ name, value, onChange, none }: DateChipProps) {
  const chip = {
    name,
    value: value ? formatDate(value) : none,
    isSet: value !== null,
    onClear: () => onChange(null),
  }
  return <PanelChip chip={chip} panel={DatePanel} props={{ chip, name, value, onChange }} />
}
