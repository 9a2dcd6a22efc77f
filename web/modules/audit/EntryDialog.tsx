import type { AuditRow } from '#contract/audit/audit.ts'
import { isObject } from '#contract/core/is-object.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './audit.module.css'
import { changesOf, factsOf } from './detail-words.ts'

/** One entry: old and new values side by side, and whatever else was noted. */
export function EntryDialog({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  const changes = changesOf(words, zone, row.Detail, row.Names)
  const hasSides = isObject(row.Detail.Before) && isObject(row.Detail.After)
  const rest = Object.fromEntries(
    Object.entries(row.Detail).filter(([name]) => !hasSides || (name !== 'Before' && name !== 'After')),
  )
  const facts: [string, string][] = [
    [words('audit.who'), row.Person || words('audit.product')],
    ...(row.Subject ? ([[words('audit.about'), row.Subject]] as [string, string][]) : []),
    ...(row.Address ? ([[words('audit.address'), row.Address]] as [string, string][]) : []),
    ...factsOf(words, zone, rest, row.Names),
  ]
  return (
    <Dialog
      opened
      onClose={onClose}
      width={680}
      title={row.Summary}
      subtitle={formatInstant(row.Date, zone)}
      actions={<LeaveButton onClick={onClose}>{words('audit.close')}</LeaveButton>}
    >
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {hasSides && changes.length === 0 && <p>{words('audit.unchanged')}</p>}
      {changes.length > 0 && (
        <table className={classes.sides}>
          <thead>
            <tr>
              <th scope="col">{words('audit.field')}</th>
              <th scope="col">{words('audit.before')}</th>
              <th scope="col">{words('audit.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
