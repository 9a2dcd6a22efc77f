import { Button } from '#web/ui/buttons.ts'
import '#web/ui/all-styles.ts'
import { useState } from 'react'
import { acceptEula, getEula } from '#contract/settings/eula.ts'
import { CallError } from '#web/api/call.ts'
import { logOut } from '#web/api/log-out.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { Html } from '#web/ui/Html.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './agreement.module.css'

/**
 * The license agreement as people read it: the first page after signing in until the current text is accepted, and a page to
 * read it again later.
 */
export function LicenseAgreementPage() {
  const words = useWords()
  const timeZone = useTimeZone()
  const eula = useRead(getEula)
  const accept = useSave(acceptEula)
  const [failure, setFailure] = useState<string>()
  const goOn = () => location.assign(pageAddress(''))
  const { text = '', Version = null, AcceptedAt = null } = eula.data ?? {}
  const run = async () => {
    setFailure(undefined)
    try {
      // The button is only shown with a version to accept.
      await accept.run({ body: { Version: Version! } })
      goOn()
    } catch (error) {
      const isChanged = error instanceof CallError && error.code === 'changed'
      setFailure(isChanged ? words('settings.agreementChanged') : (error as Error).message)
      if (isChanged) await eula.refetch()
    }
  }
  const isWaiting = text !== '' && AcceptedAt === null
  return (
    <main className={classes.page}>
      <title>{`${words('settings.agreement')} · Practicum`}</title>
      <div className={classes.card}>
        <header className={classes.head}>
          <Logo size={26} />
          <div>
            <h1>{words('settings.agreement')}</h1>
            {isWaiting && <p>{words('settings.agreementIntro')}</p>}
          </div>
        </header>
        {eula.error ? (
          <PageMessage kind="error" text={eula.error.message} onRetry={() => void eula.refetch()} />
        ) : (
          eula.data && (
            // It scrolls, so the arrow keys must reach it.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled text without a control inside
            <section className={classes.text} aria-label={words('settings.agreement')} tabIndex={0}>
              {text ? <Html html={text} /> : <p>{words('settings.agreementNone')}</p>}
            </section>
          )
        )}
        <footer className={classes.foot}>
          {failure && (
            <p role="alert" className={classes.failure}>
              {failure}
            </p>
          )}
          {AcceptedAt !== null && text !== '' && (
            <p className={classes.accepted}>
              {words('settings.agreementAcceptedOn', {
                date: formatDate(dateOfInstant(Date.parse(AcceptedAt), timeZone)),
              })}
            </p>
          )}
          <Button variant="default" size="lg" onClick={logOut}>
            {words('settings.logOut')}
          </Button>
          {isWaiting ? (
            <Button size="lg" loading={accept.isRunning} onClick={() => void run()}>
              {words('settings.accept')}
            </Button>
          ) : (
            eula.data && (
              <Button size="lg" onClick={goOn}>
                {words('settings.goOn')}
              </Button>
            )
          )}
        </footer>
      </div>
    </main>
  )
}
