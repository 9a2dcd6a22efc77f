import { IconAlertTriangle, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { getPushState, type PushState, renewPushKeys, switchPush } from '#contract/push/push.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { connectionStatuses, stateOf } from '#web/shared/connection-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { PushTest } from './PushTest.tsx'
import classes from './push-service.module.css'

/** What is sent meanwhile shows by itself. */
const refreshMs = 5_000

/** Push Notifications: on or off for the installation, how it goes, and a test. */
export function PushServicePage() {
  const words = useWords()
  const state = useRead(getPushState, {}, { refetchEveryMs: refreshMs })
  const [isTesting, setTesting] = useState(false)
  return (
    <Page
      title={words('pushService.title')}
      intro={words('pushService.intro')}
      inset
      actions={
        state.data && (
          <DisabledReason reason={!state.data.IsOn && words('pushService.testOff')}>
            <Button
              leftSection={<IconSend size={17} stroke={1.75} aria-hidden />}
              onClick={() => setTesting(true)}
            >
              {words('pushService.test')}
            </Button>
          </DisabledReason>
        )
      }
    >
      {state.data ? (
        <Shown state={state.data} />
      ) : (
        state.error && (
          <PageMessage
            kind="error"
            text={words('pushService.loadFailed', { reason: state.error.message })}
            onRetry={() => void state.refetch()}
          />
        )
      )}
      {isTesting && state.data && (
        <PushTest publicKey={state.data.PublicKey} onClose={() => setTesting(false)} />
      )}
    </Page>
  )
}

/** How it goes in a word: off, or how its last message went. */
const tagOf = (state: PushState): { status: Status; name: 'on' | 'off' | 'failing' } => {
  if (!state.IsOn) return { status: 'pending', name: 'off' }
  const isFailing = stateOf(state) === 'failing' || state.Problems.includes('keys')
  return isFailing
    ? { status: connectionStatuses.failing, name: 'failing' }
    : { status: connectionStatuses.working, name: 'on' }
}

function Shown({ state }: { state: PushState }) {
  const words = useWords()
  const zone = useTimeZone()
  const refresh = { refresh: [getPushState] }
  const set = useSave(switchPush, refresh)
  const renew = useSave(renewPushKeys, refresh)
  const { shown, choose } = useChosen<'on', boolean>()
  const tag = tagOf(state)
  const date = (instant: string | null) =>
    instant ? formatInstant(instant, zone) : words('pushService.never')
  const turn = (IsOn: boolean) =>
    attempt(async () => {
      await choose('on', IsOn, () => set.run({ body: { IsOn } }))
      toast.done(words(IsOn ? 'pushService.switchedOn' : 'pushService.switchedOff'))
    })
  const makeKeys = async () => {
    const text = words('pushService.renewQuestion', { count: state.DeviceCount })
    if (!(await confirm({ text, verb: words('pushService.renew'), danger: true }))) return
    await attempt(async () => {
      await renew.run()
      toast.done(words('pushService.renewed'))
    })
  }
  const figures = [
    [words('pushService.devices'), state.DeviceCount.toLocaleString('en-US')],
    [words('pushService.people'), state.PersonCount.toLocaleString('en-US')],
    [words('pushService.sent'), state.SentCount.toLocaleString('en-US')],
    [words('pushService.failed'), state.FailedCount.toLocaleString('en-US')],
    [words('pushService.waiting'), state.WaitingCount.toLocaleString('en-US')],
    [words('pushService.lastSuccess'), date(state.LastSuccessDate)],
    [words('pushService.contact'), state.Contact],
    [words('pushService.keysSince'), state.CreateDate ? date(state.CreateDate) : words('pushService.noKeys')],
  ] as const
  return (
    <div className={classes.parts}>
      <Section
        title={words('pushService.state')}
        end={<StatusTag status={tag.status}>{words(`pushService.${tag.name}`)}</StatusTag>}
      >
        <SwitchField
          name="IsOn"
          label={words('pushService.isOn')}
          description={words('pushService.isOnNote')}
          value={shown('on', state.IsOn)}
          onChange={(isOn) => void turn(isOn)}
        />
        {state.Problems.map((problem) => (
          <p key={problem} className={classes.problem} role="note">
            <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
            {words(`pushService.problem.${problem}`)}
          </p>
        ))}
        {state.LastError && (
          <p className={classes.error} data-past={tag.name !== 'failing' || undefined}>
            {words('pushService.lastError', { date: date(state.LastErrorDate), error: state.LastError })}
          </p>
        )}
        <dl className={classes.figures}>
          {figures.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {state.PublicKey && (
          <Button variant="default" loading={renew.isRunning} onClick={() => void makeKeys()}>
            {words('pushService.renew')}
          </Button>
        )}
      </Section>
      <Section title={words('pushService.hosts')}>
        {state.Hosts.length === 0 ? (
          <p className={classes.quiet}>{words('pushService.noHosts')}</p>
        ) : (
          <ul className={classes.hosts}>
            {state.Hosts.map(({ Host, DeviceCount }) => (
              <li key={Host}>
                <span>{Host}</span>
                <span>{words('pushService.hostDevices', { count: DeviceCount })}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  )
}
