import { Level } from './levels.ts'
import { may, type Permission } from './permissions.ts'

/**
 * What surrounds a page: nothing (`alone`), only the bar of somebody who views as another person (`apart`), the shell of
 * staff, or the shell of everybody else (`own`).
 */
export type Frame = 'alone' | 'apart' | 'staff' | 'own'

/** The headings of the staff's left menu. The key names the icon. */
export const menuHeadings = {
  colleges: { id: 2, order: 20, name: '{Colleges}' },
  people: { id: 3, order: 30, name: 'People' },
  schedule: { id: 4, order: 40, name: 'Schedule' },
  time: { id: 5, order: 50, name: '{Time}' },
  evaluations: { id: 6, order: 60, name: '{Evaluations}' },
  competencies: { id: 170, order: 65, name: 'Competencies' },
  requirements: { id: 210, order: 67, name: 'Requirements' },
  sites: { id: 7, order: 70, name: '{Sites}' },
  documents: { id: 150, order: 75, name: 'Documents' },
  reports: { id: 8, order: 80, name: 'Reports' },
  mail: { id: 10, order: 85, name: 'Email' },
  settings: { id: 9, order: 90, name: 'Settings' },
} as const

/** A page's place in a menu. Ids are given once and never again: programs keep their changes under them. */
export interface MenuPlace {
  id: number
  /** A heading, the first level of the staff's menu, no menu (title and directions only), or the menu of these levels. */
  under: keyof typeof menuHeadings | 'top' | 'nowhere' | readonly Level[]
  /** The key of the icon; the heading's unless given. */
  key?: string
  /** The text in the menu; the page's name unless given. */
  text?: string
  /** Where the text is what only some of those do who open the page: what they need for it, and the text for all others. */
  toDo?: { may: Permission; otherwise: string }
  /** Its order among those of the menu: the next ten in the table unless given. */
  order?: number
  /** Part of the address after '?', where one page is in the menu once for each kind. */
  query?: string
}

/** A row of the table. Names and places of menus are for the server, which says them with what was decided about them. */
export interface PageRow {
  /** Words in braces are the program's own. */
  name: string
  /** What opens it besides its frame. */
  may?: Permission
  /** Opens before signing in. */
  isOpen?: true
  /** Its address is a secret that opens it: search engines leave it out, and nobody whom it links to learns it. */
  isByLink?: true
  /** A page of staff that supervisors open too. */
  supervisorsToo?: true
  /**
   * Pages of staff ask super admins to choose a program first, unless the page works without one: `none`, or `offered` where
   * the choice shows all the same, because the page has more to offer with a program or leads on by itself without one.
   */
  program?: 'none' | 'offered'
  /** The query with which no program is needed. */
  programUnless?: string
  /** The queries with which the page is one; with any other it is not there, and asks for no program. */
  onlyWith?: readonly string[]
  /** Belongs to the person's own account: in the user menu, and on phones behind More. */
  account?: true
  /** Never in the bar of a phone; other pages of the menu are in it while there is room. */
  phone?: 'more'
  menu?: MenuPlace | readonly MenuPlace[]
  /** What can be tried on it: a form with Save, rows edited in place, a list. */
  holds?: readonly ('form' | 'rows' | 'list')[]
}

const students = [Level.Student]
const supervisors = [Level.Supervisor, Level.CCUnderHood]
const withDocuments = [
  Level.Student,
  Level.Supervisor,
  Level.CCUnderHood,
  Level.SiteEmployee,
  Level.GenericEmployee,
  Level.Registrant,
  Level.Alumnus,
]
const withHome = [Level.SiteEmployee, Level.GenericEmployee, Level.Registrant, Level.Inactive, Level.Alumnus]

/**
 * Every page of the product by its path below `/new/`. Menus, rights, the router, the finder, what the server answers and who
 * has to choose a program all follow from it; pages of a menu are in the menu's order. `$name` is a part of the path
 * that the page reads.
 */
