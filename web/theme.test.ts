import { expect, test } from 'vitest'
import { firstWeekday } from '#contract/core/calendar.ts'
import { theme } from './theme.ts'

test('calendars begin their weeks as everything that counts by weeks does', () => {
  for (const part of ['Calendar', 'DatePicker', 'DatePickerInput', 'DateInput', 'Month'] as const)
    expect(theme.components?.[part]?.defaultProps).toMatchObject({ firstDayOfWeek: firstWeekday })
})
