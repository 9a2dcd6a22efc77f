import classes from './charts.module.css'

export type ProgressLineProps = {
  /** All in one unit. */
  approved: number
  pending: number
  target: number
  projection?: number
  /** The right end of the scale, the same for all rows of a grid; a tenth above the target when none is given. */
  most?: number
  /** "171.0 approved, 14.5 pending, projected 331.0 of 340.0". */
  label: string
}

/** Progress in a grid row: done, pending, a dotted way to the projection (a ring; red and filled when short), the target. */
export function ProgressLine(props: ProgressLineProps) {
  const { approved, pending, target, projection, label } = props
  const most = props.most ?? Math.max(target, projection ?? 0, approved + pending) * 1.1
  const at = (value: number) => `${Math.min(100, Math.max(0, (value / (most || 1)) * 100))}%`
  const isShort = projection !== undefined && projection < target
  return (
    <div className={classes.progress} role="img" aria-label={label} title={label}>
      {projection !== undefined && projection > approved + pending && (
        <i
          className={classes.way}
          data-short={isShort || undefined}
          style={{
            left: at(approved + pending),
            width: `calc(${at(projection)} - ${at(approved + pending)})`,
          }}
        />
      )}
      <i className={classes.pendingPart} style={{ width: at(approved + pending) }} hidden={pending <= 0} />
      <i className={classes.donePart} style={{ width: at(approved) }} />
      {target > 0 && <i className={classes.targetLine} style={{ left: at(target) }} />}
      {projection !== undefined && (
        <i
          className={classes.projection}
          data-short={isShort || undefined}
          style={{ left: at(projection) }}
        />
      )}
    </div>
  )
}
