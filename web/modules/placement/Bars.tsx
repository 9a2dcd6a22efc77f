import classes from './equity.module.css'

export type BarsProps = {
  title: string
  /** `part` is how full the bar is, from 0 to 1. */
  bars: readonly { label: string; part: number; text: string; note: string }[]
}

/** Numbers that are compared, each beside its bar. */
export function Bars({ title, bars }: BarsProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className={classes.bars}>
        {bars.map(({ label, part, text, note }) => (
          <li key={label}>
            <span className="p-ellipsis" title={label}>
              {label}
            </span>
            <span className={classes.bar} aria-hidden>
              <i style={{ width: `${Math.min(100, 100 * part)}%` }} />
            </span>
            <span>
              {text}
              <small>{note}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
