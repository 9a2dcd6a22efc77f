import type { ReactNode } from 'react'
import classes from './SegmentedCounts.module.css'
import { type Status, StatusIcon } from './StatusTag.tsx'

export type CountedSegment<Value extends string> = {
  value: Value
  label: string
  count?: number | string
  /** Gives icon and tint. */
  status?: Status
  icon?: ReactNode
}

export type SegmentedCountsProps<Value extends string> = {
  label: string
  segments: CountedSegment<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** 30 px high, beside other small controls. */
  isSmall?: boolean
}

/** One of several parts of a list, each with its count. Arrow keys move, as in any group of radio buttons. */
export function SegmentedCounts<Value extends string>(props: SegmentedCountsProps<Value>) {
  const { label, segments, value, onChange, isSmall } = props
  return (
    <div role="radiogroup" aria-label={label} className={classes.group} data-small={isSmall || undefined}>
      {segments.map((segment) => (
        <label
          key={segment.value}
          className={classes.segment}
          data-on={segment.value === value || undefined}
          data-status={segment.status}
        >
          <input
            type="radio"
            className="p-sr-only"
            name={label}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          {segment.icon ?? (segment.status && <StatusIcon status={segment.status} size={17} />)}
          {segment.label}
          {segment.count !== undefined && <b>{segment.count}</b>}
        </label>
      ))}
    </div>
  )
}
