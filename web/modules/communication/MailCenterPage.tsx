import { IconArrowDown, IconArrowUp, IconMailForward, IconSend } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import {
  enableMailTemplate,
  getMailTemplate,
  listMailTemplates,
  type MailTemplate,
  orderMailTemplate,
  sendTestNotification,
  testLabel,
  testMailTemplate,
} from '#contract/communication/mail-templates.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { usePlace } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useMay } from '#web/api/use-state.ts'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowAction } from '#web/ui/grid/grid-types.ts'
import { Html } from '#web/ui/Html.tsx'
import { textOfHtml } from '#web/ui/html-text.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './mail-center.module.css'
import { reasonOf } from './mail-center-words.ts'

const aboutOf = ({ Description }: MailTemplate): string => textOfHtml(Description).replace(/\s+/g, ' ').trim()

/** The first sentence of the description, to name the template by. */
const nameOf = (template: MailTemplate): string =>
  aboutOf(template).split('. ')[0]!.replace(/\.$/, '').slice(0, 60) || template.Label

/** Mail Center: every kind of email, whether it is sent, and its test email. */
export function MailCenterPage() {
  return useMay()('mail-templates.manage') ? <List /> : <RedirectHome />
}

function List() {
  const words = useWords()
  const navigate = usePageNavigate()
  const hash = usePlace().hash
  const templates = useRead(listMailTemplates)
  const refresh = { refresh: [listMailTemplates, getMailTemplate] }
  const order = useSave(orderMailTemplate, refresh)
  const enable = useSave(enableMailTemplate, refresh)
  const sendTest = useSave(testMailTemplate)
  const sendNotification = useSave(sendTestNotification)
  /** What last went wrong with a template, in words. */
  const [failed, setFailed] = useState<ReadonlyMap<number, string>>(new Map())
  const { shown, choose, settled } = useChosen<number, boolean>()

  const rows = templates.data
  const isThere = rows !== undefined
  useEffect(() => {
    if (isThere && hash) document.getElementById(hash)?.scrollIntoView({ block: 'center' })
  }, [isThere, hash])

  /** Failures are logged with their status and marked at the row, nothing else. */
  const attempt = async (
    { ID }: MailTemplate,
    what: 'mailCenter.changeFailed' | 'mailCenter.testFailed',
    work: () => Promise<unknown>,
  ) => {
    try {
      await work()
      setFailed((all) => new Map([...all].filter(([id]) => id !== ID)))
    } catch (error) {
      logFailure('Mail center', error)
      setFailed((all) => new Map([...all, [ID, words(what, { message: reasonOf(error, words) })]]))
    }
  }
  const toggle = (template: MailTemplate, value: boolean) =>
    choose(template.ID, value, () =>
      attempt(template, 'mailCenter.changeFailed', () =>
        enable.run({ params: { templateId: template.ID }, query: { value } }),
      ),
    )
  const move = (template: MailTemplate, direction: 'up' | 'down') =>
    attempt(template, 'mailCenter.changeFailed', () =>
      order.run({ query: { mailTemplateId: template.ID, direction } }),
    )
  const test = (template: MailTemplate) =>
    attempt(template, 'mailCenter.testFailed', async () =>
      toast.done((await sendTest.run({ params: { templateId: template.ID } })).Message),
    )
  const notification = rows?.find(({ Label }) => Label === testLabel)
  const isTestOn = notification !== undefined && shown(notification.ID, notification.IsEnabled)
  const notify = async () => {
    if (!notification) return
    await attempt(notification, 'mailCenter.testFailed', async () => {
      // It may have been switched on a moment ago.
      await settled(notification.ID)
      toast.done((await sendNotification.run()).Message)
    })
  }
  const open = ({ ID, Description }: MailTemplate) =>
    navigate('/admin/mail-center/edit', { search: { id: ID }, state: { description: Description } })

  const columns: GridColumn<MailTemplate>[] = [
    {
      id: 'Description',
      header: words('mailCenter.description'),
      identity: true,
      minWidth: 320,
      cell: (template) => (
        <div className={classes.about} title={aboutOf(template)}>
          <Html html={template.Description} />
        </div>
      ),
      text: nameOf,
      detail: ({ Label }) => <code id={Label}>{Label}</code>,
    },
    {
      id: 'IsEnabled',
      header: words('mailCenter.active'),
      width: 90,
      cell: (template) => (
        <DisabledReason reason={template.IsAlwaysSent && words('mailCenter.alwaysSent')}>
          <input
            type="checkbox"
            className="p-tick"
            checked={shown(template.ID, template.IsEnabled)}
            aria-label={words('mailCenter.isActive', { name: nameOf(template) })}
            onChange={(event) => {
              if (!template.IsAlwaysSent) void toggle(template, event.currentTarget.checked)
            }}
          />
        </DisabledReason>
      ),
      text: () => '',
    },
  ]
  const actions = (template: MailTemplate): RowAction[] => [
    {
      label: words('mailCenter.moveUp'),
      icon: <IconArrowUp size={16} stroke={1.75} />,
      onRun: () => void move(template, 'up'),
      quick: true,
      reason: rows?.[0]?.ID === template.ID && words('mailCenter.isFirst'),
    },
    {
      label: words('mailCenter.moveDown'),
      icon: <IconArrowDown size={16} stroke={1.75} />,
      onRun: () => void move(template, 'down'),
      quick: true,
      reason: rows?.at(-1)?.ID === template.ID && words('mailCenter.isLast'),
    },
    editAction(() => open(template)),
    {
      label: words('mailCenter.sendTest'),
      icon: <IconMailForward size={16} stroke={1.75} />,
      onRun: () => void test(template),
      quick: true,
    },
  ]
  const chosen = rows?.find(({ Label }) => Label === hash)
  return (
    <Page
      title={words('mailCenter.title')}
      count={rows && words('mailCenter.count', { count: rows.length })}
      intro={words('mailCenter.intro')}
      actions={
        <DisabledReason reason={!isTestOn && words('mailCenter.testIsOff')}>
          <Button
            leftSection={<IconSend size={17} stroke={1.75} aria-hidden />}
            loading={sendNotification.isRunning}
            onClick={() => void notify()}
          >
            {words('mailCenter.sendTestNotification')}
          </Button>
        </DisabledReason>
      }
    >
      <Grid
        id="mail-center"
        label={words('mailCenter.title')}
        columns={columns}
        rows={rows}
        rowKey={({ ID }) => ID}
        isLoading={templates.isFetching}
        error={templates.error?.message}
        onRetry={() => void templates.refetch()}
        warning={({ ID }) => failed.get(ID)}
        onOpen={open}
        {...(chosen && { openKey: chosen.ID })}
        actions={actions}
        actionsWidth={190}
        noColumnChoice
      />
    </Page>
  )
}
