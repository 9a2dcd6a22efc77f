import { assignmentRoutes } from './assignments.routes.ts'
import { calendarRoutes } from './calendar.routes.ts'
import { dayOffRoutes } from './days-off.routes.ts'
import { ownScheduleRoutes } from './own-schedule.routes.ts'
import { personalFilterRoutes } from './personal-filters.routes.ts'
import { planningRoutes } from './planning.routes.ts'
import { rotationRoutes } from './rotations.routes.ts'
import { scheduleGridRoutes } from './schedule-grid.routes.ts'
import { seriesRoutes } from './series.routes.ts'
import { siteShiftRoutes } from './site-shifts.routes.ts'

/** All calls of scheduling. */
export const schedulingRoutes = [
  ...rotationRoutes,
  ...siteShiftRoutes,
  ...assignmentRoutes,
  ...seriesRoutes,
  ...planningRoutes,
  ...scheduleGridRoutes,
  ...dayOffRoutes,
  ...personalFilterRoutes,
  ...calendarRoutes,
  ...ownScheduleRoutes,
]
