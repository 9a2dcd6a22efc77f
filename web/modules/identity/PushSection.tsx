import { IconBell, IconBellOff, IconDeviceMobile, IconSend } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import {
  getPush,
  maxPushDevices,
  type PushDevice,
  type PushKind,
  type PushSettings,
  pushKindsFor,
  removePushDevice,
  savePush,
  testPushDevice,
} from '#contract/push/push.ts'
import { findOwnDevice, pushHindrance, turnOffPush, turnOnPush } from '#web/api/push-device.ts'
import { queryClient, readKey, useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useAppState, useTimeZone, useUser } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { deviceOf } from '#web/ui/device-name.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './push.module.css'

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const

/** In the words of the catalogue, whose keys have no hyphens. */
const kindWords = {
  shift: 'shift',
  'clock-out': 'clockOut',
  evaluation: 'evaluation',
  answer: 'answer',
} as const satisfies Record<PushKind, string>

/** Notifications on the person's own devices: on this one, of what, when not, and which others. What is chosen is kept at once. */
export function PushSection() {
  const words = useWords()
  const push = useRead(getPush, {}, { staleMs: 0 })
  if (push.error)
    return (
      <FormSection name={words('push.section')}>
        <FullWidth>
          <PageMessage
            kind="error"
            text={words('push.loadFailed', { reason: push.error.message })}
            onRetry={() => void push.refetch()}
          />
        </FullWidth>
      </FormSection>
    )
  // An installation without it does not talk about it, except to those who have used it.
  const isUsed = push.data && (push.data.IsOn || push.data.Devices.length > 0 || push.data.Kinds.length > 0)
  return push.data && isUsed ? <Loaded push={push.data} /> : null
}

function Loaded({ push }: { push: PushSettings }) {
  const words = useWords()
  const { data: state } = useAppState()
  const { Id: account } = useUser()
  const [own, setOwn] = useState<string>()
  useEffect(() => {
    void findOwnDevice(account).then(setOwn)
  }, [account])
  const hindrance = state?.IsShared ? 'shared' : push.IsOn ? pushHindrance() : 'off'
  const here = push.Devices.find(({ Id }) => Id === own)
  const others = push.Devices.filter((device) => device !== here)
  const isWorthChoosing = push.IsOn && (!hindrance || push.Devices.length > 0)
  return (
    <FormSection name={words('push.section')} purpose={words('push.purpose')}>
      <FullWidth>
        <div className={classes.parts}>
          {hindrance && !here ? (
            <Hindrance why={hindrance} />
          ) : (
            <ThisDevice push={push} here={here} isPaused={hindrance === 'off'} setOwn={setOwn} />
          )}
          {isWorthChoosing && <Choice push={push} />}
          {others.length > 0 && <Devices devices={others} isOn={push.IsOn} />}
        </div>
      </FullWidth>
    </FormSection>
  )
}

/** Why nothing can be shown on this device, and what the person can do about it. */
function Hindrance({ why }: { why: 'shared' | 'off' | NonNullable<ReturnType<typeof pushHindrance>> }) {
  const words = useWords()
  return (
    <div className={classes.device} data-quiet>
      <IconBellOff {...icon} />
      <div>
        <b>{words(`push.hindrance.${why}.title`)}</b>
        <p>{words(`push.hindrance.${why}.next`)}</p>
      </div>
    </div>
  )
}

interface ThisDeviceProps {
  push: PushSettings
  here: PushDevice | undefined
  isPaused: boolean
  setOwn: (device: string | undefined) => void
}

/** On or off for this device. The browser asks for permission after the press, and never before. */
function ThisDevice({ push, here, isPaused, setOwn }: ThisDeviceProps) {
  const words = useWords()
  const { Id: account } = useUser()
  const [isBusy, setBusy] = useState(false)
  const [isDenied, setDenied] = useState(false)
  const remove = useSave(removePushDevice, { refresh: [getPush] })
  const test = useSave(testPushDevice)
  const name = deviceOf(navigator.userAgent)
  const turnOn = async () => {
    setBusy(true)
    await attempt(async () => {
      const settings = await turnOnPush(account, name.slice(0, 60), push.PublicKey)
      setDenied(!settings)
      if (!settings) return
      queryClient.setQueryData([...readKey(getPush, {})], settings)
      setOwn(await findOwnDevice(account))
      toast.done(words('push.turnedOn'))
    }, words('push.turnOnFailed'))
    setBusy(false)
  }
  const turnOff = (device: PushDevice) =>
    attempt(async () => {
      await remove.run({ params: { deviceId: device.Id } })
      await turnOffPush(account)
      setOwn(undefined)
      toast.done(words('push.turnedOff'))
    })
  const tryIt = (device: PushDevice) =>
    attempt(async () => {
      await test.run({ params: { deviceId: device.Id } })
      toast.done(words('push.tested'))
    })
  if (isDenied) return <Hindrance why="denied" />
  if (!here) {
    const isFull = push.Devices.length >= maxPushDevices
    return (
      <div className={classes.device}>
        <IconBell {...icon} />
        <div>
          <b>{words('push.offHere')}</b>
          <p>{words(isFull ? 'push.full' : 'push.ask', { count: maxPushDevices })}</p>
          {!isFull && (
            <Button size="md" loading={isBusy} onClick={() => void turnOn()}>
              {words('push.turnOn')}
            </Button>
          )}
        </div>
      </div>
    )
  }
  return (
    <div className={classes.device}>
      <IconBell {...icon} />
      <div>
        <div className={classes.state}>
          <b>{here.Name}</b>
          <StatusTag status={isPaused ? 'pending' : 'approved'}>
            {words(isPaused ? 'push.paused' : 'push.onHere')}
          </StatusTag>
        </div>
        {isPaused ? (
          <p>{words('push.pausedNote')}</p>
        ) : (
          push.Kinds.length === 0 && <p>{words('push.chooseKinds')}</p>
        )}
        <div className={classes.buttons}>
          {!isPaused && (
            <Button
              variant="default"
              leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
              loading={test.isRunning}
              onClick={() => void tryIt(here)}
            >
              {words('push.test')}
            </Button>
          )}
          <Button variant="default" loading={remove.isRunning} onClick={() => void turnOff(here)}>
            {words('push.turnOff')}
          </Button>
        </div>
      </div>
    </div>
  )
}

