import type { ExpectedStudent } from '#contract/reports/member-homes.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { dateOfInstant, formatDay } from '#web/ui/dates.ts'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './homes.module.css'

const stateTone: Record<ExpectedStudent['State'], Status> = {
  here: 'approved',
  left: 'clean',
  absent: 'rejected',
  awaited: 'review',
  ahead: 'pending',
}

/** Who comes to the sites, by day; of shifts that have begun, whether they are here. */
export function ExpectedDays({
  shifts,
  withSite,
}: {
  shifts: readonly ExpectedStudent[]
  withSite: boolean
}) {
  const words = useWords()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const opensStudents = useMay()('students.read')
  return [...new Set(shifts.map(({ Date: date }) => date))].map((day) => (
    <div key={day}>
      <h3
        className={classes.day}
        data-today={day === today || undefined}
        aria-current={day === today ? 'date' : undefined}
      >
        {formatDay(day)}
        {day === today && ` · ${words('homes.today')}`}
      </h3>
      <ul className={classes.students}>
        {shifts
          .filter(({ Date: date }) => date === day)
          .map((shift) => (
            <li key={shift.AssignmentId}>
              <ShiftMark kind={shift.ShiftType} />
              <div className={classes.grow}>
                <b>
                  {opensStudents ? (
                    <StudentLink id={shift.StudentId}>{shift.Student}</StudentLink>
                  ) : (
                    shift.Student
                  )}
                </b>
                <span className={classes.role}>
                  {[shift.StudentLevel, withSite ? shift.Site : ''].filter(Boolean).join(' · ')}
                </span>
              </div>
              <span className={classes.time}>
                {shift.StartTime}–{shift.EndTime}
              </span>
              {shift.State !== 'ahead' && (
                <StatusTag status={stateTone[shift.State]}>{words(`homes.${shift.State}`)}</StatusTag>
              )}
            </li>
          ))}
      </ul>
    </div>
  ))
}
