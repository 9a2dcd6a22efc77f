import {
  getStudent,
  getStudentHours,
  listStudentChanges,
  listStudentRecords,
  listStudentShifts,
  type Student,
  type StudentShift,
} from '#contract/students/students.ts'
import { addTimeRecord, listTimeRecords } from '#contract/time/time-records.ts'
import { useSave } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate, formatDayOfYear } from '#web/ui/dates.ts'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './students.module.css'

/** Shifts that an absence can be for: those ahead, and past ones without any record. */
const canMiss = ({ State }: StudentShift): boolean =>
  State === 'ahead' || State === 'running' || State === 'missed'

/** Reports a shift that a student misses, in the student's place. */
export function AbsenceDialog({ student, onClose }: { student: Student; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId, studentId: student.Id }
  const next = useReadAll(listStudentShifts, { params, query: { When: 'next' } })
  const past = useReadAll(listStudentShifts, { params, query: { When: 'past' } })
  const shifts = [...(next.data ?? []), ...(past.data ?? [])].filter(canMiss)
  const add = useSave(addTimeRecord, {
    refresh: [
      getStudent,
      getStudentHours,
      listStudentShifts,
      listStudentRecords,
      listStudentChanges,
      listTimeRecords,
    ],
  })
  const form = useEditForm({
    initialValues: { Shift: null as string | null, Reason: '' },
    rules: { Shift: required(), Reason: required() },
    save: ({ Shift, Reason }) => {
      const shift = shifts.find(({ AssignmentId }) => String(AssignmentId) === Shift)
      return add.run({
        params: { programId },
        body: {
          StudentId: student.Id,
          Kind: 'absence',
          SiteId: shift?.SiteId,
          Date: shift?.Date ?? '',
          Time: shift?.StartTime ?? '',
          EndTime: shift?.EndTime,
          Reason,
        },
      })
    },
  })
  const chosen = shifts.find(({ AssignmentId }) => String(AssignmentId) === form.values.Shift)
  const saved = () => {
    toast.done(words('students.absenceDone', { date: formatDate(chosen?.Date) }))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('students.absenceTitle', { name: `${student.FirstName} ${student.LastName}` })}
      stayOnOutsideClick
      actions={
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) saved()
          }}
        >
          {words('students.absenceVerb')}
        </Button>
      }
    >
      <Form form={form} onSaved={saved} onCancel={onClose}>
        <div className={classes.stack}>
          <SelectField
            label={words('students.shift')}
            required
            description={words('students.absenceHint')}
            options={shifts.map((shift) => ({
              value: String(shift.AssignmentId),
              label: `${formatDayOfYear(shift.Date)} · ${shift.StartTime}–${shift.EndTime} · ${shift.Site}`,
            }))}
            {...form.field('Shift')}
          />
          <TextAreaField
            label={words('students.absenceReason')}
            required
            maxLength={1000}
            {...form.field('Reason')}
          />
        </div>
      </Form>
    </Dialog>
  )
}
