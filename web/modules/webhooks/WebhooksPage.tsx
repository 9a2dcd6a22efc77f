import { IconListDetails, IconPlus, IconRotate, IconSend } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from '#contract/webhooks/webhooks.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { SecretShown } from './SecretShown.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { hostOf } from './webhook-host.ts'

const icon = { size: 16, stroke: 1.75 }
const statuses = { on: 'approved', failing: 'careful', off: 'rejected' } satisfies Record<string, Status>
const isFailing = ({ LastErrorDate, LastSuccessDate }: Webhook): boolean =>
  LastErrorDate !== null && (LastSuccessDate === null || LastErrorDate > LastSuccessDate)

/** Webhooks: where events of the program are sent, how that goes, and a test. */
export function WebhooksPage() {
  const words = useWords()
  const zone = useTimeZone()
  const programId = useProgramId()
  const webhooks = useRead(listWebhooks, { params: { programId } })
  const refresh = { refresh: [listWebhooks, listWebhookDeliveries] }
  const test = useSave(testWebhook, refresh)
  const rotate = useSave(rotateWebhookSecret, refresh)
  const remove = useSave(deleteWebhook, refresh)
  const [editing, setEditing] = useState<Webhook | 'new'>()
  const [opened, setOpened] = useState<Webhook>()
  const [made, setMade] = useState<{ Url: string; Secret: string }>()

  const columns = useMemo((): GridColumn<Webhook>[] => {
    const stateOf = (webhook: Webhook) =>
      webhook.IsEnabled ? (isFailing(webhook) ? 'failing' : 'on') : 'off'
    return [
      {
        id: 'Url',
        header: words('webhooks.url'),
        identity: true,
        minWidth: 220,
        grow: 3,
        detail: ({ Description }) => Description,
      },
      {
        id: 'State',
        header: words('webhooks.state'),
        width: 120,
        text: (webhook) =>
          webhook.DisabledReason
            ? words('webhooks.switchedOff', { reason: webhook.DisabledReason })
            : words(`webhooks.${stateOf(webhook)}`),
        cell: (webhook) => (
          <StatusTag status={statuses[stateOf(webhook)]}>{words(`webhooks.${stateOf(webhook)}`)}</StatusTag>
        ),
      },
      {
        id: 'Events',
        header: words('webhooks.events'),
        minWidth: 150,
        grow: 2,
        text: ({ Events }) => Events.join(', '),
        cell: ({ Events }) => Events.join(', '),
        detail: ({ Events }) => words('webhooks.eventsCount', { count: Events.length }),
      },
      {
        id: 'LastSuccessDate',
        header: words('webhooks.lastSuccess'),
        width: 145,
        text: ({ LastSuccessDate }) =>
          LastSuccessDate ? formatInstant(LastSuccessDate, zone) : words('webhooks.never'),
        cell: ({ LastSuccessDate }) =>
          LastSuccessDate ? formatInstant(LastSuccessDate, zone) : words('webhooks.never'),
      },
      { id: 'WaitingCount', header: words('webhooks.waiting'), width: 90, align: 'end' },
    ]
  }, [words, zone])

  const at = ({ Id }: Webhook) => ({ params: { programId, webhookId: Id } })
  const tryIt = (webhook: Webhook) =>
    attempt(async () => {
      await test.run(at(webhook))
      toast.done(words('webhooks.tested'))
      setOpened(webhook)
    })
  const renew = async (webhook: Webhook) => {
    const text = words('webhooks.rotateQuestion', { host: hostOf(webhook.Url) })
    if (!(await confirm({ text, verb: words('webhooks.rotate') }))) return
    await attempt(async () => setMade(await rotate.run(at(webhook))))
  }
  const end = async (webhook: Webhook) => {
    const host = hostOf(webhook.Url)
    const text = words('webhooks.removeQuestion', { host })
    if (!(await confirm({ text, verb: words('webhooks.remove'), danger: true }))) return
    await attempt(async () => {
      await remove.run(at(webhook))
      toast.done(words('webhooks.removed', { host }))
    })
  }
  const addNew = (
    <Button leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={() => setEditing('new')}>
      {words('webhooks.add')}
    </Button>
  )
  return (
    <Page
      title={words('webhooks.title')}
      count={webhooks.data && words('webhooks.count', { count: webhooks.data.length })}
      actions={addNew}
    >
      <Grid
        id="webhooks"
        label={words('webhooks.title')}
        columns={columns}
        {...fromList(webhooks)}
        rowKey={({ Id }) => Id}
        error={webhooks.error && words('webhooks.loadFailed', { reason: webhooks.error.message })}
        onOpen={setOpened}
        warning={(webhook) =>
          webhook.DisabledReason
            ? words('webhooks.switchedOff', { reason: webhook.DisabledReason })
            : isFailing(webhook) &&
              words('webhooks.lastError', {
                date: formatInstant(webhook.LastErrorDate, zone),
                error: webhook.LastError,
              })
        }
        actions={(webhook) => [
          {
            label: words('webhooks.test'),
            icon: <IconSend {...icon} />,
            quick: true,
            onRun: () => void tryIt(webhook),
          },
          {
            label: words('webhooks.deliveries'),
            icon: <IconListDetails {...icon} />,
            onRun: () => setOpened(webhook),
          },
          editAction(() => setEditing(webhook)),
          {
            label: words('webhooks.rotate'),
            icon: <IconRotate {...icon} />,
            onRun: () => void renew(webhook),
          },
          deleteAction(() => void end(webhook)),
        ]}
        empty={{ text: words('webhooks.empty'), next: addNew }}
      />
      {editing && (
        <WebhookDialog
          webhook={editing === 'new' ? undefined : editing}
          onMade={setMade}
          onClose={() => setEditing(undefined)}
        />
      )}
      {made && <SecretShown made={made} onClose={() => setMade(undefined)} />}
      {opened && <DeliveriesDialog webhook={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
