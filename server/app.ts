import { backupJobs } from '#server/core/backup/scheduled.ts'
import { descriptionRoutes } from '#server/core/http/description.ts'
import type { Route } from '#server/core/http/handle.ts'
import type { OpenPage } from '#server/core/http/open-page.ts'
import type { Protocol } from '#server/core/http/protocol.ts'
import { mailJobs } from '#server/core/mail/mail.ts'
import { catchUpOf, type Job } from '#server/core/runtime/jobs.ts'
import { placementJobs } from '#server/modules/placement/placement.jobs.ts'
import { placementRoutes } from '#server/modules/placement/placement.routes.ts'
import { areaRoutes } from './modules/areas/areas.routes.ts'
import { auditRoutes } from './modules/audit/audit.routes.ts'
import { changeJobs } from './modules/changes/changes.jobs.ts'
import { changeRoutes } from './modules/changes/changes.routes.ts'
import { clinicalRecordRoutes } from './modules/clinical-records/clinical-records.routes.ts'
import { publishedPages } from './modules/clinical-records/published.pages.ts'
import { blacklistRoutes } from './modules/communication/blacklist.routes.ts'
import { digestJobs } from './modules/communication/digests.jobs.ts'
import { emailTextRoutes } from './modules/communication/email-texts.routes.ts'
import { messageRoutes } from './modules/communication/emails.routes.ts'
import { liveRoutes } from './modules/communication/live.routes.ts'
import { mailTemplateRoutes } from './modules/communication/mail-templates.routes.ts'
import { notificationCopyRoutes } from './modules/communication/notification-copies.routes.ts'
import { notificationRoutes } from './modules/communication/notifications.routes.ts'
import { scheduledEmailRoutes } from './modules/communication/scheduled-emails.routes.ts'
import { unsubscribePages } from './modules/communication/unsubscribe.pages.ts'
import { unusedFeatureRoutes } from './modules/communication/unused-features.routes.ts'
import { competencyGridRoutes } from './modules/competencies/competency-grid.routes.ts'
import { competencyListRoutes } from './modules/competencies/competency-lists.routes.ts'
import { examAdminRoutes } from './modules/competencies/exam-admin.routes.ts'
import { examGradingRoutes } from './modules/competencies/exam-grading.routes.ts'
import { competencyExamRoutes } from './modules/competencies/exam-items.routes.ts'
import { examinerRoutes } from './modules/competencies/examiners.routes.ts'
import { examRoutes } from './modules/competencies/exams.routes.ts'
import { labCheckRoutes } from './modules/competencies/lab-checks.routes.ts'
import { logVerificationRoutes } from './modules/competencies/log-verification.routes.ts'
import { procedureLogRoutes } from './modules/competencies/procedure-logs.routes.ts'
import { procedureRoutesOfLists } from './modules/competencies/procedures.routes.ts'
import { askRechecks } from './modules/competencies/rechecks.jobs.ts'
import { competencyJobs } from './modules/competencies/sums.jobs.ts'
import { supervisionRoutes } from './modules/competencies/supervision.routes.ts'
import { connectionRoutes } from './modules/connections/connections.routes.ts'
import { ltiRoutes } from './modules/connections/lti.routes.ts'
import { deletedRoutes } from './modules/deleted/deleted.routes.ts'
import { documentCategoryRoutes } from './modules/documents/categories.routes.ts'
import { documentRoutes } from './modules/documents/documents.routes.ts'
import { evaluationRoutes } from './modules/evaluations/evaluations.routes.ts'
import { formTypeRoutes } from './modules/evaluations/form-types.routes.ts'
import { evaluationItemRoutes } from './modules/evaluations/items.routes.ts'
import { evaluationMakingRoutes } from './modules/evaluations/making.routes.ts'
import { evaluationJobs } from './modules/evaluations/reminders.jobs.ts'
import { resultRoutes } from './modules/evaluations/results.routes.ts'
import { scoreTypeRoutes } from './modules/evaluations/score-types.routes.ts'
import { checkEvaluationSums } from './modules/evaluations/sums.jobs.ts'
import { templateRoutes } from './modules/evaluations/templates.routes.ts'
import { effectivenessRoutes } from './modules/graduates/effectiveness.routes.ts'
import { graduateRoutes } from './modules/graduates/graduates.routes.ts'
import { accountRoutes } from './modules/identity/account.routes.ts'
import { authenticatorRoutes } from './modules/identity/authenticator.routes.ts'
import { collegePages } from './modules/identity/college.pages.ts'
import { collegeRoutes } from './modules/identity/college.routes.ts'
import { emailRoutes } from './modules/identity/email.routes.ts'
import { firstAccountRoutes } from './modules/identity/first-account.routes.ts'
import { ltiOpenPages } from './modules/identity/lti.pages.ts'
import { ltiRegistrationPages } from './modules/identity/lti-registration.pages.ts'
import { notMeRoutes } from './modules/identity/not-me.routes.ts'
import { openIdPages } from './modules/identity/openid.pages.ts'
import { passwordlessRoutes } from './modules/identity/passwordless.routes.ts'
import { proofRoutes } from './modules/identity/proofs.routes.ts'
import { registrationRoutes } from './modules/identity/registration.routes.ts'
import { signInRoutes } from './modules/identity/sign-in.routes.ts'
import { testAccessRoutes } from './modules/identity/test-access.routes.ts'
import { identityJobs } from './modules/identity/tidy.jobs.ts'
import { importRoutes } from './modules/imports/imports.routes.ts'
import { syncRoutes } from './modules/imports/sync.routes.ts'
import { inboxJobs } from './modules/inbox/inbox.jobs.ts'
import { inboxRoutes } from './modules/inbox/inbox.routes.ts'
import { keyRoutes } from './modules/keys/keys.routes.ts'
import { linkRoutes } from './modules/links/links.routes.ts'
import { menuRoutes } from './modules/menus/menu.routes.ts'
import { announcementRoutes } from './modules/news/announcements.routes.ts'
import { newsRoutes } from './modules/news/news.routes.ts'
import { pictureRoutes } from './modules/news/pictures.routes.ts'
import { arrangementRoutes } from './modules/payments/arrangements.routes.ts'
import { invoiceRoutes } from './modules/payments/invoices.routes.ts'
import { taxRateRoutes } from './modules/payments/tax-rates.routes.ts'
import { employeeRoutes } from './modules/people/employees.routes.ts'
import { employmentRoutes } from './modules/people/employment.routes.ts'
import { endAccessOnDay } from './modules/people/leaving.jobs.ts'
import { leavingRoutes } from './modules/people/leaving.routes.ts'
import { levelRoutes } from './modules/people/levels.routes.ts'
import { mergingRoutes } from './modules/people/merging.routes.ts'
import { peopleRoutes } from './modules/people/people.routes.ts'
import { personRoutes } from './modules/people/persons.routes.ts'
import { superAdminRoutes } from './modules/people/super-admins.routes.ts'
import {
  placeRequestRoutes,
  sitePlaceRequestRoutes,
} from './modules/placement-lists/place-requests.routes.ts'
import { placementListJobs } from './modules/placement-lists/placement-lists.jobs.ts'
import {
  placementListRoutes,
  sitePlacementListRoutes,
} from './modules/placement-lists/placement-lists.routes.ts'
import { copyRoutes } from './modules/program-copy/copy.routes.ts'
import { programKindRoutes } from './modules/programs/kinds.routes.ts'
import { programRoutes } from './modules/programs/programs.routes.ts'
import { countDuePrograms } from './modules/progress/progress.jobs.ts'
import { progressRoutes } from './modules/progress/progress.routes.ts'
import { provisioningRoutes } from './modules/provisioning/provisioning.routes.ts'
import { scimProtocol } from './modules/provisioning/scim.protocol.ts'
import { pushServiceRoutes } from './modules/push/installation.routes.ts'
import { pushJobs } from './modules/push/push.jobs.ts'
import { pushRoutes } from './modules/push/push.routes.ts'
import { customReportJobs } from './modules/reports/custom-reports.jobs.ts'
import { customReportRoutes } from './modules/reports/custom-reports.routes.ts'
import { homeRoutes } from './modules/reports/home.routes.ts'
import { memberHomeRoutes } from './modules/reports/member-homes.routes.ts'
import { outcomeRoutes } from './modules/reports/outcomes.routes.ts'
import { keepOverview } from './modules/reports/overview.jobs.ts'
import { overviewRoutes } from './modules/reports/overview.routes.ts'
import { systematicPlanRoutes } from './modules/reports/systematic-plans.routes.ts'
import { weeklyReportJobs } from './modules/reports/weekly.jobs.ts'
import { weeklyReportRoutes } from './modules/reports/weekly.routes.ts'
import { exemptionRequestRoutes } from './modules/requirements/exemption-requests.routes.ts'
import { matrixRoutes } from './modules/requirements/matrix.routes.ts'
import { ownRequirementRoutes } from './modules/requirements/own-requirements.routes.ts'
import { disclosureRoutes, packetLinkRoutes, packetRoutes } from './modules/requirements/packets.routes.ts'
import { proofReviewRoutes } from './modules/requirements/proof-review.routes.ts'
import { requirementDesignRoutes } from './modules/requirements/requirement-design.routes.ts'
import { documentJobs } from './modules/requirements/requirements.jobs.ts'
import { verificationRoutes } from './modules/requirements/verifications.routes.ts'
import { safetyRoutes } from './modules/safety/safety.routes.ts'
import { samlRoutes } from './modules/saml/providers.routes.ts'
import { schedulingRoutes } from './modules/scheduling/scheduling.routes.ts'
import { finderRoutes } from './modules/search/finder.routes.ts'
import { browserErrorRoutes } from './modules/session/browser-errors.routes.ts'
import { helpChatRoutes } from './modules/session/help-chat.routes.ts'
import { sessionRoutes } from './modules/session/session.routes.ts'
import { stateRoutes } from './modules/session/state.routes.ts'
import { eulaRoutes } from './modules/settings/eula.routes.ts'
import { globalSettingRoutes } from './modules/settings/global-settings.routes.ts'
import { ipAccessRoutes } from './modules/settings/ip-access.routes.ts'
import { retentionJobs } from './modules/settings/retention.jobs.ts'
import { settingJobs } from './modules/settings/tidy.jobs.ts'
import { sharedSiteRoutes } from './modules/shared-sites/shared-sites.routes.ts'
import { openShiftRoutes, ownOpenShiftRoutes } from './modules/shift-changes/open-shifts.routes.ts'
import { ownShiftChangeRoutes } from './modules/shift-changes/own-shift-changes.routes.ts'
import { shiftChangeJobs } from './modules/shift-changes/shift-changes.jobs.ts'
import { shiftChangeRoutes, siteShiftChangeRoutes } from './modules/shift-changes/shift-changes.routes.ts'
import { agreementJobs } from './modules/sites/agreements.jobs.ts'
import { agreementRoutes } from './modules/sites/agreements.routes.ts'
import { siteDocumentRoutes } from './modules/sites/documents.routes.ts'
import { siteRoutes } from './modules/sites/sites.routes.ts'
import { supervisorRoutes } from './modules/sites/supervisors.routes.ts'
import { studentRoutes } from './modules/students/students.routes.ts'
import { systemJobs } from './modules/system/system.jobs.ts'
import { systemRoutes } from './modules/system/system.routes.ts'
import { taskUpkeep } from './modules/tasks/tasks.jobs.ts'
import { taskRoutes } from './modules/tasks/tasks.routes.ts'
import { terminologyRoutes } from './modules/terminology/terminology.routes.ts'
import { saveAttendanceDays } from './modules/time/attendance.jobs.ts'
import { clockRoutes } from './modules/time/clock.routes.ts'
import { hoursRoutes } from './modules/time/hours.routes.ts'
import { timeJobs } from './modules/time/positions.jobs.ts'
import { recordRoutes } from './modules/time/records.routes.ts'
import { remindOfPunches } from './modules/time/reminders.jobs.ts'
import { hoursRuleRoutes } from './modules/time/rules-of-hours.routes.ts'
import { keepRotationHours, movePlans, timeSumJobs } from './modules/time/sums.jobs.ts'
import { totalRoutes } from './modules/time/totals.routes.ts'
import { webhookJobs } from './modules/webhooks/webhooks.jobs.ts'
import { webhookRoutes } from './modules/webhooks/webhooks.routes.ts'

