import { type Frame, isStaffAddress, pageAt } from '#contract/core/pages.ts'
import { type AnyPath, type Screen, type StaffPath, screen } from './screen.ts'

/** What surrounds the pages of each frame. */
export const frames = {
  staff: screen(() => import('./modules/session/AdminFrame.tsx'), 'AdminFrame'),
  own: screen(() => import('./modules/session/MemberFrame.tsx'), 'MemberFrame'),
  apart: screen(() => import('./modules/session/ApartFrame.tsx'), 'ApartFrame'),
} satisfies Partial<Record<Frame, Screen>>

/** What shows where no page is. */
export const notFound = screen(() => import('./modules/session/NotFoundPage.tsx'), 'NotFoundPage')

const isStaffPath = (path: AnyPath): path is StaffPath => isStaffAddress(path)

/** The screen of a page in its table, which comes when the first of its pages is wanted: nobody loads two hundred names of files. */
const screenOf = async (path: AnyPath): Promise<Screen> =>
  isStaffPath(path)
    ? (await import('./staff-pages.ts')).staffScreens[path]
    : (await import('./own-pages.ts')).ownScreens[path]

const known = new Map<AnyPath, Screen>()
/** A screen by its page, found in its table when its code is wanted. */
const later = (path: AnyPath): Screen => {
  const load = async () => {
    const found = await screenOf(path)
    const module = await found.load()
    // The name is that of an export of this module. It is not there while the page is being reloaded.
    return module && { Page: module[found.name]! }
  }
  const screen = known.get(path) ?? { load, name: 'Page', reads: [] }
  known.set(path, screen)
  return screen
}

/**
 * What an address below `/new/` shows: the screen of its frame, where it has one, and its own. `screenAt` finds the latter
 * elsewhere, as the build does. What a page reads first is announced with the HTML of its address.
 */
export const screensAt = (path: string, screenAt: (path: AnyPath) => Screen = later): Screen[] => {
  const page = pageAt(path)
  if (!page || page.path === 'login') return [isStaffAddress(path) ? frames.staff : frames.own, notFound]
  const own = screenAt(page.path)
  return page.frame === 'alone' ? [own] : [frames[page.frame], own]
}
