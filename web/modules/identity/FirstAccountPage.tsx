import '#web/ui/base-styles.ts'
import { useState } from 'react'
import { makeFirstAccount } from '#contract/identity/first-account.ts'
import { call, forgetToken } from '#web/api/call.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import { PlainField } from './PlainField.tsx'
import { useAttempt } from './use-attempt.ts'
import { useNewPassword } from './use-new-password.tsx'

const empty = { Code: '', FirstName: '', LastName: '', EmailAddress: '', UserName: '' }

/** Where the first super admin of an installation is made; the server shows it only while nobody has an account. */
export function FirstAccountPage() {
  const words = useWords()
  const [values, setValues] = useState(empty)
  const [isTried, setTried] = useState(false)
  const chosen = useNewPassword()
  const attempt = useAttempt()
  const submit = () => {
    setTried(true)
    const Password = chosen.take()
    if (!Password || Object.values(values).some((value) => !value.trim())) return
    void attempt.run(async () => {
      const { RedirectTo } = await call(makeFirstAccount, { body: { ...values, Password } })
      forgetToken()
      location.assign(RedirectTo)
    })
  }
  const field = (name: keyof typeof empty) => ({
    name,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
    maxLength: 255,
    error: isTried && !values[name].trim() ? words('identity.required') : undefined,
  })
  return (
    <Entrance title={words('account.firstTitle')} intro={words('account.firstIntro')}>
      <EntranceForm
        failure={attempt.failure}
        isRunning={attempt.isRunning || attempt.isDone}
        verb={words('account.firstMake')}
        onSubmit={submit}
      >
        <PlainField
          label={words('account.firstCode')}
          hint={words('account.firstCodeHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...field('Code')}
          maxLength={50}
        />
        <PlainField label={words('account.firstName')} autoComplete="given-name" {...field('FirstName')} />
        <PlainField label={words('account.lastName')} autoComplete="family-name" {...field('LastName')} />
        <PlainField
          label={words('account.email')}
          type="email"
          autoComplete="email"
          inputMode="email"
          {...field('EmailAddress')}
        />
        <PlainField
          label={words('account.userName')}
          hint={words('account.userNameHint')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...field('UserName')}
          maxLength={50}
        />
        {chosen.fields}
      </EntranceForm>
    </Entrance>
  )
}
