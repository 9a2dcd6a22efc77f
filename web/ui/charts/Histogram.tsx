import { plainWords } from '#web/words/plain-words.ts'
import classes from './charts.module.css'
import { ChartTable } from './WeekBars.tsx'

export type HistogramBin = { from: number; to: number; count: number }

export type HistogramProps = {
  bins: HistogramBin[]
  /** Bins below it are short: red, and drawn on the left of a dark line. */
  target?: number
  /** "43 of 46 reach 340 h". */
  label: string
  format?: (value: number) => string
  targetLabel?: string
  width?: number
  height?: number
}

/** How many fall where, against a target. */
export function Histogram(props: HistogramProps) {
  const { bins, target, label, targetLabel = 'target', width = 250, height = 66 } = props
  const format = props.format ?? String
  const bottom = 20
  const most = Math.max(1, ...bins.map((bin) => bin.count))
  const low = bins[0]?.from ?? 0
  const high = bins.at(-1)?.to ?? 1
  const x = (value: number) => ((value - low) / (high - low || 1)) * width
  const room = height - bottom
  // Two labels in one place would be none: the target's is the one that counts.
  const labelRoom = 76
  const isClear = (at: number) => target === undefined || Math.abs(x(target) - at) > labelRoom
  return (
    <figure className={classes.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        role="img"
        aria-label={label}
        className={classes.chart}
      >
        {bins.map((bin) => {
          const tall = bin.count === 0 ? 0 : Math.max(4, (bin.count / most) * (room - 4))
          return (
            <rect
              key={bin.from}
              x={x(bin.from) + 1}
              y={room - tall}
              width={Math.max(1, x(bin.to) - x(bin.from) - 2)}
              height={tall}
              rx={2}
              fill={target !== undefined && bin.to <= target ? 'var(--p-rejected)' : 'var(--p-data)'}
            >
              <title>{`${format(bin.from)}–${format(bin.to)}: ${bin.count}`}</title>
            </rect>
          )
        })}
        {isClear(0) && (
          <text x={0} y={height - 4} className={classes.axis}>
            {format(low)}
          </text>
        )}
        {isClear(width) && (
          <text x={width} y={height - 4} textAnchor="end" className={classes.axis}>
            {format(high)}
          </text>
        )}
        {target !== undefined && (
          <>
            <line
              x1={x(target)}
              x2={x(target)}
              y1={0}
              y2={room + 2}
              stroke="var(--p-text)"
              strokeWidth={1.5}
            />
            <text x={x(target)} y={height - 4} textAnchor="middle" className={classes.axisStrong}>
              {`${format(target)} ${targetLabel}`}
            </text>
          </>
        )}
      </svg>
      <ChartTable
        caption={label}
        head={['', plainWords('ui.count')]}
        rows={bins.map((bin) => [`${format(bin.from)}–${format(bin.to)}`, String(bin.count)])}
      />
    </figure>
  )
}
