import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pageAddress } from './api/root.ts'
import { beginPage } from './pages.ts'
import { renewAfterUpdate } from './renew.ts'
import { Providers } from './ui/Providers.tsx'

renewAfterUpdate()

const loadPage = async () => {
  // The login page is the first that a phone loads: it comes without router, queries, schemas and the other pages' texts.
  if (location.pathname === pageAddress('login'))
    return (await import('./modules/identity/LoginPage.tsx')).LoginPage
  beginPage(location.pathname.slice(pageAddress('').length))
  return (await import('./app.tsx')).App
}
const Page = await loadPage()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Providers>
      <Page />
    </Providers>
  </StrictMode>,
)
