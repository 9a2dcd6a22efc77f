import { logout } from '#contract/identity/identity.ts'
import { call, forgetToken } from './call.ts'
import { pageAddress } from './root.ts'

/** Ends the session and shows the login page. */
export const logOut = async (): Promise<void> => {
  await call(logout).catch(() => undefined)
  forgetToken()
  location.assign(pageAddress('login'))
}
