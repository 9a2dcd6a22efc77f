const hourMs = 3_600_000

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
const offsetAt = (moment: number, zone: string): number => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(moment)
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? ''
  const wall = Date.parse(
    `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:00Z`,
  )
  return wall - Math.floor(moment / 60_000) * 60_000
}

/**
 * Whether the clocks of a zone show a time twice on a day, because they go back.
 *
 * @param date 'YYYY-MM-DD'
 * @param time 'HH:MM'
 */
export const comesTwice = (date: string, time: string, zone: string): boolean => {
  const wall = Date.parse(`${date}T${time}:00Z`)
  if (Number.isNaN(wall)) return false
  // What the clocks are ahead before and after any change of this time.
  const [before, after] = [offsetAt(wall - 26 * hourMs, zone), offsetAt(wall + 26 * hourMs, zone)]
  return before > after && offsetAt(wall - before, zone) === before && offsetAt(wall - after, zone) === after
}
