import { Level } from '#contract/levels.ts'
import { may, type Permission } from '#contract/permissions.ts'
import type { MenuItem } from '#contract/session.ts'
import { type Terms, termPlaceholders } from '#contract/terminology.ts'

interface Entry {
  id: number
  name: string
  url: string
  page: string
  may: Permission
  items?: Entry[]
}

const entry = (
  id: number,
  name: string,
  url: string,
  page: string,
  needs: Permission,
  items?: Entry[],
): Entry => ({
  id,
  name,
  url,
  page,
  may: needs,
  ...(items && { items }),
})

/** The left menu before rights and wording: words in braces are the program's own. */
const staffMenu: readonly Entry[] = [
  entry(1, 'Home', '/new/admin/home', 'home', 'admin-shell.use'),
  entry(2, '{Colleges}', '#', 'colleges', 'colleges.manage', [
    entry(21, 'Manage {colleges}', '/new/admin/manage-colleges', 'colleges', 'colleges.manage'),
    entry(22, 'Manage {programs}', '/new/admin/manage-programs', 'programs', 'programs.manage'),
    entry(23, 'Modalities', '/new/admin/modalities', 'modalities', 'programs.manage'),
    entry(24, 'Language profiles', '/new/admin/language-profiles', 'settings', 'terminology.manage'),
  ]),
  entry(3, 'People', '#', 'people', 'people.read', [
    entry(31, 'Manage users', '/new/admin/manage-users', 'people', 'people.read'),
    entry(32, 'Assign {supervisors}', '/new/admin/assign-supervisor-sites', 'people', 'people.write'),
    entry(33, '{StudentLevels}', '/new/admin/manage-levels', 'levels', 'levels.manage'),
  ]),
  entry(4, 'Schedule', '#', 'schedule', 'scheduling.read', [
    entry(41, 'Schedule Assignments', '/new/admin/shift-assignments', 'schedule', 'scheduling.read'),
    entry(42, 'Visualization', '/new/admin/visualization', 'schedule', 'scheduling.read'),
    entry(43, 'Rotations', '/new/admin/rotations', 'schedule', 'scheduling.read'),
    entry(44, '{Site} shifts', '/new/admin/shifts', 'schedule', 'scheduling.read'),
  ]),
  entry(5, '{Time}', '#', 'time', 'time.read', [
    entry(51, 'Approve {Time} Records', '/new/admin/approve-time-records', 'time', 'time.read'),
    entry(52, 'All records', '/new/admin/logclock-list', 'time', 'time.read'),
    entry(53, 'Missed {time} records', '/new/admin/missed-time-records', 'time', 'time.read'),
  ]),
  entry(6, '{Evaluations}', '#', 'evaluations', 'evaluations.read', [
    entry(61, 'Status', '/new/admin/evaluations/status', 'evaluations', 'evaluations.read'),
    entry(62, 'Templates', '/new/admin/evaluations/templates', 'evaluations', 'evaluations.design'),
  ]),
  entry(7, '{Sites}', '#', 'sites', 'sites.read', [
    entry(71, 'Manage {sites}', '/new/admin/sites', 'sites', 'sites.read'),
    entry(72, '{Areas}', '/new/admin/manage-areas', 'areas', 'areas.read'),
  ]),
  entry(8, 'Reports', '#', 'reports', 'reports.read', [
    entry(81, 'Hours Summary', '/new/admin/hours-summary', 'reports', 'reports.read'),
  ]),
  entry(9, 'Settings', '#', 'settings', 'program.settings', [
    entry(91, '{Program} settings', '/new/admin/program-settings', 'settings', 'program.settings'),
  ]),
]

const fill = (text: string, words: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => words[name] ?? name)

const build = (
  entries: readonly Entry[],
  who: { AccessLevel: number; SuperAdminAreas: number | null },
  words: Record<string, string>,
): MenuItem[] =>
  entries
    .filter(({ may: needs }) => may(who, needs))
    .map(({ id, name, url, page, items }) => ({
      Id: id,
      Name: fill(name, words),
      Url: url,
      PageKey: page,
      SubMenuItems: build(items ?? [], who, words),
    }))
    .filter(({ Url, SubMenuItems }) => Url !== '#' || SubMenuItems.length > 0)

/** The left menu of the admin shell for a person, in the program's words (specification 1 §2.12). */
export const leftMenu = (
  who: { AccessLevel: number; SuperAdminAreas: number | null },
  terms: Terms,
): MenuItem[] => build(staffMenu, who, termPlaceholders(terms))

interface MemberEntry {
  Name: string
  Url: string
  IconClasses: string
}

const studentMenu: readonly MemberEntry[] = [
  { Name: 'Clock', Url: '/new/clock', IconClasses: 'clock' },
  { Name: 'Schedule', Url: '/new/schedule', IconClasses: 'calendar' },
  { Name: 'Evaluate', Url: '/new/evaluate', IconClasses: 'clipboard-check' },
  { Name: 'Hours', Url: '/new/hours', IconClasses: 'history' },
]
const supervisorMenu: readonly MemberEntry[] = [
  { Name: 'Inbox', Url: '/new/', IconClasses: 'inbox' },
  { Name: 'Approve', Url: '/new/approve', IconClasses: 'circle-check' },
  { Name: 'Evaluate', Url: '/new/evaluate', IconClasses: 'clipboard-check' },
  { Name: '{Students}', Url: '/new/students', IconClasses: 'users' },
]

/** The side menu of people below Faculty, by level. */
export const memberMenu = (level: number, terms: Terms): MemberEntry[] => {
  const words = termPlaceholders(terms)
  const entries =
    level === Level.Student
      ? studentMenu
      : level === Level.Supervisor || level === Level.CCUnderHood
        ? supervisorMenu
        : [{ Name: 'Home', Url: '/new/', IconClasses: 'home' }]
  return entries.map((item) => ({ ...item, Name: fill(item.Name, words) }))
}
