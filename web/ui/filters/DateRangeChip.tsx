import { Button, Popover } from '@mantine/core'
import { useState } from 'react'
import { plainWords } from '#web/words/use-words.ts'
import { formatDate } from '../dates.ts'
import { DateField } from '../form/DateField.tsx'
import { ChipTarget } from './Chip.tsx'
import classes from './filters.module.css'

/** Both ends included, 'YYYY-MM-DD'; null is open. */
export type DateRange = { from: string | null; to: string | null }

export type DateRangeChipProps = {
  name: string
  value: DateRange
  onChange: (value: DateRange) => void
  none?: string
  /** Ready ranges: "This week". */
  presets?: { label: string; range: DateRange }[]
}

function wordsOf(value: DateRange, none: string): string {
  if (value.from && value.to) return `${formatDate(value.from)} – ${formatDate(value.to)}`
  if (value.from) return plainWords('ui.fromDate', { date: formatDate(value.from) })
  if (value.to) return plainWords('ui.toDate', { date: formatDate(value.to) })
  return none
}

/** A filter by dates: two typed dates and ready ranges. */
export function DateRangeChip({
  name,
  value,
  onChange,
  none = plainWords('ui.anyTime'),
  presets = [],
}: DateRangeChipProps) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(value)
  const isSet = Boolean(value.from || value.to)
  const isBackwards = Boolean(draft.from && draft.to && draft.from > draft.to)
  const choose = (range: DateRange) => {
    onChange(range)
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={300} trapFocus returnFocus>
      <Popover.Target>
        <ChipTarget
          name={isSet ? '' : name}
          value={wordsOf(value, none)}
          isSet={isSet}
          onClear={() => onChange({ from: null, to: null })}
          onOpen={() => {
            setDraft(value)
            setOpen(!isOpen)
          }}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={name}>
        <div className={classes.range} data-autofocus tabIndex={-1}>
          <DateField
            isInPopover
            name={`${name}-from`}
            label={plainWords('ui.from')}
            value={draft.from}
            onChange={(from) => setDraft((before) => ({ ...before, from }))}
          />
          <DateField
            isInPopover
            name={`${name}-to`}
            label={plainWords('ui.to')}
            value={draft.to}
            onChange={(to) => setDraft((before) => ({ ...before, to }))}
            error={isBackwards ? plainWords('ui.beforeFirst') : undefined}
          />
          {presets.length > 0 && (
            <div className={classes.presets}>
              {presets.map((preset) => (
                <Button key={preset.label} variant="default" size="xs" onClick={() => choose(preset.range)}>
                  {preset.label}
                </Button>
              ))}
            </div>
          )}
          <Button size="xs" disabled={isBackwards} onClick={() => choose(draft)}>
            {plainWords('ui.showDates')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
