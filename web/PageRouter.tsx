import {
  Component,
  type ComponentType,
  type ReactNode,
  Suspense,
  startTransition,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { pageAt } from '#contract/core/pages.ts'
import { beginRead } from './api/begin.ts'
import { reportFault } from './api/broken.ts'
import { KnownState } from './api/KnownState.tsx'
import {
  type Place,
  PlaceContext,
  placeOf,
  setShownPlace,
  shownPlace,
  tabHistory,
  toPath,
  WantedContext,
} from './api/place.ts'
import { screensAt } from './pages.ts'
import { isRenewed } from './renew.ts'
import type { Screen } from './screen.ts'
import { keepScrolling, restoreScrolling, startScrolling } from './scrolling.ts'
import { Assurance } from './shell/Assurance.tsx'
import { LeaveGuard } from './shell/LeaveGuard.tsx'
import { PageBroke, PageFailed } from './shell/PageFailed.tsx'
import { Questions } from './ui/Questions.tsx'

type Part = ComponentType<{ children?: ReactNode }>

/** The page at a place with its code, below its frame where it has one. */
interface Shown {
  place: Place
  /** The page in the table, whatever its address holds for its names. */
  page: string
  Frame: Part | undefined
  Page: Part
}

const loaded = new Map<Screen, Part>()

/** The code of a screen; undefined where it could not be loaded. The next visit tries again. */
const partOf = async (screen: Screen): Promise<Part | undefined> => {
  try {
    const module = await screen.load()
    loaded.set(screen, module[screen.name]!)
    return module[screen.name]
  } catch {
    return (await isRenewed()) ? await new Promise<never>(() => {}) : undefined
  }
}

const shownAt = (place: Place, parts: readonly (Part | undefined)[]): Shown => {
  const [Page = PageFailed, Frame] = parts.toReversed()
  const isWhole = parts.length === 1 || Frame
  const page = pageAt(place.path)?.path ?? 'not-found'
  return isWhole ? { place, page, Frame, Page } : { place, page, Frame: undefined, Page: PageFailed }
}

/** Loads the page at the address of the tab, and begins its first calls at once. */
export const loadPage = async (): Promise<Shown> => {
  const place = placeOf(tabHistory().location)
  for (const { reads } of screensAt(place.path)) for (const read of reads) beginRead(read)
  return shownAt(place, await Promise.all(screensAt(place.path).map(partOf)))
}

/** Shows that a page failed in place of it, until people go elsewhere. */
class Boundary extends Component<{ at: string; children: ReactNode }, { at: string; hasFailed: boolean }> {
  override state = { at: this.props.at, hasFailed: false }
  static getDerivedStateFromError = () => ({ hasFailed: true })
  static getDerivedStateFromProps = ({ at }: { at: string }, state: { at: string }) =>
    at === state.at ? null : { at, hasFailed: false }
  override componentDidCatch = (error: unknown) => void reportFault(error)
  override render = () => (this.state.hasFailed ? <PageBroke /> : this.props.children)
}

const nearMs = 50

/** Begins to load the pages of links that the pointer, a finger or the focus comes to. */
const loadAhead = (): void => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Element | null = null
  const follow = ({ target, type }: Event): void => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-page]') : null
    if (link === last) return
    last = link
    clearTimeout(timer)
    if (!link) return
    const load = () => {
      for (const screen of screensAt(toPath(link.pathname))) void partOf(screen)
    }
    if (type === 'pointerover') timer = setTimeout(load, nearMs)
    else load()
  }
  for (const type of ['pointerover', 'focusin', 'touchstart'])
    document.addEventListener(type, follow, { passive: true })
}

/** Takes over what the browser would do with the history of the tab. */
export const startRouter = (first: Shown): void => {
  setShownPlace(first.place)
  startScrolling()
  loadAhead()
}

/**
 * Shows the page of the tab's address, below its frame. A page that is left stays until the code of the next one has come; what
 * changes in the address of the same page is there at once.
 */
export function PageRouter({ first }: { first: Shown }) {
  const [shown, setShown] = useState(first)
  const [wanted, setWanted] = useState(first.place)

  useEffect(() => {
    let steps = 0
    const follow = (): void => {
      const step = ++steps
      const before = shownPlace() ?? first.place
      const found = placeOf(tabHistory().location)
      // The same query is the same object, so that what is computed from it lasts.
      const place = found.query === before.query ? { ...found, search: before.search } : found
      keepScrolling()
      setWanted(place)
      const screens = screensAt(place.path)
      const parts = screens.map((screen) => loaded.get(screen))
      if (parts.every(Boolean)) {
        const show = () => setShown(shownAt(place, parts))
        if (pageAt(before.path) === pageAt(place.path)) show()
        else startTransition(show)
        return
      }
      void Promise.all(screens.map(partOf)).then((now) => {
        if (step === steps) startTransition(() => setShown(shownAt(place, now)))
      })
    }
    // The first page may have led on before this listens.
    if (tabHistory().location.state.__TSR_key !== first.place.key) follow()
    return tabHistory().subscribe(follow)
  }, [first])

  const { place, page, Frame, Page } = shown
  useLayoutEffect(() => {
    setShownPlace(place)
    restoreScrolling(place)
  }, [place])

  const content = (
    <Boundary at={place.key}>
      <Page key={page} />
    </Boundary>
  )
  return (
    <PlaceContext value={place}>
      <WantedContext value={wanted}>
        <KnownState isSignedIn={!pageAt(place.path)?.isOpen}>
          <LeaveGuard />
          <Suspense>
            <Boundary at={place.key}>{Frame ? <Frame>{content}</Frame> : content}</Boundary>
          </Suspense>
          <Questions />
          <Assurance />
        </KnownState>
      </WantedContext>
    </PlaceContext>
  )
}
