import { descriptionRoutes } from './core/description.ts'
import type { Route } from './core/handle.ts'
import type { Job } from './core/jobs.ts'
import { mailJobs } from './core/mail.ts'
import { areaRoutes } from './modules/areas/areas.routes.ts'
import { notificationRoutes } from './modules/communication/notifications.routes.ts'
import { evaluationRoutes } from './modules/evaluations/evaluations.routes.ts'
import { templateRoutes } from './modules/evaluations/templates.routes.ts'
import { accountRoutes } from './modules/identity/account.routes.ts'
import { signInRoutes } from './modules/identity/sign-in.routes.ts'
import { importRoutes } from './modules/imports/imports.routes.ts'
import { peopleRoutes } from './modules/people/people.routes.ts'
import { programRoutes } from './modules/programs/programs.routes.ts'
import { homeRoutes } from './modules/reports/home.routes.ts'
import { schedulingRoutes } from './modules/scheduling/scheduling.routes.ts'
import { sessionRoutes } from './modules/session/session.routes.ts'
import { stateRoutes } from './modules/session/state.routes.ts'
import { siteDocumentRoutes } from './modules/sites/documents.routes.ts'
import { siteRoutes } from './modules/sites/sites.routes.ts'
import { supervisorRoutes } from './modules/sites/supervisors.routes.ts'
import { terminologyRoutes } from './modules/terminology/terminology.routes.ts'
import { clockRoutes } from './modules/time/clock.routes.ts'
import { hoursRoutes } from './modules/time/hours.routes.ts'
import { timeJobs } from './modules/time/positions.jobs.ts'
import { recordRoutes } from './modules/time/records.routes.ts'

/** All calls of the product. With `web/routes.tsx` the only place that knows every module. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...stateRoutes,
  ...areaRoutes,
  ...siteRoutes,
  ...siteDocumentRoutes,
  ...supervisorRoutes,
  ...importRoutes,
  ...peopleRoutes,
  ...programRoutes,
  ...terminologyRoutes,
  ...schedulingRoutes,
  ...clockRoutes,
  ...recordRoutes,
  ...hoursRoutes,
  ...templateRoutes,
  ...evaluationRoutes,
  ...notificationRoutes,
  ...homeRoutes,
  ...descriptionRoutes(() => routes),
]

/** All background work. */
export const jobs: readonly Job[] = [...mailJobs, ...timeJobs]
