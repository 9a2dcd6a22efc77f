import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'

/** One of the program's sites. */
export function SiteField(props: {
  label: string
  value: string | null
  onChange: (value: string | null) => void
}) {
  const { label, value, onChange } = props
  const sites = useSchedulingOptions('site', [value === null ? null : Number(value)])
  return (
    <SelectField
      label={label}
      name="SiteId"
      required
      search={sites.search}
      chosenLabel={value === null ? undefined : sites.chosenLabels[value]}
      value={value}
      onChange={onChange}
    />
  )
}
