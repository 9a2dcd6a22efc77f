import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { toast } from './toast.tsx'

/** What a control passes on to load what it opens before it is pressed: when the pointer or the focus comes near. */
interface NearProps {
  onPointerEnter: () => void
  onFocus: () => void
}

export interface Later<Props> {
  (props: Props): ReactNode
  /** Loads the code; what could not be loaded is asked for again by the next call. */
  load: () => Promise<unknown>
  near: NearProps
}

/** How long Try again stays: someone who is offline needs the connection back first. */
const offeredMs = 20_000

let offered: number | undefined

/**
 * Does something once the code is there; where it cannot be loaded, says so and offers to try again. Chromium keeps a failed
 * import for as long as the page lives: with the second try, by whichever button, the page is loaded anew once the server is back.
 */
export const whenLoaded = <T,>(load: () => Promise<T>, go: (loaded: T) => void): void => {
  const offer = () => {
    if (offered !== undefined) toast.hide(offered)
    offered = toast.error({
      title: plainWords('ui.partFailed'),
      detail: plainWords('ui.partFailedNext'),
      action: { label: plainWords('ui.tryAgain'), onRun: () => whenLoaded(load, go) },
      duration: offeredMs,
    })
  }
  load().then(go, () => {
    if (offered === undefined) offer()
    else fetch(location.href, { method: 'HEAD' }).then(({ ok }) => (ok ? location.reload() : offer()), offer)
  })
}

/** A component whose code comes when it is shown for the first time, or before; nothing is in its place until then. */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> => {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<unknown> | undefined
  const loadOnce = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const ahead = () => void loadOnce().catch(() => undefined)
  const Shown = (props: Props) => {
    const [isLoaded, setLoaded] = useState(Loaded !== undefined)
    useEffect(() => {
      if (!isLoaded) whenLoaded(loadOnce, () => setLoaded(true))
    }, [isLoaded])
    return Loaded ? createElement<Props>(Loaded, props) : null
  }
  return Object.assign(Shown, { load: loadOnce, near: { onPointerEnter: ahead, onFocus: ahead } })
}

/**
 * For a control that becomes `part` when it is pressed, such as a filter with its list: it stays as it is until the code is
 * there.
 */
export const useOpening = ({ load, near }: Pick<Later<never>, 'load' | 'near'>) => {
  const [isOpened, setOpened] = useState(false)
  return { isOpened, open: () => whenLoaded(load, () => setOpened(true)), near }
}
