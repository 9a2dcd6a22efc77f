/** Pages that a person who has just signed in has nothing to do with. */
const leadsNowhere =
  /^\/(api|login|auth|saml|oidc|lti|reset-password|confirm-email|not-me|register|first-account)(\/|$)/

/**
 * A page of this installation, as the browser will read the address; undefined for everything that leaves it or is no
 * page. Every redirect that anybody can influence goes through here.
 */
export const localPath = (path: string | undefined, appRoot: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they read an address
  if (!path || path.length > 2_000 || !/^\/(?!\/)[^\\\s\u0000-\u001f\u007f]*$/.test(path)) return undefined
  const base = 'http://local.invalid'
  const url = URL.parse(path, base)
  if (!url || url.origin !== base || url.pathname.includes('//')) return undefined
  const pages = `${appRoot}/new`
  if (url.pathname !== pages && !url.pathname.startsWith(`${pages}/`)) return undefined
  if (leadsNowhere.test(url.pathname.slice(pages.length))) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
