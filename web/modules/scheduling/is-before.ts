/** Whether a typed date is before another; false while one of them is missing. For rules, whose value has no type. */
export const isBefore = (date: unknown, other: string | null): boolean =>
  typeof date === 'string' && other !== null && date < other
