import { type AccountPath, mayOpen, type PageAddress, pageAt } from '#contract/core/pages.ts'
import type { StateUser } from '#contract/session/session.ts'
import type { WordKey } from '#web/words/plain-words.ts'

/** The pages of a person's own account, in the order of the user menu, with their words. */
const accountWords: Record<AccountPath, WordKey> = {
  employment: 'employment.ownTitle',
  'record-views': 'shell.recordViews',
  'change-email': 'shell.changeEmail',
  'change-password': 'shell.changePassword',
  preferences: 'shell.preferences',
  'totp-settings': 'shell.authenticator',
  sessions: 'shell.sessions',
  'admin/change-email': 'shell.changeEmail',
  'admin/change-password': 'shell.changePassword',
  'admin/preferences': 'shell.preferences',
  'admin/totp-settings': 'shell.authenticator',
  'admin/sessions': 'shell.sessions',
}

export interface AccountPage {
  /** The same in both shells: 'preferences'. */
  id: string
  href: PageAddress
  label: WordKey
}

/** What the account offers to a person, in the shell of staff or in the other. Demo users keep their address. */
export const accountPages = (user: StateUser, inAdmin: boolean): AccountPage[] =>
  (Object.keys(accountWords) as AccountPath[])
    // The paths are those of the table of pages.
    .filter((path) => (pageAt(path)!.frame === 'staff') === inAdmin)
    .map((path) => ({
      id: path.replace('admin/', ''),
      // Opened from the product, the authenticator's own page has a way back.
      href: path === 'totp-settings' ? (`/new/${path}?closes=true` as const) : (`/new/${path}` as const),
      label: accountWords[path],
    }))
    .filter(({ id, href }) => mayOpen(user, href) && !(user.IsDemo && id === 'change-email'))
