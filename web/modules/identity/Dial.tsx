import { useEffect, useState } from 'react'
import { locale } from '#web/words/language.ts'
import classes from './identity.module.css'

/** Shifts of a week, Monday outside: begin and end in hours, and the color of the shift type. */
const week: readonly (readonly [number, number, string][])[] = [
  [
    [5.1, 12.9, 'day'],
    [14.5, 23, 'evening'],
  ],
  [
    [7, 15.3, 'day'],
    [23.4, 6.8, 'night'],
  ],
  [
    [8, 15, 'day'],
    [16, 22.9, 'evening'],
  ],
  [
    [8.2, 11.6, 'other'],
    [13.2, 17.1, 'other'],
    [23, 6.3, 'night'],
  ],
  [
    [7, 15, 'day'],
    [15.8, 23.3, 'evening'],
  ],
  [
    [7.7, 17.7, 'weekend'],
    [23.3, 6.9, 'night'],
  ],
  [[9, 17.1, 'weekend']],
]
const center = 270
const point = (hour: number, radius: number): [number, number] => {
  const angle = (hour / 24) * 2 * Math.PI - Math.PI / 2
  return [center + radius * Math.cos(angle), center + radius * Math.sin(angle)]
}
const arc = (from: number, to: number, radius: number): string => {
  const [x1, y1] = point(from, radius)
  const [x2, y2] = point(to, radius)
  const isLong = (to - from + 24) % 24 > 12 ? 1 : 0
  return `M${x1.toFixed(1)} ${y1.toFixed(1)} A${radius} ${radius} 0 ${isLong} 1 ${x2.toFixed(1)} ${y2.toFixed(1)}`
}

/** A decoration that tells the hour: a week of shifts on a 24-hour dial with the one hand of now. */
export function Dial() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 20_000)
    return () => clearInterval(timer)
  }, [])
  const hour = now.getHours() + now.getMinutes() / 60
  const [x1, y1] = point(hour, 64)
  const [x2, y2] = point(hour, 248)
  const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
  return (
    <svg viewBox="-30 -30 600 600" className={classes.dial} aria-hidden>
      {week.map((shifts, index) => {
        const radius = 246 - index * 26
        return (
          <g key={radius} fill="none" strokeWidth="14" strokeLinecap="round">
            <circle cx={center} cy={center} r={radius} className={classes.track} />
            {shifts.map(([from, to, type]) => (
              <path key={from} d={arc(from, to, radius)} data-type={type} />
            ))}
          </g>
        )
      })}
      {[0, 6, 12, 18].map((at) => {
        const [x, y] = point(at, 276)
        return (
          <text key={at} x={x} y={y + 5} className={classes.hour}>
            {String(at).padStart(2, '0')}
          </text>
        )
      })}
      <text x={center} y={center + 4} className={classes.clock}>
        {time}
      </text>
      <text x={center} y={center + 28} className={classes.weekday}>
        {now.toLocaleDateString(locale, { weekday: 'long' })}
      </text>
      <line x1={x1} y1={y1} x2={x2} y2={y2} className={classes.hand} />
      <circle cx={x2} cy={y2} r="6" className={classes.tip} />
    </svg>
  )
}
