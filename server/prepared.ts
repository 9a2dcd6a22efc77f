import { actionOf } from './core/http/call-audit.ts'
import type { Route } from './core/http/handle.ts'

/**
 * The calls that the worker may prepare, by their method and their path within the program. The process of a task loads the code of
 * its own call alone: all routes together take several times as long as most tasks.
 */
const files: Record<string, () => Promise<readonly Route[]>> = {
  'GET audit/export': async () => (await import('./modules/audit/audit.routes.ts')).auditRoutes,
  'GET competency-lists/:listId/grid/export': async () =>
    (await import('./modules/competencies/competency-grid.routes.ts')).competencyGridRoutes,
  'GET competency-records': async () =>
    (await import('./modules/competencies/competency-grid.routes.ts')).competencyGridRoutes,
  'GET competency-lists/:listId/export': async () =>
    (await import('./modules/competencies/competency-lists.routes.ts')).competencyListRoutes,
  'GET exams/export': async () =>
    (await import('./modules/competencies/exam-admin.routes.ts')).examAdminRoutes,
  'GET examiners/export': async () =>
    (await import('./modules/competencies/examiners.routes.ts')).examinerRoutes,
  'GET procedure-logs/export': async () =>
    (await import('./modules/competencies/log-verification.routes.ts')).logVerificationRoutes,
  'GET evaluation-results/export': async () =>
    (await import('./modules/evaluations/results.routes.ts')).resultRoutes,
  'GET graduates/export': async () =>
    (await import('./modules/graduates/graduates.routes.ts')).graduateRoutes,
  'DELETE imports/:importId': async () => (await import('./modules/imports/imports.routes.ts')).importRoutes,
  'POST imports': async () => (await import('./modules/imports/imports.routes.ts')).importRoutes,
  'GET deleted/export': async () => (await import('./modules/deleted/deleted.routes.ts')).deletedRoutes,
  'GET employees/export': async () => (await import('./modules/people/employees.routes.ts')).employeeRoutes,
  'GET employment/export': async () =>
    (await import('./modules/people/employment.routes.ts')).employmentRoutes,
  'GET place-requests/export': async () =>
    (await import('./modules/placement-lists/place-requests.routes.ts')).placeRequestRoutes,
  'GET placement-lists/export': async () =>
    (await import('./modules/placement-lists/placement-lists.routes.ts')).placementListRoutes,
  'GET placement-plans/:planId/drafts/:draftId/export': async () =>
    (await import('./modules/placement/draft/drafts.routes.ts')).draftRoutes,
  'GET progress/export': async () => (await import('./modules/progress/progress.routes.ts')).progressRoutes,
  'GET custom-report-export': async () =>
    (await import('./modules/reports/custom-reports.routes.ts')).customReportRoutes,
  'GET systematic-plans/export': async () =>
    (await import('./modules/reports/systematic-plans.routes.ts')).systematicPlanRoutes,
  'GET requirement-matrix/export': async () =>
    (await import('./modules/requirements/matrix.routes.ts')).matrixRoutes,
  'GET verifications/export': async () =>
    (await import('./modules/requirements/verifications.routes.ts')).verificationRoutes,
  'GET dose-readings/export': async () => (await import('./modules/safety/safety.routes.ts')).safetyRoutes,
  'GET shift-assignments/export': async () =>
    (await import('./modules/scheduling/assignments.routes.ts')).assignmentRoutes,
  'GET open-shifts/export': async () =>
    (await import('./modules/shift-changes/open-shifts.routes.ts')).openShiftRoutes,
  'GET shift-changes/export': async () =>
    (await import('./modules/shift-changes/shift-changes.routes.ts')).shiftChangeRoutes,
  'GET affiliate-agreements/export': async () =>
    (await import('./modules/sites/agreements.routes.ts')).agreementRoutes,
  'GET sites/export': async () => (await import('./modules/sites/sites.routes.ts')).siteRoutes,
  'GET hours-summary/export': async () => (await import('./modules/time/hours.routes.ts')).hoursRoutes,
  'GET time-records/export': async () => (await import('./modules/time/records.routes.ts')).recordRoutes,
  'GET time-summaries/export': async () => (await import('./modules/time/totals.routes.ts')).totalRoutes,
}

export const preparedActions: readonly string[] = Object.keys(files).map((name) =>
  name.replace(' ', ' /programs/:programId/'),
)

/** The call of an action, as the audit names it; undefined when the worker prepares none of that name. */
export const routeOf = async (action: string): Promise<Route | undefined> => {
  const load = files[action.replace(' /programs/:programId/', ' ')]
  const routes = load ? await load() : []
  return routes.find(({ endpoint }) => actionOf(endpoint) === action)
}
