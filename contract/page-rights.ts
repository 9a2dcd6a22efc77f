import { may, type Permission } from './permissions.ts'

/**
 * Staff pages that ask for more than the admin shell (specification 1 §6), by the beginning of their address below
 * `/new/admin/`. The server sends everybody else to the admin home page, and so does the shell.
 */
const rights: readonly (readonly [string, Permission])[] = [
  ['admin-menu', 'menus.visibility'],
  ['admin-news', 'news.manage'],
  ['test-users-access', 'test-access.manage'],
  ['saml', 'saml.manage'],
  ['employment', 'reports.read'],
  ['announcements', 'announcements.manage'],
  ['eula', 'settings.manage'],
  ['geo-ip', 'settings.manage'],
  ['global-settings', 'settings.manage'],
  ['email-blacklist', 'blacklist.manage'],
  ['emails', 'mail.send'],
  ['scheduled-emails', 'mail.read'],
  ['mail-center', 'mail-templates.manage'],
  ['menu-items', 'menus.manage'],
  ['customize-menu', 'menus.manage'],
  ['manage-colleges', 'colleges.manage'],
  ['manage-programs', 'programs.manage'],
  ['modalities', 'programs.manage'],
  ['program-copy', 'programs.manage'],
  ['program-classes', 'programs.manage'],
  ['program-types', 'programs.manage'],
  ['manage-program-types', 'programs.manage'],
  ['language-profiles', 'terminology.manage'],
  ['language-entries', 'terminology.manage'],
  ['program-settings', 'program.settings'],
  ['manage-levels', 'levels.manage'],
  ['set-levels', 'levels.manage'],
  ['verification', 'verifications.read'],
  ['assign-supervisor-sites', 'people.write'],
  ['affiliate-agreements', 'agreements.manage'],
  ['documents', 'documents.manage'],
  ['document-categories', 'documents.manage'],
  ['employees', 'employees.manage'],
  ['notifications', 'notifications.manage'],
  ['imports', 'imports.run'],
  ['payments', 'payments.read'],
  ['tax-calc', 'payments.manage'],
  ['custom-reports', 'custom-reports.use'],
  ['weekly-reports', 'weekly-reports.read'],
  ['logs/data-sync', 'data-sync.manage'],
  ['unused-feature-notifications', 'unused-features.manage'],
  ['systematic-plans', 'systematic-plans.read'],
]

/** What the page at an address such as '/new/admin/admin-news/edit' asks for; undefined when the shell is enough. */
export const pageRight = (address: string): Permission | undefined => {
  const path = /^\/new\/admin\/([^?#]*)/.exec(address)?.[1]?.replace(/\/$/, '')
  return path === undefined
    ? undefined
    : rights.find(([page]) => path === page || path.startsWith(`${page}/`))?.[1]
}

/** Whether a person may open the staff page at this address. */
export const mayOpen = (
  who: { AccessLevel: number; SuperAdminAreas: number | null },
  address: string,
): boolean => {
  const right = pageRight(address)
  return right === undefined || may(who, right)
}
