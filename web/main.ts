import { pageAddress } from './api/root.ts'
import { LoginPage } from './modules/identity/LoginPage.tsx'
import { StartFailed } from './modules/identity/StartFailed.tsx'
import { renewAfterUpdate } from './renew.ts'
import { show } from './show.tsx'

renewAfterUpdate()

// The login page is the first that a phone loads: it comes without router, queries and the other pages' texts.
if (location.pathname === pageAddress('login')) show(LoginPage)
else {
  // A slow phone opens its tables of dates and numbers while the code is on its way.
  setTimeout(() => new Intl.DateTimeFormat())
  import('./app.tsx').then(
    // Nothing came while the page is reloaded after an update.
    (app: typeof import('./app.tsx') | undefined) => app?.showApp(),
    () => show(StartFailed),
  )
}
