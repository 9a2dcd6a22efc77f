import * as areas from '#contract/areas/areas.ts'
import * as audit from '#contract/audit/audit.ts'
import * as changes from '#contract/changes/changes.ts'
import * as clinicalRecords from '#contract/clinical-records/clinical-records.ts'
import * as emailBlacklist from '#contract/communication/email-blacklist.ts'
import * as emails from '#contract/communication/emails.ts'
import * as live from '#contract/communication/live.ts'
import * as mailTemplates from '#contract/communication/mail-templates.ts'
import * as notificationCopies from '#contract/communication/notification-copies.ts'
import * as notifications from '#contract/communication/notifications.ts'
import * as scheduledEmails from '#contract/communication/scheduled-emails.ts'
import * as unusedFeatures from '#contract/communication/unused-features.ts'
import * as competencyGrid from '#contract/competencies/competency-grid.ts'
import * as competencyLists from '#contract/competencies/competency-lists.ts'
import * as examAdmin from '#contract/competencies/exam-admin.ts'
import * as examGrading from '#contract/competencies/exam-grading.ts'
import * as examItems from '#contract/competencies/exam-items.ts'
import * as examiners from '#contract/competencies/examiners.ts'
import * as exams from '#contract/competencies/exams.ts'
import * as labChecks from '#contract/competencies/lab-checks.ts'
import * as listMoves from '#contract/competencies/list-moves.ts'
import * as logVerification from '#contract/competencies/log-verification.ts'
import * as procedureLogs from '#contract/competencies/procedure-logs.ts'
import * as procedures from '#contract/competencies/procedures.ts'
import * as supervision from '#contract/competencies/supervision.ts'
import * as connections from '#contract/connections/connections.ts'
import * as ltiConnections from '#contract/connections/lti.ts'
import * as description from '#contract/core/description.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import * as deleted from '#contract/deleted/deleted.ts'
import * as documents from '#contract/documents/documents.ts'
import * as evaluationItems from '#contract/evaluations/evaluation-items.ts'
import * as evaluationMaking from '#contract/evaluations/evaluation-making.ts'
import * as evaluationResults from '#contract/evaluations/evaluation-results.ts'
import * as evaluations from '#contract/evaluations/evaluations.ts'
import * as formTypes from '#contract/evaluations/form-types.ts'
import * as scoreTypes from '#contract/evaluations/score-types.ts'
import * as effectiveness from '#contract/graduates/effectiveness.ts'
import * as graduates from '#contract/graduates/graduates.ts'
import * as authenticator from '#contract/identity/authenticator.ts'
import * as firstAccount from '#contract/identity/first-account.ts'
import * as identity from '#contract/identity/identity.ts'
import * as passwordless from '#contract/identity/passwordless.ts'
import * as preferences from '#contract/identity/preferences.ts'
import * as proofs from '#contract/identity/proofs.ts'
import * as registration from '#contract/identity/registration.ts'
import * as superAdmins from '#contract/identity/super-admins.ts'
import * as testAccess from '#contract/identity/test-access.ts'
import * as imports from '#contract/imports/imports.ts'
import * as sync from '#contract/imports/sync.ts'
import * as inbox from '#contract/inbox/inbox.ts'
import * as keys from '#contract/keys/keys.ts'
import * as links from '#contract/links/links.ts'
import * as menus from '#contract/menus/menus.ts'
import * as announcements from '#contract/news/announcements.ts'
import * as news from '#contract/news/news.ts'
import * as pictures from '#contract/news/pictures.ts'
import * as payments from '#contract/payments/payments.ts'
import * as employees from '#contract/people/employees.ts'
import * as employment from '#contract/people/employment.ts'
import * as leaving from '#contract/people/leaving.ts'
import * as merging from '#contract/people/merging.ts'
import * as people from '#contract/people/people.ts'
import * as studentLevels from '#contract/people/student-levels.ts'
import * as placeRequests from '#contract/placement-lists/place-requests.ts'
import * as placementLists from '#contract/placement-lists/placement-lists.ts'
import * as programCopy from '#contract/programs/program-copy.ts'
import * as programKinds from '#contract/programs/program-kinds.ts'
import * as programs from '#contract/programs/programs.ts'
import * as progress from '#contract/progress/progress.ts'
import * as provisioning from '#contract/provisioning/provisioning.ts'
import * as push from '#contract/push/push.ts'
import * as customReports from '#contract/reports/custom-reports.ts'
import * as memberHomes from '#contract/reports/member-homes.ts'
import * as outcomes from '#contract/reports/outcomes.ts'
import * as overview from '#contract/reports/overview.ts'
import * as reports from '#contract/reports/reports.ts'
import * as systematicPlans from '#contract/reports/systematic-plans.ts'
import * as weeklyReports from '#contract/reports/weekly-reports.ts'
import * as exemptionRequests from '#contract/requirements/exemption-requests.ts'
import * as requirementMatrix from '#contract/requirements/matrix.ts'
import * as ownRequirements from '#contract/requirements/own-requirements.ts'
import * as packets from '#contract/requirements/packets.ts'
import * as proofReview from '#contract/requirements/proof-review.ts'
import * as requirementDesign from '#contract/requirements/requirement-design.ts'
import * as verifications from '#contract/requirements/verifications.ts'
import * as safetyDeclarations from '#contract/safety/declarations.ts'
import * as safetyDoses from '#contract/safety/doses.ts'
import * as safetyIncidents from '#contract/safety/incidents.ts'
import * as saml from '#contract/saml/saml.ts'
import * as assignments from '#contract/scheduling/assignments.ts'
import * as daysOff from '#contract/scheduling/days-off.ts'
import * as ownSchedule from '#contract/scheduling/own-schedule.ts'
import * as personalFilters from '#contract/scheduling/personal-filters.ts'
import * as planning from '#contract/scheduling/planning.ts'
import * as rotations from '#contract/scheduling/rotations.ts'
import * as scheduleGrid from '#contract/scheduling/schedule-grid.ts'
import * as schedulingOptions from '#contract/scheduling/scheduling-options.ts'
import * as series from '#contract/scheduling/series.ts'
import * as siteShifts from '#contract/scheduling/site-shifts.ts'
import * as finder from '#contract/search/finder.ts'
import * as browserErrors from '#contract/session/browser-errors.ts'
import * as helpChat from '#contract/session/help-chat.ts'
import * as session from '#contract/session/session.ts'
import * as eula from '#contract/settings/eula.ts'
import * as globalSettings from '#contract/settings/global-settings.ts'
import * as ipAccess from '#contract/settings/ip-access.ts'
import * as sharedSites from '#contract/shared-sites/shared-sites.ts'
import * as openShifts from '#contract/shift-changes/open-shifts.ts'
import * as shiftChanges from '#contract/shift-changes/shift-changes.ts'
import * as agreements from '#contract/sites/agreements.ts'
import * as sites from '#contract/sites/sites.ts'
import * as students from '#contract/students/students.ts'
import * as system from '#contract/system/system.ts'
import * as tasks from '#contract/tasks/tasks.ts'
import * as terminology from '#contract/terminology/terminology.ts'
import * as approvals from '#contract/time/approvals.ts'
import * as clock from '#contract/time/clock.ts'
import * as hoursSummary from '#contract/time/hours-summary.ts'
import * as missedShifts from '#contract/time/missed-shifts.ts'
import * as rulesOfHours from '#contract/time/rules-of-hours.ts'
import * as timeRecords from '#contract/time/time-records.ts'
import * as timeSummaries from '#contract/time/time-summaries.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import * as placementAcceptances from './placement/acceptances.ts'
import * as placementConflicts from './placement/conflicts.ts'
import * as placementDrafts from './placement/drafts.ts'
import * as ownPlacement from './placement/own-placement.ts'
import * as placementPresets from './placement/plan-presets.ts'
import * as placementPlans from './placement/plans.ts'

