import classes from './charts.module.css'

export type KeyItem = { mark: 'data' | 'data2' | 'target' | 'projection' | 'short'; label: string }

/** The legend of a chart. */
export function ChartKey({ items }: { items: KeyItem[] }) {
  return (
    <span className={classes.keys}>
      {items.map((item) => (
        <span key={item.mark} className={classes.key}>
          <i data-mark={item.mark} aria-hidden />
          {item.label}
        </span>
      ))}
    </span>
  )
}
