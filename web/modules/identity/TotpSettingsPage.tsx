import { usePageNavigate } from '#web/api/navigate.ts'
import { tabHistory } from '#web/api/place.ts'
import '#web/ui/all-styles.ts'
import { getTotpSettings } from '#contract/identity/authenticator.ts'
import { getSession } from '#contract/identity/identity.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { useWords } from '#web/words/use-words.ts'
import { TotpSettings } from './TotpSettings.tsx'
import classes from './totp.module.css'

/**
 * The authenticator settings on their own page, as a card over the canvas. Opened from the product it has a way
 * back; where the program demands an authenticator it is the first page, and leads on when that is done.
 */
export function TotpSettingsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const [{ closes }] = useAddress({ closes: false })
  const session = useRead(getSession)
  const { data: state } = useAppState()
  const userId = state?.User.Id ?? 0
  const settings = useRead(getTotpSettings, { params: { userId } }, { isEnabled: userId > 0 })
  const close = () => {
    if (tabHistory().length > 1) tabHistory().back()
    else navigate('/')
  }
  return (
    <main className={classes.page}>
      <title>{`${words('account.authenticatorTitle')} · Practicum`}</title>
      <div className={classes.card}>
        <div className={classes.head}>
          <Logo size={26} />
          <h1>{words('account.authenticatorTitle')}</h1>
        </div>
        <p className={classes.intro}>{words('account.authenticatorIntro')}</p>
        {session.data?.Step === 'authenticator' && (
          <p className={classes.required} role="note">
            {words('account.authenticatorRequired')}
          </p>
        )}
        <TotpSettings {...(closes && { onClose: close })} />
        {!closes && session.data && (session.data.Step === null || settings.data?.Enabled) && (
          <a className={classes.onward} href={pageAddress('')}>
            {words('account.goOn')}
          </a>
        )}
      </div>
    </main>
  )
}
