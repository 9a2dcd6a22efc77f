import { copied, digest, html, link, oneForMany, studentFirstName, text } from './mail-fields.ts'

/** The emails about what students have to show. */
export const requirementMailKinds = {
  REQUIREMENT_expiring: copied(
    digest('student', 'Sent 60, 30 and 7 days before a requirement expires.', [
      '1 requirement expires soon',
      'CPR card: 01/31/2030',
    ]),
  ),
  REQUIREMENT_expired: copied(
    digest('student', 'Sent once when a requirement has expired.', [
      '1 requirement has expired',
      'CPR card: 01/31/2030',
    ]),
  ),
  REQUIREMENT_weekly: copied(
    digest('coordinator', 'Sent each Monday while something waits, has expired or expires within 30 days.', [
      'Requirements this week',
      '3 proofs wait to be reviewed',
    ]),
  ),
  REQUIREMENT_returned: copied(
    digest('student', oneForMany, ['1 proof was returned', 'CPR card: not readable']),
  ),
  REQUIREMENT_accepted: copied(
    digest('student', oneForMany, ['1 proof was accepted', 'CPR card: good to 01/31/2030']),
  ),
  REQUIREMENT_answered: copied(
    digest('student', oneForMany, [
      'The exemption you asked for was decided',
      'CPR card: granted through 01/31/2030',
    ]),
  ),
  REQUIREMENT_preAdverse: {
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'requirement.name': text('The requirement that the report is for', 'Background check'),
      'answer.until': text('The last day to answer', '01/31/2030'),
      'program.name': text('The program', 'Radiography'),
      'writer.name': text('Who recorded the finding', 'Grace Sample'),
      link: link('The page of the own requirements'),
    },
  },
  PROOFS_deleted_soon: {
    person: 'director',
    fields: {
      'director.firstName': text('The first name of the director', 'Grace'),
      'student.count': text('How many former students it is about', '12'),
      'student.list': html('The former students, one a line', '<ul><li>Example, Ada</li></ul>'),
      'purge.on': text('When it is deleted', '01/31/2030'),
      'program.name': text('The program', 'Radiography'),
      link: link('The options of the program'),
    },
  },
} as const

/** The emails about the safety of students. They go to staff and name no finding. */
export const safetyMailKinds = {
  INCIDENT_reported: {
    person: 'staff',
    fields: {
      'staff.firstName': text('The first name of the reader', 'Grace'),
      'student.name': text('Who reports', 'Example, Ada'),
      'incident.kind': text('What it was', 'Needle stick or sharps'),
      'incident.date': text('When it was', '01/15/2030'),
      link: link('The page of incidents'),
    },
  },
  PREGNANCY_declared: {
    person: 'staff',
    fields: {
      'staff.firstName': text('The first name of the reader', 'Grace'),
      'program.name': text('The program', 'Radiography'),
      link: link('The page of declarations'),
    },
  },
} as const
