import { pageAddress } from './api/root.ts'
import { App } from './app.tsx'
import { beginPage } from './pages.ts'
import { show } from './show.tsx'

beginPage(location.pathname.slice(pageAddress('').length))
show(App)
