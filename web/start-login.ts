import { LoginPage } from './modules/identity/LoginPage.tsx'
import { show } from './show.tsx'

show(LoginPage)
