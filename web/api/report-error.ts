import { maxPlaces, reportBrowserError } from '#contract/session/browser-errors.ts'
import { CallError, call } from './call.ts'
import { toPath } from './place.ts'

const maxReports = 5
const reported = new Set<string>()

/** Without texts that may be somebody’s: of what stands in quotes only the name of a property stays. */
const withoutTexts = (message: string): string =>
  message
    .replace(/(?<!(?:reading|setting) )(["'“‘`])[^\n]*?(["'”’`])/g, '…')
    .replace(/\S+@\S+/g, '…')
    .replace(/\d{3,}/g, '#')
    .slice(0, 200)

const placesOf = (stack: string): string[] =>
  [...stack.matchAll(/\/assets\/(?:es\/)?([\w.-]+\.js:\d+:\d+)/g)]
    .flatMap(([, place]) => place ?? [])
    .slice(0, maxPlaces)

/**
 * Tells the server once of what broke on this page, five errors at most. What a call was refused, what somebody broke off, and what
 * extensions of the browser do is no error of ours.
 */
export const report = (error: unknown): void => {
  if (!(error instanceof Error) || error instanceof CallError || error.name === 'AbortError') return
  const places = placesOf(error.stack ?? '')
  if (places.length === 0 || reported.size >= maxReports) return
  const key = `${error.name} ${places[0]}`
  if (reported.has(key)) return
  reported.add(key)
  const body = {
    Kind: error.name.slice(0, 40),
    Message: withoutTexts(error.message),
    Page: toPath(location.pathname).slice(0, 200),
    Places: places,
  }
  call(reportBrowserError, { body }, { isBackground: true }).catch(() => {})
}
