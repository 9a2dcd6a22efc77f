/** The message about employees is at the bottom for four seconds. */
export const employeeToasts = { place: 'bottom-center', duration: 4000, limit: 1 } as const
