import '#web/ui/base-styles.ts'
import { getNotMe, sayNotMe } from '#contract/identity/identity.ts'
import { call } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useWords } from '#web/words/use-words.ts'
import { Entrance } from './Entrance.tsx'
import { EntranceForm } from './EntranceForm.tsx'
import classes from './identity.module.css'
import { useAttempt } from './use-attempt.ts'

/** Where “this was not me” of a notice leads. It freezes by a button only: programs that look through mail open links too. */
export function NotMePage() {
  const words = useWords()
  const [{ token }] = useAddress({ token: '' })
  const link = useRead(getNotMe, { params: { token: token || '-' } }, { staleMs: Number.POSITIVE_INFINITY })
  const attempt = useAttempt()
  const title = words('account.notMeTitle')
  if (link.error)
    return (
      <Entrance title={title}>
        <p role="alert" className={classes.failure}>
          {link.error.status === 404 ? words('account.notMeExpired') : link.error.message}
        </p>
        <a href={pageAddress('reset-password')}>{words('account.resetTitle')}</a>
      </Entrance>
    )
  if (!link.data) return <Entrance title={title}>{null}</Entrance>
  const { UserName, ProgramName } = link.data
  if (attempt.isDone)
    return (
      <Entrance title={title}>
        <p role="status" className={classes.done}>
          {words('account.notMeDone')}
        </p>
        <a href={pageAddress('reset-password')}>{words('account.resetTitle')}</a>
      </Entrance>
    )
  const account = ProgramName ? `${UserName} (${ProgramName})` : UserName
  return (
    <Entrance title={title} intro={words('account.notMeIntro', { account })}>
      <EntranceForm
        failure={attempt.failure}
        isRunning={attempt.isRunning}
        verb={words('account.notMe')}
        onSubmit={() => void attempt.run(() => call(sayNotMe, { body: { Token: token } }))}
      >
        {null}
      </EntranceForm>
    </Entrance>
  )
}
