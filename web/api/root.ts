/** The path the application lives under, '' or such as '/practicum': the server writes it into the page. */
export const appRoot: string =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="app-root"]')?.content ?? ''

/** The address of a page from the specification's route, such as 'admin/manage-areas'. */
export const pageAddress = (path: string): string => `${appRoot}/new/${path.replace(/^\//, '')}`
