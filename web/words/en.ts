import { account } from './en/account.ts'
import { agreements } from './en/agreements.ts'
import { announcements } from './en/announcements.ts'
import { areas } from './en/areas.ts'
import { audit } from './en/audit.ts'
import { blacklist } from './en/blacklist.ts'
import { call } from './en/call.ts'
import { clinicalRecords } from './en/clinical-records.ts'
import { communication } from './en/communication.ts'
import { competencies } from './en/competencies.ts'
import { competencyProgress } from './en/competency-progress.ts'
import { connections } from './en/connections.ts'
import { customReports } from './en/custom-reports.ts'
import { deleted } from './en/deleted.ts'
import { description } from './en/description.ts'
import { documents } from './en/documents.ts'
import { effectiveness } from './en/effectiveness.ts'
import { emails } from './en/emails.ts'
import { employment } from './en/employment.ts'
import { evaluations } from './en/evaluations.ts'
import { exams } from './en/exams.ts'
import { finder } from './en/finder.ts'
import { graduates } from './en/graduates.ts'
import { homes } from './en/homes.ts'
import { identity } from './en/identity.ts'
import { imports } from './en/imports.ts'
import { inbox } from './en/inbox.ts'
import { keys } from './en/keys.ts'
import { links } from './en/links.ts'
import { lti } from './en/lti.ts'
import { mailCenter } from './en/mail-center.ts'
import { menus } from './en/menus.ts'
import { news } from './en/news.ts'
import { outcomes } from './en/outcomes.ts'
import { overview } from './en/overview.ts'
import { packets } from './en/packets.ts'
import { payments } from './en/payments.ts'
import { people } from './en/people.ts'
import { placeRequests } from './en/place-requests.ts'
import { placement } from './en/placement.ts'
import { placementLists } from './en/placement-lists.ts'
import { plans } from './en/plans.ts'
import { procedureLog } from './en/procedure-log.ts'
import { programs } from './en/programs.ts'
import { progress } from './en/progress.ts'
import { provisioning } from './en/provisioning.ts'
import { push } from './en/push.ts'
import { pushService } from './en/push-service.ts'
import { reports } from './en/reports.ts'
import { requirements } from './en/requirements.ts'
import { roles } from './en/roles.ts'
import { safety } from './en/safety.ts'
import { saml } from './en/saml.ts'
import { scheduling } from './en/scheduling.ts'
import { series } from './en/series.ts'
import { settings } from './en/settings.ts'
import { sharedSites } from './en/shared-sites.ts'
import { shell } from './en/shell.ts'
import { shiftChanges } from './en/shift-changes.ts'
import { sites } from './en/sites.ts'
import { students } from './en/students.ts'
import { superAdmins } from './en/super-admins.ts'
import { sync } from './en/sync.ts'
import { systemStatus } from './en/system-status.ts'
import { terminology } from './en/terminology.ts'
import { testAccess } from './en/test-access.ts'
import { time } from './en/time.ts'
import { ui } from './en/ui.ts'
import { unused } from './en/unused.ts'
import { verifications } from './en/verifications.ts'
import { webhooks } from './en/webhooks.ts'
import { weeklyReports } from './en/weekly-reports.ts'

/**
 * All English texts, one file a domain. Words in braces are filled in: {site}, {Sites} and so on by the program's
 * terminology, others by the screen. A text that depends on a number is written twice, as name_one and name_other.
 */
export const en = {
  account,
  communication,
  agreements,
  announcements,
  areas,
  audit,
  blacklist,
  call,
  competencies,
  competencyProgress,
  connections,
  provisioning,
  customReports,
  deleted,
  description,
  emails,
  documents,
  employment,
  evaluations,
  exams,
  finder,
  homes,
  identity,
  outcomes,
  overview,
  safety,
  saml,
  settings,
  shell,
  students,
  scheduling,
  series,
  lti,
  mailCenter,
  menus,
  news,
  payments,
  people,
  placement,
  plans,
  procedureLog,
  programs,
  reports,
  terminology,
  imports,
  placementLists,
  placeRequests,
  sharedSites,
  shiftChanges,
  sites,
  superAdmins,
  sync,
  testAccess,
  time,
  ui,
  unused,
  verifications,
  webhooks,
  push,
  pushService,
  systemStatus,
  weeklyReports,
  effectiveness,
  graduates,
  clinicalRecords,
  progress,
  keys,
  inbox,
  links,
  requirements,
  roles,
  packets,
}
