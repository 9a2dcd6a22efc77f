import { type ReactNode, useMemo } from 'react'
import type { CompetencyPart } from '#contract/competencies/competency-lists.ts'
import type { ReadLines } from '#contract/core/lines.ts'
import { LinesPreview } from '#web/shared/LinesPreview.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { type EditForm, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { useParts } from './use-lists.ts'

type WithLines<Values> = Values & { Lines: string }

export interface LinesDialogProps<Values extends Record<string, unknown>> {
  part: CompetencyPart
  title: string
  subtitle?: string
  /** What all lines have in common. */
  initialValues: Values
  fields?: (form: EditForm<WithLines<Values>>) => ReactNode
  read: (values: WithLines<Values>) => ReadLines
  insert: (values: WithLines<Values>) => Promise<{ Ids: number[] }>
  onClose: () => void
}

/** Pasted lines become parts of a list, one each; what will be added and what is refused is there before. */
export function LinesDialog<Values extends Record<string, unknown>>(props: LinesDialogProps<Values>) {
  const { part, title, subtitle, initialValues, fields, read, insert, onClose } = props
  const words = useWords()
  const parts = useParts(part)
  const form = useEditForm<WithLines<Values>>({
    initialValues: { ...initialValues, Lines: '' },
    save: async (values) => {
      const { Ids } = await insert(values)
      toast.done({
        title: words('competencies.added', { count: Ids.length }),
        undo: () => void attempt(() => parts.remove(Ids)),
      })
      onClose()
    },
  })
  const lines = useMemo(() => read(form.values), [read, form.values])
  const { Taken, Refused } = lines
  const willAdd = words('competencies.willAdd', { count: Taken.length })
  const willRefuse = words('competencies.willRefuse', { count: Refused.length })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      width={720}
      stayOnOutsideClick
      summary={Taken.length > 0 && willAdd}
      refusal={Refused.length > 0 && willRefuse}
      actions={
        <DisabledReason reason={Taken.length === 0 && words('competencies.pasteFirst')}>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('competencies.add')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose}>
        {fields && <div className={classes.twoColumns}>{fields(form)}</div>}
        <TextAreaField
          label={words('competencies.linesLabel')}
          description={words('competencies.linesHint')}
          rows={8}
          {...form.field('Lines' as keyof WithLines<Values> & string)}
          value={form.values.Lines}
          onChange={(text) => form.set('Lines', text as WithLines<Values>['Lines'])}
        />
      </Form>
      <LinesPreview
        read={lines}
        takenLabel={willAdd}
        refusedLabel={willRefuse}
        reasonOf={(reason) => words(`competencies.refused_${reason}`)}
      />
    </Dialog>
  )
}
