import { type Screen, type StaffPath, screen } from './screen.ts'

/** The code of every page at an address of staff. It comes with their frame. */
export const staffScreens: Record<StaffPath, Screen> = {
  'admin/visualization': screen(
    () => import('./modules/scheduling/VisualizationPage.tsx'),
    'VisualizationPage',
  ),
  'admin/emails/preview': screen(
    () => import('./modules/communication/EmailPreviewPage.tsx'),
    'EmailPreviewPage',
  ),
  'admin/emails/send-status': screen(
    () => import('./modules/communication/SendStatusPage.tsx'),
    'SendStatusPage',
  ),
  'admin/menu-items/edit': screen(() => import('./modules/menus/MenuItemPage.tsx'), 'MenuItemPage'),
  'admin/home': screen(() => import('./modules/reports/AdminHomePage.tsx'), 'AdminHomePage'),
  'admin/manage-areas': screen(() => import('./modules/areas/AreasPage.tsx'), 'AreasPage'),
  'admin/manage-areas/edit': screen(() => import('./modules/areas/AreaPage.tsx'), 'AreaPage'),
  'admin/manage-colleges': screen(() => import('./modules/programs/CollegesPage.tsx'), 'CollegesPage'),
  'admin/manage-colleges/edit': screen(() => import('./modules/programs/CollegePage.tsx'), 'CollegePage'),
  'admin/manage-programs': screen(() => import('./modules/programs/ProgramsPage.tsx'), 'ProgramsPage'),
  'admin/manage-programs/edit': screen(() => import('./modules/programs/ProgramPage.tsx'), 'ProgramPage'),
  'admin/program-classes': screen(
    () => import('./modules/programs/ProgramClassesPage.tsx'),
    'ProgramClassesPage',
  ),
  'admin/manage-program-types': screen(
    () => import('./modules/programs/ProgramTypesPage.tsx'),
    'ProgramTypesPage',
  ),
  'admin/program-types': screen(
    () => import('./modules/programs/CategorizeProgramsPage.tsx'),
    'CategorizeProgramsPage',
  ),
  'admin/program-copy': screen(() => import('./modules/programs/ProgramCopyPage.tsx'), 'ProgramCopyPage'),
  'admin/modalities': screen(() => import('./modules/programs/ModalitiesPage.tsx'), 'ModalitiesPage'),
  'admin/program-settings': screen(
    () => import('./modules/programs/ProgramSettingsPage.tsx'),
    'ProgramSettingsPage',
  ),
  'admin/language-profiles': screen(
    () => import('./modules/terminology/LanguageProfilesPage.tsx'),
    'LanguageProfilesPage',
  ),
  'admin/language-entries': screen(
    () => import('./modules/terminology/LanguageEntriesPage.tsx'),
    'LanguageEntriesPage',
  ),
  'admin/admin-menu': screen(() => import('./modules/menus/MenuVisibilityPage.tsx'), 'MenuVisibilityPage'),
  'admin/menu-items': screen(() => import('./modules/menus/MenuItemsPage.tsx'), 'MenuItemsPage'),
  'admin/customize-menu': screen(() => import('./modules/menus/CustomMenuPage.tsx'), 'CustomMenuPage'),
  'admin/manage-users': screen(() => import('./modules/people/UsersPage.tsx'), 'UsersPage'),
  'admin/manage-users/edit': screen(() => import('./modules/people/UserPage.tsx'), 'UserPage'),
  'admin/students/$studentId': screen(() => import('./modules/students/StudentPage.tsx'), 'StudentPage'),
  'admin/expired-requirements': screen(
    () => import('./modules/students/ExpiredRequirementsPage.tsx'),
    'ExpiredRequirementsPage',
  ),
  'admin/manage-levels': screen(() => import('./modules/people/LevelsPage.tsx'), 'LevelsPage'),
  'admin/set-levels': screen(() => import('./modules/people/SetLevelsPage.tsx'), 'SetLevelsPage'),
  'admin/merge-accounts': screen(() => import('./modules/people/MergePage.tsx'), 'MergePage'),
  'admin/add-user': screen(() => import('./modules/people/AddUserPage.tsx'), 'AddUserPage'),
  'admin/employees': screen(() => import('./modules/people/EmployeesPage.tsx'), 'EmployeesPage'),
  'admin/employees/new': screen(() => import('./modules/people/EmployeePage.tsx'), 'EmployeePage'),
  'admin/employees/$employeeId': screen(() => import('./modules/people/EmployeePage.tsx'), 'EmployeePage'),
  'admin/change-password': screen(
    () => import('./modules/identity/ChangePasswordPage.tsx'),
    'ChangePasswordPage',
  ),
  'admin/sessions': screen(() => import('./modules/identity/SessionsPage.tsx'), 'SessionsPage'),
  'admin/change-email': screen(() => import('./modules/identity/ChangeEmailPage.tsx'), 'ChangeEmailPage'),
  'admin/push': screen(() => import('./modules/push/PushServicePage.tsx'), 'PushServicePage'),
  'admin/system-status': screen(() => import('./modules/system/SystemStatusPage.tsx'), 'SystemStatusPage'),
  'admin/preferences': screen(() => import('./modules/identity/PreferencesPage.tsx'), 'PreferencesPage'),
  'admin/totp-settings': screen(
    () => import('./modules/identity/AdminTotpSettingsPage.tsx'),
    'AdminTotpSettingsPage',
  ),
  'admin/placement': screen(() => import('./modules/placement/PlansPage.tsx'), 'PlansPage'),
  'admin/placement/edit': screen(() => import('./modules/placement/PlanFormPage.tsx'), 'PlanFormPage'),
  'admin/placement/$planId': screen(() => import('./modules/placement/PlanPage.tsx'), 'PlanPage'),
  'admin/placement/$planId/drafts': screen(() => import('./modules/placement/DraftsPage.tsx'), 'DraftsPage'),
  'admin/rotations': screen(() => import('./modules/scheduling/RotationsPage.tsx'), 'RotationsPage'),
  'admin/rotations/edit': screen(() => import('./modules/scheduling/RotationPage.tsx'), 'RotationPage'),
  'admin/shifts': screen(() => import('./modules/scheduling/ShiftsPage.tsx'), 'ShiftsPage'),
  'admin/shared-sites': screen(() => import('./modules/shared-sites/SharedSitesPage.tsx'), 'SharedSitesPage'),
  'admin/place-requests': screen(
    () => import('./modules/placement-lists/PlaceRequestsPage.tsx'),
    'PlaceRequestsPage',
  ),
  'admin/placement-lists': screen(
    () => import('./modules/placement-lists/PlacementListsPage.tsx'),
    'PlacementListsPage',
  ),
  'admin/inbox-links': screen(() => import('./modules/inbox/InboxLinksPage.tsx'), 'InboxLinksPage'),
  'admin/shift-requests': screen(
    () => import('./modules/shift-changes/ShiftRequestsPage.tsx'),
    'ShiftRequestsPage',
  ),
  'admin/open-shifts': screen(() => import('./modules/shift-changes/OpenShiftsPage.tsx'), 'OpenShiftsPage'),
  'admin/shifts/edit': screen(() => import('./modules/scheduling/ShiftPage.tsx'), 'ShiftPage'),
  'admin/shift-assignments': screen(
    () => import('./modules/scheduling/AssignmentsPage.tsx'),
    'AssignmentsPage',
  ),
  'admin/competencies/lists': screen(() => import('./modules/competencies/ListsPage.tsx'), 'ListsPage'),
  'admin/competencies/rules': screen(() => import('./modules/competencies/RulesPage.tsx'), 'RulesPage'),
  'admin/competencies/major-studies': screen(
    () => import('./modules/competencies/MajorStudiesPage.tsx'),
    'MajorStudiesPage',
  ),
  'admin/competencies/procedures': screen(
    () => import('./modules/competencies/ProceduresPage.tsx'),
    'ProceduresPage',
  ),
  'admin/competencies/exam-items': screen(
    () => import('./modules/competencies/ExamItemsPage.tsx'),
    'ExamItemsPage',
  ),
  'admin/competencies/participation-levels': screen(
    () => import('./modules/competencies/ParticipationLevelsPage.tsx'),
    'ParticipationLevelsPage',
  ),
  'admin/competencies/pathologies': screen(
    () => import('./modules/competencies/PathologiesPage.tsx'),
    'PathologiesPage',
  ),
  'admin/competencies/progress': screen(
    () => import('./modules/competencies/ProgressPage.tsx'),
    'ProgressPage',
  ),
  'admin/competencies/verify': screen(() => import('./modules/competencies/VerifyPage.tsx'), 'VerifyPage'),
  'admin/competencies/asked': screen(
    () => import('./modules/competencies/AskedExamsPage.tsx'),
    'AskedExamsPage',
  ),
  'admin/competencies/asked/$attemptId': screen(
    () => import('./modules/competencies/AskedExamPage.tsx'),
    'AskedExamPage',
  ),
  'admin/competencies/exams': screen(() => import('./modules/competencies/ExamsPage.tsx'), 'ExamsPage'),
  'admin/competencies/exams/$attemptId': screen(
    () => import('./modules/competencies/ExamPage.tsx'),
    'ExamPage',
  ),
  'admin/competencies/lab-checks': screen(
    () => import('./modules/competencies/LabChecksPage.tsx'),
    'LabChecksPage',
  ),
  'admin/competencies/rechecks': screen(
    () => import('./modules/competencies/RechecksPage.tsx'),
    'RechecksPage',
  ),
  'admin/competencies/examiners': screen(
    () => import('./modules/competencies/ExaminersPage.tsx'),
    'ExaminersPage',
  ),
  'admin/competencies/supervision': screen(
    () => import('./modules/competencies/SiteCodesPage.tsx'),
    'SiteCodesPage',
  ),
  'admin/competencies/logs': screen(
    () => import('./modules/competencies/ProcedureLogsPage.tsx'),
    'ProcedureLogsPage',
  ),
  'admin/competencies/scores': screen(() => import('./modules/competencies/ScoresPage.tsx'), 'ScoresPage'),
  'admin/competencies/scores/edit': screen(() => import('./modules/competencies/ScorePage.tsx'), 'ScorePage'),
  'admin/requirements': screen(() => import('./modules/requirements/MatrixPage.tsx'), 'MatrixPage'),
  'admin/requirements/review': screen(() => import('./modules/requirements/ReviewPage.tsx'), 'ReviewPage'),
  'admin/requirements/requests': screen(
    () => import('./modules/requirements/ExemptionRequestsPage.tsx'),
    'ExemptionRequestsPage',
  ),
  'admin/requirements/students/$studentId': screen(
    () => import('./modules/requirements/StudentRequirementsPage.tsx'),
    'StudentRequirementsPage',
  ),
  'admin/requirements/forecast': screen(
    () => import('./modules/requirements/ForecastPage.tsx'),
    'ForecastPage',
  ),
  'admin/requirements/design': screen(
    () => import('./modules/requirements/RequirementsPage.tsx'),
    'RequirementsPage',
  ),
  'admin/requirements/packets': screen(() => import('./modules/requirements/PacketsPage.tsx'), 'PacketsPage'),
  'admin/requirements/sites': screen(
    () => import('./modules/requirements/SiteRulesPage.tsx'),
    'SiteRulesPage',
  ),
  'admin/requirements/sites/edit': screen(
    () => import('./modules/requirements/SiteRulePage.tsx'),
    'SiteRulePage',
  ),
  'admin/requirements/edit': screen(
    () => import('./modules/requirements/RequirementPage.tsx'),
    'RequirementPage',
  ),
  'admin/safety/doses': screen(() => import('./modules/safety/DosesPage.tsx'), 'DosesPage'),
  'admin/safety/incidents': screen(() => import('./modules/safety/IncidentsPage.tsx'), 'IncidentsPage'),
  'admin/safety/declarations': screen(
    () => import('./modules/safety/DeclarationsPage.tsx'),
    'DeclarationsPage',
  ),
  'admin/sites': screen(() => import('./modules/sites/SitesPage.tsx'), 'SitesPage'),
  'admin/sites/edit': screen(() => import('./modules/sites/SitePage.tsx'), 'SitePage'),
  'admin/assign-supervisor-sites': screen(
    () => import('./modules/sites/AssignSitesPage.tsx'),
    'AssignSitesPage',
  ),
  'admin/api-keys': screen(() => import('./modules/keys/ApiKeysPage.tsx'), 'ApiKeysPage'),
  'admin/webhooks': screen(() => import('./modules/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  'admin/audit': screen(() => import('./modules/audit/AuditPage.tsx'), 'AuditPage'),
  'admin/deleted': screen(() => import('./modules/deleted/DeletedPage.tsx'), 'DeletedPage'),
  'admin/logs/data-sync': screen(() => import('./modules/imports/DataSyncPage.tsx'), 'DataSyncPage'),
  'admin/unused-feature-notifications': screen(
    () => import('./modules/communication/UnusedFeaturesPage.tsx'),
    'UnusedFeaturesPage',
  ),
  'admin/systematic-plans': screen(
    () => import('./modules/reports/SystematicPlansPage.tsx'),
    'SystematicPlansPage',
  ),
  'admin/imports': screen(() => import('./modules/imports/ImportPage.tsx'), 'ImportPage'),
  'admin/approve-time-records': screen(
    () => import('./modules/time/ApproveTimeRecordsPage.tsx'),
    'ApproveTimeRecordsPage',
  ),
  'admin/logclock-list': screen(() => import('./modules/time/TimeRecordsPage.tsx'), 'TimeRecordsPage'),
  'admin/missed-time-records': screen(
    () => import('./modules/time/MissedTimeRecordsPage.tsx'),
    'MissedTimeRecordsPage',
  ),
  'admin/time-summaries': screen(() => import('./modules/time/TimeTotalsPage.tsx'), 'TimeTotalsPage'),
  'admin/hours-summary': screen(() => import('./modules/time/HoursSummaryPage.tsx'), 'HoursSummaryPage'),
  'admin/evaluations/templates': screen(
    () => import('./modules/evaluations/TemplatesPage.tsx'),
    'TemplatesPage',
  ),
  'admin/evaluations/templates/edit': screen(
    () => import('./modules/evaluations/TemplatePage.tsx'),
    'TemplatePage',
  ),
  'admin/evaluations/items': screen(() => import('./modules/evaluations/ItemsPage.tsx'), 'ItemsPage'),
  'admin/evaluations/fib-items': screen(
    () => import('./modules/evaluations/FibItemsPage.tsx'),
    'FibItemsPage',
  ),
  'admin/evaluations/order-items': screen(
    () => import('./modules/evaluations/OrderItemsPage.tsx'),
    'OrderItemsPage',
  ),
  'admin/evaluations/score-types': screen(
    () => import('./modules/evaluations/ScoreTypesPage.tsx'),
    'ScoreTypesPage',
  ),
  'admin/evaluations/score-types/edit': screen(
    () => import('./modules/evaluations/ScoreTypePage.tsx'),
    'ScoreTypePage',
  ),
  'admin/evaluations/form-types': screen(
    () => import('./modules/evaluations/FormTypesPage.tsx'),
    'FormTypesPage',
  ),
  'admin/evaluations/status': screen(
    () => import('./modules/evaluations/EvaluationStatusPage.tsx'),
    'EvaluationStatusPage',
  ),
  'admin/admin-news': screen(() => import('./modules/news/NewsPage.tsx'), 'NewsPage'),
  'admin/admin-news/edit': screen(() => import('./modules/news/NewsItemPage.tsx'), 'NewsItemPage'),
  'admin/super-admins': screen(() => import('./modules/identity/SuperAdminsPage.tsx'), 'SuperAdminsPage'),
  'admin/super-admins/edit': screen(() => import('./modules/identity/SuperAdminPage.tsx'), 'SuperAdminPage'),
  'admin/test-users-access': screen(() => import('./modules/identity/TestAccessPage.tsx'), 'TestAccessPage'),
  'admin/employment': screen(
    () => import('./modules/reports/EmploymentReportPage.tsx'),
    'EmploymentReportPage',
  ),
  'admin/announcements': screen(() => import('./modules/news/AnnouncementsPage.tsx'), 'AnnouncementsPage'),
  'admin/announcements/edit': screen(() => import('./modules/news/AnnouncementPage.tsx'), 'AnnouncementPage'),
  'admin/eula': screen(() => import('./modules/settings/EulaPage.tsx'), 'EulaPage'),
  'admin/geo-ip': screen(() => import('./modules/settings/GeoIpPage.tsx'), 'GeoIpPage'),
  'admin/global-settings': screen(
    () => import('./modules/settings/GlobalSettingsPage.tsx'),
    'GlobalSettingsPage',
  ),
  'admin/connections': screen(() => import('./modules/connections/ConnectionsPage.tsx'), 'ConnectionsPage'),
  'admin/connections/$connectionId': screen(
    () => import('./modules/connections/ConnectionPage.tsx'),
    'ConnectionPage',
  ),
  'admin/saml/admin': screen(() => import('./modules/saml/SamlProvidersPage.tsx'), 'SamlProvidersPage'),
  'admin/saml/admin/new': screen(() => import('./modules/saml/SamlProviderPage.tsx'), 'SamlProviderPage'),
  'admin/saml/admin/$samlId': screen(() => import('./modules/saml/SamlProviderPage.tsx'), 'SamlProviderPage'),
  'admin/saml/admin/$samlId/link': screen(() => import('./modules/saml/SamlLinkPage.tsx'), 'SamlLinkPage'),
  'admin/saml/users': screen(() => import('./modules/saml/SamlUsersPage.tsx'), 'SamlUsersPage'),
  'admin/notifications': screen(
    () => import('./modules/communication/NotificationCopiesPage.tsx'),
    'NotificationCopiesPage',
  ),
  'admin/emails/sent': screen(() => import('./modules/communication/SentEmailsPage.tsx'), 'SentEmailsPage'),
  'admin/emails': screen(() => import('./modules/communication/SendEmailPage.tsx'), 'SendEmailPage', [
    '/mail-server',
  ]),
  'admin/scheduled-emails': screen(
    () => import('./modules/communication/ScheduledEmailsPage.tsx'),
    'ScheduledEmailsPage',
  ),
  'admin/mail-center': screen(() => import('./modules/communication/MailCenterPage.tsx'), 'MailCenterPage'),
  'admin/mail-center/edit': screen(
    () => import('./modules/communication/MailTemplatePage.tsx'),
    'MailTemplatePage',
  ),
  'admin/mail-center/edit-description': screen(
    () => import('./modules/communication/MailDescriptionPage.tsx'),
    'MailDescriptionPage',
  ),
  'admin/email-blacklist': screen(() => import('./modules/communication/BlacklistPage.tsx'), 'BlacklistPage'),
  'admin/verification': screen(
    () => import('./modules/requirements/VerificationPage.tsx'),
    'VerificationPage',
  ),
  'admin/document-categories': screen(
    () => import('./modules/documents/DocumentCategoriesPage.tsx'),
    'DocumentCategoriesPage',
  ),
  'admin/documents': screen(() => import('./modules/documents/DocumentsPage.tsx'), 'DocumentsPage'),
  'admin/documents/edit': screen(() => import('./modules/documents/DocumentPage.tsx'), 'DocumentPage'),
  'admin/document-library': screen(() => import('./modules/documents/LibraryPage.tsx'), 'LibraryPage'),
  'admin/affiliate-agreements': screen(() => import('./modules/sites/AgreementsPage.tsx'), 'AgreementsPage'),
  'admin/affiliate-agreements/edit': screen(
    () => import('./modules/sites/AffiliateAgreementPage.tsx'),
    'AffiliateAgreementPage',
  ),
  'admin/evaluations/results': screen(() => import('./modules/evaluations/ResultsPage.tsx'), 'ResultsPage'),
  'admin/payments': screen(() => import('./modules/payments/PaymentsPage.tsx'), 'PaymentsPage'),
  'admin/payments/edit': screen(() => import('./modules/payments/ArrangementPage.tsx'), 'ArrangementPage'),
  'admin/tax-calc': screen(() => import('./modules/payments/TaxCalcPage.tsx'), 'TaxCalcPage'),
  'admin/custom-reports': screen(
    () => import('./modules/reports/CustomReportsPage.tsx'),
    'CustomReportsPage',
  ),
  'admin/custom-reports/edit': screen(
    () => import('./modules/reports/CustomReportPage.tsx'),
    'CustomReportPage',
  ),
  'admin/weekly-reports': screen(
    () => import('./modules/reports/WeeklyReportsPage.tsx'),
    'WeeklyReportsPage',
  ),
  'admin/inbox': screen(() => import('./modules/communication/InboxPage.tsx'), 'InboxPage'),
  'admin/help': screen(() => import('./modules/communication/GuidePage.tsx'), 'GuidePage'),
  'admin/effectiveness': screen(
    () => import('./modules/graduates/EffectivenessPage.tsx'),
    'EffectivenessPage',
  ),
  'admin/effectiveness/measures': screen(
    () => import('./modules/graduates/MeasuresPage.tsx'),
    'MeasuresPage',
  ),
  'admin/progress': screen(() => import('./modules/progress/ProgressPage.tsx'), 'ProgressPage'),
  'admin/clinical-records': screen(
    () => import('./modules/clinical-records/ClinicalRecordsPage.tsx'),
    'ClinicalRecordsPage',
  ),
  'admin/clinical-records/$studentId': screen(
    () => import('./modules/clinical-records/StudentRecordPage.tsx'),
    'StudentRecordPage',
  ),
  'admin/graduates': screen(() => import('./modules/graduates/GraduatesPage.tsx'), 'GraduatesPage'),
  'admin/graduates/edit': screen(() => import('./modules/graduates/GraduatePage.tsx'), 'GraduatePage'),
  'admin/not-found': screen(() => import('./modules/session/NotFoundPage.tsx'), 'NotFoundPage'),
}
