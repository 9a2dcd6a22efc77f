import classes from './HoursRing.module.css'

export type HoursRingProps = {
  /** Minutes, as all others; the large figure in the middle is what is approved, in whole hours. */
  approved: number
  pending: number
  /** Makeup that is still to come. */
  planned?: number
  target: number
  /** Under the figure. */
  caption: string
  /** The whole ledger in words: "204.0 h approved, 17.0 h pending, 119.0 h still owed of 340 h". */
  label: string
  /** Diameter in px. */
  size?: number
}

/** The hours ledger as a ring: approved, then pending, then planned, then what is owed. */
export function HoursRing(props: HoursRingProps) {
  const { approved, pending, planned = 0, target, caption, label, size = 118 } = props
  const width = size * 0.092
  const radius = (size - width) / 2
  const around = 2 * Math.PI * radius
  const part = (value: number) => (target > 0 ? Math.min(1, Math.max(0, value / target)) : 0)
  const first = part(approved)
  const both = part(approved + pending)
  const all = part(approved + pending + planned)
  const arc = (share: number, color: string) =>
    share > 0 && (
      <circle
        cx={size / 2}
        cy={size / 2}
        r={radius}
        fill="none"
        stroke={color}
        strokeWidth={width}
        strokeLinecap="round"
        strokeDasharray={`${around * share} ${around}`}
        transform={`rotate(-90 ${size / 2} ${size / 2})`}
      />
    )
  return (
    <div className={classes.ring} style={{ width: size, height: size }} role="img" aria-label={label}>
      <svg width={size} height={size} aria-hidden>
        <circle
          cx={size / 2}
          cy={size / 2}
          r={radius}
          fill="none"
          stroke="var(--p-line)"
          strokeWidth={width}
        />
        {all > both && arc(all, 'color-mix(in srgb, var(--p-data2) 40%, var(--p-line))')}
        {arc(both, 'var(--p-data2)')}
        {arc(first, 'var(--p-data)')}
      </svg>
      <div aria-hidden>
        <b style={{ fontSize: size * 0.23 }}>{Math.round(approved / 60).toLocaleString('en-US')}</b>
        <span>{caption}</span>
      </div>
    </div>
  )
}
