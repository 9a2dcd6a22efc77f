import { type CompetencyList, createCompetencyList } from '#contract/competencies/competency-lists.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { dateOfInstant } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { designed } from './use-lists.ts'

/** A new list: empty, or the next version of one, with all that is in it. */
export function NewListDialog({
  source,
  onClose,
}: {
  source: CompetencyList | undefined
  onClose: () => void
}) {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const timeZone = useTimeZone()
  const create = useSave(createCompetencyList, designed)
  const form = useEditForm({
    initialValues: {
      Name: '',
      Registry: source?.Registry ?? '',
      EffectiveOn: dateOfInstant(Date.now(), timeZone) as string | null,
    },
    rules: { Name: required(), EffectiveOn: required() },
    save: async ({ Name, Registry, EffectiveOn }) => {
      const list = await create.run({
        params: { programId },
        // The rules ask for the date.
        body: { Name, Registry, EffectiveOn: EffectiveOn ?? '', FromListId: source?.Id ?? null },
      })
      toast.done(words('competencies.listAdded', { name: list.Name }))
      onClose()
      navigate('/admin/competencies/rules', { search: { list: list.Id } })
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        source ? words('competencies.newVersionOf', { name: source.Name }) : words('competencies.newList')
      }
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('competencies.add')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <TextField label={words('competencies.name')} required maxLength={100} {...form.field('Name')} />
        <div className={classes.twoColumns}>
          <TextField label={words('competencies.registry')} maxLength={100} {...form.field('Registry')} />
          <DateField label={words('competencies.effective')} required {...form.field('EffectiveOn')} />
        </div>
      </Form>
      <p className={classes.note}>
        {words(source ? 'competencies.versionNote' : 'competencies.newListNote')}
      </p>
    </Dialog>
  )
}
