import { listedName } from '#contract/people/person-fields.ts'
import { getShiftAssignment } from '#contract/scheduling/assignments.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDay, timeOfInstant } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './ScheduleGrid.module.css'
import { shiftTypeName } from './shift-words.ts'

export type AssignmentCardProps = {
  assignmentId: number
  conflict: string | undefined
  mayEdit: boolean
  left: number
  top: number
  onChange: () => void
  onRemove: () => void
  onEnter: () => void
  onLeave: () => void
}

/** What one assignment is about, with Change and Remove; shown beside the cell under the pointer or the cursor. */
export function AssignmentCard(props: AssignmentCardProps) {
  const words = useWords()
  const programId = useProgramId()
  const { data } = useRead(
    getShiftAssignment,
    { params: { programId, assignmentId: props.assignmentId } },
    { keepsLast: false, staleMs: 0 },
  )
  if (!data) return null
  return (
    <section
      className={`${classes.card} p-no-print`}
      data-card
      aria-label={`${listedName(data)}, ${formatDay(data.Date)}`}
      style={{ left: props.left, top: props.top }}
      onPointerEnter={props.onEnter}
      onPointerLeave={props.onLeave}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onLeave()
      }}
    >
      <div className={classes.cardHead}>
        <ShiftMark kind={data.ShiftType} />
        <b>
          {shiftTypeName(words, data.ShiftType)} {data.StartTime}–{data.EndTime}
        </b>
        {data.ClockedInAt && (
          <span className={classes.cardTag}>
            <StatusTag status="approved">
              {data.ClockedOutAt
                ? words('scheduling.clockedOut', { time: timeOfInstant(data.ClockedOutAt, data.TimeZone) })
                : words('scheduling.clockedIn', { time: timeOfInstant(data.ClockedInAt, data.TimeZone) })}
            </StatusTag>
          </span>
        )}
      </div>
      <div className={classes.cardSite}>
        {data.Site} · {data.ShiftCode}
      </div>
      <div className={classes.cardMore}>
        <StudentLink id={data.StudentId}>{listedName(data)}</StudentLink> · {formatDay(data.Date)} ·{' '}
        {words('scheduling.places', { placed: data.Placed, places: data.Capacity })}
      </div>
      {props.conflict && <div className={classes.cardConflict}>{props.conflict}</div>}
      {props.mayEdit && (
        <div className={classes.cardVerbs}>
          <Button variant="default" size="xs" onClick={props.onChange}>
            {words('scheduling.change')}
          </Button>
          <Button variant="default" size="xs" onClick={props.onRemove}>
            {words('scheduling.remove')}
          </Button>
          <span className={classes.cardHint}>
            <kbd>Enter</kbd> <kbd>↑</kbd> <kbd>→</kbd> {words('scheduling.moveHint')}
          </span>
        </div>
      )}
    </section>
  )
}
