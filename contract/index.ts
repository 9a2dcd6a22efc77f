import * as agreements from './agreements.ts'
import * as announcements from './announcements.ts'
import * as areas from './areas.ts'
import * as authenticator from './authenticator.ts'
import * as customReports from './custom-reports.ts'
import * as description from './description.ts'
import * as documents from './documents.ts'
import * as emailBlacklist from './email-blacklist.ts'
import * as emails from './emails.ts'
import * as employees from './employees.ts'
import * as employment from './employment.ts'
import type { AnyEndpoint } from './endpoint.ts'
import * as eula from './eula.ts'
import * as evaluationItems from './evaluation-items.ts'
import * as evaluationMaking from './evaluation-making.ts'
import * as evaluationResults from './evaluation-results.ts'
import * as evaluations from './evaluations.ts'
import * as finder from './finder.ts'
import * as formTypes from './form-types.ts'
import * as globalSettings from './global-settings.ts'
import * as helpChat from './help-chat.ts'
import * as identity from './identity.ts'
import * as imports from './imports.ts'
import * as ipAccess from './ip-access.ts'
import * as live from './live.ts'
import * as mailTemplates from './mail-templates.ts'
import * as memberHomes from './member-homes.ts'
import * as menus from './menus.ts'
import * as news from './news.ts'
import * as notificationCopies from './notification-copies.ts'
import * as notifications from './notifications.ts'
import * as outcomes from './outcomes.ts'
import * as overview from './overview.ts'
import * as passwordless from './passwordless.ts'
import * as payments from './payments.ts'
import * as people from './people.ts'
import * as pictures from './pictures.ts'
import * as programCopy from './program-copy.ts'
import * as programKinds from './program-kinds.ts'
import * as programs from './programs.ts'
import * as registration from './registration.ts'
import * as reports from './reports.ts'
import * as saml from './saml.ts'
import * as scheduledEmails from './scheduled-emails.ts'
import * as scheduling from './scheduling.ts'
import * as scoreTypes from './score-types.ts'
import * as session from './session.ts'
import * as sites from './sites.ts'
import * as studentLevels from './student-levels.ts'
import * as students from './students.ts'
import * as superAdmins from './super-admins.ts'
import * as sync from './sync.ts'
import * as systematicPlans from './systematic-plans.ts'
import * as terminology from './terminology.ts'
import * as testAccess from './test-access.ts'
import * as time from './time.ts'
import * as timeSummaries from './time-summaries.ts'
import * as unusedFeatures from './unused-features.ts'
import * as verifications from './verifications.ts'
import * as weeklyReports from './weekly-reports.ts'

/** Every call of the product by domain: what the server answers, the page describes and the tests loop over. */
export const api = {
  agreements,
  announcements,
  areas,
  authenticator,
  customReports,
  description,
  documents,
  emailBlacklist,
  emails,
  employment,
  eula,
  employees,
  evaluationItems,
  evaluationMaking,
  evaluationResults,
  evaluations,
  finder,
  formTypes,
  helpChat,
  globalSettings,
  identity,
  imports,
  ipAccess,
  live,
  mailTemplates,
  memberHomes,
  menus,
  news,
  notificationCopies,
  notifications,
  outcomes,
  overview,
  passwordless,
  payments,
  people,
  programCopy,
  programKinds,
  pictures,
  programs,
  registration,
  reports,
  saml,
  scheduledEmails,
  scheduling,
  scoreTypes,
  session,
  sites,
  studentLevels,
  students,
  sync,
  systematicPlans,
  terminology,
  superAdmins,
  testAccess,
  time,
  timeSummaries,
  unusedFeatures,
  verifications,
  weeklyReports,
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'endpoint'

export const allEndpoints: readonly AnyEndpoint[] = Object.values(api).flatMap((domain) =>
  Object.values(domain as Record<string, unknown>).filter(isEndpoint),
)
