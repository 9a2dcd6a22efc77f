import { IconTrash } from '@tabler/icons-react'
import { createDayOff, type DayOff, deleteDayOff, listDaysOff } from '#contract/scheduling/days-off.ts'
import {
  getScheduleDays,
  getScheduleGrid,
  listScheduleConflicts,
} from '#contract/scheduling/schedule-grid.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDayOfYear } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { all, required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'
import { isBefore } from './is-before.ts'
import classes from './scheduling.module.css'

/** Holidays and breaks of the program: see, add, delete with undo. */
export function DaysOffDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const mayPlan = useMay()('scheduling.plan')
  const days = useRead(listDaysOff, { params: { programId } })
  const refresh = [listDaysOff, getScheduleDays, getScheduleGrid, listScheduleConflicts]
  const create = useSave(createDayOff, { refresh })
  const remove = useSave(deleteDayOff, { refresh })
  const empty = { Name: '', StartDate: null as string | null, EndDate: null as string | null }
  const form = useEditForm({
    initialValues: empty,
    rules: {
      Name: required(),
      StartDate: required(),
      EndDate: all((end: string | null, { StartDate }: { StartDate: string | null }) =>
        isBefore(end, StartDate) ? words('scheduling.endBeforeStart') : null,
      ),
    },
    save: ({ Name, StartDate, EndDate }) =>
      create.run({
        params: { programId },
        // The form requires the first day.
        body: { Name: Name.trim(), StartDate: StartDate!, EndDate: EndDate ?? StartDate! },
      }),
  })
  const clear = () => {
    form.set('Name', '')
    form.set('StartDate', null)
    form.set('EndDate', null)
  }
  const add = async () => {
    if (await form.submit()) clear()
  }
  const deleteIt = ({ Id, ...day }: DayOff) =>
    deleteWithUndo({
      remove: () => remove.run({ params: { programId, dayOffId: Id } }),
      restore: () => create.run({ params: { programId }, body: day }),
      deleted: words('scheduling.deleted', { name: day.Name }),
      notDeleted: words('scheduling.notDeleted', { name: day.Name }),
      notRestored: words('scheduling.notRestored', { name: day.Name }),
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('scheduling.daysOff')}
      subtitle={words('scheduling.daysOffIntro')}
      actions={
        mayPlan && (
          <Button onClick={() => void add()} loading={form.isSaving}>
            {words('scheduling.addNew')}
          </Button>
        )
      }
    >
      {days.data?.length === 0 && <p className="p-muted">{words('scheduling.daysOffEmpty')}</p>}
      <ul className={classes.daysOff}>
        {days.data?.map((day) => (
          <li key={day.Id}>
            <span className={classes.dayOffName}>{day.Name}</span>
            <span className="p-muted">
              {day.StartDate === day.EndDate
                ? formatDayOfYear(day.StartDate)
                : `${formatDayOfYear(day.StartDate)} – ${formatDayOfYear(day.EndDate)}`}
            </span>
            {mayPlan && (
              <button
                type="button"
                aria-label={`${words('scheduling.delete')} ${day.Name}`}
                onClick={() => void deleteIt(day)}
              >
                <IconTrash size={16} stroke={1.75} aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayPlan && (
        <Form form={form} onSaved={clear}>
          <div className={classes.dayOffFields}>
            <TextField label={words('scheduling.dayOff')} required maxLength={100} {...form.field('Name')} />
            <DateField label={words('scheduling.startDate')} required {...form.field('StartDate')} />
            <DateField label={words('scheduling.endDate')} {...form.field('EndDate')} />
          </div>
        </Form>
      )}
    </Dialog>
  )
}
