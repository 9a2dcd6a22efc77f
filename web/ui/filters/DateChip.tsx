import { Popover } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../dates.ts'
import { DateField } from '../form/DateField.tsx'
import { ChipTarget } from './Chip.tsx'

export type DateChipProps = {
  name: string
  value: string | null
  onChange: (date: string | null) => void
  none: string
}

/** A filter by one date, typed or picked. */
export function DateChip({ name, value, onChange, none }: DateChipProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={260} trapFocus returnFocus>
      <Popover.Target>
        <ChipTarget
          name={name}
          value={value ? formatDate(value) : none}
          isSet={value !== null}
          onClear={() => onChange(null)}
          onOpen={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={name}>
        <DateField isInPopover name={`chip-${name}`} label={name} value={value} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}