/** All calls of the product. With `web/pages.ts` the only place that knows every module. */
export const routes: readonly Route[] = [
  ...signInRoutes,
  ...notMeRoutes,
  ...passwordlessRoutes,
  ...proofRoutes,
  ...collegeRoutes,
  ...authenticatorRoutes,
  ...emailRoutes,
  ...firstAccountRoutes,
  ...registrationRoutes,
  ...personRoutes,
  ...superAdminRoutes,
  ...testAccessRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...stateRoutes,
  ...menuRoutes,
  ...finderRoutes,
  ...browserErrorRoutes,
  ...helpChatRoutes,
  ...areaRoutes,
  ...siteRoutes,
  ...siteDocumentRoutes,
  ...agreementRoutes,
  ...supervisorRoutes,
  ...importRoutes,
  ...syncRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...deletedRoutes,
  ...changeRoutes,
  ...webhookRoutes,
  ...pushRoutes,
  ...pushServiceRoutes,
  ...systemRoutes,
  ...taskRoutes,
  ...leavingRoutes,
  ...mergingRoutes,
  ...peopleRoutes,
  ...levelRoutes,
  ...studentRoutes,
  ...employmentRoutes,
  ...employeeRoutes,
  ...taxRateRoutes,
  ...arrangementRoutes,
  ...invoiceRoutes,
  ...programRoutes,
  ...programKindRoutes,
  ...copyRoutes,
  ...terminologyRoutes,
  ...schedulingRoutes,
  ...openShiftRoutes,
  ...ownOpenShiftRoutes,
  ...placementListRoutes,
  ...sitePlacementListRoutes,
  ...placeRequestRoutes,
  ...sharedSiteRoutes,
  ...sitePlaceRequestRoutes,
  ...shiftChangeRoutes,
  ...siteShiftChangeRoutes,
  ...ownShiftChangeRoutes,
  ...placementRoutes,
  ...clockRoutes,
  ...recordRoutes,
  ...hoursRuleRoutes,
  ...hoursRoutes,
  ...totalRoutes,
  ...competencyListRoutes,
  ...competencyGridRoutes,
  ...procedureRoutesOfLists,
  ...competencyExamRoutes,
  ...procedureLogRoutes,
  ...logVerificationRoutes,
  ...examRoutes,
  ...examGradingRoutes,
  ...examAdminRoutes,
  ...examinerRoutes,
  ...labCheckRoutes,
  ...supervisionRoutes,
  ...formTypeRoutes,
  ...templateRoutes,
  ...evaluationItemRoutes,
  ...scoreTypeRoutes,
  ...evaluationRoutes,
  ...evaluationMakingRoutes,
  ...resultRoutes,
  ...notificationRoutes,
  ...notificationCopyRoutes,
  ...newsRoutes,
  ...announcementRoutes,
  ...blacklistRoutes,
  ...messageRoutes,
  ...emailTextRoutes,
  ...scheduledEmailRoutes,
  ...mailTemplateRoutes,
  ...pictureRoutes,
  ...unusedFeatureRoutes,
  ...verificationRoutes,
  ...documentCategoryRoutes,
  ...documentRoutes,
  ...homeRoutes,
  ...memberHomeRoutes,
  ...outcomeRoutes,
  ...overviewRoutes,
  ...customReportRoutes,
  ...weeklyReportRoutes,
  ...systematicPlanRoutes,
  ...eulaRoutes,
  ...ipAccessRoutes,
  ...globalSettingRoutes,
  ...samlRoutes,
  ...connectionRoutes,
  ...ltiRoutes,
  ...provisioningRoutes,
  ...liveRoutes,
  ...graduateRoutes,
  ...effectivenessRoutes,
  ...clinicalRecordRoutes,
  ...progressRoutes,
  ...linkRoutes,
  ...inboxRoutes,
  ...requirementDesignRoutes,
  ...ownRequirementRoutes,
  ...proofReviewRoutes,
  ...matrixRoutes,
  ...safetyRoutes,
  ...exemptionRequestRoutes,
  ...packetRoutes,
  ...packetLinkRoutes,
  ...disclosureRoutes,
  ...descriptionRoutes,
]

