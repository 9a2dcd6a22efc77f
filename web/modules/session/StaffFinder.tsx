import type { MenuItem, UserMenuItem } from '#web/shell/shell-types.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { PageFinder, type Thing } from './PageFinder.tsx'

const things: readonly Thing[] = [
  { label: 'finder.email', href: '/new/admin/emails', may: 'mail.send', also: 'finder.emails' },
  {
    label: 'finder.emailOne',
    href: '/new/admin/progress',
    mayNot: 'mail.send',
    detail: 'finder.emailOneHow',
    also: 'finder.emails',
  },
  { label: 'shell.newUser', href: '/new/admin/add-user' },
  // The page of a site is read by those who may not add one.
  { label: 'shell.newSite', href: '/new/admin/sites/edit', may: 'sites.write' },
  { label: 'shell.newRotation', href: '/new/admin/rotations/edit' },
]

/** By which other words staff find a page, by its path below `/new/`. */
const otherWords: Readonly<Record<string, WordKey>> = {
  'admin/home': 'finder.homeWords',
  'admin/manage-users': 'finder.people',
  'admin/add-user': 'finder.addUser',
  'admin/shift-assignments': 'finder.assign',
  'admin/visualization': 'finder.calendar',
  'admin/placement': 'finder.placement',
  'admin/rotations': 'finder.rotations',
  'admin/shifts': 'finder.shifts',
  'admin/shift-requests': 'finder.requests',
  'admin/approve-time-records': 'finder.approve',
  'admin/logclock-list': 'finder.records',
  'admin/missed-time-records': 'finder.missed',
  'admin/time-summaries': 'finder.totals',
  'admin/hours-summary': 'finder.hours',
  'admin/evaluations/status': 'finder.evaluations',
  'admin/evaluations/templates': 'finder.templates',
  'admin/requirements': 'finder.requirements',
  'admin/sites': 'finder.sites',
  'admin/affiliate-agreements': 'finder.agreements',
  'admin/verification': 'finder.verification',
  'admin/progress': 'finder.progress',
  'admin/clinical-records': 'finder.clinicalRecords',
  'admin/graduates': 'finder.graduates',
  'admin/emails': 'finder.emails',
  'admin/emails/sent': 'finder.sentEmails',
  'admin/announcements': 'finder.announcements',
  'admin/documents': 'finder.documents',
  'admin/program-settings': 'finder.settings',
  'admin/imports': 'finder.imports',
  'admin/audit': 'finder.audit',
}

/** The finder of staff, who do more from it than open pages. */
export function StaffFinder(props: { asked: number; items: MenuItem[]; account: UserMenuItem[] }) {
  return <PageFinder {...props} otherWords={otherWords} things={things} />
}
