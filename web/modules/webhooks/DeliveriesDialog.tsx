import { useState } from 'react'
import {
  listWebhookDeliveries,
  listWebhooks,
  resendWebhook,
  type Webhook,
  type WebhookDelivery,
} from '#contract/webhooks/webhooks.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { hostOf } from './webhook-host.ts'
import classes from './webhooks.module.css'

const states: Record<WebhookDelivery['State'], { status: Status; word: WordKey }> = {
  delivered: { status: 'approved', word: 'webhooks.delivered' },
  waiting: { status: 'pending', word: 'webhooks.waits' },
  failed: { status: 'rejected', word: 'webhooks.failed' },
}
const pageSize = 50
/** While the page is open, what the worker has done shows by itself. */
const refreshMs = 3_000

/** What was sent to an endpoint, with body and answer, and once more. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  const programId = useProgramId()
  const [page, setPage] = useState(1)
  const params = { programId, webhookId: webhook.Id }
  const deliveries = useRead(
    listWebhookDeliveries,
    { params, query: { page, pageSize } },
    { refetchEveryMs: refreshMs },
  )
  const resend = useSave(resendWebhook, { refresh: [listWebhookDeliveries, listWebhooks] })
  const host = hostOf(webhook.Url)
  const again = ({ EventId }: WebhookDelivery) =>
    attempt(async () => {
      await resend.run({ params: { ...params, eventId: EventId } })
      toast.done(words('webhooks.resent'))
    })
  const told = (each: WebhookDelivery): string =>
    [
      formatInstant(each.Date, zone),
      `${each.Subject} · ${each.Number}`,
      words('webhooks.attempts', { count: each.Attempts }),
      each.Status !== null && words('webhooks.took', { status: each.Status, count: each.Milliseconds ?? 0 }),
      each.State === 'waiting' &&
        each.Attempts > 0 &&
        words('webhooks.next', { date: formatInstant(each.NextDate, zone) }),
      each.Error,
    ]
      .filter(Boolean)
      .join(' · ')
  const total = deliveries.data?.Total ?? 0
  return (
    <Dialog
      opened
      onClose={onClose}
      width={760}
      title={words('webhooks.deliveriesTitle', { host })}
      subtitle={words('webhooks.deliveriesPurpose')}
      actions={
        <>
          {total > page * pageSize && (
            <Button variant="default" onClick={() => setPage(page + 1)}>
              {words('webhooks.more')}
            </Button>
          )}
          <LeaveButton onClick={onClose}>{words('webhooks.close')}</LeaveButton>
        </>
      }
    >
      {deliveries.error && (
        <PageMessage
          kind="error"
          text={words('webhooks.deliveriesFailed', { reason: deliveries.error.message })}
          onRetry={() => void deliveries.refetch()}
        />
      )}
      {deliveries.data && total === 0 && (
        <PageMessage kind="empty" text={words('webhooks.deliveriesEmpty')} />
      )}
      <ul className={classes.list}>
        {deliveries.data?.Items.map((each) => (
          <li key={each.EventId}>
            <details>
              <summary>
                <code>{each.Type}</code>
                <StatusTag status={states[each.State].status}>{words(states[each.State].word)}</StatusTag>
                <span className={classes.told}>{told(each)}</span>
              </summary>
              <h3>{words('webhooks.sent')}</h3>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long body scrolls by keyboard too */}
              <pre tabIndex={0}>{JSON.stringify(JSON.parse(each.Body), null, 2)}</pre>
              <h3>{words('webhooks.answered')}</h3>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer scrolls by keyboard too */}
              <pre tabIndex={0}>{each.Answer || words('webhooks.noAnswer')}</pre>
              <Button
                variant="default"
                disabled={!webhook.IsEnabled}
                aria-label={words('webhooks.resendNamed', {
                  type: each.Type,
                  date: formatInstant(each.Date, zone),
                })}
                onClick={() => void again(each)}
              >
                {words('webhooks.resend')}
              </Button>
            </details>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
