import { IconCalendarShare, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { calendarCalls, type WhoseCalendar } from '#web/shared/calendar-feed.ts'
import { QrCode } from '#web/shared/QrCode.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './CalendarDialog.module.css'

const intros = {
  own: 'scheduling.calendarIntro',
  sites: 'scheduling.calendarIntroSites',
  staff: 'scheduling.calendarIntroStaff',
} as const

/**
 * The secret calendar address of shifts: whether it is on and read, made and shown once, with a code for the phone, and turned off.
 */
export function CalendarDialog({ onClose, ...whose }: WhoseCalendar & { onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  const isPhone = useIsPhone()
  const { get, make: create, end, input } = calendarCalls(whose)
  const { data: feed } = useRead(get, input, { staleMs: 0 })
  const making = useSave(create, { refresh: [get] })
  const ending = useSave(end, { refresh: [get] })
  const [address, setAddress] = useState<string>()
  const [isTaken, setTaken] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      toast.error({ title: words('scheduling.notDone'), detail: (error as Error).message })
    }
  }
  const make = () =>
    attempt(async () => {
      const made = await making.run(input)
      setAddress(made.Address)
      setTaken(false)
    })
  const turnOff = async () => {
    const isSure = await confirm({
      title: words('scheduling.calendarOffTitle'),
      text: words('scheduling.calendarOffText'),
      verb: words('scheduling.calendarOff'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      await ending.run(input)
      setAddress(undefined)
      toast.done(words('scheduling.calendarIsOff'))
    })
  }
  const copy = async (text: string) => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    if (!isCopied) return void toast.error(words('scheduling.calendarCopyFailed'))
    setTaken(true)
    toast.done(words('scheduling.calendarCopied'))
  }
  const close = async () => {
    const isSure =
      !address ||
      isTaken ||
      (await confirm({
        title: words('scheduling.calendarLeaveTitle'),
        text: words('scheduling.calendarLeaveText'),
        verb: words('scheduling.calendarLeave'),
        danger: true,
      }))
    if (isSure) onClose()
  }
  // Calendar programs subscribe to what has this in front; a browser would save the file once.
  const subscription = address?.replace(/^https?:/, 'webcal:')
  return (
    <Dialog
      opened
      onClose={() => void close()}
      title={words('scheduling.calendar')}
      actions={
        <>
          {feed && (
            <Button variant="default" loading={ending.isRunning} onClick={turnOff}>
              {words('scheduling.calendarOff')}
            </Button>
          )}
          {address ? (
            <Button
              leftSection={<IconCopy size={17} stroke={1.75} aria-hidden />}
              onClick={() => void copy(address)}
            >
              {words('scheduling.calendarCopy')}
            </Button>
          ) : (
            <Button loading={making.isRunning} onClick={() => void make()}>
              {words(feed ? 'scheduling.calendarMakeNew' : 'scheduling.calendarMake')}
            </Button>
          )}
        </>
      }
    >
      <p>{words(intros[whose.of])}</p>
      {feed && (
        <p className={classes.state}>
          {words('scheduling.calendarSince', { when: formatInstant(feed.CreatedAt, zone) })}{' '}
          {feed.LastReadAt
            ? words('scheduling.calendarRead', { when: formatInstant(feed.LastReadAt, zone) })
            : words('scheduling.calendarNotRead')}
        </p>
      )}
      {!address && <p>{words('scheduling.calendarOnce')}</p>}
      {address && subscription && (
        <>
          <p>
            <b>{words('scheduling.calendarOnceNow')}</b>
          </p>
          <output className={classes.address} aria-label={words('scheduling.calendar')}>
            {address}
          </output>
          <Button
            variant="default"
            component="a"
            href={subscription}
            onClick={() => setTaken(true)}
            leftSection={<IconCalendarShare size={17} stroke={1.75} aria-hidden />}
          >
            {words('scheduling.calendarOpen')}
          </Button>
          {!isPhone && (
            <figure className={classes.code}>
              <QrCode url={subscription} title={words('scheduling.calendarScan')} isBare />
              <figcaption>{words('scheduling.calendarScan')}</figcaption>
            </figure>
          )}
        </>
      )}
    </Dialog>
  )
}
