import { useElementSize } from '@mantine/hooks'
import classes from './charts.module.css'
import { ChartTable } from './WeekBars.tsx'

export type TrendPoint = {
  label: string
  /** Null where there is nothing; the line has a gap there. */
  value: number | null
  compared?: number | null
}

export type TrendLineProps = {
  points: TrendPoint[]
  /** The top of the scale, which begins at 0. */
  most: number
  /** The chart in words; the figures are in a table for screen readers as well. */
  label: string
  valueName: string
  /** A dotted line beside the first one. */
  comparedName?: string
  format?: (value: number) => string
  /** px */
  width?: number
  height?: number
}

/** Pieces of a line between gaps, as the points of a polyline. */
const pieces = (values: (number | null)[], x: (index: number) => number, y: (value: number) => number) => {
  const found: string[][] = [[]]
  for (const [index, value] of values.entries()) {
    if (value === null) found.push([])
    else found.at(-1)!.push(`${x(index)},${y(value)}`)
  }
  return found.filter((piece) => piece.length > 1).map((piece) => piece.join(' '))
}

/** How something moves over time, beside what it is compared with. */
export function TrendLine(props: TrendLineProps) {
  const { points, most, label, valueName, comparedName, height = 150 } = props
  // Drawn at the width that there is, so that the words keep their size.
  const { ref, width: measured } = useElementSize<HTMLElement>()
  const width = Math.min(props.width ?? 470, measured || 470)
  const format = props.format ?? String
  const [left, bottom, top] = [40, 26, 10]
  const y = (value: number) => top + (height - bottom - top) * (1 - value / most)
  const slot = (width - left - 20) / Math.max(1, points.length - 1)
  const x = (index: number) => (points.length === 1 ? (left + width) / 2 : left + 10 + slot * index)
  // As many labels as have room.
  const step = Math.max(1, Math.ceil((points.length * 54) / (width - left)))
  const values = points.map(({ value }) => value)
  const compared = points.map((point) => point.compared ?? null)
  return (
    <figure ref={ref} className={classes.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        role="img"
        aria-label={label}
        className={classes.chart}
      >
        {[0, most / 2, most].map((line) => (
          <g key={line}>
            <line x1={left} x2={width} y1={y(line)} y2={y(line)} stroke="var(--p-line)" />
            <text x={left - 6} y={y(line) + 4} textAnchor="end" className={classes.axis}>
              {format(line)}
            </text>
          </g>
        ))}
        {pieces(compared, x, y).map((piece) => (
          <polyline
            key={piece}
            points={piece}
            fill="none"
            stroke="var(--p-text)"
            strokeWidth={1.5}
            strokeDasharray="2 4"
          />
        ))}
        {pieces(values, x, y).map((piece) => (
          <polyline key={piece} points={piece} fill="none" stroke="var(--p-data)" strokeWidth={2} />
        ))}
        {points.map((point, index) => (
          <g key={point.label}>
            {point.value !== null && (
              <circle cx={x(index)} cy={y(point.value)} r={3.5} fill="var(--p-data)">
                <title>{`${point.label}: ${format(point.value)}`}</title>
              </circle>
            )}
            {index % step === 0 && (
              <text x={x(index)} y={height - 8} textAnchor="middle" className={classes.axis}>
                {point.label}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ChartTable
        caption={label}
        head={['', valueName, ...(comparedName ? [comparedName] : [])]}
        rows={points.map((point, index) => [
          point.label,
          ...[point.value, ...(comparedName ? [compared[index] ?? null] : [])].map((value) =>
            value === null ? '–' : format(value),
          ),
        ])}
      />
    </figure>
  )
}
