import type { ReactNode } from 'react'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { formatDay } from '#web/ui/dates.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './shift-changes.module.css'

/** A shift on a day, as far as people recognize it. */
export interface ShownShift {
  Date: string
  StartTime: string
  EndTime: string
  ShiftCode: string
  ShiftType: ShiftType
  Site: string
  Rotation: string
}

export const timeText = (words: Words, { StartTime, EndTime }: Pick<ShownShift, 'StartTime' | 'EndTime'>) =>
  `${StartTime}–${EndTime}${EndTime <= StartTime ? ` ${words('shiftChanges.nextDay')}` : ''}`

/** Day, time and place of a shift; at the end of the line whatever belongs to it. */
export function ShiftLine({ shift, end }: { shift: ShownShift; end?: ReactNode }) {
  const words = useWords()
  return (
    <div className={classes.line}>
      <ShiftMark kind={shift.ShiftType} size={40} />
      <div className={classes.what}>
        <b>
          {formatDay(shift.Date)}, {timeText(words, shift)}
        </b>
        {shift.Site}
        <span>
          {shift.ShiftCode} · {shift.Rotation}
        </span>
      </div>
      {end}
    </div>
  )
}
