import '#web/ui/base-styles.ts'
import { IconMailForward, IconSchool } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { CallError, call, forgetToken } from '#web/api/call.ts'
import { isWardComputer, writeNote } from '#web/api/device.ts'
import { pageAddress } from '#web/api/root.ts'
import { entranceWords as words } from '#web/words/entrance-words.ts'
import { login } from './calls.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'

/** Whether a college signs its people in: the server says so in the page. */
const offersColleges = document.querySelector('meta[name="college-sign-in"]') !== null

/** Why this browser was signed out from elsewhere: the server says so in the page. */
const signedOut = document.querySelector<HTMLMetaElement>('meta[name="signed-out"]')?.content

/** To the choice of a college, or to the one that `login?provider=` names. */
const collegePath = (): string => {
  const provider = new URLSearchParams(location.search).get('provider') ?? ''
  return /^\d+$/.test(provider) ? `saml/${provider}/login` : 'auth/college'
}

const isWardAddress = new URLSearchParams(location.search).has('ward')

/** Sign in by user name and password. Small on purpose: it is the first page that a phone loads. */
export function LoginPage() {
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isTried, setTried] = useState(false)
  const [wrongCode, setWrongCode] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  // A browser that was once opened at `login?ward` is a ward computer from then on.
  const [isWard, setWard] = useState(() => isWardAddress || isWardComputer())
  useEffect(() => {
    if (isWardAddress) writeNote('ward', 1)
  }, [])
  const leaveWard = () => {
    writeNote('ward', undefined)
    setWard(false)
  }
  const missing = (value: string) => (isTried && value === '' ? words('identity.required') : undefined)

  const submit = async () => {
    setTried(true)
    if (!userName || !password || (asksCode && !code.trim()) || isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      const { RedirectTo } = await call(login, {
        body: {
          UserName: userName,
          Password: password,
          ...(code && { Code: code }),
          ...(isWard && { IsShared: true }),
        },
      })
      forgetToken()
      location.assign(RedirectTo)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRunning(false)
      const isAsked = error.body.TotpRequired === true
      setAsksCode(isAsked)
      // Asking for the code is no failure the first time.
      if (isAsked) setTried(false)
      if (isAsked && code) setWrongCode(error.message)
      if (!isAsked) setFailure(error.status === 0 ? words('identity.unanswered') : error.message)
    }
  }
  return (
    <Entrance
      title={words('identity.signIn')}
      intro={words(isWard ? 'identity.wardIntro' : 'identity.intro')}
    >
      {signedOut && (
        <p role="status" className={classes.told}>
          {signedOut}
        </p>
      )}
      <EntranceForm failure={failure} isRunning={isRunning} verb={words('identity.signIn')} onSubmit={submit}>
        <PlainField
          label={words('identity.userNameOrEmail')}
          name="username"
          autoComplete={isWard ? 'off' : 'username'}
          autoFocus
          value={userName}
          onChange={setUserName}
          error={missing(userName)}
        />
        <PlainField
          label={words('identity.password')}
          name="password"
          type="password"
          autoComplete={isWard ? 'off' : 'current-password'}
          value={password}
          onChange={setPassword}
          error={missing(password)}
          beside={<a href={pageAddress('reset-password')}>{words('identity.forgot')}</a>}
        />
        {asksCode && (
          <PlainField
            label={words('identity.code')}
            name="code"
            hint={words('identity.codeHint')}
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={(typed) => {
              setTried(false)
              setWrongCode(undefined)
              setCode(typed)
            }}
            error={wrongCode ?? missing(code)}
            isTold
          />
        )}
      </EntranceForm>
      {isWard ? (
        <button type="button" className={classes.other} onClick={leaveWard}>
          {words('identity.noWard')}
        </button>
      ) : (
        <>
          <div className={classes.or}>{words('identity.orWithout')}</div>
          <a href={pageAddress('auth/passwordless')} className={classes.other}>
            <IconMailForward size={18} stroke={1.75} aria-hidden />
            {words('identity.mailLink')}
          </a>
        </>
      )}
      {!isWard && offersColleges && (
        <a href={pageAddress(collegePath())} className={classes.other}>
          <IconSchool size={18} stroke={1.75} aria-hidden />
          {words('identity.withCollege')}
        </a>
      )}
    </Entrance>
  )
}
