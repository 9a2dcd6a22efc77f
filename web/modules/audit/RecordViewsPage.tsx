import { useState } from 'react'
import { listRecordViews } from '#contract/audit/audit.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { OwnCard, OwnEntry, OwnScreen } from '#web/ui/OwnScreen.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A student sees who has opened or changed the own record, and when. */
export function RecordViewsPage() {
  const words = useWords()
  const zone = useTimeZone()
  const [cursor, setCursor] = useState<string>()
  const views = useRead(listRecordViews, { query: { ...(cursor !== undefined && { cursor }) } })
  const next = views.data?.NextCursor
  return (
    <OwnScreen title={words('audit.viewsTitle')} lead={words('audit.viewsLead')}>
      {views.error && (
        <PageMessage
          kind="error"
          text={words('audit.viewsFailed', { reason: views.error.message })}
          onRetry={() => void views.refetch()}
        />
      )}
      {views.data?.Items.length === 0 && <PageMessage kind="empty" text={words('audit.viewsEmpty')} />}
      {views.data && views.data.Items.length > 0 && (
        <OwnCard>
          {views.data.Items.map((view) => (
            <OwnEntry key={view.Id}>
              <b>{view.Person}</b>
              <p>{view.Summary}</p>
              {view.Reason && <p>{words('audit.reason', { reason: view.Reason })}</p>}
              <p>
                {words(view.IsChange ? 'audit.changed' : 'audit.seen')} · {formatInstant(view.Date, zone)}
              </p>
            </OwnEntry>
          ))}
        </OwnCard>
      )}
      {next && (
        <Button variant="default" onClick={() => setCursor(next)}>
          {words('audit.more')}
        </Button>
      )}
    </OwnScreen>
  )
}
