import {
  account,
  byHand,
  byHandOrSite,
  checkbox,
  copied,
  digest,
  type Field,
  html,
  line,
  lines,
  link,
  type MailKind,
  note,
  oneForMany,
  shiftSample,
  signInPage,
  studentFirstName,
  text,
  userName,
} from './mail-fields.ts'
import { placementMailKinds } from './placement-mail-kinds.ts'
import { requirementMailKinds, safetyMailKinds } from './requirement-mail-kinds.ts'
import { shiftMailKinds } from './shift-mail-kinds.ts'

export type { MailKind } from './mail-fields.ts'

/**
 * The kinds of emails that the product writes. To add one:
 *
 * 1. here, its label with the placeholders that the email fills, and its parameters;
 * 2. in a migration, a row of `mail_template` with its first texts, `place` after the last one's;
 * 3. in the module, `queueTemplatedEmails(db, [{ label: 'LABEL', … values }])`.
 *
 * The test of the mail center fails while one of the first two lacks, or while a text names a placeholder that is not here.
 */

const notMe = link('The page “This was not me”, which freezes the account')
const notice = { person: 'user', fields: { 'account.name': account, link: notMe } } satisfies MailKind
const registrant = { 'account.userName': userName }

export const mailKinds = {
  ...shiftMailKinds,
  TIME_unmatched: copied({
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'record.count': text('How many records lack their other half', '2'),
      'record.list': html(
        'The records, one a line',
        '<ul><li>01/15/2030 07:02, Harbor General Hospital: no clock-out</li><li>01/16/2030 15:30: no clock-in</li></ul>',
      ),
      link: link('The clock, where time exceptions are reported'),
    },
    parameters: [
      byHandOrSite('Approve Time Records'),
      checkbox('NameSites', 'Name the site of each record in the list'),
    ],
  }),
  TIME_missed: copied({
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'shift.count': text('How many shifts have no record', '1'),
      'shift.list': html(
        'The shifts, one a line',
        '<ul><li>01/15/2030 07:00, Harbor General Hospital</li></ul>',
      ),
      link: link('The clock, where exceptions and absences are reported'),
    },
    parameters: [
      byHandOrSite('Missed time records'),
      checkbox('NameSites', 'Name the site of each shift in the list'),
    ],
  }),
  TIME_message: copied({
    person: 'student',
    fields: {
      'message.subject': text('The subject that was typed', 'Your records of this week'),
      'message.text': html('The text that was typed', '<p>Please come and see me about your records.</p>'),
      'writer.name': text('Who wrote it', 'Grace Sample'),
    },
    parameters: [
      note(
        'When',
        'Staff type subject and text under “Approve Time Records”. The text around them here is the same in every email.',
      ),
    ],
    needed: ['message.text'],
  }),
  EVALUATION_due: copied({
    person: 'evaluator',
    fields: {
      'evaluation.count': text('How many evaluations wait', '3'),
      'evaluation.due': text('When the first one is due', '01/31/2030'),
      'evaluation.list': html(
        'The evaluations, one a line',
        '<ul><li>Clinical evaluation of Ada Example: due 01/31/2030</li></ul>',
      ),
      link: link('The evaluations that wait'),
    },
    parameters: [
      note(
        'When',
        'Sent once a day for all that are new or due, on the days that each template says, and when staff choose it under “Evaluation Status”.',
      ),
    ],
  }),
  EVALUATION_late: copied({
    person: 'evaluator',
    fields: {
      'evaluator.firstName': text('The first name of the evaluator', 'Grace'),
      'evaluation.count': text('How many evaluations are overdue', '2'),
      'evaluation.list': html(
        'The evaluations, one a line',
        '<ul><li>Clinical evaluation of Ada Example: overdue, due 01/31/2030</li></ul>',
      ),
      link: link('The evaluations that wait'),
    },
    parameters: [
      note('When', 'Sent once a day when something is overdue, on the days that each template says.'),
    ],
  }),
  EVALUATION_completed: copied(
    digest('coordinator', oneForMany, [
      '1 evaluation was submitted',
      'Clinical evaluation of Ada Example, by Grace Sample',
    ]),
  ),
  EVALUATION_low_score: copied(
    digest('coordinator', oneForMany, [
      '1 evaluation has low scores',
      'Clinical evaluation of Ada Example: 2 low scores',
    ]),
  ),
  EVALUATION_overdue: copied(
    digest(
      'coordinator',
      'Sent once a day for the evaluations that are overdue for as many days as their template says.',
      ['1 evaluator is behind', 'Grace Sample: 2 evaluations, the oldest due 01/31/2030'],
    ),
  ),
  EVALUATION_requested: copied({
    person: 'evaluator',
    fields: {
      'evaluator.firstName': text('The first name of the evaluator', 'Grace'),
      'requester.name': text('Who asks', 'Ada Example'),
      'evaluation.title': text('The title of the evaluation', 'Clinical evaluation'),
      'evaluation.due': text('When it is due', '01/31/2030'),
      'request.note': html('What the person wrote with it', '<p>About the last two weeks.</p>'),
      link: link('The evaluation'),
    },
    parameters: [note('When', 'Sent at once when someone asks for an evaluation.')],
  }),
  PLACEMENT_made: copied(digest('student', oneForMany, ['1 shift was added to your schedule', shiftSample])),
  PLACEMENT_changed: copied(
    digest('student', oneForMany, ['Your schedule has changed: 1 shift', `Now ${shiftSample}`]),
  ),
  PLACEMENT_removed: copied(
    digest('student', oneForMany, ['1 shift was removed from your schedule', shiftSample]),
  ),
  SHIFT_swap: digest('student', oneForMany, ['Your shift swap', shiftSample]),
  TIME_change_asked: copied(
    digest('coordinator', oneForMany, [
      '1 time change waits for a decision',
      'Ada Example: 01/15/2030 07:10 to 07:00',
    ]),
  ),
  TIME_change_decided: copied(
    digest('student', oneForMany, [
      'Your time change was decided',
      'Your time change to 01/15/2030 07:00 was accepted.',
    ]),
  ),
  TIME_approved: copied(
    digest('student', oneForMany, [
      '1 time record was approved',
      '01/15/2030, Harbor General Hospital: 8 h 00 min',
    ]),
  ),
  DOCUMENT_added: copied(
    digest('reader', oneForMany, ['1 document was added', 'Handbook: Clinical handbook 2030']),
  ),
  ...requirementMailKinds,
  ...safetyMailKinds,
  PROCEDURES_returned: copied(
    digest('student', oneForMany, [
      '1 logged procedure was returned',
      '01/15/2030, Chest Routine: the count was 2',
    ]),
  ),
  CLINICAL_RECORD_issued: {
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'record.number': text('The number of the record', 'CR-7QK4-2M9X-VDHT'),
      'record.program': text('The program and its college', 'Radiography, Harbor College'),
      link: link('The page of the own clinical records'),
    },
  },
  REMEDIATION_started: {
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'plan.title': text('What the plan is about', 'Chest positioning'),
      'plan.due': text('Its last day', '01/15/2030'),
      link: link('The page of the own progress'),
    },
  },
  REMEDIATION_closed: {
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'plan.title': text('What the plan was about', 'Chest positioning'),
      'plan.outcome': text('What came of it', 'Passed the exam at the second attempt'),
      link: link('The page of the own progress'),
    },
  },
  ANNOUNCEMENT_published: {
    person: 'reader',
    fields: {
      'reader.firstName': text('The first name of the reader', 'Ada'),
      'announcement.summary': text('How the announcement begins', 'Clinic is closed on Friday'),
      'announcement.text': html('The announcement', '<p>Clinic is closed on Friday.</p>'),
      link: link('The home page, where announcements are acknowledged'),
    },
    parameters: [
      note('When', 'Sent to everyone an announcement is for, when it becomes active for the first time.'),
    ],
  },
  REPORT_weekly: {
    person: 'reader',
    fields: {
      'reader.firstName': text('The first name of the reader', 'Grace'),
      'report.week': text('The first day of the week', '01/13/2030'),
      'report.figures': html(
        'The figures of the week over all programs',
        '<ul><li>People active: 120</li><li>Hours recorded: 840</li></ul>',
      ),
      link: link('The weekly report'),
    },
    parameters: [note('When', 'Sent on Mondays to super admins with the area Custom Reports.')],
  },
  AGREEMENT_expiring: {
    person: 'coordinator',
    fields: {
      'coordinator.firstName': text('The first name of the coordinator', 'Grace'),
      'agreement.summary': text(
        'Which agreement ends when, or how many',
        'The affiliation agreement with Harbor General Hospital ends in 30 days',
      ),
      'agreement.list': html(
        'The agreements, one a line',
        '<ul><li>Harbor General Hospital: 01/31/2030, in 30 days</li></ul>',
      ),
      link: link('The agreements that end soon'),
    },
    parameters: [
      note('When', 'Sent 90, 60 and 30 days before an agreement ends, once for all that are due on a day.'),
    ],
  },
  CUSTOM_report: {
    person: 'reader',
    fields: {
      'reader.firstName': text('The first name of the reader', 'Grace'),
      'report.name': text('The name of the report', 'Hours by site'),
      'report.frequency': text('How often it comes', 'weekly'),
      link: link('The report, for signed-in people only'),
    },
    parameters: [note('When', 'Sent to everyone who signed up for it on the page of a custom report.')],
  },
  PROGRAM_unused_features: {
    person: 'staff',
    fields: {
      'staff.firstName': text('The first name of the reader', 'Grace'),
      'feature.summary': text('The name of the feature, or how many guides', '2 short guides'),
      'feature.guides': html(
        'The guides, each with its link',
        '<h3>Time clock</h3><p>Students clock in at the door.</p><p><a href="/new/login">Begin here</a></p>',
      ),
    },
    parameters: [byHand('Unused Feature Notifications')],
  },
  REGISTRANT_received: { person: 'registrant', fields: registrant },
  REGISTRANT_approved: {
    person: 'registrant',
    fields: { ...registrant, link: signInPage },
    parameters: [lines('FirstSteps', 'What to do first, for everyone who is approved')],
  },
  REGISTRANT_declined: {
    person: 'registrant',
    fields: {
      ...registrant,
      'decision.reason': html('The reason that was typed', '<p>The places of this year are taken.</p>'),
    },
    parameters: [lines('Closing', 'Text below the reason, such as when to apply again')],
  },
  REGISTRANT_confirm: {
    person: 'registrant',
    fields: {
      ...registrant,
      link: link('The page that confirms the address and sets the password; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
  },
  REGISTRANT_known: {
    person: 'registrant',
    fields: { ...registrant, link: signInPage },
    isAlwaysSent: true,
  },
  ACCOUNT_created: {
    person: 'user',
    fields: {
      'user.firstName': text('The first name', 'Ada'),
      'account.userName': userName,
      link: link('The page that mails a link for setting the password'),
    },
    parameters: [
      line('Help', 'Whom to ask', 'If you did not expect this email, ask the coordinator of your program.'),
    ],
    needed: ['link'],
  },
  ACCOUNT_invited: {
    person: 'user',
    fields: {
      'user.firstName': text('The first name', 'Ada'),
      'sender.name': text('Who added the person', 'Grace Sample'),
      'account.userName': userName,
      link: link('The page that sets the password; it works once, for 7 days'),
    },
    isAlwaysSent: true,
    needed: ['link'],
  },
  ACCOUNT_password_reset: {
    person: 'user',
    fields: {
      'account.name': account,
      link: link('The page that sets the password; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
  },
  ACCOUNT_password_link: {
    person: 'user',
    fields: {
      'sender.name': text('Who sends it', 'Grace Sample'),
      'account.userName': userName,
      link: link('The page that sets the password; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
  },
  ACCOUNT_sign_in_link: {
    person: 'user',
    fields: {
      code: text('The code to type', '123456'),
      minutes: text('How many minutes link and code work', '10'),
      link: link('The page that signs in; it works once'),
    },
    isAlwaysSent: true,
    needed: ['link', 'code'],
  },
  ...placementMailKinds,
  PACKET_shared: {
    person: 'recipient',
    fields: {
      'recipient.name': text('Whom the packet is for', 'Grace Sample'),
      'writer.name': text('Who shares it', 'Dana Whitfield'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'student.count': text('How many students it is about', '12'),
      'packet.until': text('The last day on which the link works', '01/31/2030'),
      link: link('The packet, once a code was typed'),
    },
    parameters: [note('When', 'Sent when staff share a packet under “Site packets”.')],
    needed: ['link'],
  },
  LINK_code: {
    person: 'recipient',
    fields: {
      'recipient.name': text('Whom the link is for', 'Grace Sample'),
      code: text('The code to type', '123456'),
      minutes: text('How many minutes the code works', '10'),
    },
    isAlwaysSent: true,
    needed: ['code'],
  },
  EXAM_asked: {
    person: 'examiner',
    fields: {
      'examiner.name': text('The name of the examiner', 'Grace Sample'),
      'student.name': text('The name of the student', 'Ada Example'),
      'exam.procedure': text('The procedure of the exam', 'Chest Routine'),
      'exam.page': text('The page for exams on shared computers', 'practicum.example.edu/new/exam'),
      'exam.code': text('The code that finds the exam there; it proves nothing', 'KXMN-4PQR'),
      link: link('The exam: in the account of the examiner, or by their own link'),
    },
    parameters: [note('When', 'Sent when a student asks an examiner in their account or by email.')],
    needed: ['link'],
  },
  EXAM_code: {
    person: 'examiner',
    fields: {
      'examiner.name': text('The name of the examiner', 'Grace Sample'),
      'student.name': text('The name of the student', 'Ada Example'),
      'exam.procedure': text('The procedure of the exam', 'Chest Routine'),
      code: text('The code to type', '123456'),
      minutes: text('How many minutes the code works', '10'),
    },
    isAlwaysSent: true,
    needed: ['code'],
  },
  EXAM_signed: {
    person: 'examiner',
    fields: {
      'examiner.name': text('The name of whoever signed', 'Grace Sample'),
      'signature.text': text('What was signed', 'I observed Ada Example perform Chest Routine.'),
      'signature.at': text('When it was signed', '01/15/2030 12:00 (America/New_York)'),
      'signature.how': text('How the examiner proved who they are', 'in your account'),
      link: link('The page to say that somebody else signed'),
    },
    isAlwaysSent: true,
    needed: ['link'],
  },
  EXAM_decided: {
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'exam.procedure': text('The procedure of the exam', 'Chest Routine'),
      'exam.result': text('Approved or not', 'approved'),
      'exam.comment': text('What the examiner wrote, and when the next attempt is possible', ''),
      link: link('The exam'),
    },
    parameters: [note('When', 'Sent when an examiner has graded and signed an exam.')],
  },
  ACCOUNT_email_confirmation: {
    person: 'user',
    fields: {
      'account.name': account,
      link: link('The page that confirms the address; it works once, for 10 minutes'),
    },
    isAlwaysSent: true,
    needed: ['link'],
  },
  ACCOUNT_notice_password: notice,
  ACCOUNT_notice_email: notice,
  ACCOUNT_notice_authenticator_on: notice,
  ACCOUNT_notice_authenticator_off: notice,
  ACCOUNT_notice_recovery_code: notice,
  ACCOUNT_notice_areas: notice,
  ACCOUNT_notice_address: notice,
  ACCOUNT_notice_recovery_codes: notice,
  ACCOUNT_notice_key: notice,
  ACCOUNT_notice_file: notice,
  ACCOUNT_notice_view: notice,
  ACCOUNT_notice_provider: notice,
  ACCOUNT_notice_webhook: notice,
  ACCOUNT_notice_calendar: notice,
  ACCOUNT_notice_device: {
    person: 'user',
    fields: {
      'account.name': account,
      'sign_in.what': text('What is new: a device or a country', 'a new device'),
      'sign_in.device': text('What the browser says of itself', 'Firefox on Linux'),
      link: notMe,
    },
  },
  ACCOUNT_address_entered: {
    person: 'user',
    fields: { 'account.name': account, link: link('The page that confirms the address') },
    isAlwaysSent: true,
    needed: ['link'],
  },
  ACCOUNT_proof_code: {
    person: 'user',
    fields: { code: text('The code', '123456') },
    isAlwaysSent: true,
    needed: ['code'],
  },
  ACCOUNT_frozen: {
    person: 'user',
    fields: { 'account.name': account, 'user.name': text('Whose account it is', 'Ada Example') },
  },
  OTHER_test: {
    person: 'user',
    fields: {
      'user.name': text('Your name', 'Ada Example'),
      'sent.at': text('When it was sent (UTC)', '01/15/2030 12:00'),
      'sent.from': text(
        'The address of this installation, while that setting is on',
        'practicum.example.edu',
      ),
    },
    parameters: [
      note(
        'When',
        'Sent by “Send Test Notification”, to the person who clicks it. It shows whether mail arrives.',
      ),
      checkbox('NameInstallation', 'Name the address of this installation'),
      line('Greeting', 'How the email begins', 'Hello'),
      lines('Closing', 'Text at its end'),
    ],
  },
} satisfies Record<string, MailKind>

export type MailLabel = keyof typeof mailKinds

/** The same, for whoever looks through all of them. */
export const kindOf = (label: string): MailKind | undefined =>
  (mailKinds as Record<string, MailKind | undefined>)[label]

const programFields: Record<string, Field> = {
  'program.name': text('The name of the program', 'Radiography'),
  'college.name': text('The name of the college', 'Harbor College'),
  'program.coordinators': {
    kind: 'address',
    note: 'The addresses of the coordinators of the program',
    sample: 'coordinator@example.org',
  },
  'program.directors': {
    kind: 'address',
    note: 'The addresses of the directors of the program',
    sample: 'director@example.org',
  },
}

/** All placeholders of a kind: its own, the address of its person, its parameters, and those of the program. */
export const fieldsOf = ({ person, fields, parameters = [] }: MailKind): Record<string, Field> => ({
  ...fields,
  [`${person}.email`]: {
    kind: 'address',
    note: `The address of the ${person}`,
    sample: 'ada@example.org',
  },
  ...Object.fromEntries(
    parameters
      .filter(({ type }) => type === 'Text' || type === 'TextArea')
      .map(({ type, name, note: words }): [string, Field] => [
        `parameter.${name}`,
        { kind: type === 'Text' ? 'text' : 'lines', note: `Additional setting: ${words}`, sample: '' },
      ]),
  ),
  ...programFields,
})
