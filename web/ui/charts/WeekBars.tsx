import { useElementSize } from '@mantine/hooks'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './charts.module.css'

export type WeekBar = {
  label: string
  /** Solid part, and the outlined part on top of it. */
  value: number
  pending?: number
  /** The running week: its label is in the color of now. */
  isNow?: boolean
}

export type WeekBarsProps = {
  bars: WeekBar[]
  /** The second value is beside the first, not on top of it: for two figures that are compared. */
  pairs?: boolean
  /** A dotted line across. */
  target?: number
  /** The chart in words; the figures are in a table for screen readers as well. */
  label: string
  valueName: string
  pendingName?: string
  /** px */
  height?: number
  format?: (value: number) => string
}

/** A round number above the largest value, and its steps. */
export function axisSteps(largest: number, steps = 3): number[] {
  if (largest <= 0) return [0, 1]
  const rough = largest / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  // Ten times the power is always enough.
  const step = [1, 2, 2.5, 3, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, index) => index * step)
}

/** Bars over time: done and pending, with a target. */
export function WeekBars(props: WeekBarsProps) {
  const {
    bars,
    target,
    label,
    valueName,
    pendingName = plainWords('ui.pending'),
    height = 176,
    pairs = false,
  } = props
  const format = props.format ?? ((value: number) => value.toLocaleString('en-US'))
  // Drawn at the width that there is, so that the words keep their size.
  const { ref, width: measured } = useElementSize<HTMLElement>()
  const width = measured || 470
  const left = 34
  const bottom = 26
  const top = 10
  const largest = Math.max(
    target ?? 0,
    ...bars.map((bar) => (pairs ? Math.max(bar.value, bar.pending ?? 0) : bar.value + (bar.pending ?? 0))),
  )
  const steps = axisSteps(largest)
  const most = steps.at(-1)!
  const y = (value: number) => top + (height - bottom - top) * (1 - value / most)
  const slot = (width - left) / Math.max(1, bars.length)
  const bar = Math.min(34, slot * 0.66)
  const solid = pairs ? bar / 2 : bar
  // As many labels as have room.
  const step = Math.max(1, Math.ceil((bars.length * 50) / (width - left)))
  return (
    <figure ref={ref} className={classes.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        role="img"
        aria-label={label}
        className={classes.chart}
      >
        {steps.map((step) => (
          <g key={step}>
            <line x1={left} x2={width} y1={y(step)} y2={y(step)} stroke="var(--p-line)" />
            <text x={left - 6} y={y(step) + 4} textAnchor="end" className={classes.axis}>
              {format(step)}
            </text>
          </g>
        ))}
        {bars.map((each, index) => {
          const x = left + slot * index + (slot - bar) / 2
          const pending = each.pending ?? 0
          return (
            <g key={each.label}>
              <title>
                {`${each.label}: ${format(each.value)}${pending ? `, ${pendingName} ${format(pending)}` : ''}`}
              </title>
              <rect
                x={x}
                y={y(each.value)}
                width={solid}
                height={y(0) - y(each.value)}
                rx={3}
                fill="var(--p-data)"
              />
              {pending > 0 && (
                <rect
                  x={x + (pairs ? solid + 1.75 : 0.75)}
                  y={pairs ? y(pending) : y(each.value + pending)}
                  width={solid - 1.5}
                  height={Math.max(
                    3,
                    pairs ? y(0) - y(pending) : y(each.value) - y(each.value + pending) - 2,
                  )}
                  rx={3}
                  fill="var(--p-data2)"
                  stroke="var(--p-data)"
                  strokeWidth={1.5}
                />
              )}
              {(bars.length - 1 - index) % step === 0 && (
                <text
                  x={x + bar / 2}
                  y={height - 8}
                  textAnchor="middle"
                  className={each.isNow ? classes.axisNow : classes.axis}
                >
                  {each.label}
                </text>
              )}
            </g>
          )
        })}
        {target !== undefined && (
          <line
            x1={left}
            x2={width}
            y1={y(target)}
            y2={y(target)}
            stroke="var(--p-text)"
            strokeWidth={2}
            strokeDasharray="2 4"
          />
        )}
      </svg>
      <ChartTable
        caption={label}
        head={['', valueName, pendingName]}
        rows={bars.map((each) => [each.label, format(each.value), format(each.pending ?? 0)])}
      />
    </figure>
  )
}

/** The figures of a chart for those who cannot see it. */
export function ChartTable(props: { caption: string; head: string[]; rows: string[][] }) {
  return (
    <div className="p-sr-only">
      <table>
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            {props.head.map((name, index) =>
              index === 0 ? (
                <td key="corner" />
              ) : (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={props.head[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
