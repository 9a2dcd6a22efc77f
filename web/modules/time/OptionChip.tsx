import type { OptionKind } from '#contract/scheduling.ts'
import { useSchedulingOptions } from '#web/api/use-scheduling-options.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'

/** A filter by one rotation, student, area or site. */
export function OptionChip(props: {
  kind: OptionKind
  name: string
  value: number | null
  onChange: (id: number | null) => void
}) {
  const { kind, name, value, onChange } = props
  return (
    <SelectChip
      name={name}
      {...useSchedulingOptions(kind, value === null ? [] : [value])}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}

/** A filter by several student levels. */
export function LevelsChip(props: { name: string; value: number[]; onChange: (ids: number[]) => void }) {
  const { name, value, onChange } = props
  return (
    <SelectChip
      multi
      name={name}
      {...useSchedulingOptions('level', value)}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number).toSorted((one, other) => one - other))}
    />
  )
}
