import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { allPages, type Frame } from '#contract/core/pages.ts'
import { appRoot } from './api/root.ts'
import { frames, notFound, type Screen, screens } from './pages.ts'
import { LeaveGuard } from './shell/LeaveGuard.tsx'
import { PageFailed } from './shell/PageFailed.tsx'

const component = ({ load, name }: Screen) => lazyRouteComponent(load, name)

/** The router of all pages but the login page, each below its frame. */
export const makeRouter = () => {
  const rootRoute = createRootRoute({ component: LeaveGuard })
  const below = (parent: AnyRoute, path: string, shown: Screen): AnyRoute =>
    createRoute({ getParentRoute: () => parent, path, component: component(shown) })
  const getParentRoute = () => rootRoute
  const staff = createRoute({ getParentRoute, path: 'admin', component: component(frames.staff) })
  const parents: Record<Frame, AnyRoute> = {
    alone: createRoute({ getParentRoute, id: 'standalone', component: Outlet }),
    apart: createRoute({ getParentRoute, id: 'apart', component: component(frames.apart) }),
    staff,
    own: createRoute({ getParentRoute, id: 'member', component: component(frames.own) }),
  }
  const routesIn = (frame: Frame): AnyRoute[] =>
    allPages.flatMap((page) =>
      page.frame === frame && page.path !== 'login'
        ? [
            below(
              parents[frame],
              (frame === 'staff' ? page.path.replace(/^admin\//, '') : page.path) || '/',
              screens[page.path],
            ),
          ]
        : [],
    )
  return createRouter({
    routeTree: rootRoute.addChildren([
      parents.alone.addChildren(routesIn('alone')),
      parents.apart.addChildren(routesIn('apart')),
      staff.addChildren([...routesIn('staff'), below(staff, '$', notFound)]),
      parents.own.addChildren([...routesIn('own'), below(parents.own, '$', notFound)]),
    ]),
    basepath: `${appRoot}/new`,
    // Values are in the address as they are, so that people can read and write them.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (values) => {
      const text = new URLSearchParams(values as Record<string, string>).toString()
      return text ? `?${text}` : ''
    },
    defaultErrorComponent: PageFailed,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}
