import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { appRoot } from './api/root.ts'

/**
 * Every address of the product. Each screen loads its own code. `admin/*` opens the admin shell, everything else the
 * shell of members, and a few pages stand alone (specification 1 §2.1).
 */
const rootRoute = createRootRoute({ component: Outlet })

type Load = () => Promise<Record<string, ComponentType>>
const lazily = (load: Load, name: string) => lazyRouteComponent(load as never, name as never)

const standalone = createRoute({ getParentRoute: () => rootRoute, id: 'standalone', component: Outlet })
const admin = createRoute({
  getParentRoute: () => rootRoute,
  path: 'admin',
  component: lazily(() => import('./modules/session/AdminFrame.tsx') as never, 'AdminFrame'),
})
const member = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  component: lazily(() => import('./modules/session/MemberFrame.tsx') as never, 'MemberFrame'),
})

const alone = (path: string, load: Load, name: string) =>
  createRoute({ getParentRoute: () => standalone, path, component: lazily(load, name) })
const staff = (path: string, load: Load, name: string) =>
  createRoute({ getParentRoute: () => admin, path, component: lazily(load, name) })
const own = (path: string, load: Load, name: string) =>
  createRoute({ getParentRoute: () => member, path, component: lazily(load, name) })

const notFound: [Load, string] = [() => import('./modules/session/NotFoundPage.tsx'), 'NotFoundPage']

const routeTree = rootRoute.addChildren([
  standalone.addChildren([
    alone('login', () => import('./modules/identity/LoginPage.tsx'), 'LoginPage'),
    alone(
      'admin/visualization',
      () => import('./modules/scheduling/VisualizationPage.tsx'),
      'VisualizationPage',
    ),
    alone('e/$token', () => import('./modules/evaluations/AnonymousPage.tsx'), 'AnonymousPage'),
    alone('reset-password', () => import('./modules/identity/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  ]),
  admin.addChildren([
    staff('home', () => import('./modules/reports/AdminHomePage.tsx'), 'AdminHomePage'),
    staff('manage-areas', () => import('./modules/areas/AreasPage.tsx'), 'AreasPage'),
    staff('manage-areas/edit', () => import('./modules/areas/AreaPage.tsx'), 'AreaPage'),
    staff('manage-colleges', () => import('./modules/programs/CollegesPage.tsx'), 'CollegesPage'),
    staff('manage-colleges/edit', () => import('./modules/programs/CollegePage.tsx'), 'CollegePage'),
    staff('manage-programs', () => import('./modules/programs/ProgramsPage.tsx'), 'ProgramsPage'),
    staff('manage-programs/edit', () => import('./modules/programs/ProgramPage.tsx'), 'ProgramPage'),
    staff('modalities', () => import('./modules/programs/ModalitiesPage.tsx'), 'ModalitiesPage'),
    staff(
      'program-settings',
      () => import('./modules/programs/ProgramSettingsPage.tsx'),
      'ProgramSettingsPage',
    ),
    staff(
      'language-profiles',
      () => import('./modules/terminology/LanguageProfilesPage.tsx'),
      'LanguageProfilesPage',
    ),
    staff(
      'language-entries',
      () => import('./modules/terminology/LanguageEntriesPage.tsx'),
      'LanguageEntriesPage',
    ),
    staff('manage-users', () => import('./modules/people/UsersPage.tsx'), 'UsersPage'),
    staff('manage-users/edit', () => import('./modules/people/UserPage.tsx'), 'UserPage'),
    staff('add-user', () => import('./modules/people/AddUserPage.tsx'), 'AddUserPage'),
    staff('change-password', () => import('./modules/identity/ChangePasswordPage.tsx'), 'ChangePasswordPage'),
    staff('sessions', () => import('./modules/identity/SessionsPage.tsx'), 'SessionsPage'),
    staff('rotations', () => import('./modules/scheduling/RotationsPage.tsx'), 'RotationsPage'),
    staff('rotations/edit', () => import('./modules/scheduling/RotationPage.tsx'), 'RotationPage'),
    staff('shifts', () => import('./modules/scheduling/ShiftsPage.tsx'), 'ShiftsPage'),
    staff('shifts/edit', () => import('./modules/scheduling/ShiftPage.tsx'), 'ShiftPage'),
    staff('shift-assignments', () => import('./modules/scheduling/AssignmentsPage.tsx'), 'AssignmentsPage'),
    staff('sites', () => import('./modules/sites/SitesPage.tsx'), 'SitesPage'),
    staff('sites/edit', () => import('./modules/sites/SitePage.tsx'), 'SitePage'),
    staff('assign-supervisor-sites', () => import('./modules/sites/AssignSitesPage.tsx'), 'AssignSitesPage'),
    staff('imports', () => import('./modules/imports/ImportPage.tsx'), 'ImportPage'),
    staff(
      'approve-time-records',
      () => import('./modules/time/ApproveTimeRecordsPage.tsx'),
      'ApproveTimeRecordsPage',
    ),
    staff('logclock-list', () => import('./modules/time/TimeRecordsPage.tsx'), 'TimeRecordsPage'),
    staff(
      'missed-time-records',
      () => import('./modules/time/MissedTimeRecordsPage.tsx'),
      'MissedTimeRecordsPage',
    ),
    staff('hours-summary', () => import('./modules/time/HoursSummaryPage.tsx'), 'HoursSummaryPage'),
    staff('evaluations/templates', () => import('./modules/evaluations/TemplatesPage.tsx'), 'TemplatesPage'),
    staff(
      'evaluations/templates/edit',
      () => import('./modules/evaluations/TemplatePage.tsx'),
      'TemplatePage',
    ),
    staff(
      'evaluations/status',
      () => import('./modules/evaluations/EvaluationStatusPage.tsx'),
      'EvaluationStatusPage',
    ),
    staff('inbox', () => import('./modules/communication/InboxPage.tsx'), 'InboxPage'),
    staff('help', () => import('./modules/communication/GuidePage.tsx'), 'GuidePage'),
    staff('$', ...notFound),
  ]),
  member.addChildren([
    own('/', () => import('./modules/session/IndexPage.tsx'), 'IndexPage'),
    own('change-password', () => import('./modules/identity/ChangePasswordPage.tsx'), 'ChangePasswordPage'),
    own('sessions', () => import('./modules/identity/SessionsPage.tsx'), 'SessionsPage'),
    own('schedule', () => import('./modules/scheduling/OwnSchedulePage.tsx'), 'OwnSchedulePage'),
    own('clock', () => import('./modules/time/ClockPage.tsx'), 'ClockPage'),
    own('hours', () => import('./modules/time/OwnHoursPage.tsx'), 'OwnHoursPage'),
    own('approve', () => import('./modules/time/SiteApprovalsPage.tsx'), 'SiteApprovalsPage'),
    own('evaluate', () => import('./modules/evaluations/OwnEvaluationsPage.tsx'), 'OwnEvaluationsPage'),
    own('evaluate/$evaluationId', () => import('./modules/evaluations/FillPage.tsx'), 'FillPage'),
    own('inbox', () => import('./modules/communication/InboxPage.tsx'), 'InboxPage'),
    own('help', () => import('./modules/communication/GuidePage.tsx'), 'GuidePage'),
    own('more', () => import('./modules/communication/MorePage.tsx'), 'MorePage'),
    own('students', () => import('./modules/people/SupervisedStudentsPage.tsx'), 'SupervisedStudentsPage'),
    own('$', ...notFound),
  ]),
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
