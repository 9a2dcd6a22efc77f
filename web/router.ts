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

const rootRoute = createRootRoute({ component: Outlet })

const component = ({ load, name }: PageEntry) => lazyRouteComponent(load as never, name as never)

const standalone = createRoute({ getParentRoute: () => rootRoute, id: 'standalone', component: Outlet })
const admin = createRoute({
  getParentRoute: () => rootRoute,
  path: 'admin',
  component: component(frames.staff),
})
const apart = createRoute({
  getParentRoute: () => rootRoute,
  id: 'apart',
  component: component(frames.apart),
})
const member = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  component: component(frames.own),
})

const childrenOf = (
  parent: typeof standalone | typeof apart | typeof admin | typeof member,
  entries: readonly PageEntry[],
): AnyRoute[] =>
  entries.map(
    (entry) =>
      createRoute({
        getParentRoute: () => parent as never,
        path: entry.path,
        component: component(entry),
      }) as unknown as AnyRoute,
  )

const routeTree = rootRoute.addChildren([
  standalone.addChildren(childrenOf(standalone, pages.alone)),
  apart.addChildren(childrenOf(apart, pages.apart)),
  admin.addChildren(childrenOf(admin, pages.staff)),
  member.addChildren(childrenOf(member, pages.own)),
])

export const router = createRouter({
  routeTree,
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
