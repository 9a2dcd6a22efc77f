import { useCallback, useEffect, useState } from 'react'
import { getClock, listOwnRecords, type PunchInput, punch } from '#contract/time/clock.ts'
import { CallError, call } from '#web/api/call.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { useUser } from '#web/api/use-state.ts'
import { dropPunch, newKey, queuePunch, readKept, type Sent, sendKept } from './clock-queue.ts'

const positionTimeoutMs = 10_000
const answerTimeoutMs = 15_000
const retryMs = 20_000

interface Answered {
  position: Pick<PunchInput, 'Latitude' | 'Longitude' | 'Accuracy'>
  /** The person, or the browser in her name, does not tell. */
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

const isUnanswered = (error: unknown): boolean =>
  !(error instanceof CallError) || [0, 401, 429, 503].includes(error.status)

const send = (key: string, body: PunchInput) =>
  call(
    punch,
    { body: { ...body, SentAt: new Date().toISOString() } },
    { idempotencyKey: key, signal: AbortSignal.timeout(answerTimeoutMs) },
  )

const readAgain = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: readKey(getClock) }),
    queryClient.invalidateQueries({ queryKey: readKey(listOwnRecords) }),
  ])

export type PunchState = 'idle' | 'position' | 'sending'

/**
 * Punching from a phone: asks the position, sends, and keeps the punch on the device when nobody answers. What is kept is
 * sent when the phone is back on line, and every 20 seconds while the screen is open.
 */
export const usePunch = ({ onSentLate }: { onSentLate: (count: number) => void }) => {
  const { Id: userId } = useUser()
  const [state, setState] = useState<PunchState>('idle')
  const [kept, setKept] = useState(() => readKept(localStorage, userId))
  const [failure, setFailure] = useState<CallError>()
  const [where, setWhere] = useState({ isBlocked: false, hasPosition: false })
  const look = useCallback(() => setKept(readKept(localStorage, userId)), [userId])

  const flush = useCallback(async () => {
    if (readKept(localStorage, userId).every(({ refusal }) => refusal !== undefined)) return
    const taken = await sendKept(localStorage, userId, async ({ key, body }): Promise<Sent> => {
      try {
        await send(key, body)
        return { is: 'taken' }
      } catch (error) {
        return isUnanswered(error)
          ? { is: 'unanswered' }
          : { is: 'refused', message: (error as CallError).message }
      }
    })
    look()
    if (taken > 0) {
      onSentLate(taken)
      await readAgain()
    }
  }, [userId, look, onSentLate])

  useEffect(() => {
    void flush()
    const again = () => void flush()
    addEventListener('online', again)
    const timer = setInterval(again, retryMs)
    return () => {
      removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [flush])

  const press = async (Kind: 'in' | 'out', SiteId?: number) => {
    const at = new Date().toISOString()
    const key = newKey()
    setFailure(undefined)
    setState('position')
    const answered = await askPosition()
    setWhere({ isBlocked: answered.isBlocked, hasPosition: answered.position.Latitude !== undefined })
    const body: PunchInput = { Kind, ...(SiteId && { SiteId }), ...answered.position }
    setState('sending')
    const keep = () => {
      queuePunch(localStorage, userId, { key, body: { ...body, OccurredAt: at } })
      look()
    }
    try {
      const isWaiting = readKept(localStorage, userId).some(({ refusal }) => refusal === undefined)
      if (isWaiting || !navigator.onLine) keep()
      else await send(key, body)
      if (isWaiting && navigator.onLine) await flush()
      await readAgain()
    } catch (error) {
      if (isUnanswered(error)) keep()
      else setFailure(error as CallError)
    } finally {
      setState('idle')
    }
  }
  return {
    press,
    state,
    /** What the last press learned about the position. */
    where,
    waiting: kept.filter(({ refusal }) => refusal === undefined),
    refused: kept.filter(({ refusal }) => refusal !== undefined),
    dismiss: (key: string) => {
      dropPunch(localStorage, userId, key)
      look()
    },
    failure,
    clearFailure: () => setFailure(undefined),
  }
}
