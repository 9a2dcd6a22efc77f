import { Button } from '@mantine/core'
import { useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { DateField } from '../form/DateField.tsx'
import type { DatePreset, DateRange } from './date-range.ts'
import classes from './filters.module.css'

type DateRangePanelProps = {
  name: string
  value: DateRange
  presets: readonly DatePreset[]
  onChoose: (range: DateRange) => void
}

/** Two typed dates and ready ranges; made anew each time the chip opens. */
export function DateRangePanel({ name, value, presets, onChoose }: DateRangePanelProps) {
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
