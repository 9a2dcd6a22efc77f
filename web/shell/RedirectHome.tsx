import { PageRedirect } from '#web/api/navigate.ts'

/** For pages of super admins that the person may not open: they lead to the admin home page. */
export function RedirectHome() {
  return <PageRedirect to="/admin/home" />
}
