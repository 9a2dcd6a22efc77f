/** What is told about employees is at the bottom for four seconds (D3-322). */
export const employeeManner = { place: 'bottom-center', duration: 4000, limit: 1 } as const