export const pageTable = {
  alone: {
    login: { name: 'Sign in', isOpen: true },
    'first-account': { name: 'First account', isOpen: true },
    'reset-password': { name: 'Reset password', isOpen: true },
    'auth/passwordless': { name: 'Sign in by email', isOpen: true },
    'auth/college': { name: 'Sign in through your {college}', isOpen: true },
    'auth/college-answer': { name: 'Sign in through your {college}', isOpen: true },
    'confirm-email': { name: 'Confirm email', isOpen: true },
    'not-me': { name: 'This was not me', isOpen: true },
    'register/$token': { name: 'Register', isOpen: true },
    verify: { name: 'Verify a clinical record', isOpen: true },
    'e/$token': { name: '{Evaluation}', isOpen: true, isByLink: true },
    exam: { name: 'Exam', isOpen: true, isByLink: true },
    'exam/$token': { name: 'Exam', isOpen: true, isByLink: true },
    'exam-signature/$token': { name: 'Signed exam', isOpen: true, isByLink: true },
    'supervision/$token': { name: 'Indirect supervision', isOpen: true, isByLink: true },
    'placement-list/$token': { name: 'Placement list', isOpen: true, isByLink: true },
    'place-request/$token': { name: 'Request for places', isOpen: true, isByLink: true },
    'shift-change/$token': { name: 'Shift change', isOpen: true, isByLink: true },
    'inbox/$token': { name: 'Inbox', isOpen: true, isByLink: true },
    'packet/$token': { name: 'Requirements met', isOpen: true, isByLink: true },
    'outcomes/$program': { name: 'Program Effectiveness', isOpen: true },
    'deep-links/$guid': { name: 'Links for a course' },
    'api/docs': { name: 'API' },
  },
  apart: {
    eula: { name: 'License agreement' },
    'totp-settings': { name: 'Authenticator', account: true },
    'admin/visualization': {
      name: 'Visualization',
      may: 'scheduling.read',
      menu: { id: 42, under: 'schedule', order: 20 },
    },
    'admin/emails/preview': { name: 'Preview', may: 'mail.send', program: 'none' },
    'admin/emails/send-status': { name: 'Send status', may: 'mail.send', program: 'none', holds: ['list'] },
    'admin/menu-items/edit': { name: 'Menu item', may: 'menus.manage', holds: ['form'] },
  },
  staff: {
    'admin/home': { name: 'Home', program: 'none', menu: { id: 1, under: 'top', key: 'home' } },

    'admin/manage-colleges': {
      name: 'Manage {colleges}',
      may: 'colleges.manage',
      program: 'none',
      menu: { id: 21, under: 'colleges' },
      holds: ['list'],
    },
    'admin/manage-colleges/edit': {
      name: '{College}',
      may: 'colleges.manage',
      program: 'none',
      holds: ['form'],
    },
    'admin/manage-programs': {
      name: 'Manage {programs}',
      may: 'programs.manage',
      program: 'none',
      menu: { id: 22, under: 'colleges', key: 'programs' },
      holds: ['list'],
    },
    'admin/manage-programs/edit': {
      name: '{Program}',
      may: 'programs.manage',
      program: 'none',
      holds: ['form'],
    },
    'admin/modalities': {
      name: 'Modalities',
      may: 'programs.manage',
      program: 'none',
      menu: { id: 23, under: 'colleges', key: 'modalities' },
      holds: ['rows'],
    },
    'admin/program-classes': {
      name: '{Program} classes',
      may: 'programs.manage',
      program: 'none',
      menu: { id: 25, under: 'colleges' },
      holds: ['rows'],
    },
    'admin/manage-program-types': {
      name: '{Program} types',
      may: 'programs.manage',
      program: 'none',
      menu: { id: 26, under: 'colleges' },
      holds: ['rows'],
    },
    'admin/program-types': {
      name: 'Categorize {programs}',
      may: 'programs.manage',
      program: 'none',
      menu: { id: 27, under: 'colleges' },
      holds: ['list'],
    },
    'admin/language-profiles': {
      name: 'Language profiles',
      may: 'terminology.manage',
      program: 'none',
      menu: { id: 24, under: 'colleges', key: 'settings' },
      holds: ['rows'],
    },
    'admin/language-entries': {
      name: 'Language entries',
      may: 'terminology.manage',
      program: 'none',
      holds: ['form', 'list'],
    },
    'admin/program-copy': {
      name: 'Copy {program} data',
      may: 'programs.manage',
      program: 'none',
      menu: { id: 29, under: 'colleges' },
      holds: ['form'],
    },
    'admin/unused-feature-notifications': {
      name: 'Unused Feature Notifications',
      may: 'unused-features.manage',
      program: 'none',
      menu: { id: 951, under: 'colleges' },
      holds: ['list'],
    },

    'admin/manage-users': {
      name: 'Manage users',
      may: 'people.write',
      menu: { id: 31, under: 'people' },
      holds: ['list'],
    },
    'admin/manage-users/edit': { name: 'Edit user', may: 'people.write', holds: ['form'] },
    'admin/add-user': { name: 'Add user', may: 'people.write', program: 'offered', holds: ['form'] },
    'admin/merge-accounts': { name: 'Merge accounts', may: 'people.write' },
    'admin/students/$studentId': { name: '{Student}', may: 'students.read' },
    'admin/expired-requirements': {
      name: 'Expired requirements',
      may: 'students.files',
      holds: ['list'],
    },
    'admin/assign-supervisor-sites': {
      name: 'Assign {supervisors}',
      may: 'people.write',
      menu: { id: 32, under: 'people' },
      holds: ['list'],
    },
    'admin/manage-levels': {
      name: 'Manage {studentLevels}',
      may: 'levels.manage',
      menu: { id: 33, under: 'people', key: 'levels' },
      holds: ['form'],
    },
    'admin/set-levels': {
      name: 'Set {studentLevels}',
      may: 'levels.manage',
      menu: { id: 34, under: 'people', key: 'levels' },
      holds: ['list'],
    },
    'admin/test-users-access': {
      name: 'Test Users Access',
      may: 'test-access.manage',
      program: 'none',
      menu: { id: 38, under: 'people' },
      holds: ['list'],
    },
    'admin/super-admins': {
      name: 'Super admins',
      may: 'super-admins.manage',
      program: 'none',
      menu: { id: 37, under: 'people' },
      holds: ['list'],
    },
    'admin/super-admins/edit': {
      name: 'Super admin',
      may: 'super-admins.manage',
      program: 'none',
      holds: ['form'],
    },
    'admin/employees': {
      name: 'Employees',
      may: 'employees.manage',
      menu: { id: 39, under: 'people' },
      holds: ['list'],
    },
    'admin/employees/new': { name: 'New employee', may: 'employees.manage', holds: ['form'] },
    'admin/employees/$employeeId': { name: 'Employee', may: 'employees.manage', holds: ['form'] },

    'admin/shift-assignments': {
      name: 'Schedule Assignments',
      may: 'scheduling.read',
      menu: { id: 41, under: 'schedule' },
      holds: ['list'],
    },
    'admin/placement': {
      name: 'Placement plans',
      may: 'placement.read',
      menu: { id: 220, under: 'schedule', order: 25 },
      holds: ['list'],
    },
    'admin/placement/edit': { name: 'Placement plan', may: 'placement.plan', holds: ['form'] },
    'admin/placement/$planId': { name: 'Placement plan', may: 'placement.read' },
    'admin/placement/$planId/drafts': { name: 'Placement drafts', may: 'placement.read' },
    'admin/rotations': {
      name: 'Rotations',
      may: 'scheduling.read',
      menu: { id: 43, under: 'schedule', order: 30 },
      holds: ['list'],
    },
    'admin/rotations/edit': { name: 'Rotation', may: 'scheduling.plan', holds: ['form'] },
    'admin/shifts': {
      name: '{Site} shifts',
      may: 'scheduling.read',
      menu: { id: 44, under: 'schedule', order: 40 },
      holds: ['list'],
    },
    'admin/shifts/edit': { name: '{Site} shift', may: 'scheduling.plan', holds: ['form'] },
    'admin/shared-sites': {
      name: 'Shared {sites}',
      may: 'shared-sites.read',
      menu: { id: 281, under: 'schedule', order: 57 },
      holds: ['list'],
    },
    'admin/place-requests': {
      name: 'Requests for places',
      may: 'place-requests.read',
      menu: { id: 280, under: 'schedule', order: 58 },
      holds: ['list'],
    },
    'admin/placement-lists': {
      name: 'Placement lists',
      may: 'placement-lists.read',
      menu: { id: 270, under: 'schedule', order: 59 },
      holds: ['list'],
    },
    'admin/open-shifts': {
      name: 'Open shifts',
      may: 'open-shifts.read',
      menu: { id: 230, under: 'schedule', order: 60 },
      holds: ['list'],
    },
    'admin/shift-requests': {
      name: 'Shift requests',
      may: 'shift-changes.read',
      menu: { id: 231, under: 'schedule', order: 61 },
      holds: ['list'],
    },

    'admin/approve-time-records': {
      name: 'Approve {Time} Records',
      may: 'time.read',
      supervisorsToo: true,
      menu: { id: 51, under: 'time', toDo: { may: 'time.approve', otherwise: 'Pending {time} records' } },
      holds: ['list'],
    },
    'admin/logclock-list': {
      name: 'All records',
      may: 'time.read',
      menu: { id: 52, under: 'time' },
      holds: ['list'],
    },
    'admin/missed-time-records': {
      name: 'Missed {time} records',
      may: 'time.read',
      menu: { id: 53, under: 'time' },
      holds: ['list'],
    },
    'admin/time-summaries': {
      name: '{Time} Totals',
      may: 'reports.read',
      menu: { id: 54, under: 'time' },
      holds: ['list'],
    },

    'admin/evaluations/status': {
      name: 'Status',
      may: 'evaluations.read',
      supervisorsToo: true,
      menu: { id: 61, under: 'evaluations' },
      holds: ['list'],
    },
    'admin/evaluations/results': {
      name: 'Results',
      may: 'evaluations.read',
      menu: { id: 68, under: 'evaluations', order: 15 },
      holds: ['list'],
    },
    'admin/evaluations/templates': {
      name: 'Templates',
      may: 'evaluations.design',
      menu: { id: 62, under: 'evaluations' },
      holds: ['list'],
    },
    'admin/evaluations/templates/edit': { name: 'Template', may: 'evaluations.design', holds: ['form'] },
    'admin/evaluations/items': {
      name: 'Items',
      may: 'evaluations.design',
      menu: { id: 63, under: 'evaluations' },
      holds: ['rows'],
    },
    'admin/evaluations/fib-items': {
      name: 'Fill-in items',
      may: 'evaluations.design',
      menu: { id: 64, under: 'evaluations' },
      holds: ['rows'],
    },
    'admin/evaluations/order-items': {
      name: 'Rearrange items',
      may: 'evaluations.design',
      menu: { id: 65, under: 'evaluations' },
    },
    'admin/evaluations/score-types': {
      name: 'Score values',
      may: 'evaluations.design',
      menu: { id: 66, under: 'evaluations' },
      holds: ['list'],
    },
    'admin/evaluations/score-types/edit': { name: 'Score type', may: 'evaluations.design', holds: ['form'] },
    'admin/evaluations/form-types': {
      name: 'Form types',
      may: 'evaluations.design',
      menu: { id: 67, under: 'evaluations' },
      holds: ['rows'],
    },

    'admin/competencies/lists': {
      name: 'Competency lists',
      may: 'competencies.read',
      menu: { id: 171, under: 'competencies' },
      holds: ['list'],
    },
    'admin/competencies/rules': { name: 'Competency rules', may: 'competencies.design', holds: ['form'] },
    'admin/competencies/major-studies': {
      name: 'Major studies',
      may: 'competencies.read',
      menu: { id: 172, under: 'competencies' },
      holds: ['rows'],
    },
    'admin/competencies/procedures': {
      name: 'Procedures',
      may: 'competencies.read',
      menu: { id: 173, under: 'competencies' },
      holds: ['rows'],
    },
    'admin/competencies/exam-items': {
      name: 'Exam items',
      may: 'competencies.read',
      menu: { id: 174, under: 'competencies' },
      holds: ['rows'],
    },
    'admin/competencies/participation-levels': {
      name: 'Participation levels',
      may: 'competencies.read',
      menu: { id: 175, under: 'competencies' },
      holds: ['rows'],
    },
    'admin/competencies/pathologies': {
      name: 'Pathologies',
      may: 'competencies.read',
      menu: { id: 176, under: 'competencies' },
      holds: ['rows'],
    },
    'admin/competencies/progress': {
      name: 'Competency progress',
      may: 'procedure-logs.read',
      menu: { id: 187, under: 'competencies', order: 4, text: 'Progress' },
      holds: ['list'],
    },
    'admin/competencies/verify': {
      name: 'Verify procedures',
      may: 'procedure-logs.verify',
      menu: { id: 180, under: 'competencies', order: 5 },
    },
    'admin/competencies/asked': {
      name: 'Grade exams',
      may: 'exams.grade',
      menu: { id: 191, under: 'competencies', order: 7 },
    },
    'admin/competencies/asked/$attemptId': { name: 'Exam', may: 'exams.grade' },
    'admin/competencies/exams': {
      name: 'Exams',
      may: 'exams.read',
      menu: { id: 192, under: 'competencies', order: 8 },
      holds: ['list'],
    },
    'admin/competencies/exams/$attemptId': { name: 'Exam', may: 'exams.read' },
    'admin/competencies/lab-checks': {
      name: 'Lab checks',
      may: 'lab-checks.write',
      menu: { id: 193, under: 'competencies', order: 9 },
      holds: ['list'],
    },
    'admin/competencies/rechecks': {
      name: 'Rechecks',
      may: 'exams.read',
      menu: { id: 194, under: 'competencies', order: 11 },
      holds: ['list'],
    },
    'admin/competencies/examiners': {
      name: 'Examiners',
      may: 'exams.read',
      menu: { id: 195, under: 'competencies', order: 12 },
      holds: ['list'],
    },
    'admin/competencies/supervision': {
      name: 'Indirect supervision',
      may: 'exams.read',
      menu: { id: 196, under: 'competencies', order: 13 },
    },
    'admin/competencies/logs': {
      name: 'Procedure log',
      may: 'procedure-logs.read',
      menu: { id: 181, under: 'competencies', order: 6 },
      holds: ['list'],
    },
    'admin/competencies/scores': {
      name: 'Exam scores',
      may: 'competencies.read',
      menu: { id: 177, under: 'competencies' },
      holds: ['list'],
    },
    'admin/competencies/scores/edit': { name: 'Exam score', may: 'competencies.design', holds: ['form'] },

    'admin/requirements': {
      name: 'Requirements by {student}',
      may: 'requirements.status',
      supervisorsToo: true,
      phone: 'more',
      menu: [
        { id: 211, under: 'requirements' },
        { id: 241, under: supervisors, key: 'requirements', text: 'Requirements' },
      ],
    },
    'admin/requirements/review': {
      name: 'Review proofs',
      may: 'requirements.review',
      menu: { id: 212, under: 'requirements', order: 5 },
    },
    'admin/requirements/requests': {
      name: 'Exemption requests',
      may: 'requirements.review',
      menu: { id: 240, under: 'requirements', order: 7 },
      holds: ['list'],
    },
    'admin/requirements/students/$studentId': {
      name: 'Requirements of a {student}',
      may: 'requirements.review',
    },
    'admin/requirements/forecast': {
      name: 'Ready by date',
      may: 'requirements.review',
      holds: ['list'],
    },
    'admin/requirements/design': {
      name: 'Requirements',
      may: 'requirements.design',
      menu: { id: 213, under: 'requirements' },
      holds: ['list'],
    },
    'admin/requirements/packets': {
      name: '{Site} packets',
      may: 'packets.manage',
      menu: { id: 215, under: 'requirements' },
      holds: ['list'],
    },
    'admin/requirements/sites': {
      name: '{Site} requirements',
      may: 'packets.manage',
      menu: { id: 216, under: 'requirements' },
      holds: ['list'],
    },
    'admin/requirements/sites/edit': { name: '{Site}', may: 'packets.manage', holds: ['form'] },
    'admin/safety/doses': {
      name: 'Dosimeter readings',
      may: 'doses.read',
      menu: { id: 242, under: 'requirements', order: 60 },
      holds: ['list'],
    },
    'admin/safety/incidents': {
      name: 'Incidents',
      may: 'incidents.read',
      menu: { id: 243, under: 'requirements', order: 65 },
      holds: ['list'],
    },
    'admin/safety/declarations': {
      name: 'Declarations',
      may: 'declarations.read',
      menu: { id: 255, under: 'requirements', order: 70 },
      holds: ['list'],
    },
    'admin/requirements/edit': { name: 'Requirement', may: 'requirements.design', holds: ['form'] },

    'admin/sites': {
      name: 'Manage {sites}',
      may: 'sites.read',
      menu: { id: 71, under: 'sites' },
      holds: ['list'],
    },
    'admin/sites/edit': { name: '{Site}', may: 'sites.read', holds: ['form'] },
    'admin/affiliate-agreements': {
      name: 'Affiliate Agreements',
      may: 'agreements.manage',
      menu: { id: 75, under: 'sites', order: 15 },
      holds: ['list'],
    },
    'admin/affiliate-agreements/edit': {
      name: 'Affiliate Agreement',
      may: 'agreements.manage',
      holds: ['form'],
    },
    'admin/manage-areas': {
      name: '{Areas}',
      may: 'areas.read',
      menu: { id: 72, under: 'sites', key: 'areas' },
      holds: ['list'],
    },
    'admin/manage-areas/edit': { name: '{Area}', may: 'areas.write', holds: ['form'] },

    'admin/document-library': {
      name: 'Documents for me',
      may: 'documents.read',
      menu: { id: 151, under: 'documents' },
    },
    'admin/documents': {
      name: 'Manage Document Uploads',
      may: 'documents.manage',
      menu: { id: 152, under: 'documents' },
      holds: ['list'],
    },
    'admin/documents/edit': { name: 'Document', may: 'documents.manage', holds: ['form'] },
    'admin/document-categories': {
      name: 'Manage Document Categories',
      may: 'documents.manage',
      menu: { id: 153, under: 'documents' },
      holds: ['rows'],
    },

    'admin/hours-summary': {
      name: 'Hours Summary',
      may: 'reports.read',
      menu: { id: 81, under: 'reports' },
      holds: ['list'],
    },
    'admin/verification': {
      name: 'Background checks and immunizations',
      may: 'verifications.read',
      menu: [
        { id: 82, under: 'reports', text: 'Background checks', query: 'type=1' },
        { id: 83, under: 'reports', text: 'Immunizations', query: 'type=2' },
      ],
      onlyWith: ['type=1', 'type=2'],
      holds: ['list'],
    },
    'admin/employment': {
      name: 'Employment',
      may: 'reports.read',
      menu: { id: 88, under: 'reports' },
      holds: ['list'],
    },
    'admin/effectiveness': {
      name: 'Program Effectiveness',
      may: 'graduates.read',
      menu: { id: 2604, under: 'reports' },
    },
    'admin/progress': {
      name: 'Progress',
      may: 'students.files',
      menu: { id: 2607, under: 'reports' },
      holds: ['list'],
    },
    'admin/clinical-records': {
      name: 'Clinical records',
      may: 'clinical-records.read',
      menu: { id: 2605, under: 'reports' },
    },
    'admin/clinical-records/$studentId': { name: 'Clinical record', may: 'clinical-records.read' },
    'admin/effectiveness/measures': { name: 'Measures', may: 'effectiveness.write', holds: ['form'] },
    'admin/graduates': {
      name: 'Graduates',
      may: 'graduates.read',
      menu: { id: 2603, under: 'reports' },
      holds: ['list'],
    },
    'admin/graduates/edit': { name: 'Graduate', may: 'graduates.write', holds: ['form'] },
    'admin/systematic-plans': {
      name: 'Systematic Plans',
      may: 'systematic-plans.read',
      menu: { id: 891, under: 'reports' },
    },
    'admin/custom-reports': {
      name: 'Custom Reports',
      may: 'custom-reports.use',
      menu: { id: 2601, under: 'reports' },
      holds: ['list'],
    },
    'admin/custom-reports/edit': {
      name: 'Custom Report',
      may: 'custom-reports.use',
      holds: ['form', 'list'],
    },
    'admin/weekly-reports': {
      name: 'Weekly Reports',
      may: 'weekly-reports.read',
      program: 'none',
      menu: { id: 2602, under: 'nowhere', key: 'reports' },
      holds: ['list'],
    },

    'admin/emails': {
      name: 'Send email',
      may: 'mail.send',
      program: 'none',
      menu: { id: 1001, under: 'mail' },
    },
    'admin/emails/sent': {
      name: 'Sent emails',
      may: 'mail.send',
      program: 'none',
      menu: { id: 1004, under: 'mail' },
      holds: ['list'],
    },
    'admin/scheduled-emails': {
      name: 'Scheduled Emails',
      may: 'mail.read',
      program: 'none',
      menu: { id: 1002, under: 'mail' },
      holds: ['list'],
    },
    'admin/mail-center': {
      name: 'Mail Center',
      may: 'mail-templates.manage',
      program: 'none',
      menu: { id: 1003, under: 'mail' },
      holds: ['list'],
    },
    'admin/mail-center/edit': {
      name: 'Edit mail template',
      may: 'mail-templates.manage',
      program: 'none',
      holds: ['form'],
    },
    'admin/mail-center/edit-description': {
      name: 'Edit mail template description',
      may: 'mail-templates.manage',
      program: 'none',
      holds: ['form'],
    },

    'admin/program-settings': {
      name: '{Program} settings',
      may: 'program.settings',
      menu: { id: 91, under: 'settings' },
      holds: ['form'],
    },
    'admin/admin-news': {
      name: 'News',
      may: 'news.manage',
      program: 'none',
      menu: { id: 92, under: 'settings' },
      holds: ['list'],
    },
    'admin/admin-news/edit': { name: 'News item', may: 'news.manage', program: 'none', holds: ['form'] },
    'admin/notifications': {
      name: 'Notification copies',
      may: 'notifications.manage',
      menu: { id: 99, under: 'settings', order: 25 },
      holds: ['rows'],
    },
    'admin/email-blacklist': {
      name: 'Blacklist Emails',
      may: 'blacklist.manage',
      program: 'none',
      menu: { id: 93, under: 'settings' },
      holds: ['list'],
    },
    'admin/menu-items': {
      name: 'Menu items',
      may: 'menus.manage',
      menu: { id: 94, under: 'settings' },
      holds: ['list'],
    },
    'admin/customize-menu': {
      name: 'Custom Admin Menu',
      may: 'menus.manage',
      menu: { id: 95, under: 'settings' },
    },
    'admin/admin-menu': {
      name: 'Visibility of menu items',
      may: 'menus.visibility',
      program: 'none',
      menu: { id: 96, under: 'settings' },
    },
    'admin/announcements': {
      name: 'Home Page Announcements',
      may: 'announcements.manage',
      menu: { id: 911, under: 'settings' },
      holds: ['list'],
    },
    'admin/announcements/edit': { name: 'Announcement', may: 'announcements.manage', holds: ['form'] },
    'admin/eula': {
      name: 'Edit EULA',
      may: 'settings.manage',
      program: 'none',
      menu: { id: 912, under: 'settings' },
      holds: ['form'],
    },
    'admin/geo-ip': {
      name: 'IP Access Management',
      may: 'settings.manage',
      program: 'none',
      menu: { id: 913, under: 'settings' },
      holds: ['list'],
    },
    'admin/global-settings': {
      name: 'Global Settings',
      may: 'settings.manage',
      program: 'none',
      menu: { id: 914, under: 'settings' },
      holds: ['form'],
    },
    'admin/push': {
      name: 'Push Notifications',
      may: 'settings.manage',
      program: 'none',
      menu: { id: 296, under: 'settings' },
    },
    'admin/system-status': {
      name: 'System Status',
      may: 'settings.manage',
      program: 'none',
      menu: { id: 297, under: 'settings' },
    },
    'admin/saml/admin': {
      name: 'SAML Settings',
      may: 'saml.manage',
      program: 'none',
      menu: { id: 941, under: 'settings' },
      holds: ['list'],
    },
    'admin/saml/admin/new': { name: 'New provider', may: 'saml.manage', program: 'none', holds: ['form'] },
    'admin/saml/admin/$samlId': { name: 'Provider', may: 'saml.manage', program: 'none', holds: ['form'] },
    'admin/saml/admin/$samlId/link': {
      name: 'Linked {programs}',
      may: 'saml.manage',
      program: 'none',
      holds: ['list'],
    },
    'admin/saml/users': {
      name: 'SAML Users',
      may: 'saml.manage',
      program: 'none',
      menu: { id: 942, under: 'settings' },
      holds: ['rows'],
    },
    'admin/connections': {
      name: 'College Connections',
      may: 'saml.manage',
      program: 'none',
      menu: { id: 295, under: 'settings' },
      holds: ['list'],
    },
    'admin/connections/$connectionId': {
      name: 'Connection',
      may: 'saml.manage',
      program: 'none',
      holds: ['form'],
    },
    'admin/api-keys': {
      name: 'API Keys',
      may: 'api-keys.manage',
      menu: { id: 260, under: 'settings' },
      holds: ['list'],
    },
    'admin/webhooks': {
      name: 'Webhooks',
      may: 'webhooks.manage',
      menu: { id: 261, under: 'settings' },
      holds: ['list'],
    },
    'admin/inbox-links': {
      name: 'Inbox links',
      may: 'inbox.manage',
      menu: { id: 290, under: 'settings' },
      holds: ['list'],
    },
    'admin/audit': {
      name: 'Audit',
      may: 'audit.read',
      menu: { id: 262, under: 'settings' },
      holds: ['list'],
    },
    'admin/deleted': {
      name: 'Deleted',
      may: 'deleted.read',
      menu: { id: 263, under: 'settings' },
      holds: ['list'],
    },
    'admin/logs/data-sync': {
      name: 'DataSync Logs',
      may: 'data-sync.manage',
      program: 'offered',
      menu: { id: 921, under: 'settings' },
      holds: ['list'],
    },
    'admin/payments': {
      name: 'Payments',
      may: 'payments.read',
      program: 'none',
      menu: { id: 2501, under: 'settings' },
      holds: ['list'],
    },
    'admin/payments/edit': { name: 'Arrangement', may: 'payments.read', program: 'none', holds: ['form'] },
    'admin/tax-calc': {
      name: 'Tax Calc',
      may: 'payments.manage',
      program: 'none',
      menu: { id: 2502, under: 'nowhere', key: 'settings' },
      holds: ['form', 'list'],
    },
    'admin/imports': {
      name: 'Import',
      may: 'imports.run',
      programUnless: 'kind=colleges',
      menu: { id: 203, under: 'nowhere', key: 'imports' },
    },

    'admin/inbox': {
      name: 'Notifications',
      program: 'none',
      menu: { id: 201, under: 'nowhere', key: 'inbox' },
    },
    'admin/help': {
      name: 'User Guide',
      program: 'none',
      menu: { id: 202, under: 'nowhere', key: 'help' },
    },
    'admin/change-email': { name: 'Change/Confirm Email', program: 'none', account: true, holds: ['form'] },
    'admin/change-password': { name: 'Change Password', program: 'none', account: true, holds: ['form'] },
    'admin/preferences': { name: 'Preferences', program: 'none', account: true, holds: ['form'] },
    'admin/totp-settings': { name: 'Authenticator', program: 'none', account: true },
    'admin/sessions': { name: 'Where you are signed in', program: 'none', account: true, holds: ['list'] },
    'admin/not-found': { name: 'Not found', program: 'none' },
  },
  own: {
    '': {
      name: 'Home',
      menu: [
        { id: 101, under: withHome, key: 'home' },
        { id: 102, under: supervisors, key: 'inbox', text: 'Inbox' },
      ],
    },
    clock: { name: 'Clock', may: 'time.clock', menu: { id: 103, under: students, key: 'clock' } },
    approve: {
      name: 'Approve',
      may: 'time.approve',
      menu: { id: 104, under: supervisors, key: 'circle-check' },
    },
    schedule: { name: 'Schedule', may: 'schedule.own', menu: { id: 105, under: students, key: 'calendar' } },
    'open-shifts': {
      name: 'Open shifts',
      may: 'open-shifts.own',
      phone: 'more',
      menu: { id: 234, under: students, key: 'calendar-plus' },
    },
    swaps: {
      name: 'Swaps',
      may: 'shift-changes.own',
      phone: 'more',
      menu: { id: 235, under: students, key: 'arrows-exchange' },
    },
    competencies: {
      name: 'Competencies',
      may: 'procedures.log',
      menu: { id: 178, under: students, key: 'competencies', text: 'Skills' },
    },
    requirements: {
      name: 'Requirements',
      may: 'requirements.own',
      phone: 'more',
      menu: { id: 214, under: students, key: 'requirements' },
    },
    safety: {
      name: 'Safety',
      may: 'safety.own',
      phone: 'more',
      menu: { id: 245, under: students, key: 'shield' },
    },
    'competencies/log': { name: 'Log procedures', may: 'procedures.log' },
    'competencies/history': { name: 'My log', may: 'procedures.log' },
    'competencies/exam': { name: 'Ask for an exam', may: 'exams.take' },
    'competencies/exams': { name: 'My exams', may: 'exams.take' },
    'competencies/exams/$attemptId': { name: 'Exam', may: 'exams.take' },
    'competencies/supervision': { name: 'Indirect supervision', may: 'exams.take' },
    exams: {
      name: 'Exams',
      may: 'exams.grade',
      phone: 'more',
      menu: { id: 190, under: supervisors, key: 'clipboard-check', text: 'Exams' },
    },
    'exams/$attemptId': { name: 'Exam', may: 'exams.grade' },
    'verify-procedures': {
      name: 'Verify procedures',
      may: 'procedure-logs.verify',
      phone: 'more',
      menu: { id: 179, under: supervisors, key: 'competencies', text: 'Verify' },
    },
    evaluate: {
      name: 'Evaluate',
      menu: { id: 106, under: [...students, ...supervisors], key: 'clipboard-check' },
    },
    'evaluate/results': { name: 'Results', holds: ['list'] },
    'evaluate/$evaluationId': { name: '{Evaluation}' },
    hours: {
      name: 'Hours',
      may: 'time.clock',
      menu: { id: 107, under: students, key: 'history' },
      holds: ['form'],
    },
    students: {
      name: '{Students}',
      may: 'students.supervised',
      menu: { id: 108, under: supervisors, key: 'users' },
      holds: ['list'],
    },
    'students/$studentId': { name: '{Student}', may: 'students.read' },
    documents: { name: 'Documents', menu: { id: 155, under: withDocuments, key: 'documents' } },
    verification: {
      name: 'Background check and immunizations',
      phone: 'more',
      menu: [
        { id: 109, under: students, key: 'shield', text: 'Background check', query: 'type=1' },
        { id: 110, under: students, key: 'vaccine', text: 'Immunizations', query: 'type=2' },
      ],
    },
    progress: {
      name: 'Progress',
      may: 'progress.own',
      phone: 'more',
      menu: { id: 2608, under: students, key: 'circle-check' },
    },
    placement: {
      name: 'Placement',
      may: 'placement.own',
      phone: 'more',
      menu: { id: 221, under: students, key: 'schedule' },
    },
    'placement/$planId': { name: 'Placement', may: 'placement.own' },
    'clinical-record': {
      name: 'Clinical record',
      may: 'clinical-record.own',
      phone: 'more',
      menu: { id: 2606, under: [...students, Level.Alumnus], key: 'documents' },
    },
    inbox: { name: 'Notifications' },
    help: { name: 'User Guide' },
    more: { name: 'More' },
    employment: {
      name: 'Employment Information',
      may: 'employment.own',
      account: true,
      holds: ['form'],
    },
    'record-views': { name: 'Who saw my record', may: 'record-views.own', account: true },
    'change-email': { name: 'Change/Confirm Email', account: true, holds: ['form'] },
    'change-password': { name: 'Change Password', account: true, holds: ['form'] },
    preferences: { name: 'Preferences', account: true, holds: ['form'] },
    sessions: { name: 'Where you are signed in', account: true, holds: ['list'] },
    'not-found': { name: 'Not found' },
  },
} as const satisfies Record<Frame, Record<string, PageRow>>

