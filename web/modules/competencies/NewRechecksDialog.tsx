import { useState } from 'react'
import { createRechecks, listRechecks } from '#contract/competencies/exam-admin.ts'
import { type RecheckKind, recheckKinds } from '#contract/competencies/exam-rules.ts'
import { listLabChecks } from '#contract/competencies/lab-checks.ts'
import { listProcedures } from '#contract/competencies/procedures.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { kindWords } from './exam-words.ts'
import classes from './exams.module.css'
import { useList, whenKnown } from './use-lists.ts'

/** Asks a cohort or students for rechecks: of one procedure, or of some that are drawn for each. */
export function NewRechecksDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const design = useList()
  const { programId } = design.params
  const procedures = useRead(listProcedures, { params: design.params, query: {} }, whenKnown(design))
  const first = procedures.data?.[0]?.Id ?? 0
  const classOf = useRead(
    listLabChecks,
    { params: { programId, procedureId: first } },
    { isEnabled: first > 0 },
  )
  const create = useSave(createRechecks, { refresh: [listRechecks] })
  const [kind, setKind] = useState<RecheckKind>('continued')
  const [cohort, setCohort] = useState<string | null>(null)
  const [students, setStudents] = useState<string[]>([])
  const [procedure, setProcedure] = useState<string | null>(null)
  const [count, setCount] = useState<number | null>(2)
  const [dueOn, setDueOn] = useState<string | null>(null)
  const [problem, setProblem] = useState<string>()
  const found = useSchedulingOptions('student', students.map(Number))
  const run = async () => {
    try {
      const { Created, Skipped } = await create.run({
        params: { programId },
        body: {
          Kind: kind,
          DueOn: dueOn,
          Cohort: cohort,
          StudentIds: students.map(Number),
          ProcedureId: procedure === null ? null : Number(procedure),
          Count: count ?? 1,
        },
      })
      toast.done(
        Skipped > 0
          ? {
              title: words('exams.didCreate', { count: Created }),
              detail: words('exams.skipped', { count: Skipped }),
            }
          : words('exams.didCreate', { count: Created }),
      )
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('exams.newRechecks')}
      subtitle={words('exams.newRechecksHint')}
      actions={
        <DialogActions
          verb={words('exams.createRechecks')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={create.isRunning}
          isDisabled={cohort === null && students.length === 0}
        />
      }
    >
      <div className={classes.fields}>
        <SelectField
          label={words('exams.kind')}
          name="Kind"
          required
          options={recheckKinds.map((value) => ({ value, label: words(kindWords[value]) }))}
          value={kind}
          onChange={(value) => setKind(recheckKinds.find((each) => each === value) ?? 'continued')}
        />
        <SelectField
          label={words('exams.cohort')}
          name="Cohort"
          placeholder={words('exams.noCohort')}
          options={(classOf.data?.Cohorts ?? []).map((value) => ({ value, label: value }))}
          value={cohort}
          onChange={setCohort}
        />
        <MultiSelectField
          label={words('exams.andStudents')}
          name="StudentIds"
          search={found.search}
          chosenLabels={found.chosenLabels}
          value={students}
          onChange={setStudents}
        />
        <SelectField
          label={words('exams.procedure')}
          name="ProcedureId"
          placeholder={words('exams.drawn')}
          options={(procedures.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
          value={procedure}
          onChange={setProcedure}
        />
        {procedure === null && (
          <NumberField
            label={words('exams.drawCount')}
            description={words('exams.drawHint')}
            name="Count"
            min={1}
            max={20}
            value={count}
            onChange={setCount}
          />
        )}
        <DateField label={words('exams.due')} name="DueOn" value={dueOn} onChange={setDueOn} />
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
