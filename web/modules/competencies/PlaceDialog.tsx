import type { LogContext } from '#contract/competencies/procedure-logs.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './procedure-log.module.css'

export interface Place {
  siteId: number | null
  supervisorId: number | null
}

/** The day, the site and who is asked to verify. */
export function PlaceDialog(props: {
  context: LogContext
  date: string
  place: Place
  onDate: (date: string) => void
  onPlace: (place: Place) => void
  onClose: () => void
}) {
  const { context, place, onPlace } = props
  const words = useWords()
  const supervisors = context.Sites.find(({ SiteId }) => SiteId === place.siteId)?.Supervisors ?? []
  const idOf = (value: string | null) => (value === null ? null : Number(value))
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={words('procedureLog.whereTitle')}
      subtitle={words('procedureLog.whereHint')}
      actions={
        <Button size="lg" onClick={props.onClose}>
          {words('procedureLog.done')}
        </Button>
      }
    >
      <div className={classes.fields}>
        <DateField
          label={words('procedureLog.date')}
          name="Date"
          min={context.FirstDate}
          max={context.Today}
          value={props.date}
          onChange={(value) => value && props.onDate(value)}
        />
        <SelectField
          label={words('procedureLog.site')}
          name="SiteId"
          placeholder={words('procedureLog.noSite')}
          options={context.Sites.map(({ SiteId, Name }) => ({ value: String(SiteId), label: Name }))}
          value={place.siteId === null ? null : String(place.siteId)}
          onChange={(value) => onPlace({ siteId: idOf(value), supervisorId: null })}
        />
        <SelectField
          label={words('procedureLog.supervisor')}
          name="SupervisorId"
          placeholder={words('procedureLog.noSupervisor')}
          options={supervisors.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
          value={place.supervisorId === null ? null : String(place.supervisorId)}
          onChange={(value) => onPlace({ ...place, supervisorId: idOf(value) })}
        />
      </div>
    </Dialog>
  )
}
