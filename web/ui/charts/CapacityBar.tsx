import classes from './charts.module.css'

export type CapacityBarProps = {
  taken: number
  places: number
  /** Read aloud: "11 of 12 places". */
  label: string
}

/** Places as cells, the taken ones filled; above 16 a plain bar, whose cells nobody could count. */
export function CapacityBar({ taken, places, label }: CapacityBarProps) {
  return (
    <span className={classes.cells} role="img" aria-label={label}>
      {places <= 16 ? (
        Array.from({ length: Math.max(places, taken) }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no identity
          <i key={place} data-on={place < taken || undefined} data-over={place >= places || undefined} />
        ))
      ) : (
        <span className={classes.meter} data-bad={taken > places || undefined}>
          <i style={{ width: `${Math.min(100, (taken / places) * 100)}%` }} />
        </span>
      )}
    </span>
  )
}
