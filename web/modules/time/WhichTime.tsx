import { comesTwice } from '#contract/time/repeated-time.ts'
import type { LabeledField } from '#web/ui/form/field-parts.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Asks which one is meant of a time that comes twice, because the clocks go back; shows nothing for any other. */
export function WhichTime(
  props: Omit<LabeledField<string | null>, 'label'> & {
    date: string | null
    time: string | null
    zone: string | undefined
  },
) {
  const { date, time, zone, ...field } = props
  const words = useWords()
  if (!date || !time || !zone || !comesTwice(date, time, zone)) return null
  return (
    <SelectField
      {...field}
      label={words('time.whichTime', { time })}
      required
      options={[
        { value: 'first', label: words('time.firstTime') },
        { value: 'second', label: words('time.secondTime') },
      ]}
    />
  )
}

/** What the choice says to the server, where one was to be made. */
export const isSecond = (which: string | null): boolean | undefined =>
  which === null ? undefined : which === 'second'
