import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import {
  getPersonalFilterSettings,
  getPersonalFilters,
  type PersonalFilterSettings,
  savePersonalFilterSettings,
} from '#contract/scheduling/personal-filters.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './scheduling.module.css'

type Held = { Students: { Id: number }[]; Sites: { Id: number }[]; SiteShifts: { Id: number }[] }

/** Which students, sites and shifts a person looks after, and which of the filters they use. */
export function PersonalFiltersDialog({ onClose }: { onClose: () => void }) {
  const settings = useRead(getPersonalFilterSettings)
  const held = useRead(getPersonalFilters)
  if (!settings.data || !held.data) return null
  return <Filters settings={settings.data} held={held.data} onClose={onClose} />
}

function Filters(props: { settings: PersonalFilterSettings; held: Held; onClose: () => void }) {
  const { settings, held, onClose } = props
  const words = useWords()
  const ids = (rows: { Id: number }[]) => rows.map(({ Id }) => Id)
  const students = useSchedulingOptions('student', ids(held.Students))
  const sites = useSchedulingOptions('site', ids(held.Sites))
  const shifts = useSchedulingOptions('shift', ids(held.SiteShifts))
  const save = useSave(savePersonalFilterSettings, {
    refresh: [getPersonalFilterSettings, getPersonalFilters, listShiftAssignments],
  })
  const form = useEditForm({
    initialValues: {
      ...settings,
      StudentIds: ids(held.Students).map(String),
      SiteIds: ids(held.Sites).map(String),
      SiteShiftIds: ids(held.SiteShifts).map(String),
    },
    save: (values) =>
      save.run({
        body: {
          ...values,
          StudentIds: values.StudentIds.map(Number),
          SiteIds: values.SiteIds.map(Number),
          SiteShiftIds: values.SiteShiftIds.map(Number),
        },
      }),
  })
  const saved = () => {
    toast.done(words('scheduling.personalSaved'))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('scheduling.personal')}
      subtitle={words('scheduling.personalIntro')}
      actions={
        <>
          <LeaveButton variant="subtle" color="gray" data-quiet onClick={onClose} />
          <Button
            loading={form.isSaving}
            onClick={() => void form.submit().then((isSaved) => isSaved && saved())}
          >
            {words('scheduling.save')}
          </Button>
        </>
      }
    >
      <Form form={form} onSaved={saved}>
        <div className={classes.personal}>
          <SwitchField label={words('scheduling.studentFilter')} {...form.field('IsStudentFilterEnabled')} />
          <MultiSelectField
            label={words('scheduling.myStudents')}
            {...students}
            {...form.field('StudentIds')}
          />
          <SwitchField label={words('scheduling.siteFilter')} {...form.field('IsSiteFilterEnabled')} />
          <MultiSelectField label={words('scheduling.mySites')} {...sites} {...form.field('SiteIds')} />
          <SwitchField label={words('scheduling.shiftFilter')} {...form.field('IsShiftFilterEnabled')} />
          <MultiSelectField
            label={words('scheduling.myShifts')}
            {...shifts}
            {...form.field('SiteShiftIds')}
          />
        </div>
      </Form>
    </Dialog>
  )
}
