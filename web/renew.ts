import { pageAddress } from './api/root.ts'
import { noteUpdate } from './api/updated.ts'
import { language } from './words/language.ts'

const key = 'practicum-renewed-at'

/** The addresses of the files that this page began with: each version of the product has others. */
export const ownScripts = (): string[] =>
  [...document.querySelectorAll<HTMLScriptElement>('script[type="module"]')].map(({ src }) => src)

/** Whether the server has other pages by now than the one that is open. Where it does not answer, nobody knows, and nothing is done. */
const isUpdated = async (): Promise<boolean> => {
  try {
    const address = pageAddress(`shell?lang=${language}`)
    const response = await fetch(address, { credentials: 'omit', redirect: 'error', cache: 'no-store' })
    if (!response.ok) return false
    const page = await response.text()
    return ownScripts().some((file) => !page.includes(`"${new URL(file).pathname}"`))
  } catch {
    return false
  }
}

let looking: Promise<boolean> | undefined

const look = async (): Promise<boolean> => {
  if (!(await isUpdated())) {
    looking = undefined
    return false
  }
  noteUpdate()
  // Whoever would be asked before the page is left reloads it themselves, once their work is saved.
  if (!dispatchEvent(new Event('beforeunload', { cancelable: true }))) {
    looking = undefined
    return false
  }
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
  return true
}

/**
 * After an update of the server a page that is still open asks for files that are gone. It is then reloaded, which brings the
 * new ones; once a minute at most. A file that the network did not bring is no reason: a reload would lose what was typed.
 */
export const renewAfterUpdate = (): void => {
  addEventListener('vite:preloadError', () => {
    if (Date.now() - Number(sessionStorage.getItem(key)) < 60_000) return
    looking ??= look()
  })
}

/** After a file did not come: whether the page is being reloaded for it. */
export const isRenewed = async (): Promise<boolean> => (await looking) ?? false
