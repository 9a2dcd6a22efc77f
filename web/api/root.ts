/** What a service worker is registered for: `https://…/practicum/new/`. Windows have no such name. */
const { registration } = globalThis as { registration?: { scope: string } }

/** The path the application lives under, '' or such as '/practicum': the server writes it into the page. */
export const appRoot: string = registration
  ? new URL('..', registration.scope).pathname.replace(/\/$/, '')
  : (globalThis.document?.querySelector<HTMLMetaElement>('meta[name="app-root"]')?.content ?? '')

/** The address of a page from the specification's route, such as 'admin/manage-areas'. */
export const pageAddress = (path: string): string => `${appRoot}/new/${path.replace(/^\//, '')}`

/** The page came from the service worker because the network did not bring it: without the answers of its person. */
export const isFromShell: boolean = globalThis.document?.querySelector('meta[name="from-shell"]') != null
