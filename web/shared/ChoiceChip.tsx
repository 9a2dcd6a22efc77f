import type { OptionKind } from '#contract/scheduling/scheduling-options.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'

export type ChoiceChipProps = {
  kind: OptionKind
  name: string
  value: number | null
  onChange: (id: number | null) => void
  /** Without ×: one always counts. */
  fixed?: boolean
  none?: string
}

/** A filter by one rotation, student, level, area, site or shift. */
export function ChoiceChip({ kind, name, value, onChange, fixed, none }: ChoiceChipProps) {
  const { search, chosenLabels } = useSchedulingOptions(kind, [value])
  return (
    <SelectChip
      name={name}
      search={search}
      chosenLabels={chosenLabels}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      {...(fixed && { fixed })}
      {...(none && { none })}
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
