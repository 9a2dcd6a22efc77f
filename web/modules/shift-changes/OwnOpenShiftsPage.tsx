import { useState } from 'react'
import {
  leaveOpenShift,
  listOwnOpenShifts,
  type OwnOpenShift,
  signUpForOpenShift,
} from '#contract/shift-changes/open-shifts.ts'
import { CallError } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDay, formatInstant } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ShiftLine, timeText } from './ShiftLine.tsx'
import classes from './shift-changes.module.css'

const pageSize = 25

/** Open shifts that a student can sign up for, and those that they have. */
export function OwnOpenShiftsPage() {
  const words = useWords()
  const [at, setAt] = useAddress({ show: 'open', page: 1 })
  const show = at.show === 'own' ? 'own' : 'open'
  return (
    <Page title={words('shiftChanges.ownTitle')} inset>
      <div className={classes.narrow}>
        <Tabs
          label={words('shiftChanges.ownTabs')}
          value={show}
          onChange={(next) => setAt({ show: next, page: 1 })}
          tabs={(['open', 'own'] as const).map((value) => ({
            value,
            label: words(value === 'open' ? 'shiftChanges.tabOpen' : 'shiftChanges.tabOwn'),
            content: <OpenShiftCards show={value} page={at.page} onPage={(page) => setAt({ page })} />,
          }))}
        />
      </div>
    </Page>
  )
}

function OpenShiftCards(props: { show: 'open' | 'own'; page: number; onPage: (page: number) => void }) {
  const words = useWords()
  const { show, page, onPage } = props
  const shifts = useRead(listOwnOpenShifts, { query: { show, page, pageSize } })
  useLiveEvent('notifications', () => void shifts.refetch(), 1_000)
  const { data } = shifts
  if (shifts.error && !data)
    return <PageMessage kind="error" text={shifts.error.message} onRetry={() => void shifts.refetch()} />
  if (!data) return null
  if (data.Items.length === 0)
    return (
      <PageMessage
        kind="empty"
        text={words(show === 'open' ? 'shiftChanges.noneOpen' : 'shiftChanges.noneOwn')}
      />
    )
  return (
    <>
      <ul className={classes.cards}>
        {data.Items.map((shift) => (
          <OpenShiftCard key={shift.Id} shift={shift} />
        ))}
      </ul>
      {(data.Total ?? 0) > pageSize && (
        <Pager page={page} pageSize={pageSize} total={data.Total ?? 0} onPage={onPage} />
      )}
    </>
  )
}

function OpenShiftCard({ shift }: { shift: OwnOpenShift }) {
  const words = useWords()
  const zone = useTimeZone()
  const left = Math.max(0, shift.Places - shift.Taken)
  const signedUp = shift.IsPlaced || shift.WaitingAs !== null
  return (
    <li className={classes.shift}>
      <ShiftLine
        shift={shift}
        end={
          shift.IsPlaced ? (
            <StatusTag status="approved">{words('shiftChanges.youHaveIt')}</StatusTag>
          ) : (
            shift.WaitingAs !== null && (
              <StatusTag status="pending">
                {words('shiftChanges.inLine', { place: shift.WaitingAs })}
              </StatusTag>
            )
          )
        }
      />
      {shift.Note && <p className={classes.quiet}>{shift.Note}</p>}
      {shift.Blocked && (
        <p className={classes.blocked}>
          {shift.Blocked.Message}{' '}
          {shift.Blocked.Rule === 'compliance' && (
            <PageLink href="/new/requirements">{words('shiftChanges.seeRequirements')}</PageLink>
          )}
        </p>
      )}
      <div className={classes.foot}>
        <p className={classes.quiet}>
          {shift.IsPlaced
            ? shift.IsDropAsked
              ? words('shiftChanges.dropAsked')
              : Date.parse(shift.DropsUntil) <= Date.now()
                ? words('shiftChanges.tooLateToDrop')
                : words('shiftChanges.dropUntil', { date: formatInstant(shift.DropsUntil, zone) })
            : [
                left > 0 ? words('shiftChanges.left', { count: left }) : words('shiftChanges.noneLeft'),
                shift.Waiting > 0 && words('shiftChanges.waitingCount', { count: shift.Waiting }),
                words('shiftChanges.untilMoment', { date: formatInstant(shift.ClosesAt, zone) }),
              ]
                .filter(Boolean)
                .join(' · ')}
        </p>
        {signedUp ? <LeaveButton shift={shift} /> : !shift.Blocked && <SignUpButton shift={shift} />}
      </div>
    </li>
  )
}

function SignUpButton({ shift }: { shift: OwnOpenShift }) {
  const words = useWords()
  const save = useSave(signUpForOpenShift, { refresh: [listOwnOpenShifts] })
  // Somebody was faster: until the list has come again, the button offers the waiting list.
  const [isFull, setFull] = useState(false)
  const waits = isFull || shift.Waiting > 0 || shift.Taken >= shift.Places
  const run = () =>
    attempt(async () => {
      try {
        const { WaitingAs } = await save.run({
          params: { openShiftId: shift.Id },
          body: { IsWaiting: waits },
        })
        toast.done(
          WaitingAs === null
            ? {
                title: words('shiftChanges.didSignUp'),
                detail: words('shiftChanges.didSignUpDetail', {
                  day: formatDay(shift.Date),
                  time: timeText(words, shift),
                  site: shift.Site,
                }),
              }
            : {
                title: words('shiftChanges.didJoin', { place: WaitingAs }),
                detail: words('shiftChanges.didJoinDetail'),
              },
        )
      } catch (error) {
        if (error instanceof CallError && error.code === 'full') setFull(true)
        throw error
      }
    }, words('shiftChanges.notSignedUp'))
  return (
    <Button
      size="md"
      variant={waits ? 'default' : 'filled'}
      loading={save.isRunning}
      onClick={() => void run()}
    >
      {words(waits ? 'shiftChanges.join' : 'shiftChanges.signUp')}
    </Button>
  )
}

function LeaveButton({ shift }: { shift: OwnOpenShift }) {
  const words = useWords()
  const save = useSave(leaveOpenShift, { refresh: [listOwnOpenShifts] })
  const isLate = shift.IsPlaced && Date.parse(shift.DropsUntil) <= Date.now()
  if (shift.IsDropAsked || Date.parse(shift.StartsAt) <= Date.now()) return null
  const verb = words(
    shift.IsPlaced ? (isLate ? 'shiftChanges.askDrop' : 'shiftChanges.drop') : 'shiftChanges.leave',
  )
  const leave = async () => {
    const isSure =
      !shift.IsPlaced ||
      (await confirm({
        text: words(isLate ? 'shiftChanges.askDropQuestion' : 'shiftChanges.dropQuestion'),
        detail: isLate
          ? words('shiftChanges.askDropDetail')
          : words('shiftChanges.dropDetail', {
              day: formatDay(shift.Date),
              time: timeText(words, shift),
              site: shift.Site,
            }),
        verb,
        danger: !isLate,
      }))
    if (!isSure) return
    await attempt(async () => {
      const { IsDropped } = await save.run({ params: { openShiftId: shift.Id }, body: {} })
      toast.done(
        words(
          !shift.IsPlaced
            ? 'shiftChanges.didLeave'
            : IsDropped
              ? 'shiftChanges.didDrop'
              : 'shiftChanges.didAskDrop',
        ),
      )
    }, words('shiftChanges.notDropped'))
  }
  return (
    <Button size="md" variant="default" loading={save.isRunning} onClick={() => void leave()}>
      {verb}
    </Button>
  )
}
