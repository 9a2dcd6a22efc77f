/** The beginnings of the addresses below `/new/admin/` whose screens work without a program. */
const withoutProgram = [
  'admin-menu',
  'admin-news',
  'change-password',
  'email-blacklist',
  'emails',
  'eula',
  'geo-ip',
  'global-settings',
  'home',
  'imports?kind=colleges',
  'inbox',
  'language-',
  'logs/data-sync',
  'mail-center',
  'manage-colleges',
  'manage-program-types',
  'manage-programs',
  'modalities',
  'not-found',
  'payments',
  'program-classes',
  'program-copy',
  'program-types',
  'saml/',
  'scheduled-emails',
  'sessions',
  'tax-calc',
  'test-users-access',
  'unused-feature-notifications',
  'weekly-reports',
]

/** Whether the screen at this address works on one program, so that super admins have to choose it. */
export const needsProgram = (address: string): boolean =>
  !withoutProgram.some((start) => address.startsWith(`/new/admin/${start}`))

/** Whether the screen itself leads on when no program is chosen (D3-123), in place of the request to choose one. */
export const leadsOnWithoutProgram = (address: string): boolean => address === '/new/admin/add-user'
