import { type OwnPath, type Screen, screen } from './screen.ts'

/**
 * The code of every page that is at no address of staff. It comes with the frame of students. A page without its screen, or a
 * screen without its page, is an error of types.
 */
export const ownScreens: Record<OwnPath, Screen> = {
  'api/docs': screen(() => import('./modules/description/ApiPage.tsx'), 'ApiPage'),
  'e/$token': screen(() => import('./modules/evaluations/AnonymousPage.tsx'), 'AnonymousPage'),
  exam: screen(() => import('./modules/competencies/ExamAccessPage.tsx'), 'ExamAccessPage'),
  'exam/$token': screen(() => import('./modules/competencies/ExamLinkPage.tsx'), 'ExamLinkPage'),
  'supervision/$token': screen(() => import('./modules/competencies/SupervisionPage.tsx'), 'SupervisionPage'),
  'exam-signature/$token': screen(() => import('./modules/competencies/SignaturePage.tsx'), 'SignaturePage'),
  'reset-password': screen(() => import('./modules/identity/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  'auth/passwordless': screen(() => import('./modules/identity/PasswordlessPage.tsx'), 'PasswordlessPage'),
  'auth/college': screen(() => import('./modules/identity/CollegeSignInPage.tsx'), 'CollegeSignInPage', [
    '/auth/colleges',
  ]),
  'auth/college-answer': screen(
    () => import('./modules/identity/CollegeAnswerPage.tsx'),
    'CollegeAnswerPage',
  ),
  'auth/college-answer': screen(
    () => import('./modules/identity/CollegeAnswerPage.tsx'),
    'CollegeAnswerPage',
  ),
  'confirm-email': screen(() => import('./modules/identity/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
  'register/$token': screen(() => import('./modules/identity/RegisterPage.tsx'), 'RegisterPage'),
  'totp-settings': screen(() => import('./modules/identity/TotpSettingsPage.tsx'), 'TotpSettingsPage'),
  eula: screen(() => import('./modules/settings/LicenseAgreementPage.tsx'), 'LicenseAgreementPage', [
    '/eula',
  ]),
  'students/$studentId': screen(() => import('./modules/students/StudentPage.tsx'), 'StudentPage'),
  placement: screen(() => import('./modules/placement/OwnPlacementPage.tsx'), 'OwnPlacementPage'),
  'placement/$planId': screen(() => import('./modules/placement/OwnPlanPage.tsx'), 'OwnPlanPage'),
  'place-request/$token': screen(
    () => import('./modules/placement-lists/PlaceRequestByLinkPage.tsx'),
    'PlaceRequestByLinkPage',
  ),
  'inbox/$token': screen(() => import('./inbox.tsx'), 'Inbox'),
  'placement-list/$token': screen(
    () => import('./modules/placement-lists/PlacementListByLinkPage.tsx'),
    'PlacementListByLinkPage',
  ),
  swaps: screen(() => import('./modules/shift-changes/SwapsPage.tsx'), 'SwapsPage'),
  'shift-change/$token': screen(
    () => import('./modules/shift-changes/ShiftChangeByLinkPage.tsx'),
    'ShiftChangeByLinkPage',
  ),
  'open-shifts': screen(() => import('./modules/shift-changes/OwnOpenShiftsPage.tsx'), 'OwnOpenShiftsPage'),
  'packet/$token': screen(() => import('./modules/requirements/PacketByLinkPage.tsx'), 'PacketByLinkPage'),
  safety: screen(() => import('./modules/safety/OwnSafetyPage.tsx'), 'OwnSafetyPage'),
  requirements: screen(
    () => import('./modules/requirements/OwnRequirementsPage.tsx'),
    'OwnRequirementsPage',
    ['/requirements/mine'],
  ),
  'record-views': screen(() => import('./modules/audit/RecordViewsPage.tsx'), 'RecordViewsPage'),
  '': screen(() => import('./modules/homes/IndexPage.tsx'), 'IndexPage'),
  'change-password': screen(() => import('./modules/identity/ChangePasswordPage.tsx'), 'ChangePasswordPage'),
  sessions: screen(() => import('./modules/identity/SessionsPage.tsx'), 'SessionsPage'),
  'change-email': screen(() => import('./modules/identity/ChangeEmailPage.tsx'), 'ChangeEmailPage'),
  preferences: screen(() => import('./modules/identity/PreferencesPage.tsx'), 'PreferencesPage'),
  employment: screen(() => import('./modules/people/EmploymentPage.tsx'), 'EmploymentPage'),
  schedule: screen(() => import('./modules/scheduling/OwnSchedulePage.tsx'), 'OwnSchedulePage'),
  clock: screen(() => import('./modules/time/ClockPage.tsx'), 'ClockPage', ['/clock', '/announcements/mine']),
  hours: screen(() => import('./modules/time/OwnHoursPage.tsx'), 'OwnHoursPage'),
  approve: screen(() => import('./modules/time/SiteApprovalsPage.tsx'), 'SiteApprovalsPage'),
  competencies: screen(() => import('./modules/competencies/OwnCompetenciesPage.tsx'), 'OwnCompetenciesPage'),
  'competencies/log': screen(() => import('./modules/competencies/LogPage.tsx'), 'LogPage'),
  'competencies/history': screen(() => import('./modules/competencies/OwnLogPage.tsx'), 'OwnLogPage'),
  'competencies/exam': screen(() => import('./modules/competencies/AskExamPage.tsx'), 'AskExamPage'),
  'competencies/exams': screen(() => import('./modules/competencies/OwnExamsPage.tsx'), 'OwnExamsPage'),
  'competencies/exams/$attemptId': screen(
    () => import('./modules/competencies/OwnExamPage.tsx'),
    'OwnExamPage',
  ),
  'competencies/supervision': screen(
    () => import('./modules/competencies/OwnSupervisionPage.tsx'),
    'OwnSupervisionPage',
  ),
  exams: screen(() => import('./modules/competencies/AskedExamsPage.tsx'), 'AskedExamsPage'),
  'exams/$attemptId': screen(() => import('./modules/competencies/AskedExamPage.tsx'), 'AskedExamPage'),
  'verify-procedures': screen(() => import('./modules/competencies/VerifyPage.tsx'), 'VerifyPage'),
  evaluate: screen(() => import('./modules/evaluations/OwnEvaluationsPage.tsx'), 'OwnEvaluationsPage'),
  'evaluate/results': screen(() => import('./modules/evaluations/OwnResultsPage.tsx'), 'OwnResultsPage'),
  'evaluate/$evaluationId': screen(() => import('./modules/evaluations/FillPage.tsx'), 'FillPage'),
  verification: screen(() => import('./modules/requirements/OwnVerificationPage.tsx'), 'OwnVerificationPage'),
  documents: screen(() => import('./modules/documents/LibraryPage.tsx'), 'LibraryPage'),
  inbox: screen(() => import('./modules/communication/InboxPage.tsx'), 'InboxPage'),
  help: screen(() => import('./modules/communication/GuidePage.tsx'), 'GuidePage'),
  more: screen(() => import('./modules/communication/MorePage.tsx'), 'MorePage'),
  students: screen(() => import('./modules/students/SupervisedStudentsPage.tsx'), 'SupervisedStudentsPage'),
  'outcomes/$program': screen(
    () => import('./modules/graduates/PublishedOutcomesPage.tsx'),
    'PublishedOutcomesPage',
  ),
  verify: screen(() => import('./modules/clinical-records/VerifyRecordPage.tsx'), 'VerifyRecordPage'),
  'clinical-record': screen(() => import('./modules/clinical-records/OwnRecordsPage.tsx'), 'OwnRecordsPage'),
  progress: screen(() => import('./modules/progress/OwnProgressPage.tsx'), 'OwnProgressPage', [
    '/progress/mine',
  ]),
  'not-found': screen(() => import('./modules/session/NotFoundPage.tsx'), 'NotFoundPage'),
}
