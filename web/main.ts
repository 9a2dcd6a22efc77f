import { pageAddress } from './api/root.ts'
import { renewAfterUpdate } from './renew.ts'

renewAfterUpdate()

// The login page is the first that a phone loads: it comes without router, queries and the other pages' texts.
void (location.pathname === pageAddress('login') ? import('./start-login.ts') : import('./start-app.ts'))
