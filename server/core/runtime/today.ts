/** The calendar day it is now in a zone, 'YYYY-MM-DD'. */
export const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())

/** Now, or another moment, as a person there writes it: 'mm/dd/yyyy hh:mm'. */
export const momentIn = (timeZone: string, moment = new Date()): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(moment)
    .replace(',', '')
