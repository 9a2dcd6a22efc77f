import { pageAddress } from './api/root.ts'
import { LoginPage } from './modules/identity/LoginPage.tsx'
import { StartFailed } from './modules/identity/StartFailed.tsx'
import { isRenewed, renewAfterUpdate } from './renew.ts'
import { show } from './show.tsx'

renewAfterUpdate()
// After the page: a reader's own spacing is rare, and the first scripts are counted. Without a network it stays off.
import('./ui/text-spacing.ts').catch(() => {})

/** With "await", and not with "then": the build draws a "then" into the import, and what is missing before it escapes. */
const startApp = async (): Promise<void> => {
  let app: typeof import('./app.tsx')
  try {
    app = await import('./app.tsx')
  } catch {
    if (!(await isRenewed())) show(StartFailed)
    return
  }
  await app.showApp()
}

// The login page is the first that a phone loads: it comes without router, queries and the other pages' texts.
if (location.pathname === pageAddress('login')) show(LoginPage)
else {
  // A slow phone opens its tables of dates and numbers while the code is on its way.
  setTimeout(() => new Intl.DateTimeFormat())
  void startApp()
}
