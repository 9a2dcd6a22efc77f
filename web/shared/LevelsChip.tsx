import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'

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
