import { useEffect, useRef, useState } from 'react'
import { type PunchInput, punch } from '#contract/time/clock.ts'
import { type CallError, call } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { wantSending } from '#web/api/queue/changes.ts'
import { askToStay, change, drop, enqueueHeld, isWaiting, settle } from '#web/api/queue/queue.ts'
import { type Kept, listItems } from '#web/api/queue/stores.ts'
import { isUndecided } from '#web/api/queue/undecided.ts'
import { useKept } from '#web/api/queue/use-kept.ts'
import { serverTime } from '#web/api/server-time.ts'
import { useAppState, useUser } from '#web/api/use-state.ts'
import { readClock, readTaken } from '#web/shared/read-clock.ts'
import { notePress, punchKind } from './punch-kind.ts'
import { countPunch } from './use-install.ts'

const positionTimeoutMs = 10_000
const answerTimeoutMs = 15_000

interface Answered {
  position: Pick<PunchInput, 'Latitude' | 'Longitude' | 'Accuracy'>
  /** The person, or the browser in their name, does not tell. */
  isBlocked: boolean
}

/** Where the phone is, asked at this moment only; nothing where the person or the device does not tell. */
const askPosition = (): Promise<Answered> =>
  new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve({ position: {}, isBlocked: false })
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          position: {
            Latitude: coords.latitude,
            Longitude: coords.longitude,
            Accuracy: Math.round(coords.accuracy),
          },
          isBlocked: false,
        }),
      ({ code, PERMISSION_DENIED }) => resolve({ position: {}, isBlocked: code === PERMISSION_DENIED }),
      { enableHighAccuracy: true, timeout: positionTimeoutMs, maximumAge: 15_000 },
    )
  })

const send = (key: string, account: number, body: PunchInput) =>
  call(
    punch,
    { body: { ...body, SentAt: new Date().toISOString() } },
    { idempotencyKey: key, account, signal: AbortSignal.timeout(answerTimeoutMs) },
  )

const hasEarlierPunches = (account: number): boolean => {
  try {
    return localStorage.getItem(`practicum-punches-${account}`) !== null
  } catch {
    return false
  }
}

/** So long the button is held after a press: the second of two quick taps was for what it said before. */
const heldMs = 1_000

export type PunchState = 'idle' | 'position' | 'sending'

/** A punch that waits, was taken and is not read yet, or was refused, with what of it the screen shows. */
export interface KeptPunch {
  item: Kept
  Kind: PunchInput['Kind']
  OccurredAt: string
}

/** `keep` makes them from inputs of the call, with their moment. */
const shownOf = (item: Kept): KeptPunch => ({
  ...(item.input.body as Pick<KeptPunch, 'Kind' | 'OccurredAt'>),
  item,
})

/**
 * Punching from a phone: keeps the punch on the device, asks the position, and sends. What nobody answers stays kept; it is
 * sent when the phone is back on line (`web/offline.ts`).
 */
export const usePunch = ({
  readAt,
  onSentLate,
}: {
  /** When the clock was read that the screen shows. */
  readAt: number
  onSentLate: (count: number) => void
}) => {
  const { Id: account } = useUser()
  const program = useAppState().data?.ProgramId ?? null
  const [state, setState] = useState<PunchState>('idle')
  const isPressing = useRef(false)
  const [isHeld, setHeld] = useState(false)
  const [inHand, setInHand] = useState<string>()
  const [failure, setFailure] = useState<CallError>()
  const [where, setWhere] = useState({ isBlocked: false, hasPosition: false })
  const kept = useKept(punchKind, account, onSentLate)

  useEffect(() => {
    if (!hasEarlierPunches(account)) return
    // Where that fails they stay where they are, and are taken over the next time.
    import('./earlier-punches.ts')
      .then((earlier) => earlier.takeEarlierPunches({ account, program }))
      .catch(() => {})
  }, [account, program])

  /** Sends a punch whose moment is now; answers whether it was decided, taken or refused. */
  const sendNow = async (item: Kept, body: PunchInput): Promise<boolean> => {
    try {
      const record = await send(item.key, account, body)
      await settle(punchKind, item)
      if (body.Kind === 'mistake') void import('./Mistake.tsx').then((m) => m.tellTakenBack(record))
    } catch (error) {
      if (isUndecided(error)) return false
      setFailure(error as CallError)
      await drop(item)
      // Why it was refused may be on the screen then.
      await readClock().catch(() => {})
    }
    return true
  }

  const keep = async (made: PunchInput) => {
    const OccurredAt = new Date().toISOString()
    if (isPressing.current) return
    isPressing.current = true
    const key = newKey()
    setInHand(key)
    setFailure(undefined)
    const isFirst = !(await listItems(account)).some(
      (item) => item.kind === punchKind.name && isWaiting(item),
    )
    const facts = { OccurredAt, ...serverTime() }
    notePress(OccurredAt)
    const input = { body: { ...made, ...facts } }
    await enqueueHeld(punchKind, { account, program }, input, key, async (item) => {
      // Whoever sees that something happens may close the page: it is kept.
      setState('position')
      const answered = made.Kind === 'mistake' ? { position: {}, isBlocked: false } : await askPosition()
      setWhere({ isBlocked: answered.isBlocked, hasPosition: answered.position.Latitude !== undefined })
      const body = { ...made, ...answered.position }
      const known = { ...item, input: { body: { ...body, ...facts } } }
      await change(known)
      setState('sending')
      // Where the clock cannot be read now, what was taken says how it is.
      if (isFirst && navigator.onLine && (await sendNow(known, body)))
        await readTaken(account).catch(() => {})
      else void askToStay()
    })
    countPunch()
    if (!isFirst) wantSending()
    setInHand(undefined)
    setState('idle')
    setHeld(true)
    setTimeout(() => setHeld(false), heldMs)
    isPressing.current = false
  }
  const shown = kept?.filter(({ key }) => key !== inHand).map(shownOf) ?? []
  return {
    press: (Kind: 'in' | 'out', SiteId?: number) => keep({ Kind, ...(SiteId && { SiteId }) }),
    takeBack: (Reason?: string) => keep({ Kind: 'mistake', ...(Reason && { Reason }) }),
    state,
    /** The last press was a moment ago. */
    isHeld,
    /** The device has told what waits on it. */
    isKnown: kept !== undefined,
    /** What the last press learned about the position. */
    where,
    waiting: shown.filter(({ item }) => isWaiting(item)),
    /** What was pressed and the clock does not know: what waits, and what was taken after the clock was read, or while it was. */
    unread: shown.filter(
      ({ item }) =>
        isWaiting(item) || (item.takenAt !== undefined && readAt < item.takenAt + answerTimeoutMs),
    ),
    refused: shown.filter(({ item }) => item.refusal !== undefined),
    dismiss: ({ item }: KeptPunch) => void drop(item),
    failure,
    clearFailure: () => setFailure(undefined),
  }
}

export type Punching = ReturnType<typeof usePunch>
