import { useEffect, useState } from 'react'
import { getSession } from '#contract/identity/identity.ts'
import { CallError, call } from '#web/api/call.ts'
import { logOut } from '#web/api/log-out.ts'
import { pageAddress } from '#web/api/root.ts'
import { forgetPerson } from '#web/api/sign-out.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'

const lookMs = 15_000

/**
 * Counts down in a dialog from `withinMs` before the session ends. When it is over on a ward computer the entrance comes by itself: what
 * was on the screen is not for whoever comes next.
 */
export function SessionEndWarning({ withinMs, isShared }: { withinMs: number; isShared: boolean }) {
  const words = useWords()
  const [endsAt, setEndsAt] = useState<number>()
  const [now, setNow] = useState(Date.now)
  const [failure, setFailure] = useState<string>()
  const left = endsAt === undefined ? undefined : endsAt - now
  const isNear = left !== undefined && left <= withinMs
  const isOver = left !== undefined && left <= 0

  useEffect(() => {
    if (isOver) return
    const look = async () => {
      try {
        const { ExpiresAt } = await call(getSession, {}, { isBackground: true, staysSignedOut: true })
        setEndsAt(Date.parse(ExpiresAt))
      } catch (error) {
        if (error instanceof CallError && error.status === 401) setEndsAt(0)
      }
    }
    void look()
    const timer = setInterval(() => void look(), lookMs)
    return () => clearInterval(timer)
  }, [isOver])

  useEffect(() => {
    if (endsAt === undefined || isOver) return
    const tick = () => setNow(Date.now())
    if (isNear) {
      const timer = setInterval(tick, 1_000)
      return () => clearInterval(timer)
    }
    const timer = setTimeout(tick, Math.max(0, endsAt - withinMs - Date.now()) + 50)
    return () => clearTimeout(timer)
  }, [endsAt, withinMs, isNear, isOver])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new end is measured from the moment it came
  useEffect(() => setNow(Date.now()), [endsAt])

  useEffect(() => {
    if (!isOver || !isShared) return
    forgetPerson()
    location.replace(pageAddress('login'))
  }, [isOver, isShared])

  const stay = async () => {
    try {
      const { ExpiresAt } = await call(getSession, {}, { staysSignedOut: true })
      setFailure(undefined)
      setEndsAt(Date.parse(ExpiresAt))
    } catch (error) {
      if (error instanceof CallError && error.status === 401) setEndsAt(0)
      else setFailure(words('shell.timeoutFailed'))
    }
  }
  if (!isNear || (isOver && isShared)) return null
  if (isOver)
    return (
      <Dialog
        opened
        onClose={() => location.reload()}
        title={words('shell.timeoutEndedTitle')}
        width={440}
        stayOnOutsideClick
        actions={<Button onClick={() => location.reload()}>{words('shell.timeoutSignIn')}</Button>}
      >
        <p style={{ margin: 0 }}>{words('shell.timeoutEndedText')}</p>
      </Dialog>
    )
  const seconds = Math.max(0, Math.ceil(left / 1_000))
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <Dialog
      opened
      onClose={() => void stay()}
      title={words('shell.timeoutTitle')}
      width={440}
      stayOnOutsideClick
      actions={
        <>
          <Button variant="default" onClick={logOut}>
            {words('shell.logOut')}
          </Button>
          <Button onClick={() => void stay()} data-autofocus>
            {words('shell.timeoutStay')}
          </Button>
        </>
      }
    >
      <p style={{ margin: 0 }} role="timer">
        {words('shell.timeoutText', { time })}
      </p>
      {failure && <p role="alert">{failure}</p>}
    </Dialog>
  )
}
