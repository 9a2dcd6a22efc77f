import classes from './charts.module.css'

export type MeterProps = {
  value: number
  most: number
  /** Read aloud: "11 of 12 places". The figures are beside it as text anyway. */
  label: string
  /** Red when short, or when too full: what the color means is the caller's to write beside it. */
  isBad?: boolean
}

/** A thin bar, value of most. */
export function Meter({ value, most, label, isBad }: MeterProps) {
  const part = most > 0 ? Math.min(1, Math.max(0, value / most)) : 0
  return (
    <div className={classes.meter} role="img" aria-label={label} data-bad={isBad || undefined}>
      <i style={{ width: `${part * 100}%` }} />
    </div>
  )
}