type Table = typeof pageTable
type PathsOf<F extends Frame> = keyof Table[F]
/** The path of a page below `/new/`, as the table writes it. */
export type PagePath = { [F in Frame]: PathsOf<F> }[Frame]
/** The pages in the shell of staff and in that of everybody else that belong to the person's account. */
export type AccountPath = {
  [F in Frame]: {
    [P in PathsOf<F>]: Table[F][P] extends { account: true } ? P : never
  }[PathsOf<F>]
}[Frame]

type Filled<P extends string> = P extends `${infer Head}$${string}/${infer Tail}`
  ? `${Head}${string}/${Filled<Tail>}`
  : P extends `${infer Head}$${string}`
    ? `${Head}${string}`
    : P
/** Where a link or a step of the program may lead: '/admin/sites', '/evaluate/12'. */
export type PageRoute = `/${Filled<PagePath>}`
/** The address of a page as menus and links write it: '/new/admin/sites/edit?id=3'. */
export type PageAddress = `/new${PageRoute}` | `/new${PageRoute}?${string}` | `/new${PageRoute}#${string}`

/** A page with its row. */
export type PageEntry = PageRow & PageOfScreens

/** What the screens know of a page: the build leaves out the rest (`scripts/contract-of-screens.ts`). */
export interface PageOfScreens extends Omit<PageRow, 'name' | 'menu' | 'holds' | 'isByLink'> {
  path: PagePath
  frame: Frame
}

