import { AdminArea, hasAdminArea, Level, levels } from './levels.ts'

/**
 * Who may do what: the one table. `from` is the lowest level that may; `also` names single levels below it;
 * `areas` are the super-admin areas of which a super admin needs one; `superOnly` keeps everyone else out.
 * Whose records a person sees within the program (a supervisor's sites, a student's own) is decided where they are
 * read, and answers 404.
 */
interface Rule {
  from: Level
  also?: readonly Level[]
  only?: readonly Level[]
  superOnly?: true
  areas?: readonly AdminArea[]
}

const supervisors = [Level.Supervisor, Level.CCUnderHood] as const
const belowCoord = levels.map(({ Id }) => Id).filter((level) => level < Level.Coord && level > Level.Unknown)

export const permissions = {
  // Installation: screens for everybody belong to super admins with the matching area
  'colleges.manage': { from: Level.SuperAdmin, superOnly: true },
  'programs.manage': { from: Level.SuperAdmin, superOnly: true },
  /** Which programs leave what unused, and guides to their staff. */
  'unused-features.manage': { from: Level.SuperAdmin, superOnly: true },
  'terminology.manage': { from: Level.SuperAdmin, superOnly: true },
  'settings.manage': { from: Level.SuperAdmin, superOnly: true },
  /** The page opens for staff; what it holds is the same for all programs, so only super admins change it. */
  'menus.visibility': { from: Level.Faculty },
  'menus.set-visibility': { from: Level.SuperAdmin, superOnly: true },
  'news.manage': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.AdminNews] },
  /** Who is a super admin, and with which areas; each grants the areas that they hold themselves. */
  'super-admins.manage': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.Roles] },
  'test-access.manage': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.Roles] },
  /** Identity providers and the names of people there: whoever sets them decides who signs in as whom. */
  'saml.manage': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.Roles] },
  'blacklist.manage': { from: Level.Faculty, areas: [AdminArea.Roles, AdminArea.Email] },
  /** The texts of all emails that the product writes. */
  'mail-templates.manage': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.Email] },
  /** Pictures in texts that all programs read. */
  'installation-pictures.add': { from: Level.SuperAdmin, superOnly: true },

  /** Arrangements, invoices and tax rates of all programs. */
  'payments.manage': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.Payments] },
  /** The figures of all programs, week by week. */
  'weekly-reports.read': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.CustomReports] },

  // A program
  'programs.list': { from: Level.Faculty },
  'program.read': { from: Level.Faculty, also: supervisors },
  'program.settings': { from: Level.Coord },
  'admin-shell.use': { from: Level.Faculty },
  'menus.manage': { from: Level.Coord },
  'people.read': { from: Level.Faculty, also: supervisors },
  'people.write': { from: Level.Coord, areas: [AdminArea.Roles, AdminArea.RolesLimited] },
  /** The student's page. Supervisors see students with shifts at their sites, and of them what happens there. */
  'students.read': { from: Level.Faculty, also: supervisors },
  /** The rest of a student's page: hours, requirements, notes, emails and changes. */
  'students.files': { from: Level.Faculty },
  'students.supervised': { from: Level.Supervisor, only: supervisors },
  /** See the product as somebody else does, without changing anything. */
  'people.view-as': { from: Level.Admin, areas: [AdminArea.Roles] },
  'levels.manage': { from: Level.Coord, areas: [AdminArea.Roles] },
  'areas.read': { from: Level.Faculty, also: supervisors },
  'areas.write': { from: Level.Coord },
  'sites.read': { from: Level.Faculty, also: supervisors },
  'sites.write': { from: Level.Coord },
  /** Affiliation agreements with sites. */
  'agreements.manage': { from: Level.Coord },
  /** What the program gives to its people; which of it is for whom is decided where it is read. */
  'documents.read': { from: Level.Student, also: [Level.Registrant, Level.Alumnus] },
  'documents.manage': { from: Level.Coord },
  /** People of sites without accounts. */
  'employees.manage': { from: Level.Coord },
  /** Who gets copies of emails. */
  'notifications.manage': { from: Level.Coord },
  'imports.run': { from: Level.Coord },
  /** The log of data sync, and the keys by which other systems send rows. */
  'data-sync.manage': { from: Level.Admin },
  /** Of keys: send rows. It imports with the rights of the person who made the key. */
  'data-sync.send': { from: Level.Admin },
  /** Keys by which other systems make calls, never with more rights than whoever makes them. */
  'api-keys.manage': { from: Level.Admin },
  /** Which records of the program changed since when, of the kinds that the caller may read. */
  'changes.read': { from: Level.Coord },
  /** Where events of the program are sent. */
  'webhooks.manage': { from: Level.Admin },
  'scheduling.read': { from: Level.Faculty, also: supervisors },
  'scheduling.plan': { from: Level.Coord },
  'schedule.own': { from: Level.Student, only: [Level.Student] },
  /** Plans that place students by rules and rankings, and their drafts. */
  'placement.read': { from: Level.Faculty },
  'placement.plan': { from: Level.Coord },
  /** What sites are told about who comes, and what they answer. */
  'placement-lists.read': { from: Level.Faculty },
  'placement-lists.send': { from: Level.Coord },
  /** The inbox of supervisors by a mailed link. */
  'inbox.manage': { from: Level.Coord },
  /** How many students sites are asked to take, and what they offer. */
  'place-requests.read': { from: Level.Faculty },
  'place-requests.send': { from: Level.Coord },
  /** Sites that several programs share, by one counter. */
  'shared-sites.read': { from: Level.Coord },
  'shared-sites.manage': { from: Level.Director },
  /** A student's own ranking, and where they are placed. */
  'placement.own': { from: Level.Student, only: [Level.Student] },
  /** Faculty unless the program sets DisableScheduleAssignmentsForFaculty. */
  'scheduling.assign': { from: Level.Faculty },
  /** Shifts that students sign up for themselves. */
  'open-shifts.read': { from: Level.Faculty },
  'open-shifts.manage': { from: Level.Coord },
  'open-shifts.own': { from: Level.Student, only: [Level.Student] },
  /** Swaps, covers and late drops. */
  'shift-changes.read': { from: Level.Faculty },
  'shift-changes.decide': { from: Level.Coord },
  'shift-changes.own': { from: Level.Student, only: [Level.Student] },
  'time.clock': { from: Level.Student, only: [Level.Student] },
  'time.read': { from: Level.Faculty, also: supervisors },
  'time.approve': { from: Level.Coord, also: supervisors },
  /** Supervisors at their sites, unless the site sets ForbidCsLogclockEditing. */
  'time.edit': { from: Level.Coord, also: supervisors },
  'evaluations.read': { from: Level.Faculty, also: supervisors },
  'evaluations.design': { from: Level.Coord },
  'evaluations.assign': { from: Level.Coord },
  'evaluations.results': { from: Level.Coord },
  /** What students have to show, by procedure. */
  'competencies.read': { from: Level.Faculty, also: supervisors },
  'competencies.design': { from: Level.Coord },
  /** A student's own procedures, and what they come to. */
  'procedures.log': { from: Level.Student, only: [Level.Student] },
  /** Everybody's log. */
  'procedure-logs.read': { from: Level.Faculty },
  /** Supervisors what names them, and what they have taken over at their sites. */
  'procedure-logs.verify': { from: Level.Faculty, also: supervisors },
  /** Change and reopen what is verified. */
  'procedure-logs.correct': { from: Level.Coord },
  /** A student's own exams. */
  'exams.take': { from: Level.Student, only: [Level.Student] },
  /** The exams for which students ask; who may grade which is decided by the list, the roster of the site and its exclusions. */
  'exams.grade': { from: Level.Faculty, also: supervisors },
  /** Everybody's exams, and the notes for what comes after a failed one. */
  'exams.read': { from: Level.Faculty },
  /** Approve simulation, void exams and decide about suspended ones; rechecks. */
  'exams.manage': { from: Level.Coord },
  'lab-checks.write': { from: Level.Faculty },
  /** Who examines at the sites, and whom never. */
  'examiners.manage': { from: Level.Coord },
  'reports.read': { from: Level.Faculty },
  /** The figures of a period: required hours, attendance, evaluations, use of sites. */
  'outcomes.read': { from: Level.Director },
  /** How the program is reached. Not for registrants, who have made their accounts themselves. */
  'member-home.read': {
    from: Level.Alumnus,
    only: [...supervisors, Level.SiteEmployee, Level.GenericEmployee, Level.Alumnus],
  },
  /** The sites somebody is assigned to, with how many students come; names are for those who work there. */
  'own-sites.read': { from: Level.GenericEmployee, only: [Level.SiteEmployee, Level.GenericEmployee] },
  'expected-students.read': { from: Level.SiteEmployee, only: [...supervisors, Level.SiteEmployee] },
  /** One's own approved hours, kept after the program too. */
  'hours-record.own': { from: Level.Student, only: [Level.Student, Level.Alumnus] },
  /** The plan for the accreditor: goals, outcomes and results by year. */
  'systematic-plans.read': { from: Level.Faculty },
  'systematic-plans.write': { from: Level.Director },
  /** What became of those who entered the program, and the rates that accreditors ask. */
  'graduates.read': { from: Level.Faculty },
  'graduates.write': { from: Level.Coord },
  'effectiveness.write': { from: Level.Director },
  /** The own progress, with shared notes and remediation plans. */
  'progress.own': { from: Level.Student, only: [Level.Student] },
  'remediation.write': { from: Level.Faculty },
  /** Clearance for graduation, and the records of what students have done that go out with their numbers. */
  'clinical-records.read': { from: Level.Faculty },
  'clinical-records.issue': { from: Level.Coord },
  /** Signed by the program director. */
  'clinical-records.clear': { from: Level.Director },
  'clinical-record.own': { from: Level.Student, only: [Level.Student, Level.Alumnus] },
  /** What vendors report about students; everybody else sees their own record only. */
  'verifications.read': { from: Level.Faculty },
  'verifications.write': { from: Level.Coord },
  /** A student's own requirements: what is asked, what was shown, what is blocked. */
  'requirements.own': { from: Level.Student, only: [Level.Student] },
  /** Whether students meet requirements; faculty and supervisors learn no more. */
  'requirements.status': { from: Level.Faculty, also: supervisors },
  /** The proofs themselves, with decisions and exemptions. */
  'requirements.review': { from: Level.Coord },
  /** What a background check or drug screen found. */
  'requirements.background': { from: Level.Director },
  'requirements.design': { from: Level.Coord },
  /** What is disclosed to sites, and to whom. */
  'packets.manage': { from: Level.Coord },
  /** A student's own readings, declaration and reports of incidents. */
  'safety.own': { from: Level.Student, only: [Level.Student] },
  'doses.read': { from: Level.Coord },
  'incidents.read': { from: Level.Coord },
  /** Asked of all staff: whether somebody is the director or a radiation safety officer is looked up. */
  'declarations.read': { from: Level.Faculty },
  'radiation-officers.set': { from: Level.Director },
  /** Of keys: what is private to students beside the right to the call. Declarations and matters of security open to no key. */
  'private.health': { from: Level.Admin },
  'private.conduct': { from: Level.Admin },
  /** What one does after the program, told by oneself. */
  'employment.own': { from: Level.Student, only: [Level.Student, Level.Alumnus] },
  /** The chat of the help desk: whoever is known and below Coord. */
  'help-chat.use': { from: Level.Faculty, only: belowCoord },
  /** Texts on the home pages of a category of people, and who acknowledged them. */
  'announcements.manage': { from: Level.Coord },
  'pictures.add': { from: Level.Coord },
  /** Emails to groups of people: of their own program, or for super admins with the area of any. */
  'mail.send': { from: Level.Coord, areas: [AdminArea.Email] },
  /** The ledger of everything that was written to anybody. */
  'mail.read': { from: Level.SuperAdmin, superOnly: true, areas: [AdminArea.Email] },
  /** What the program pays, its invoices, and the evidence of its tax exemption. */
  'payments.read': { from: Level.Director, areas: [AdminArea.Payments] },
  'custom-reports.use': { from: Level.Coord, areas: [AdminArea.CustomReports] },
  'audit.read': { from: Level.Director },
  /** What was deleted; of each kind those who may restore it. */
  'deleted.read': { from: Level.Coord },
  /** Who has seen the own record. */
  'record-views.own': { from: Level.Student, only: [Level.Student] },
} as const satisfies Record<string, Rule>

export type Permission = keyof typeof permissions

/** Whether a person of this level (and, for super admins, these areas) has the permission; of a key, whether its rights name it. */
export const may = (
  who: { AccessLevel: number; SuperAdminAreas: number | null; KeyRights?: readonly Permission[] | undefined },
  permission: Permission,
): boolean => {
  if (who.KeyRights) return who.KeyRights.includes(permission)
  const rule: Rule = permissions[permission]
  const isSuper = who.AccessLevel === Level.SuperAdmin
  if (rule.superOnly && !isSuper) return false
  if (rule.only) return rule.only.includes(who.AccessLevel as Level)
  if (isSuper) return !rule.areas || rule.areas.some((area) => hasAdminArea(who.SuperAdminAreas, area))
  return who.AccessLevel >= rule.from || (rule.also?.includes(who.AccessLevel as Level) ?? false)
}
