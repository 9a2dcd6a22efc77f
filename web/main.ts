import { pageAddress } from './api/root.ts'
import { renewAfterUpdate } from './renew.ts'

renewAfterUpdate()

const loadPage = async () => {
  // The login page is the first that a phone loads: it comes without router, queries, schemas and the other pages' texts.
  if (location.pathname === pageAddress('login'))
    return (await import('./modules/identity/LoginPage.tsx')).LoginPage
  // What the page reads and shows is asked for while the application is still on its way.
  void import('./pages.ts').then(({ beginPage }) =>
    beginPage(location.pathname.slice(pageAddress('').length)),
  )
  return (await import('./app.tsx')).App
}

const [{ show }, Page] = await Promise.all([import('./show.tsx'), loadPage()])
show(Page)
