import { addClass } from '#contract/graduates/graduates.ts'
import { listCohorts } from '#contract/people/people.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './graduates.module.css'
import { measured } from './measured.ts'

/** Adds everybody of a cohort with the dates of the class. */
export function AddClassDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const cohorts = useRead(listCohorts, { params: { programId } })
  const add = useSave(addClass, measured)
  const form = useEditForm({
    initialValues: {
      Cohort: null as string | null,
      EnteredOn: null as string | null,
      GraduatedOn: null as string | null,
    },
    rules: { Cohort: required(), EnteredOn: required() },
    save: async ({ Cohort, EnteredOn, GraduatedOn }) => {
      const { Added, Known } = await add.run({
        params: { programId },
        // The rules ask for both.
        body: { Cohort: Cohort ?? '', EnteredOn: EnteredOn ?? '', GraduatedOn },
      })
      toast.done({
        title: words('graduates.classAdded', { count: Added }),
        ...(Known > 0 && { detail: words('graduates.classKnown', { count: Known }) }),
      })
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('graduates.classTitle')}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('graduates.addClass')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose}>
        <SelectField
          label={words('graduates.cohort')}
          required
          options={(cohorts.data ?? []).map((cohort) => ({ value: cohort, label: cohort }))}
          {...form.field('Cohort')}
        />
        <div className={classes.twoColumns}>
          <DateField label={words('graduates.entered')} required {...form.field('EnteredOn')} />
          <DateField label={words('graduates.graduated')} {...form.field('GraduatedOn')} />
        </div>
      </Form>
      <p className={classes.note}>{words('graduates.classNote')}</p>
    </Dialog>
  )
}
