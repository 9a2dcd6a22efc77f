import { digest, email } from '../email-kind.ts'
import { byHandOrSite, checkbox, html, link, studentFirstName, text } from '../mail-fields.ts'

/** Emails about time records. */
export const timeEmails = {
  TIME_unmatched: email({
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
    parameters: [checkbox('NameSites', 'Name the site of each record in the list')],
    when: byHandOrSite('Approve Time Records'),
    isCopied: true,
    about: 'Unmatched clock records. Asks a student to report the half of a clock record that is missing.',
    en: [
      'Clock records that lack their other half: {{record.count}}',
      'Hello {{student.firstName}},',
      'no hours count yet for these records:',
      '{{record.list}}',
      '<a href="{{link}}">Report a {time} exception</a> with the {time} that is missing.',
    ],
    es: [
      'Registros incompletos: {{record.count}}',
      'Hola, {{student.firstName}}:',
      'las horas de estos registros aún no cuentan:',
      '{{record.list}}',
      '<a href="{{link}}">Informe una excepción de {time}</a> con la hora que falta.',
    ],
  }),
  TIME_missed: email({
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
    parameters: [checkbox('NameSites', 'Name the site of each shift in the list')],
    when: byHandOrSite('Missed time records'),
    isCopied: true,
    about: 'Missed shifts. Asks a student about shifts without any clock record.',
    en: [
      'Shifts without a clock record: {{shift.count}}',
      'Hello {{student.firstName}},',
      'nothing was recorded for these shifts:',
      '{{shift.list}}',
      '<a href="{{link}}">Report the hours as a {time} exception, or the absence</a>.',
    ],
    es: [
      'Turnos sin registro de horas: {{shift.count}}',
      'Hola, {{student.firstName}}:',
      'no se registró nada para estos turnos:',
      '{{shift.list}}',
      '<a href="{{link}}">Informe las horas como excepción de {time}, o la ausencia</a>.',
    ],
  }),
  TIME_message: email({
    person: 'student',
    fields: {
      'message.subject': text('The subject that was typed', 'Your records of this week'),
      'message.text': html('The text that was typed', '<p>Please come and see me about your records.</p>'),
      'writer.name': text('Who wrote it', 'Grace Sample'),
    },
    needed: ['message.text'],
    when: 'Staff type subject and text under “Approve Time Records”. The text around them here is the same in every email.',
    isCopied: true,
    about:
      'Email about clock records. What staff write by hand to the students of the records they have chosen.',
    en: ['{{message.subject}}', '{{message.text}}'],
  }),
  TIME_change_asked: digest('coordinator', {
    page: '/new/admin/approve-time-records',
    summary: ['{count} time change waits for a decision', '{count} time changes wait for a decision'],
    line: 'Ada Example: 01/15/2030 07:10 to 07:00',
    about: 'Time change requested. Tells coordinators that students asked for another time on a record.',
    en: ['these time changes need a decision:', '{{change.list}}', '<a href="{{link}}">Decide now</a>'],
    isCopied: true,
  }),
  TIME_change_decided: digest('student', {
    page: '/new/hours',
    summary: ['Your time change was decided', '{count} of your time changes were decided'],
    line: 'Your time change to 01/15/2030 07:00 was accepted.',
    about: 'Time change decided. Tells a student whether a time change was accepted or declined.',
    en: ['{{change.list}}', '<a href="{{link}}">See your hours</a>'],
    es: ['{{change.list}}', '<a href="{{link}}">Ver sus horas</a>'],
    isCopied: true,
  }),
  TIME_approved: digest('student', {
    page: '/new/hours',
    summary: ['{count} time record was approved', '{count} time records were approved'],
    line: '01/15/2030, Harbor General Hospital: 8 h 00 min',
    about:
      'Time approved. Tells students which of their time records were approved, one email for all approvals within a few minutes.',
    en: ['these time records were approved:', '{{change.list}}', '<a href="{{link}}">See your hours</a>'],
    es: [
      'se aprobaron estos registros de {time}:',
      '{{change.list}}',
      '<a href="{{link}}">Ver sus horas</a>',
    ],
    isCopied: true,
  }),
}
