import '#web/ui/base-styles.ts'
import { type FormEvent, useState } from 'react'
import { login } from '#contract/identity.ts'
import { CallError, call, forgetToken } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'

/** Sign in by user name and password. Small on purpose: it is the first page that a phone loads. */
export function LoginPage() {
  const words = useWords()
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isTried, setTried] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const missing = (value: string) => (isTried && value === '' ? words('identity.required') : undefined)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!userName || !password || isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      const { RedirectTo } = await call(login, {
        body: { UserName: userName, Password: password, ...(code && { Code: code }) },
      })
      forgetToken()
      location.assign(RedirectTo)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRunning(false)
      setAsksCode(error.body.TotpRequired === true)
      setFailure(error.status === 0 ? words('identity.unanswered') : error.message)
    }
  }
  return (
    <Entrance title={words('identity.signIn')} intro={words('identity.intro')}>
      <form onSubmit={submit} noValidate className={classes.form}>
        {failure && (
          <div role="alert" className={classes.failure}>
            {failure}
          </div>
        )}
        <PlainField
          label={words('identity.userName')}
          name="username"
          autoComplete="username"
          autoFocus
          value={userName}
          onChange={setUserName}
          error={missing(userName)}
        />
        <PlainField
          label={words('identity.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={missing(password)}
          beside={<a href={pageAddress('reset-password')}>{words('identity.forgot')}</a>}
        />
        {asksCode && (
          <PlainField
            label={words('identity.code')}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            value={code}
            onChange={setCode}
          />
        )}
        <button type="submit" className={classes.main} aria-disabled={isRunning}>
          {words('identity.signIn')}
        </button>
      </form>
    </Entrance>
  )
}
