import { copyExamItems } from '#contract/competencies/exam-items.ts'
import type { Procedure } from '#contract/competencies/procedures.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { optionsOf } from './procedure-columns.tsx'
import { designed, useParts } from './use-lists.ts'

/** Gives the items of one exam to other procedures, at first to all that have none. */
export function CopyItemsDialog(props: {
  procedure: Procedure
  procedures: readonly Procedure[]
  params: { programId: number; procedureId: number }
  onClose: () => void
}) {
  const { procedure, procedures, params, onClose } = props
  const words = useWords()
  const copy = useSave(copyExamItems, designed)
  const parts = useParts('exam-item')
  const others = procedures.filter(({ Id }) => Id !== procedure.Id)
  const form = useEditForm({
    initialValues: {
      ProcedureIds: others.filter(({ ItemCount }) => ItemCount === 0).map(({ Id }) => String(Id)),
    },
    save: async ({ ProcedureIds }) => {
      const { Ids, Procedures } = await copy.run({ params, body: { ProcedureIds: ProcedureIds.map(Number) } })
      toast.done({
        title: words('competencies.copiedItems', { count: Procedures }),
        ...(Ids.length > 0 && Ids.length <= 3_000 && { undo: () => void attempt(() => parts.remove(Ids)) }),
      })
      onClose()
    },
  })
  const { length: count } = form.values.ProcedureIds
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('competencies.copyItemsOf', { name: procedure.Name })}
      stayOnOutsideClick
      summary={words('competencies.willCopy', { count, items: procedure.ItemCount })}
      actions={
        <DisabledReason reason={count === 0 && words('competencies.chooseOne')}>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('competencies.copyItems')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose}>
        <MultiSelectField
          label={words('competencies.forProcedures')}
          required
          options={optionsOf(others)}
          {...form.field('ProcedureIds')}
        />
      </Form>
      <p className={classes.note}>{words('competencies.copyNote')}</p>
    </Dialog>
  )
}
