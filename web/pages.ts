import { beginRead } from './api/begin.ts'

/** Loads the module of a screen; the screen is its export of the page's name. */
type Load = () => Promise<unknown>

export interface PageEntry {
  path: string
  load: Load
  name: string
  /** Calls that the page makes first, below `/new/api`: they are sent before its code has come. */
  reads: readonly string[]
}

const page = (path: string, load: Load, name: string, reads: readonly string[] = []): PageEntry => ({
  path,
  load,
  name,
  reads,
})

const notFound = page('$', () => import('./modules/session/NotFoundPage.tsx'), 'NotFoundPage')

/**
 * Around the pages of staff (`admin/…`) and of everybody else, and around those of signed-in people that stand apart from the
 * shells; a few pages stand alone (specification 1 §2.1).
 */
export const frames = {
  staff: page('admin', () => import('./modules/session/AdminFrame.tsx'), 'AdminFrame', [
    '/state',
    '/globals',
  ]),
  own: page('', () => import('./modules/session/MemberFrame.tsx'), 'MemberFrame', ['/state', '/globals']),
  apart: page('', () => import('./modules/session/ApartFrame.tsx'), 'ApartFrame', ['/state']),
}

/** Every address of the product below `/new/`, but the login page (`main.ts`). Each screen loads its own code. */
export const pages: Record<'alone' | 'apart' | 'staff' | 'own', PageEntry[]> = {
  alone: [
    page('api/docs', () => import('./modules/description/ApiPage.tsx'), 'ApiPage'),
    page('e/$token', () => import('./modules/evaluations/AnonymousPage.tsx'), 'AnonymousPage'),
    page('reset-password', () => import('./modules/identity/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
    page('auth/passwordless', () => import('./modules/identity/PasswordlessPage.tsx'), 'PasswordlessPage'),
    page('auth/college', () => import('./modules/identity/CollegePage.tsx'), 'CollegePage', [
      '/auth/colleges',
    ]),
    page(
      'auth/college-answer',
      () => import('./modules/identity/CollegeAnswerPage.tsx'),
      'CollegeAnswerPage',
    ),
    page('confirm-email', () => import('./modules/identity/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
    page('register/$token', () => import('./modules/identity/RegisterPage.tsx'), 'RegisterPage'),
  ],
  apart: [
    page(
      'admin/visualization',
      () => import('./modules/scheduling/VisualizationPage.tsx'),
      'VisualizationPage',
    ),
    page('totp-settings', () => import('./modules/identity/TotpSettingsPage.tsx'), 'TotpSettingsPage'),
    page('eula', () => import('./modules/settings/AgreementPage.tsx'), 'AgreementPage', ['/eula']),
    page(
      'admin/emails/preview',
      () => import('./modules/communication/EmailPreviewPage.tsx'),
      'EmailPreviewPage',
    ),
    page(
      'admin/emails/send-status',
      () => import('./modules/communication/SendStatusPage.tsx'),
      'SendStatusPage',
    ),
    page('admin/menu-items/edit', () => import('./modules/menus/MenuItemPage.tsx'), 'MenuItemPage'),
  ],
  staff: [
    page('home', () => import('./modules/reports/AdminHomePage.tsx'), 'AdminHomePage'),
    page('manage-areas', () => import('./modules/areas/AreasPage.tsx'), 'AreasPage'),
    page('manage-areas/edit', () => import('./modules/areas/AreaPage.tsx'), 'AreaPage'),
    page('manage-colleges', () => import('./modules/programs/CollegesPage.tsx'), 'CollegesPage'),
    page('manage-colleges/edit', () => import('./modules/programs/CollegePage.tsx'), 'CollegePage'),
    page('manage-programs', () => import('./modules/programs/ProgramsPage.tsx'), 'ProgramsPage'),
    page('manage-programs/edit', () => import('./modules/programs/ProgramPage.tsx'), 'ProgramPage'),
    page('program-classes', () => import('./modules/programs/ProgramClassesPage.tsx'), 'ProgramClassesPage'),
    page('manage-program-types', () => import('./modules/programs/ProgramTypesPage.tsx'), 'ProgramTypesPage'),
    page(
      'program-types',
      () => import('./modules/programs/CategorizeProgramsPage.tsx'),
      'CategorizeProgramsPage',
    ),
    page('program-copy', () => import('./modules/programs/ProgramCopyPage.tsx'), 'ProgramCopyPage'),
    page('modalities', () => import('./modules/programs/ModalitiesPage.tsx'), 'ModalitiesPage'),
    page(
      'program-settings',
      () => import('./modules/programs/ProgramSettingsPage.tsx'),
      'ProgramSettingsPage',
    ),
    page(
      'language-profiles',
      () => import('./modules/terminology/LanguageProfilesPage.tsx'),
      'LanguageProfilesPage',
    ),
    page(
      'language-entries',
      () => import('./modules/terminology/LanguageEntriesPage.tsx'),
      'LanguageEntriesPage',
    ),
    page('admin-menu', () => import('./modules/menus/MenuVisibilityPage.tsx'), 'MenuVisibilityPage'),
    page('menu-items', () => import('./modules/menus/MenuItemsPage.tsx'), 'MenuItemsPage'),
    page('customize-menu', () => import('./modules/menus/CustomMenuPage.tsx'), 'CustomMenuPage'),
    page('manage-users', () => import('./modules/people/UsersPage.tsx'), 'UsersPage'),
    page('manage-users/edit', () => import('./modules/people/UserPage.tsx'), 'UserPage'),
    page('manage-levels', () => import('./modules/people/LevelsPage.tsx'), 'LevelsPage'),
    page('set-levels', () => import('./modules/people/SetLevelsPage.tsx'), 'SetLevelsPage'),
    page('add-user', () => import('./modules/people/AddUserPage.tsx'), 'AddUserPage'),
    page('employees', () => import('./modules/people/EmployeesPage.tsx'), 'EmployeesPage'),
    page('employees/new', () => import('./modules/people/EmployeePage.tsx'), 'EmployeePage'),
    page('employees/$employeeId', () => import('./modules/people/EmployeePage.tsx'), 'EmployeePage'),
    page('change-password', () => import('./modules/identity/ChangePasswordPage.tsx'), 'ChangePasswordPage'),
    page('sessions', () => import('./modules/identity/SessionsPage.tsx'), 'SessionsPage'),
    page('change-email', () => import('./modules/identity/ChangeEmailPage.tsx'), 'ChangeEmailPage'),
    page('preferences', () => import('./modules/identity/PreferencesPage.tsx'), 'PreferencesPage'),
    page(
      'totp-settings',
      () => import('./modules/identity/AdminTotpSettingsPage.tsx'),
      'AdminTotpSettingsPage',
    ),
    page('rotations', () => import('./modules/scheduling/RotationsPage.tsx'), 'RotationsPage'),
    page('rotations/edit', () => import('./modules/scheduling/RotationPage.tsx'), 'RotationPage'),
    page('shifts', () => import('./modules/scheduling/ShiftsPage.tsx'), 'ShiftsPage'),
    page('shifts/edit', () => import('./modules/scheduling/ShiftPage.tsx'), 'ShiftPage'),
    page('shift-assignments', () => import('./modules/scheduling/AssignmentsPage.tsx'), 'AssignmentsPage'),
    page('sites', () => import('./modules/sites/SitesPage.tsx'), 'SitesPage'),
    page('sites/edit', () => import('./modules/sites/SitePage.tsx'), 'SitePage'),
    page('assign-supervisor-sites', () => import('./modules/sites/AssignSitesPage.tsx'), 'AssignSitesPage'),
    page('logs/data-sync', () => import('./modules/imports/DataSyncPage.tsx'), 'DataSyncPage'),
    page(
      'unused-feature-notifications',
      () => import('./modules/communication/UnusedFeaturesPage.tsx'),
      'UnusedFeaturesPage',
    ),
    page(
      'systematic-plans',
      () => import('./modules/reports/SystematicPlansPage.tsx'),
      'SystematicPlansPage',
    ),
    page('imports', () => import('./modules/imports/ImportPage.tsx'), 'ImportPage'),
    page(
      'approve-time-records',
      () => import('./modules/time/ApproveTimeRecordsPage.tsx'),
      'ApproveTimeRecordsPage',
    ),
    page('logclock-list', () => import('./modules/time/TimeRecordsPage.tsx'), 'TimeRecordsPage'),
    page(
      'missed-time-records',
      () => import('./modules/time/MissedTimeRecordsPage.tsx'),
      'MissedTimeRecordsPage',
    ),
    page('time-summaries', () => import('./modules/time/TimeTotalsPage.tsx'), 'TimeTotalsPage'),
    page('hours-summary', () => import('./modules/time/HoursSummaryPage.tsx'), 'HoursSummaryPage'),
    page('evaluations/templates', () => import('./modules/evaluations/TemplatesPage.tsx'), 'TemplatesPage'),
    page(
      'evaluations/templates/edit',
      () => import('./modules/evaluations/TemplatePage.tsx'),
      'TemplatePage',
    ),
    page('evaluations/items', () => import('./modules/evaluations/ItemsPage.tsx'), 'ItemsPage'),
    page('evaluations/fib-items', () => import('./modules/evaluations/FibItemsPage.tsx'), 'FibItemsPage'),
    page(
      'evaluations/order-items',
      () => import('./modules/evaluations/OrderItemsPage.tsx'),
      'OrderItemsPage',
    ),
    page(
      'evaluations/score-types',
      () => import('./modules/evaluations/ScoreTypesPage.tsx'),
      'ScoreTypesPage',
    ),
    page(
      'evaluations/score-types/edit',
      () => import('./modules/evaluations/ScoreTypePage.tsx'),
      'ScoreTypePage',
    ),
    page('evaluations/form-types', () => import('./modules/evaluations/FormTypesPage.tsx'), 'FormTypesPage'),
    page(
      'evaluations/status',
      () => import('./modules/evaluations/EvaluationStatusPage.tsx'),
      'EvaluationStatusPage',
    ),
    page('admin-news', () => import('./modules/communication/NewsPage.tsx'), 'NewsPage'),
    page('admin-news/edit', () => import('./modules/communication/NewsItemPage.tsx'), 'NewsItemPage'),
    page('test-users-access', () => import('./modules/identity/TestAccessPage.tsx'), 'TestAccessPage'),
    page('employment', () => import('./modules/reports/EmploymentReportPage.tsx'), 'EmploymentReportPage'),
    page('announcements', () => import('./modules/communication/AnnouncementsPage.tsx'), 'AnnouncementsPage'),
    page(
      'announcements/edit',
      () => import('./modules/communication/AnnouncementPage.tsx'),
      'AnnouncementPage',
    ),
    page('eula', () => import('./modules/settings/EulaPage.tsx'), 'EulaPage'),
    page('geo-ip', () => import('./modules/settings/GeoIpPage.tsx'), 'GeoIpPage'),
    page('global-settings', () => import('./modules/settings/GlobalSettingsPage.tsx'), 'GlobalSettingsPage'),
    page('saml/admin', () => import('./modules/saml/SamlProvidersPage.tsx'), 'SamlProvidersPage'),
    page('saml/admin/new', () => import('./modules/saml/SamlProviderPage.tsx'), 'SamlProviderPage'),
    page('saml/admin/$samlId', () => import('./modules/saml/SamlProviderPage.tsx'), 'SamlProviderPage'),
    page('saml/admin/$samlId/link', () => import('./modules/saml/SamlLinkPage.tsx'), 'SamlLinkPage'),
    page('saml/users', () => import('./modules/saml/SamlUsersPage.tsx'), 'SamlUsersPage'),
    page(
      'notifications',
      () => import('./modules/communication/NotificationCopiesPage.tsx'),
      'NotificationCopiesPage',
    ),
    page('emails', () => import('./modules/communication/SendEmailPage.tsx'), 'SendEmailPage'),
    page(
      'scheduled-emails',
      () => import('./modules/communication/ScheduledEmailsPage.tsx'),
      'ScheduledEmailsPage',
    ),
    page('mail-center', () => import('./modules/communication/MailCenterPage.tsx'), 'MailCenterPage'),
    page(
      'mail-center/edit',
      () => import('./modules/communication/MailTemplatePage.tsx'),
      'MailTemplatePage',
    ),
    page(
      'mail-center/edit-description',
      () => import('./modules/communication/MailDescriptionPage.tsx'),
      'MailDescriptionPage',
    ),
    page('email-blacklist', () => import('./modules/communication/BlacklistPage.tsx'), 'BlacklistPage'),
    page('verification', () => import('./modules/documents/VerificationPage.tsx'), 'VerificationPage'),
    page(
      'document-categories',
      () => import('./modules/documents/DocumentCategoriesPage.tsx'),
      'DocumentCategoriesPage',
    ),
    page('documents', () => import('./modules/documents/DocumentsPage.tsx'), 'DocumentsPage'),
    page('documents/edit', () => import('./modules/documents/DocumentPage.tsx'), 'DocumentPage'),
    page('document-library', () => import('./modules/documents/LibraryPage.tsx'), 'LibraryPage'),
    page('affiliate-agreements', () => import('./modules/sites/AgreementsPage.tsx'), 'AgreementsPage'),
    page('affiliate-agreements/edit', () => import('./modules/sites/AgreementPage.tsx'), 'AgreementPage'),
    page('evaluations/results', () => import('./modules/evaluations/ResultsPage.tsx'), 'ResultsPage'),
    page('payments', () => import('./modules/payments/PaymentsPage.tsx'), 'PaymentsPage'),
    page('payments/edit', () => import('./modules/payments/ArrangementPage.tsx'), 'ArrangementPage'),
    page('tax-calc', () => import('./modules/payments/TaxCalcPage.tsx'), 'TaxCalcPage'),
    page('custom-reports', () => import('./modules/reports/CustomReportsPage.tsx'), 'CustomReportsPage'),
    page('custom-reports/edit', () => import('./modules/reports/CustomReportPage.tsx'), 'CustomReportPage'),
    page('weekly-reports', () => import('./modules/reports/WeeklyReportsPage.tsx'), 'WeeklyReportsPage'),
    page('inbox', () => import('./modules/communication/InboxPage.tsx'), 'InboxPage'),
    page('help', () => import('./modules/communication/GuidePage.tsx'), 'GuidePage'),
    notFound,
  ],
  own: [
    page('/', () => import('./modules/session/IndexPage.tsx'), 'IndexPage'),
    page('change-password', () => import('./modules/identity/ChangePasswordPage.tsx'), 'ChangePasswordPage'),
    page('sessions', () => import('./modules/identity/SessionsPage.tsx'), 'SessionsPage'),
    page('change-email', () => import('./modules/identity/ChangeEmailPage.tsx'), 'ChangeEmailPage'),
    page('preferences', () => import('./modules/identity/PreferencesPage.tsx'), 'PreferencesPage'),
    page('employment', () => import('./modules/people/EmploymentPage.tsx'), 'EmploymentPage'),
    page('schedule', () => import('./modules/scheduling/OwnSchedulePage.tsx'), 'OwnSchedulePage'),
    page('clock', () => import('./modules/time/ClockPage.tsx'), 'ClockPage', [
      '/clock',
      '/announcements/mine',
    ]),
    page('hours', () => import('./modules/time/OwnHoursPage.tsx'), 'OwnHoursPage'),
    page('approve', () => import('./modules/time/SiteApprovalsPage.tsx'), 'SiteApprovalsPage'),
    page('evaluate', () => import('./modules/evaluations/OwnEvaluationsPage.tsx'), 'OwnEvaluationsPage'),
    page('evaluate/results', () => import('./modules/evaluations/OwnResultsPage.tsx'), 'OwnResultsPage'),
    page('evaluate/$evaluationId', () => import('./modules/evaluations/FillPage.tsx'), 'FillPage'),
    page('verification', () => import('./modules/documents/OwnVerificationPage.tsx'), 'OwnVerificationPage'),
    page('documents', () => import('./modules/documents/LibraryPage.tsx'), 'LibraryPage'),
    page('inbox', () => import('./modules/communication/InboxPage.tsx'), 'InboxPage'),
    page('help', () => import('./modules/communication/GuidePage.tsx'), 'GuidePage'),
    page('more', () => import('./modules/communication/MorePage.tsx'), 'MorePage'),
    page('students', () => import('./modules/people/SupervisedStudentsPage.tsx'), 'SupervisedStudentsPage'),
    notFound,
  ],
}

const isAt = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith('$') || part === given[index])
  )
}

/** What an address below `/new/` shows: a page that stands alone, or one with the frame around it. */
export const entriesAt = (path: string): PageEntry[] => {
  const plain = path.replace(/\/$/, '')
  const alone = pages.alone.find((entry) => isAt(entry.path, plain))
  if (alone) return [alone]
  const apart = pages.apart.find((entry) => isAt(entry.path, plain))
  if (apart) return [frames.apart, apart]
  return plain.startsWith('admin/')
    ? [frames.staff, pages.staff.find((entry) => isAt(entry.path, plain.slice('admin/'.length))) ?? notFound]
    : [frames.own, pages.own.find((entry) => isAt(entry.path.replace(/^\/$/, ''), plain)) ?? notFound]
}

/** Begins to load what an address shows, so that it comes together with the router and not after it. */
export const beginPage = (path: string): void => {
  for (const entry of entriesAt(path)) {
    void entry.load()
    for (const path of entry.reads) beginRead(path)
  }
}
