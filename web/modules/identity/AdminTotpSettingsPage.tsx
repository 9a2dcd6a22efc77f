import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { TotpSettings } from './TotpSettings.tsx'

/** The authenticator settings within the admin shell. */
export function AdminTotpSettingsPage() {
  const words = useWords()
  return (
    <Page title={words('account.totpTitle')} intro={words('account.authenticatorIntro')} inset>
      <TotpSettings />
    </Page>
  )
}
