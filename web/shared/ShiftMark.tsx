import classes from './ShiftMark.module.css'

export type ShiftKind = 'day' | 'evening' | 'night' | 'weekend' | 'other'

const letters: Record<ShiftKind, string> = { day: 'D', evening: 'E', night: 'N', weekend: 'W', other: 'O' }

export type ShiftMarkProps = {
  kind: ShiftKind
  /** Read aloud and shown as tooltip: "Day 07:00–15:30". Without it the mark is decoration beside the words. */
  label?: string
  /** Side in px: 20 in grids, 40 on the phone. */
  size?: number
}

/** The colored letter of a shift; each kind also has its pattern, so that it survives print and color blindness. */
export function ShiftMark({ kind, label, size = 20 }: ShiftMarkProps) {
  const described = label ? { role: 'img', 'aria-label': label, title: label } : { 'aria-hidden': true }
  return (
    <span
      className={classes.mark}
      data-kind={kind}
      style={{
        width: `${size / 16}rem`,
        height: `${size / 16}rem`,
        fontSize: size > 24 ? '1.0625rem' : '0.6875rem',
        borderRadius: size > 24 ? 12 : 5,
      }}
      {...described}
    >
      {letters[kind]}
    </span>
  )
}

/** The class that paints something else as a shift (a cell of the schedule): set `data-kind` too. */
export const shiftPaint = classes.paint
