import '#web/ui/base-styles.ts'
import { type FormEvent, useState } from 'react'
import { requestPasswordReset, resetPassword } from '#contract/identity.ts'
import { CallError, call } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'

/** Asks for the link, or with its token in the address sets the new password. */
export function ResetPasswordPage() {
  const [{ token }] = useAddress({ token: '' })
  return token ? <SetPassword token={token} /> : <AskForLink />
}

/** Runs a call of a form before signing in, and keeps what it says. */
const useAttempt = () => {
  const words = useWords()
  const [failure, setFailure] = useState<string>()
  const [isDone, setDone] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    if (isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      await work()
      setDone(true)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(error.status === 0 ? words('identity.unanswered') : error.message)
    } finally {
      setRunning(false)
    }
  }
  return { failure, isDone, isRunning, run }
}

function AskForLink() {
  const words = useWords()
  const [name, setName] = useState('')
  const attempt = useAttempt()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    void attempt.run(() =>
      call(requestPasswordReset, {
        body: name.includes('@') ? { Email: name.trim() } : { UserName: name.trim() },
      }),
    )
  }
  return (
    <Entrance title={words('identity.resetTitle')} intro={words('identity.resetIntro')}>
      {attempt.isDone ? (
        <p role="status" className={classes.done}>
          {words('identity.resetSent')}
        </p>
      ) : (
        <form onSubmit={submit} noValidate className={classes.form}>
          {attempt.failure && (
            <div role="alert" className={classes.failure}>
              {attempt.failure}
            </div>
          )}
          <PlainField
            label={words('identity.resetField')}
            name="name"
            autoComplete="username"
            autoFocus
            value={name}
            onChange={setName}
          />
          <button type="submit" className={classes.main} aria-disabled={attempt.isRunning}>
            {words('identity.resetSend')}
          </button>
        </form>
      )}
      <a href={pageAddress('login')}>{words('identity.back')}</a>
    </Entrance>
  )
}

function SetPassword({ token }: { token: string }) {
  const words = useWords()
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [isTried, setTried] = useState(false)
  const attempt = useAttempt()
  const differs = password !== repeat
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (password && !differs)
      void attempt.run(() => call(resetPassword, { body: { Token: token, Password: password } }))
  }
  return (
    <Entrance title={words('identity.resetTitle')}>
      {attempt.isDone ? (
        <p role="status" className={classes.done}>
          {words('identity.passwordSet')}
        </p>
      ) : (
        <form onSubmit={submit} noValidate className={classes.form}>
          {attempt.failure && (
            <div role="alert" className={classes.failure}>
              {attempt.failure}
            </div>
          )}
          <PlainField
            label={words('identity.newPassword')}
            type="password"
            autoComplete="new-password"
            autoFocus
            maxLength={50}
            value={password}
            onChange={setPassword}
            hint={words('identity.newPasswordHint')}
            error={isTried && !password ? words('identity.required') : undefined}
          />
          <PlainField
            label={words('identity.repeat')}
            type="password"
            autoComplete="new-password"
            maxLength={50}
            value={repeat}
            onChange={setRepeat}
            error={isTried && differs ? words('identity.mismatch') : undefined}
          />
          <button type="submit" className={classes.main} aria-disabled={attempt.isRunning}>
            {words('identity.setPassword')}
          </button>
        </form>
      )}
      <a href={pageAddress('login')}>{words('identity.back')}</a>
    </Entrance>
  )
}
