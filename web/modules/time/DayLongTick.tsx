import { addDays } from '#contract/core/calendar.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import type { FieldProps } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'

/** Asks of hours that end at the time at which they begin whether they last 24; shows nothing for any other. */
export function DayLongTick(props: FieldProps<boolean> & { time: string | null; endTime: string | null }) {
  const { time, endTime, ...field } = props
  const words = useWords()
  return time !== null && time === endTime ? (
    <CheckField label={words('time.endsNextDay')} {...field} />
  ) : null
}

/** What the tick says to the server, where it was to be made. */
export const dayAfterOf = (values: {
  Date: string | null
  Time: string | null
  EndTime: string | null
  IsDayLong: boolean
}): { EndDate?: string } =>
  values.IsDayLong && values.Date && values.Time === values.EndTime
    ? { EndDate: addDays(values.Date, 1) }
    : {}
