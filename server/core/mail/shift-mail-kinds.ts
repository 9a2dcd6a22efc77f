import {
  copied,
  digest,
  html,
  link,
  type MailKind,
  note,
  oneForMany,
  shiftSample,
  text,
} from './mail-fields.ts'

/** Emails about open shifts, swaps, covers, placement lists, the inbox by link and webhooks. */
export const shiftMailKinds = {
  SHIFT_change_asked: copied(
    digest('coordinator', oneForMany, [
      '1 shift request waits for a decision',
      `Swap: Ada Example gives ${shiftSample}`,
    ]),
  ),
  SHIFT_site_asked: {
    person: 'recipient',
    fields: {
      'recipient.name': text('The contact of the site', 'Grace Sample'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'change.text': text(
        'What is to change',
        'Ada Example would take the shift of Ben Sample on 01/15/2030 07:00–15:30.',
      ),
      link: link('The request, once a code was typed'),
    },
    parameters: [
      note('When', 'Sent when students agree on a swap or cover, in programs where the site approves it.'),
    ],
    needed: ['link'],
  },
  SITE_list_asked: {
    person: 'recipient',
    fields: {
      'recipient.name': text('The contact of the site', 'Grace Sample'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'rotation.name': text('The rotation', 'Fall 2030'),
      'list.answerBy': text('The day by which the site is to answer', '08/15/2030'),
      'list.text': text(
        'How many students come, and a note',
        '6 students would come to Harbor General Hospital.',
      ),
      link: link('The list, once a code was typed'),
    },
    parameters: [
      note(
        'When',
        'Sent when a placement list is sent to a site, and again as a reminder two days before its date.',
      ),
    ],
    needed: ['link'],
  },
  SITE_student_left: {
    person: 'recipient',
    fields: {
      'recipient.name': text('The contact of the site', 'Grace Sample'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'change.summary': text('Who leaves or comes back', 'Ada Example no longer comes'),
      'change.text': text(
        'Which shifts it is about',
        'Ada Example no longer comes to Harbor General Hospital. 2 shifts are free: 01/15/2030, 01/16/2030.',
      ),
    },
    parameters: [
      note(
        'When',
        'Sent when a student with coming shifts leaves the program, and when the student comes back, to sites that may be told of the student.',
      ),
    ],
  },
  SITE_list_answered: copied(
    digest('coordinator', oneForMany, [
      'Answer of a site',
      'Harbor General Hospital, Fall 2030: 5 of 6 confirmed, 1 declined (Ben Sample)',
    ]),
  ),
  INBOX_weekly: {
    person: 'supervisor',
    fields: {
      'supervisor.firstName': text('The first name of the supervisor', 'Grace'),
      'inbox.summary': text('How much there is to do', '13 items need your attention'),
      'inbox.list': html(
        'What there is to do, one line per program',
        '<ul><li>Radiography, Harbor College: 7 shifts to approve, 5 days of procedures, 1 evaluation</li></ul>',
      ),
      link: link('The inbox, once a code was typed'),
    },
    parameters: [
      note(
        'When',
        'Sent on Mondays at 7:00 in the time zone of the program to supervisors who have something to do, and when they or staff ask for it.',
      ),
    ],
    needed: ['link'],
  },
  SITE_places_asked: {
    person: 'recipient',
    fields: {
      'recipient.name': text('The contact of the site', 'Grace Sample'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'request.students': text('How many students, and of which level', '6 students (Second Year)'),
      'request.answerBy': text('The day by which the site is to answer', '08/15/2030'),
      'request.text': text(
        'What is asked, by when, and a note',
        'We ask for places for 6 students at a time at Harbor General Hospital, 08/24/2030–12/11/2030.',
      ),
      link: link('The request, once a code was typed'),
    },
    parameters: [
      note('When', 'Sent when a site is asked for places, and again as a reminder two days before its date.'),
    ],
    needed: ['link'],
  },
  SITE_places_decided: {
    person: 'recipient',
    fields: {
      'recipient.name': text('The contact of the site', 'Grace Sample'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'decision.summary': text('What was decided, in short', 'we plan with 4 places'),
      'decision.text': text(
        'What was decided',
        'Thank you. We plan with 4 places 08/24/2030–12/11/2030 at Harbor General Hospital.',
      ),
    },
    parameters: [note('When', 'Sent when the program accepts or declines what a site offers.')],
  },
  SITE_places_answered: copied(
    digest('coordinator', oneForMany, [
      'A site answered about places',
      'Harbor General Hospital offers 4 places 08/24/2030–12/11/2030; asked for 6',
    ]),
  ),
  WEBHOOK_disabled: {
    person: 'admin',
    fields: {
      'admin.firstName': text('The first name of the administrator', 'Grace'),
      'webhook.host': text('The host of the endpoint', 'hooks.example.org'),
      'webhook.reason': text('Why it was switched off', 'it did not take an event for three days.'),
      link: link('The page Webhooks'),
    },
    parameters: [
      note('When', 'Sent to administrators when an endpoint has not taken an event for three days.'),
    ],
    needed: ['link'],
  },
  SHIFT_open: digest('student', oneForMany, ['1 new open shift', shiftSample]),
} satisfies Record<string, MailKind>
