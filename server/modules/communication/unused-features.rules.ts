import type { Feature } from '#contract/communication/unused-features.ts'
import type { MadeHtml } from '#server/core/mail/email-text.ts'
import { escapeHtml } from '#server/core/mail/mail.ts'

interface Guide {
  name: string
  guide: string
  /** Where to begin, in the staff's pages. */
  page: string
}

/** What each feature is for and how to begin; words in braces are the program's own. */
const guides: Record<Feature, Guide> = {
  sites: {
    name: '{Sites}',
    guide:
      'Keep the {sites} where {students} learn in one list, with address, contacts and capacity. Add the first one by hand, or import all of them from a CSV file.',
    page: 'sites',
  },
  scheduling: {
    name: 'Schedule',
    guide:
      'Plan {rotations} and {site} shifts, then place {students} on dates. Conflicts with capacity, days off and other shifts are told before anything is saved.',
    page: 'shift-assignments',
  },
  clock: {
    name: '{Time} clock',
    guide:
      '{Students} punch in and out on their phones, also without a connection. Hours are matched to the schedule, approved by {supervisors}, and add up by themselves.',
    page: 'approve-time-records',
  },
  evaluations: {
    name: '{Evaluations}',
    guide:
      'Design a form once and assign it to many. Reminders go out by themselves, and results are compared over {students}, {sites} and time.',
    page: 'evaluations/templates',
  },
  supervisors: {
    name: '{Supervisors} at {sites}',
    guide:
      'Assign {supervisors} to their {sites}. They see their {students} only, approve hours and fill evaluations without calling you.',
    page: 'assign-supervisor-sites',
  },
  imports: {
    name: 'Imports',
    guide:
      'Bring {students}, staff and {sites} from a CSV file. Every row is checked first, all or nothing is imported, and an import can be undone.',
    page: 'imports',
  },
  'data-sync': {
    name: 'Data sync',
    guide:
      'Let the systems of your college or of a vendor send {students}, staff, {sites} and verifications by themselves. An administrator makes a key for each; every run is logged.',
    page: 'logs/data-sync',
  },
  agreements: {
    name: 'Affiliation agreements',
    guide:
      'Keep each agreement with its dates and its document. You are reminded 90, 60 and 30 days before one ends, and renew it with one press.',
    page: 'affiliate-agreements',
  },
  documents: {
    name: 'Documents',
    guide:
      'Give handbooks and forms to exactly those who need them: by role, {site} or {studentLevel}. Each download is recorded.',
    page: 'documents',
  },
  verifications: {
    name: 'Background checks and immunizations',
    guide:
      'See on one page who is complete and whose records expire. What vendors report comes from a CSV file or by data sync.',
    page: 'verification?type=1',
  },
  announcements: {
    name: 'Announcements',
    guide:
      'Put a text on the home page of {students}, {supervisors} or staff, and see who has acknowledged it.',
    page: 'announcements',
  },
  calendar: {
    name: 'Schedule in own calendars',
    guide:
      '{Students} subscribe to their schedule in the calendar of their phone. Tell them about the link on their Schedule page: changes arrive by themselves.',
    page: 'help',
  },
  'notification-copies': {
    name: 'Copies of notifications',
    guide:
      'Choose who gets a copy of emails about hours, {evaluations} and placements, for all or for one {area}.',
    page: 'notifications',
  },
  employment: {
    name: 'Employment of graduates',
    guide:
      'Ask those who finish where they work. Their answers make the figures that accreditors want every year.',
    page: 'employment',
  },
}

/** A guide in the words of a program. */
export const guideOf = (
  feature: Feature,
  words: Readonly<Record<string, string>>,
): { Name: string; Guide: string; page: string } => {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => words[name] ?? name)
  const { name, guide, page } = guides[feature]
  return { Name: fill(name), Guide: fill(guide), page: `/new/admin/${page}` }
}

/** What the email about features that a program has not used yet says of them. */
export const guideValues = (
  chosen: readonly { Name: string; Guide: string; page: string }[],
  root: string,
): { 'feature.summary': string; 'feature.guides': MadeHtml } => ({
  'feature.summary': chosen.length === 1 ? chosen[0]!.Name : `${chosen.length} short guides`,
  'feature.guides': {
    html: chosen
      .map(
        ({ Name, Guide, page }) =>
          `<h3>${escapeHtml(Name)}</h3><p>${escapeHtml(Guide)}</p><p><a href="${escapeHtml(root + page)}">Begin here</a></p>`,
      )
      .join(''),
  },
})