/** Every call of the product by domain: what the server answers, the page describes and the tests loop over. */
export const api = {
  agreements,
  announcements,
  areas,
  authenticator,
  competencyGrid,
  competencyLists,
  connections: { ...connections, ...ltiConnections },
  provisioning,
  customReports,
  description,
  documents,
  emailBlacklist,
  emails,
  employment,
  eula,
  employees,
  examAdmin,
  examGrading,
  examiners,
  examItems,
  exams,
  labChecks,
  listMoves,
  supervision,
  procedures,
  procedureLogs,
  logVerification,
  evaluationItems,
  evaluationMaking,
  evaluationResults,
  evaluations,
  finder,
  formTypes,
  browserErrors,
  helpChat,
  globalSettings,
  firstAccount,
  identity,
  preferences,
  imports,
  ipAccess,
  inbox,
  links,
  live,
  requirements: {
    ...requirementDesign,
    ...safetyDeclarations,
    ...safetyDoses,
    ...safetyIncidents,
    ...exemptionRequests,
    ...ownRequirements,
    ...proofReview,
    ...requirementMatrix,
    ...packets,
  },
  mailTemplates,
  memberHomes,
  menus,
  news,
  notificationCopies,
  notifications,
  outcomes,
  overview,
  passwordless,
  proofs,
  payments,
  leaving,
  merging,
  people,
  programCopy,
  programKinds,
  pictures,
  programs,
  registration,
  reports,
  saml,
  scheduledEmails,
  scheduling: {
    ...assignments,
    ...daysOff,
    ...ownSchedule,
    ...personalFilters,
    ...planning,
    ...rotations,
    ...scheduleGrid,
    ...schedulingOptions,
    ...series,
    ...siteShifts,
  },
  placementLists,
  placeRequests,
  sharedSites,
  shiftChanges: { ...openShifts, ...shiftChanges },
  scoreTypes,
  session,
  sites,
  studentLevels,
  students,
  sync,
  keys,
  audit,
  deleted,
  changes,
  webhooks,
  push,
  system,
  systematicPlans,
  tasks,
  terminology,
  superAdmins,
  testAccess,
  time: { ...approvals, ...clock, ...hoursSummary, ...missedShifts, ...rulesOfHours, ...timeRecords },
  timeSummaries,
  unusedFeatures,
  verifications,
  weeklyReports,
  graduates: { ...graduates, ...effectiveness },
  clinicalRecords,
  progress,
  placement: {
    ...placementPlans,
    ...placementPresets,
    ...placementConflicts,
    ...placementDrafts,
    ...placementAcceptances,
    ...ownPlacement,
  },
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'endpoint'

export const allEndpoints: readonly AnyEndpoint[] = Object.values(api).flatMap((domain) =>
  Object.values(domain as Record<string, unknown>).filter(isEndpoint),
)
