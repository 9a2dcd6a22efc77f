import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type LiveEvent, liveEvents, openLive } from '#contract/communication/live.ts'
import { callAddress } from './call.ts'

/** What the server says changed, as it changes. One stream a tab, open while the tab is seen and the shell is there. */
const listeners: Record<LiveEvent, Set<() => void>> = {
  notifications: new Set(),
  'time-records': new Set(),
  'procedure-logs': new Set(),
  requirements: new Set(),
  'open-shifts': new Set(),
  tasks: new Set(),
  ended: new Set(),
}
const watchers = new Set<() => void>()
const retryMs = 60_000

let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let isLive = false

const setLive = (value: boolean): void => {
  if (isLive === value) return
  isLive = value
  for (const watch of watchers) watch()
}

const close = (): void => {
  clearTimeout(retry)
  source?.close()
  source = undefined
  setLive(false)
}

/** A refused stream (too many windows, signed out) is asked for again later; meanwhile the screens poll. */
const waitAndOpen = (): void => {
  close()
  retry = setTimeout(open, retryMs)
}

const open = (): void => {
  close()
  if (document.visibilityState === 'hidden') return
  const own = new EventSource(callAddress(openLive))
  source = own
  own.onopen = () => {
    setLive(true)
    // Whatever changed between the last look and now reached nobody.
    for (const event of liveEvents) if (event !== 'ended') for (const tell of listeners[event]) tell()
  }
  own.onerror = () => {
    setLive(false)
    if (own.readyState === EventSource.CLOSED) waitAndOpen()
  }
  for (const event of Object.keys(listeners) as LiveEvent[])
    own.addEventListener(event, () => {
      if (event === 'ended') waitAndOpen()
      else for (const tell of listeners[event]) tell()
    })
}

const follow = (): void => {
  if (document.visibilityState === 'hidden') close()
  else if (!source) open()
}

/** Keeps the stream open; `key` names what it is about, and another one opens it again. For the shells. */
export const useLiveStream = (key: unknown): { isLive: boolean } => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server looks at the key's meaning when the stream opens
  useEffect(() => {
    open()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      close()
    }
  }, [key])
  return {
    isLive: useSyncExternalStore(
      (watch) => {
        watchers.add(watch)
        return () => watchers.delete(watch)
      },
      () => isLive,
    ),
  }
}

/** Runs `work` after each event until the answered function is called. */
export const onLiveEvent = (event: LiveEvent, work: () => void): (() => void) => {
  listeners[event].add(work)
  return () => listeners[event].delete(work)
}

/** Runs `work` after the event, once for all that come within `withinMs`. */
export const useLiveEvent = (event: LiveEvent, work: () => void, withinMs: number): void => {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        latest.current()
      }, withinMs)
    }
    const leave = onLiveEvent(event, tell)
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [event, withinMs])
}
