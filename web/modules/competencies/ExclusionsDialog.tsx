import { useState } from 'react'
import { type ExclusionReason, exclusionReasons } from '#contract/competencies/exam-rules.ts'
import {
  addExclusion,
  type ExaminerEntry,
  listExaminers,
  removeExclusion,
} from '#contract/competencies/examiners.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { attempt } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'

const reasonWords: Readonly<Record<ExclusionReason, WordKey>> = {
  relative: 'exams.relative',
  employer: 'exams.employer',
  other: 'exams.otherReason',
}

/** Students whom a person never examines, at any of their sites. */
export function ExclusionsDialog({ entry, onClose }: { entry: ExaminerEntry; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId, examinerId: entry.Id }
  const add = useSave(addExclusion, { refresh: [listExaminers] })
  const remove = useSave(removeExclusion, { refresh: [listExaminers] })
  const [student, setStudent] = useState<string | null>(null)
  const [reason, setReason] = useState<ExclusionReason>('relative')
  const found = useSchedulingOptions('student', [student === null ? null : Number(student)])
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('exams.neverExamines')}
      subtitle={`${entry.FirstName} ${entry.LastName}`}
      actions={
        <LeaveButton size="lg" onClick={onClose}>
          {words('exams.close')}
        </LeaveButton>
      }
    >
      <div className={classes.fields}>
        <p className={classes.quiet}>{words('exams.exclusionsHint')}</p>
        {entry.Exclusions.length > 0 && (
          <ul className={classes.card}>
            {entry.Exclusions.map(({ Id, Student, Reason }) => (
              <li key={Id} className={classes.row}>
                <span className={classes.rowText}>
                  <b>{Student}</b>
                  <span>{words(reasonWords[Reason])}</span>
                </span>
                <Button
                  size="lg"
                  variant="default"
                  aria-label={words('exams.allowAgain', { name: Student })}
                  onClick={() =>
                    void attemptWhenSure(
                      { text: words('exams.allowQuestion', { name: Student }), verb: words('exams.allow') },
                      () => remove.run({ params: { ...params, exclusionId: Id } }),
                    )
                  }
                >
                  {words('exams.allow')}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <SelectField
          label={words('exams.student')}
          name="StudentId"
          search={found.search}
          {...(student !== null && { chosenLabel: found.chosenLabels[student] ?? '' })}
          value={student}
          onChange={setStudent}
        />
        <SelectField
          label={words('exams.withdrawReason')}
          name="Reason"
          required
          options={exclusionReasons.map((value) => ({ value, label: words(reasonWords[value]) }))}
          value={reason}
          onChange={(value) => setReason(exclusionReasons.find((each) => each === value) ?? 'relative')}
        />
        <Button
          size="lg"
          disabled={student === null}
          loading={add.isRunning}
          onClick={() =>
            void attempt(async () => {
              await add.run({ params, body: { StudentId: Number(student), Reason: reason } })
              setStudent(null)
              setReason('relative')
            })
          }
        >
          {words('exams.exclude')}
        </Button>
      </div>
    </Dialog>
  )
}
