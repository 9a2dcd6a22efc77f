import { digest, email } from '../email-kind.ts'
import { html, link, text } from '../mail-fields.ts'

/** Emails to sites and about them: agreements, packets, lists, places, and what supervisors are to do. */
export const siteEmails = {
  AGREEMENT_expiring: email({
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
    when: 'Sent 90, 60 and 30 days before an agreement ends, once for all that are due on a day.',
    about: 'Agreement expiring. Brings affiliation agreements to the coordinators’ minds before they end.',
    en: [
      '{{agreement.summary}}',
      'Hello {{coordinator.firstName}},',
      'these affiliation agreements end soon:',
      '{{agreement.list}}',
      '<a href="{{link}}">Renew them</a> so that placements go on.',
    ],
  }),
  LINK_code: email({
    person: 'recipient',
    fields: {
      'recipient.name': text('Whom the link is for', 'Grace Sample'),
      code: text('The code to type', '123456'),
      minutes: text('How many minutes the code works', '10'),
    },
    isAlwaysSent: true,
    needed: ['code'],
    about:
      'Code of a link. Sent to the recipient of a link when it is opened on a device for the first time. Always sent.',
    en: [
      'Your code is {{code}}',
      'Hello {{recipient.name}},',
      'Type this code on the page that you have opened: <strong>{{code}}</strong>',
      'It works once, for {{minutes}} minutes. If you did not open a link from us, ignore this email: without the code the link opens nothing.',
    ],
    es: [
      'Su código es {{code}}',
      'Hola, {{recipient.name}}:',
      'Escriba este código en la página que abrió: <strong>{{code}}</strong>',
      'Funciona una vez, durante {{minutes}} minutos. Si no abrió un enlace nuestro, ignore este correo: sin el código el enlace no abre nada.',
    ],
  }),
  PACKET_shared: email({
    person: 'recipient',
    fields: {
      'recipient.name': text('Whom the packet is for', 'Grace Sample'),
      'writer.name': text('Who shares it', 'Dana Whitfield'),
      'site.name': text('The site', 'Harbor General Hospital'),
      'student.count': text('How many students it is about', '12'),
      'packet.until': text('The last day on which the link works', '01/31/2030'),
      link: link('The packet, once a code was typed'),
    },
    needed: ['link'],
    when: 'Sent when staff share a packet under “Site packets”.',
    about: 'Site packet. Sends the link to a packet of requirements to its recipient at the site.',
    en: [
      'Requirements of {{student.count}} students for {{site.name}}',
      'Hello {{recipient.name}},',
      '{{writer.name}} of {{program.name}} shares with you which requirements {{student.count}} students meet who come to {{site.name}}.',
      '<a href="{{link}}">Open the packet</a>',
      'The link works until {{packet.until}}. The first time, we email you a code.',
      'Education records are protected by law (FERPA, 34 CFR 99.33). Use them for placing and supervising these students only, and pass them on to nobody without the student’s consent.',
    ],
  }),
  SITE_list_asked: email({
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
    needed: ['link'],
    when: 'Sent when a placement list is sent to a site, and again as a reminder two days before its date.',
    about:
      'Placement list. Sends the contact of a site the link to the students who come in a rotation, to confirm or decline each.',
    en: [
      '{{rotation.name}} at {{site.name}}: please confirm your students by {{list.answerBy}}',
      'Hello {{recipient.name}},',
      '{{list.text}}',
      '<a href="{{link}}">See the students and answer</a>',
      'You need no account. The first time, we email you a code.',
    ],
  }),
  SITE_list_answered: digest('coordinator', {
    page: '/new/admin/placement-lists?show=all',
    summary: ['Answer of a site', 'Answers of sites: {count}'],
    line: 'Harbor General Hospital, Fall 2030: 5 of 6 confirmed, 1 declined (Ben Sample)',
    about:
      'Answers of sites. Tells coordinators what sites answered about their placement lists, and which have not answered in time.',
    en: ['{{change.list}}', '<a href="{{link}}">See the placement lists</a>'],
    isCopied: true,
  }),
  SITE_places_asked: email({
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
    needed: ['link'],
    when: 'Sent when a site is asked for places, and again as a reminder two days before its date.',
    about:
      'Request for places. Asks the contact of a site by a link how many students it takes in a stretch of days.',
    en: [
      'Can {{site.name}} take {{request.students}}? Please answer by {{request.answerBy}}',
      'Hello {{recipient.name}},',
      '{{request.text}}',
      '<a href="{{link}}">See the request and answer</a>',
      'You need no account. The first time, we email you a code.',
    ],
  }),
  SITE_places_decided: email({
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
    when: 'Sent when the program accepts or declines what a site offers.',
    about:
      'Decision about places. Tells the contact of a site what became of its answer to a request for places.',
    en: [
      '{{site.name}}: {{decision.summary}}',
      'Hello {{recipient.name}},',
      '{{decision.text}}',
      'There is nothing to do.',
    ],
  }),
  SITE_places_answered: digest('coordinator', {
    page: '/new/admin/place-requests?show=offered',
    summary: ['A site answered about places', 'Sites answered about places: {count}'],
    line: 'Harbor General Hospital offers 4 places 08/24/2030–12/11/2030; asked for 6',
    about:
      'Answers about places. Tells coordinators what sites answered to requests for places, and which have not answered in time.',
    en: ['{{change.list}}', '<a href="{{link}}">See the requests for places</a>'],
    isCopied: true,
  }),
  INBOX_weekly: email({
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
    needed: ['link'],
    when: 'Sent on Mondays at 7:00 in the time zone of the program to supervisors who have something to do, and when they or staff ask for it.',
    about:
      'Inbox by link. Sends supervisors, once a week or when asked, the link to what waits for them in all programs that know their address. Without an account: the first time a device opens it, a code is mailed.',
    en: [
      '{{inbox.summary}}',
      'Hello {{supervisor.firstName}},',
      '{{inbox.list}}',
      '<a href="{{link}}">Open your inbox</a>',
      'You do not have to sign in. The first time, we email you a code. The link works for 7 days, on one device, and only for you.',
    ],
    es: [
      '{{inbox.summary}}',
      'Hola, {{supervisor.firstName}}:',
      '{{inbox.list}}',
      '<a href="{{link}}">Abrir su bandeja</a>',
      'No tiene que iniciar sesión. La primera vez le enviamos un código por correo. El enlace funciona 7 días, en un dispositivo y solo para usted.',
    ],
  }),
  SITE_student_left: email({
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
    when: 'Sent when a student with coming shifts leaves the program, and when the student comes back, to sites that may be told of the student.',
    about:
      'A student leaves or comes back. Tells the contact of a site that a student who had shifts there no longer comes, or comes again.',
    en: ['{{site.name}}: {{change.summary}}', 'Hello {{recipient.name}},', '{{change.text}}'],
  }),
}
