import { listRequestOptions, requestEvaluation } from '#contract/evaluations/evaluation-making.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { optionsOf } from './item-choices.ts'

/** Asks a supervisor or a member of the faculty for an evaluation about oneself. */
export function RequestDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const options = useRead(listRequestOptions)
  const request = useSave(requestEvaluation)
  const templates = options.data?.Templates ?? []
  const form = useEditForm({
    initialValues: {
      TemplateId: (templates.length === 1 ? String(templates[0]?.Id) : null) as string | null,
      EvaluatorId: null as string | null,
      Note: '',
    },
    rules: { TemplateId: required(), EvaluatorId: required() },
    save: async ({ TemplateId, EvaluatorId, Note }) => {
      const made = await request.run({
        body: { TemplateId: Number(TemplateId), EvaluatorId: Number(EvaluatorId), Note },
      })
      toast.done({
        title: words('evaluations.requested', { name: made.Evaluator }),
        ...(made.EndDate && {
          detail: words('evaluations.requestedDue', { date: formatDate(made.EndDate) }),
        }),
      })
      onClose()
    },
  })
  const role = templates.find(({ Id }) => String(Id) === form.values.TemplateId)?.EvaluatorRole
  const evaluators = (options.data?.Evaluators ?? [])
    .filter(({ Role }) => Role === role)
    .map(({ Id, Name, Sites }) => ({ value: String(Id), label: [Name, ...Sites].join(' · ') }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.request')}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('evaluations.requestSend')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <SelectField
          label={words('evaluations.requestWhat')}
          required
          options={optionsOf(templates)}
          {...form.field('TemplateId')}
          onChange={(value) => {
            form.set('TemplateId', value)
            form.set('EvaluatorId', null)
          }}
        />
        <SelectField
          label={words('evaluations.requestWhom')}
          required
          options={evaluators}
          description={role && evaluators.length === 0 && words('evaluations.requestNobody')}
          {...form.field('EvaluatorId')}
        />
        <TextAreaField
          label={words('evaluations.requestNote')}
          description={words('evaluations.requestNoteHint')}
          maxLength={1000}
          {...form.field('Note')}
        />
      </Form>
    </Dialog>
  )
}
