const withoutProgram =
  /^\/new\/admin\/(home|manage-colleges|manage-programs|modalities|manage-program-types|program-classes|program-types|program-copy|language-|change-password|sessions|inbox|admin-menu|admin-news|email-blacklist|test-users-access|eula|geo-ip|global-settings|saml\/|not-found|imports\?kind=colleges)/

/** Whether the screen at this address works on one program, so that super admins have to choose it. */
export const needsProgram = (address: string): boolean => !withoutProgram.test(address)

/** Whether the screen itself leads on when no program is chosen (D3-123), in place of the request to choose one. */
export const leadsOnWithoutProgram = (address: string): boolean => address === '/new/admin/add-user'
