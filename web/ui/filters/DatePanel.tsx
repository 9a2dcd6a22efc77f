import { DateField } from '../form/DateField.tsx'
import type { ChipContent } from './Chip.tsx'
import { ChipPanel } from './ChipPanel.tsx'

type DatePanelProps = {
  chip: ChipContent
  name: string
  value: string | null
  onChange: (date: string | null) => void
}

/** A chip with a date to type or pick. */
export function DatePanel({ chip, name, value, onChange }: DatePanelProps) {
  return (
    <ChipPanel chip={chip} label={name} width={260}>
      {() => <DateField isInPopover name={`chip-${name}`} label={name} value={value} onChange={onChange} />}
    </ChipPanel>
  )
}