type Chosen = Pick<PushSettings, 'Kinds' | 'Quiet'>
const usualQuiet = { From: '22:00', Until: '06:00' }

/** What the devices are told, and when not. */
function Choice({ push }: { push: PushSettings }) {
  const words = useWords()
  const { AccessLevel } = useUser()
  const save = useSave(savePush, { refresh: [getPush] })
  const { shown, choose } = useChosen<'choice', Chosen>()
  const { Kinds, Quiet } = shown('choice', push as Chosen)
  const keep = useCallback(
    (next: Chosen) => void attempt(() => choose('choice', next, () => save.run({ body: next }))),
    [choose, save],
  )
  const setQuiet = (part: Partial<typeof usualQuiet>) => {
    const next = { ...(Quiet ?? usualQuiet), ...part }
    if (next.From === next.Until) toast.error(words('push.quietSame'))
    else keep({ Kinds, Quiet: next })
  }
  const offered = pushKindsFor(AccessLevel)
  return (
    <>
      <fieldset className={classes.kinds}>
        <legend>{words('push.kinds')}</legend>
        {offered.map((kind) => (
          <CheckField
            key={kind}
            name={`Push-${kind}`}
            label={words(`push.kind.${kindWords[kind]}`)}
            description={words(`push.kindNote.${kindWords[kind]}`)}
            value={Kinds.includes(kind)}
            onChange={(isWanted) =>
              keep({
                Kinds: offered.filter((each) => (each === kind ? isWanted : Kinds.includes(each))),
                Quiet,
              })
            }
          />
        ))}
      </fieldset>
      <div className={classes.quiet}>
        <SwitchField
          name="PushQuiet"
          label={words('push.quiet')}
          description={words('push.quietNote')}
          value={Quiet !== null}
          onChange={(isWanted) => keep({ Kinds, Quiet: isWanted ? usualQuiet : null })}
        />
        {Quiet && (
          <div className={classes.times}>
            <TimeField
              name="PushQuietFrom"
              label={words('push.from')}
              value={Quiet.From}
              onChange={(From) => From && setQuiet({ From })}
            />
            <TimeField
              name="PushQuietUntil"
              label={words('push.until')}
              value={Quiet.Until}
              onChange={(Until) => Until && setQuiet({ Until })}
            />
          </div>
        )}
      </div>
    </>
  )
}

/** The person's other devices; any of them can be ended from here. */
function Devices({ devices, isOn }: { devices: readonly PushDevice[]; isOn: boolean }) {
  const words = useWords()
  const zone = useTimeZone()
  const remove = useSave(removePushDevice, { refresh: [getPush] })
  const end = ({ Id, Name }: PushDevice) =>
    attemptWhenSure(
      { text: words('push.removeQuestion', { name: Name }), verb: words('push.remove') },
      async () => {
        await remove.run({ params: { deviceId: Id } })
        toast.done(words('push.removed', { name: Name }))
      },
    )
  return (
    <section aria-label={words('push.devices')} className={classes.others}>
      <h2>{words('push.devices')}</h2>
      <ul>
        {devices.map((device) => (
          <li key={device.Id}>
            <IconDeviceMobile {...icon} />
            <div>
              <b>{device.Name}</b>
              <p>
                {words('push.seen', { date: formatInstant(device.SeenDate, zone) })}
                {' · '}
                {device.SentDate && isOn
                  ? words('push.lastSent', { date: formatInstant(device.SentDate, zone) })
                  : words('push.neverSent')}
              </p>
            </div>
            <Button
              variant="default"
              aria-label={words('push.removeNamed', { name: device.Name })}
              onClick={() => void end(device)}
            >
              {words('push.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