/** Drafts of placement plans, made in a process of their own beside the jobs. */
export { createDraftRunner } from './modules/placement/draft/drafts.jobs.ts'

export { planFirstReads } from './modules/reports/first-reads.queries.ts'

/** Addresses of protocols that send browsers, or mail programs, here from elsewhere. */
export const openPages: readonly OpenPage[] = [
  ...collegePages,
  ...openIdPages,
  ...ltiOpenPages,
  ...ltiRegistrationPages,
  ...unsubscribePages,
  ...publishedPages,
]

/** Other systems speak these to us, each at its own address. */
export const protocols: readonly Protocol[] = [scimProtocol]

/** What keeps up with changes: each comes by itself, and all of them when much may have changed. */
const catchingUp: readonly Job[] = [
  saveAttendanceDays,
  movePlans,
  keepRotationHours,
  keepOverview,
  countDuePrograms,
]

/** All background work. */
export const jobs: readonly Job[] = [
  catchUpOf(catchingUp),
  ...mailJobs,
  ...backupJobs,
  ...identityJobs,
  ...settingJobs,
  ...retentionJobs,
  ...timeJobs,
  ...timeSumJobs,
  askRechecks,
  ...competencyJobs,
  ...placementJobs,
  countDuePrograms,
  ...placementListJobs,
  ...inboxJobs,
  ...shiftChangeJobs,
  ...agreementJobs,
  ...customReportJobs,
  ...digestJobs,
  ...documentJobs,
  ...evaluationJobs,
  endAccessOnDay,
  checkEvaluationSums,
  taskUpkeep,
  ...changeJobs,
  ...webhookJobs,
  ...pushJobs,
  ...systemJobs,
  ...weeklyReportJobs,
  keepOverview,
  remindOfPunches,
  saveAttendanceDays,
]
