const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  return format
}

const instants = new Map<string, string>()

/** The moment of a wall-clock time in a zone. Cached: whole programs share the same few shifts. */
export const instantOf = (date: string, time: string, timeZone: string): string => {
  const key = `${date} ${time} ${timeZone}`
  const known = instants.get(key)
  if (known) return known
  const wanted = Date.parse(`${date}T${time}:00Z`)
  let moment = wanted
  for (let round = 0; round < 2; round++) {
    const parts = Object.fromEntries(
      formatOf(timeZone)
        .formatToParts(moment)
        .map(({ type, value }) => [type, value]),
    )
    const shown = Date.parse(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:00Z`)
    moment += wanted - shown
  }
  const instant = new Date(moment).toISOString()
  instants.set(key, instant)
  return instant
}
