import { hearFirst, tabHistory } from './api/place.ts'
import { openLayers, watchLayers } from './ui/layers.ts'

/** What an entry of the history is: an entry of its page, or one above it for something that was opened over the page. */
interface Mark {
  /** The page's entry and those above it have it in common; '' for pages over which nothing was opened. */
  page: string
  /** How many are below, down to the page's. */
  depth: number
}
type State = { __TSR_key?: string; over?: Mark } | null

/** So long nothing is taken away: what closes may be followed by another page, which then takes the entry. */
const restMs = 300

const none: Mark = { page: '', depth: 0 }
const here = () => ({ state: history.state as State, url: location.href })

/**
 * Back on a phone closes what was opened last over the page, as Escape does, and not the page. While something is open, there is an
 * entry for it in the history above the page's; once it is closed otherwise, the entry is taken away, or becomes that of the page
 * that comes. The router never hears of these steps.
 */
export const startBack = (): void => {
  const native = History.prototype
  const router = tabHistory()
  const [push, replace] = [history.pushState, history.replaceState]
  let at = here()
  let rest: ReturnType<typeof setTimeout> | undefined
  /** Steps back that are under way. */
  let returning = 0
  /** A page came during these steps. */
  let hasPushed = false

  const mark = (): Mark => at.state?.over ?? none
  const write = (how: 'pushState' | 'replaceState', over: Mark): void => {
    native[how].call(history, { ...at.state, over }, '', at.url)
    at = here()
  }
  /** While people are asked whether they leave, the browser has left already and the router has not: nothing is written then. */
  const isAgreed = (): boolean => router.location.state.__TSR_key === at.state?.__TSR_key

  /** As many entries above the page's as there are things open. */
  const settle = (): void => {
    clearTimeout(rest)
    if (returning > 0 || !isAgreed()) return
    const { page, depth } = mark()
    if (depth > openLayers.length) rest = setTimeout(takeAway, restMs)
    if (depth >= openLayers.length) return
    const name = page || at.state?.__TSR_key || ''
    if (!page) write('replaceState', { page: name, depth })
    for (let next = depth + 1; next <= openLayers.length; next++)
      write('pushState', { page: name, depth: next })
  }

  const takeAway = (): void => {
    const count = mark().depth - openLayers.length
    if (count <= 0 || !isAgreed()) return
    returning = count
    history.go(-count)
  }

  history.pushState = (state, ...target) => {
    hasPushed ||= returning > 0
    // The entry of what closes with this step becomes that of the page.
    const how = mark().depth > 0 ? replace : push
    how.call(history, { ...state, over: none }, ...target)
    at = here()
    setTimeout(settle)
  }
  history.replaceState = (state, ...target) => {
    replace.call(history, { ...state, over: mark() }, ...target)
    at = here()
    // What closed with this step closed before the browser had its address.
    setTimeout(settle)
  }

  const follow = (event: PopStateEvent): void => {
    const to: Mark = event.state?.over ?? none
    if (returning > 0) {
      event.stopImmediatePropagation()
      if (hasPushed) history.go(returning)
      else {
        returning = 0
        write('replaceState', to)
        settle()
      }
      hasPushed = false
      return
    }
    const from = mark()
    if (!from.page || from.page !== to.page) {
      at = here()
      settle()
      return
    }
    event.stopImmediatePropagation()
    // The page may have got another address while its entry was below.
    write('replaceState', to)
    const count = openLayers.length
    if (to.depth > from.depth) settle()
    // Nothing was open in what this step left: it is meant for what is below.
    else if (count <= to.depth) history.go(count - 1 - to.depth)
    else {
      for (const { close } of openLayers.slice(to.depth).reverse()) close()
      // What asks first is still there.
      setTimeout(settle)
    }
  }
  hearFirst(follow)
  // A step back would end the way to another document.
  addEventListener('beforeunload', () => clearTimeout(rest))
  watchLayers(settle)
  settle()
}
