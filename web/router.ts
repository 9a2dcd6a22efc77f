import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { appRoot } from './api/root.ts'
import { frames, type PageEntry, pages } from './pages.ts'
import { LeaveGuard } from './shell/LeaveGuard.tsx'

const component = ({ load, name }: PageEntry) => lazyRouteComponent(load as never, name as never)

const routesBelow = (parent: AnyRoute, entries: readonly PageEntry[]): AnyRoute[] =>
  entries.map(
    (entry) =>
      createRoute({
        getParentRoute: () => parent as never,
        path: entry.path,
        component: component(entry),
      }) as unknown as AnyRoute,
  )

/** The router of all pages but the login page, each below its frame. */
export const makeRouter = () => {
  const rootRoute = createRootRoute({ component: LeaveGuard })
  const getParentRoute = () => rootRoute
  const standalone = createRoute({ getParentRoute, id: 'standalone', component: Outlet })
  const admin = createRoute({ getParentRoute, path: 'admin', component: component(frames.staff) })
  const apart = createRoute({ getParentRoute, id: 'apart', component: component(frames.apart) })
  const member = createRoute({ getParentRoute, id: 'member', component: component(frames.own) })
  return createRouter({
    routeTree: rootRoute.addChildren([
      standalone.addChildren(routesBelow(standalone, pages.alone)),
      apart.addChildren(routesBelow(apart, pages.apart)),
      admin.addChildren(routesBelow(admin, pages.staff)),
      member.addChildren(routesBelow(member, pages.own)),
    ]),
    basepath: `${appRoot}/new`,
    // Values stand in the address as they are, so that people can read and write them.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (values) => {
      const text = new URLSearchParams(values as Record<string, string>).toString()
      return text ? `?${text}` : ''
    },
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}
