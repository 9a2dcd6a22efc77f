import '#web/ui/base-styles.ts'
import { confirmEmail, getEmailConfirmation } from '#contract/identity/identity.ts'
import { call } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import classes from './identity.module.css'
import { PlainField } from './PlainField.tsx'
import { useAttempt } from './use-attempt.ts'
import { useNewPassword } from './use-new-password.tsx'

/**
 * Where the link of a confirmation leads. It confirms by a button only: programs that look through mail open links too. A
 * new registrant sets the password here.
 */
export function ConfirmEmailPage() {
  const words = useWords()
  const [{ token }] = useAddress({ token: '' })
  const link = useRead(
    getEmailConfirmation,
    { params: { token: token || '-' } },
    { staleMs: Number.POSITIVE_INFINITY },
  )
  const chosen = useNewPassword()
  const attempt = useAttempt()
  const title = words('account.confirmTitle')

  if (link.error) {
    return (
      <Entrance title={title}>
        <p role="alert" className={classes.failure}>
          {link.error.status === 404 ? words('account.confirmExpired') : link.error.message}
        </p>
        <a href={pageAddress('login')}>{words('account.back')}</a>
      </Entrance>
    )
  }
  if (!link.data) return <Entrance title={title}>{null}</Entrance>
  const { EmailAddress, UserName, ProgramName, NeedsPassword } = link.data
  const account = ProgramName ? `${UserName} (${ProgramName})` : UserName
  const submit = () => {
    const Password = NeedsPassword ? chosen.take() : undefined
    if (NeedsPassword && !Password) return
    void attempt.run(() => call(confirmEmail, { body: { Token: token, ...(Password && { Password }) } }))
  }
  if (attempt.isDone) {
    return (
      <Entrance title={title}>
        <p role="status" className={classes.done}>
          {NeedsPassword
            ? words('account.registrationDone', { name: UserName })
            : words('account.confirmed', { email: EmailAddress })}
        </p>
        <a href={pageAddress(NeedsPassword ? 'login' : '')}>
          {NeedsPassword ? words('account.back') : words('account.goOn')}
        </a>
      </Entrance>
    )
  }
  return (
    <Entrance title={title} intro={words('account.confirmIntro', { email: EmailAddress, account })}>
      <EntranceForm
        failure={attempt.failure}
        isRunning={attempt.isRunning}
        verb={words(NeedsPassword ? 'account.finish' : 'account.confirmThis')}
        onSubmit={submit}
      >
        {NeedsPassword && (
          <>
            <PlainField
              label={words('identity.userName')}
              name="username"
              autoComplete="username"
              value={UserName}
              onChange={() => undefined}
              readOnly
              hint={words('account.userNameHint')}
            />
            {chosen.fields}
          </>
        )}
      </EntranceForm>
    </Entrance>
  )
}