/** All pages, in the order of the table. */
export const allPages: readonly PageEntry[] = (Object.keys(pageTable) as Frame[]).flatMap((frame) =>
  Object.entries<PageRow>(pageTable[frame]).map(([path, row]) => ({
    ...row,
    path: path as PagePath,
    frame,
  })),
)

const byPath = new Map<string, PageEntry>(allPages.map((page) => [page.path, page]))
const patterns = allPages
  .filter(({ path }) => path.includes('$'))
  .map((page) => ({ page, parts: page.path.split('/') }))

/** The path below `/new/` of an address such as '/new/admin/sites/?id=3': 'admin/sites'. */
const pathOf = (address: string): string => address.replace(/[?#].*$/, '').replace(/^\/new(\/|$)|\/$/g, '')

/** The page at an address below `/new/`; undefined where nothing is. */
export const pageAt = (address: string): PageOfScreens | undefined => {
  const path = pathOf(address)
  const found = byPath.get(path)
  if (found) return found
  const given = path.split('/')
  return patterns.find(
    ({ parts }) =>
      parts.length === given.length &&
      parts.every((part, index) => (part.startsWith('$') ? given[index] !== '' : part === given[index])),
  )?.page
}

/** A part of an address as people wrote it; what is no valid escape is left as it is. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What the address has in place of the names in its page's path: { studentId: '7' } at '/new/students/7'. */
export const paramsAt = (address: string): Partial<Record<string, string>> => {
  const given = pathOf(address).split('/')
  return Object.fromEntries(
    (pageAt(address)?.path.split('/') ?? []).flatMap((part, index) =>
      part.startsWith('$') ? [[part.slice(1), decoded(given[index]!)]] : [],
    ),
  )
}

/** Whether an address is itself the secret that opens its page. For the server: the screens know no such pages. */
export const isSecretAddress = (address: string): boolean =>
  (pageAt(address) as PageEntry | undefined)?.isByLink === true

/** Whether an address is in the shell of staff, whatever is there. */
export const isStaffAddress = (address: string): boolean => /^admin(\/|$)/.test(pathOf(address))

interface Person {
  AccessLevel: number
  SuperAdminAreas: number | null
}

/** Whether a signed-in person may open the page at an address. Where no page is, the not-found page opens for all. */
export const mayOpen = (who: Person, address: string): boolean => {
  const page = pageAt(address)
  const isLowEnough = page?.supervisorsToo && who.AccessLevel >= Level.Supervisor
  if (isStaffAddress(address) && who.AccessLevel < Level.Faculty && !isLowEnough) return false
  return !page?.may || may(who, page.may)
}

/** What the page at an address asks of super admins who have chosen no program. */
export const programFor = (address: string): 'needed' | 'offered' | 'none' => {
  const page = pageAt(address)
  if (page?.frame !== 'staff') return 'none'
  const query = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1])
  const has = (wanted: string | undefined) =>
    [...new URLSearchParams(wanted)].some(([name, value]) => query.get(name) === value)
  const isMissing = page.onlyWith !== undefined && !page.onlyWith.some(has)
  return isMissing || has(page.programUnless) ? 'none' : (page.program ?? 'needed')
}

/** The page that the one at an address belongs to, by its path: the list of an edit page. Undefined at the top. */
export const pageAbove = (address: string): PageAddress | undefined => {
  const parts = pathOf(address).split('/')
  while (parts.length > 1) {
    parts.pop()
    const path = parts.join('/')
    if (byPath.has(path)) return `/new/${path}` as PageAddress
  }
  return undefined
}
