/**
 * Minutes as hours with one decimal, such as '8.5', in every sentence, file and email. Half of a tenth goes away from zero, as on the pages:
 * 6,093 minutes are 101.6, which dividing by 60 and rounding makes 101.5.
 */
export const hoursText = (minutes: number): string => {
  const tenths = Math.round(Math.abs(minutes) / 6)
  return `${minutes < 0 && tenths > 0 ? '-' : ''}${(tenths / 10).toFixed(1)}`
}
