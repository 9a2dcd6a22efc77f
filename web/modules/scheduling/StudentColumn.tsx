import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './AssignDialog.module.css'
import type { Plan, Selection } from './assign-selection.ts'

type Student = Plan['Students'][number]

export type StudentColumnProps = {
  /** Its number among the columns. */
  step?: number
  students: readonly Student[] | undefined
  plans: readonly Plan[]
  selection: Selection
  /** Students who are on the shift already are shown and marked; otherwise they are left out. */
  areAssignedShown: boolean
  onChange: (ids: ReadonlySet<number>) => void
}

const rowHeight = 42

/** The second column of Add/Remove: the rotation's students, 515 px high. */
export function StudentColumn(props: StudentColumnProps) {
  const { step = 2, students, plans, selection, areAssignedShown, onChange } = props
  const words = useWords()
  const [text, setText] = useState('')
  const scroller = useRef<HTMLFieldSetElement>(null)
  const assigned = useMemo(() => assignedStudents(plans, selection), [plans, selection])
  const found = useMemo(() => {
    const isFound = finder(text)
    return (students ?? []).filter(
      (student) =>
        (areAssignedShown || !assigned.has(student.Id) || selection.studentIds.has(student.Id)) &&
        isFound(`${listedName(student)} ${student.StudentLevel ?? ''}`),
    )
  }, [students, text, areAssignedShown, assigned, selection.studentIds])
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const toggle = (id: number) => {
    const next = new Set(selection.studentIds)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <section className={classes.column} aria-label={words('scheduling.stepStudents')}>
      <div className={classes.heading}>
        <h2>
          {step} {words('scheduling.stepStudents')}
        </h2>
        {selection.studentIds.size > 0 && <span className={classes.badge}>{selection.studentIds.size}</span>}
        <span className={classes.links}>
          <button
            type="button"
            onClick={() =>
              onChange(
                new Set([
                  ...selection.studentIds,
                  ...found.filter(({ Refusal }) => !Refusal).map(({ Id }) => Id),
                ]),
              )
            }
          >
            {words('scheduling.all')}
          </button>
          <button type="button" onClick={() => onChange(new Set())}>
            {words('scheduling.clear')}
          </button>
        </span>
      </div>
      <SearchBox
        label={words('scheduling.findStudent')}
        value={text}
        onChange={setText}
        delay={0}
        width={600}
      />
      <fieldset
        ref={scroller}
        className={classes.students}
        aria-label={words('scheduling.stepStudents')}
        // Where nobody can be chosen nothing in the box takes the focus, and it must still be scrolled by keyboard.
        {...(found.every(({ Refusal }) => Refusal) && { tabIndex: 0 })}
      >
        {students && found.length === 0 && (
          <p className="p-muted">
            {words(students.length === 0 ? 'scheduling.noStudents' : 'scheduling.noMatch')}
          </p>
        )}
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const student = found[index]!
            const isOn = selection.studentIds.has(student.Id)
            const name = listedName(student)
            return (
              <label
                key={student.Id}
                className={classes.student}
                data-on={isOn || undefined}
                data-refused={student.Refusal ? true : undefined}
                style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              >
                <input
                  type="checkbox"
                  className="p-tick"
                  checked={isOn}
                  disabled={Boolean(student.Refusal) && !isOn && student.Days === 0}
                  onChange={() => toggle(student.Id)}
                />
                <span className={classes.name} title={name}>
                  {name}
                </span>
                <StudentNote student={student} isAssigned={areAssignedShown && assigned.has(student.Id)} />
              </label>
            )
          })}
        </div>
      </fieldset>
    </section>
  )
}

function StudentNote({ student, isAssigned }: { student: Student; isAssigned: boolean }) {
  const words = useWords()
  const may = useMay()
  if (student.Refusal) {
    // It is a requirement that keeps them out: its page is where a proof is accepted, or they are exempted.
    if (may('requirements.review'))
      return (
        <PageLink
          href={`/new/admin/requirements/students/${student.Id}`}
          className={classes.refused}
          title={student.Refusal}
        >
          {student.Refusal}
        </PageLink>
      )
    return (
      <span className={classes.refused} title={student.Refusal}>
        {student.Refusal}
      </span>
    )
  }
  return (
    <span className={classes.quiet}>
      {isAssigned && <i className={classes.dot} aria-hidden />}
      {student.Days === 0
        ? words('scheduling.noDays')
        : words('scheduling.daysInRotation', { count: student.Days })}
    </span>
  )
}

/** Students who are on the chosen shift already, on the chosen dates or, before any is chosen, on any day known. */
const assignedStudents = (plans: readonly Plan[], { shiftId, dates }: Selection): ReadonlySet<number> => {
  const ids = new Set<number>()
  for (const { Assigned } of plans) {
    Assigned.StudentIds.forEach((id, index) => {
      if (Assigned.SiteShiftIds[index] === shiftId && (dates.size === 0 || dates.has(Assigned.Dates[index]!)))
        ids.add(id)
    })
  }
  return ids
}
