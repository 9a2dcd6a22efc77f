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
  /** The entry to which steps back are under way. */
  let goal: Mark | undefined
  /** Changes of the history that came during these steps: made at once, they would change the entry that is left. */
  let waiting: (() => void)[] = []

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
    if (goal || !isAgreed()) return
    const { page, depth } = mark()
    if (depth > openLayers.length) rest = setTimeout(takeAway, restMs)
    if (depth >= openLayers.length) return
    const name = page || at.state?.__TSR_key || ''
    if (!page) write('replaceState', { page: name, depth })
    for (let next = depth + 1; next <= openLayers.length; next++)
      write('pushState', { page: name, depth: next })
  }

  const takeAway = (): void => {
    const { page, depth } = mark()
    if (depth <= openLayers.length || !isAgreed()) return
    goal = { page, depth: openLayers.length }
    history.go(goal.depth - depth)
  }

  const change = (how: () => void): void => {
    how()
    at = here()
    // What closed with this step closed before the browser had its address.
    setTimeout(settle)
  }
  const inTurn = (how: () => void): void => {
    if (goal) waiting.push(how)
    else change(how)
  }
  // The entry of what closes with this step becomes that of the page.
  history.pushState = (state, ...target) =>
    inTurn(() => (mark().depth > 0 ? replace : push).call(history, { ...state, over: none }, ...target))
  history.replaceState = (state, ...target) =>
    inTurn(() => replace.call(history, { ...state, over: mark() }, ...target))

  const follow = (event: PopStateEvent): void => {
    const to: Mark = event.state?.over ?? none
    // Where somebody goes back during these steps, the browser makes one of all and passes the goal by.
    const isGoal = goal?.page === to.page && goal.depth === to.depth
    const late = isGoal ? waiting : []
    goal = undefined
    waiting = []
    if (isGoal) {
      event.stopImmediatePropagation()
      write('replaceState', to)
      for (const how of late) change(how)
      settle()
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
      // One step closes one thing, also where the browser has made one of two steps.
      openLayers.at(-1)?.close()
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
