import { useTimeZone } from '#web/api/use-state.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement-lists.module.css'

/** To whom something was sent by a link, whether it was opened, and the note that went along. */
export function SentLines({
  sent,
}: {
  sent: {
    SentAt: string
    RecipientName: string
    RecipientEmail: string
    Openings: number
    LastOpenedAt: string | null
    Note: string
  }
}) {
  const words = useWords()
  const zone = useTimeZone()
  return (
    <div>
      <p className={classes.quiet}>
        {words('placementLists.sent', {
          date: formatInstant(sent.SentAt, zone),
          recipient: `${sent.RecipientName} (${sent.RecipientEmail})`,
        })}
      </p>
      <p className={classes.quiet}>
        {sent.LastOpenedAt
          ? words('placementLists.opened', {
              count: sent.Openings,
              date: formatInstant(sent.LastOpenedAt, zone),
            })
          : words('placementLists.notOpened')}
      </p>
      {sent.Note && <p className={classes.quiet}>{sent.Note}</p>}
    </div>
  )
}
