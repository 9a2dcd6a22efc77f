import { Button } from '@mantine/core'
import { useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { DateField } from '../form/DateField.tsx'
import type { ChipContent } from './Chip.tsx'
import { ChipPanel } from './ChipPanel.tsx'
import type { DatePreset, DateRange } from './date-range.ts'
import classes from './filters.module.css'

type RangeProps = {
  name: string
  value: DateRange
  presets: readonly DatePreset[]
  onChoose: (range: DateRange) => void
}

type DateRangePanelProps = Omit<RangeProps, 'onChoose'> & {
  chip: ChipContent
  onChange: (value: DateRange) => void
}

/** A chip with two typed dates and ready ranges. */
export function DateRangePanel({ chip, onChange, ...range }: DateRangePanelProps) {
  return (
    <ChipPanel chip={chip} label={range.name} width={300}>
      {(close) => (
        <div className={classes.range} data-autofocus tabIndex={-1}>
          <Range
            {...range}
            onChoose={(chosen) => {
              onChange(chosen)
              close()
            }}
          />
        </div>
      )}
    </ChipPanel>
  )
}

/** Made anew each time the chip opens. */
function Range({ name, value, presets, onChoose }: RangeProps) {
  const [draft, setDraft] = useState(value)
  const isBackwards = Boolean(draft.from && draft.to && draft.from > draft.to)
  return (
    <>
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
            <Button key={preset.label} variant="default" size="xs" onClick={() => onChoose(preset.range)}>
              {preset.label}
            </Button>
          ))}
        </div>
      )}
      <Button size="xs" disabled={isBackwards} onClick={() => onChoose(draft)}>
        {plainWords('ui.showDates')}
      </Button>
    </>
  )
}
