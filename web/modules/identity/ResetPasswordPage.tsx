import '#web/ui/base-styles.ts'
import { useState } from 'react'
import { requestPasswordReset, resetPassword } from '#contract/identity/identity.ts'
import { call } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'
import { useAttempt } from './use-attempt.ts'
import { useNewPassword } from './use-new-password.tsx'

/** Asks for the link, or with its token in the address sets the new password. */
export function ResetPasswordPage() {
  const [{ token }] = useAddress({ token: '' })
  return token ? <SetPassword token={token} /> : <AskForLink />
}

function AskForLink() {
  const words = useWords()
  const [name, setName] = useState('')
  const attempt = useAttempt()
  const submit = () => {
    if (name.trim() === '') return
    void attempt.run(() =>
      call(requestPasswordReset, {
        body: name.includes('@') ? { Email: name.trim() } : { UserName: name.trim() },
      }),
    )
  }
  return (
    <Entrance title={words('account.resetTitle')} intro={words('account.resetIntro')}>
      {attempt.isDone ? (
        <p role="status" className={classes.done}>
          {words('account.resetSent')}
        </p>
      ) : (
        <EntranceForm
          failure={attempt.failure}
          isRunning={attempt.isRunning}
          verb={words('account.resetSend')}
          onSubmit={submit}
        >
          <PlainField
            label={words('account.resetField')}
            name="name"
            autoComplete="username"
            autoFocus
            value={name}
            onChange={setName}
          />
        </EntranceForm>
      )}
      <a href={pageAddress('login')}>{words('account.back')}</a>
    </Entrance>
  )
}

function SetPassword({ token }: { token: string }) {
  const words = useWords()
  const chosen = useNewPassword({ autoFocus: true })
  const attempt = useAttempt()
  const submit = () => {
    const Password = chosen.take()
    if (Password) void attempt.run(() => call(resetPassword, { body: { Token: token, Password } }))
  }
  return (
    <Entrance title={words('account.resetTitle')}>
      {attempt.isDone ? (
        <p role="status" className={classes.done}>
          {words('account.passwordSet')}
        </p>
      ) : (
        <EntranceForm
          failure={attempt.failure}
          isRunning={attempt.isRunning}
          verb={words('account.setPassword')}
          onSubmit={submit}
        >
          {chosen.fields}
        </EntranceForm>
      )}
      <a href={pageAddress('login')}>{words('account.back')}</a>
    </Entrance>
  )
}
