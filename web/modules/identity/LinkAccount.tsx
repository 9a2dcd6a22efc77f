import { useState } from 'react'
import { linkCollege } from '#contract/saml/saml.ts'
import { CallError, call, forgetToken } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useWords } from '#web/words/use-words.ts'
import { Back } from './account-steps.tsx'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import { PlainField } from './PlainField.tsx'
import classes from './passwordless.module.css'

/** Somebody whom the college knows and who is linked to no account here: the password of one links it. */
export function LinkAccount({ guid, onEnd }: { guid: string; onEnd: (error: unknown) => void }) {
  const words = useWords()
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isTried, setTried] = useState(false)
  const [isRunning, setRunning] = useState(false)

  const submit = async () => {
    setTried(true)
    if (!userName.trim() || !password || (asksCode && !code.trim()) || isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      const address = await call(linkCollege, {
        body: { Guid: guid, UserName: userName, Password: password, ...(code && { Code: code }) },
      })
      forgetToken()
      location.replace(address)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRunning(false)
      const isAsked = error.body.TotpRequired === true
      // Asking for the code is no failure the first time.
      if (isAsked && !asksCode) setTried(false)
      setAsksCode(asksCode || isAsked)
      if (error.body.Code === 'link_expired') onEnd(error)
      else if (!isAsked || code) setFailure(error.status === 0 ? words('identity.unanswered') : error.message)
    }
  }
  const codeField = {
    label: 'identity.code',
    name: 'code',
    autoComplete: 'one-time-code',
    hint: words('identity.codeHint'),
    autoFocus: true,
    isTold: true,
    value: code,
    onChange: setCode,
  } as const
  const fields = [
    {
      label: 'identity.userNameOrEmail',
      name: 'username',
      autoComplete: 'username',
      autoFocus: true,
      value: userName,
      onChange: setUserName,
    },
    {
      label: 'identity.password',
      name: 'password',
      autoComplete: 'current-password',
      type: 'password',
      value: password,
      onChange: setPassword,
    },
    ...(asksCode ? [codeField] : []),
  ] as const
  return (
    <Entrance
      title={words('account.linkTitle')}
      intro={words('account.linkIntro')}
      above={<Back onBack={() => location.assign(pageAddress('login'))} />}
    >
      <EntranceForm
        failure={failure}
        isRunning={isRunning}
        verb={words('account.linkVerb')}
        onSubmit={() => void submit()}
      >
        {fields.map(({ label, value, ...field }) => (
          <PlainField
            key={field.name}
            {...field}
            label={words(label)}
            value={value}
            error={isTried && value.trim() === '' ? words('identity.required') : undefined}
          />
        ))}
      </EntranceForm>
      <p className={classes.again}>{words('account.linkNoAccount')}</p>
    </Entrance>
  )
}
