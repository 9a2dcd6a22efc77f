/** The calendar day it is now in a zone, 'YYYY-MM-DD'. */
export const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
