/** What is told about employees is at the bottom for four seconds. */
export const employeeManner = { place: 'bottom-center', duration: 4000, limit: 1 } as const
