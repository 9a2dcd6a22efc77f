import { digest, email } from '../email-kind.ts'
import { link, shiftSample, studentFirstName, text } from '../mail-fields.ts'

const rankingFields = {
  'student.firstName': studentFirstName,
  'plan.name': text('The name of the plan', 'Clinical II, spring 2030'),
  'plan.closes': text('When the ranking closes', '12/04/2029 17:00'),
}

/** Emails about shifts, swaps and covers, and what students rank in placement plans. */
export const shiftEmails = {
  PLACEMENT_made: digest('student', {
    page: '/new/schedule',
    summary: ['{count} shift was added to your schedule', '{count} shifts were added to your schedule'],
    line: shiftSample,
    about:
      'Shifts added. Tells students which shifts were added to their schedule, one email for all changes within a few minutes.',
    en: [
      'these shifts were added to your schedule:',
      '{{change.list}}',
      '<a href="{{link}}">See your schedule</a>',
    ],
    es: [
      'se agregaron estos turnos a su horario:',
      '{{change.list}}',
      '<a href="{{link}}">Ver su horario</a>',
    ],
    isCopied: true,
  }),
  PLACEMENT_changed: digest('student', {
    page: '/new/schedule',
    summary: ['Your schedule has changed: {count} shift', 'Your schedule has changed: {count} shifts'],
    line: `Now ${shiftSample}`,
    about:
      'Shifts changed. Tells students what changed in their schedule, one email for all changes within a few minutes.',
    en: ['your schedule has changed:', '{{change.list}}', '<a href="{{link}}">See your schedule</a>'],
    es: ['su horario cambió:', '{{change.list}}', '<a href="{{link}}">Ver su horario</a>'],
    isCopied: true,
  }),
  PLACEMENT_removed: digest('student', {
    page: '/new/schedule',
    summary: [
      '{count} shift was removed from your schedule',
      '{count} shifts were removed from your schedule',
    ],
    line: shiftSample,
    about:
      'Shifts removed. Tells students which shifts were removed from their schedule, one email for all changes within a few minutes.',
    en: [
      'these shifts were removed from your schedule:',
      '{{change.list}}',
      '<a href="{{link}}">See your schedule</a>',
    ],
    es: [
      'se quitaron estos turnos de su horario:',
      '{{change.list}}',
      '<a href="{{link}}">Ver su horario</a>',
    ],
    isCopied: true,
  }),
  SHIFT_swap: digest('student', {
    page: '/new/swaps?show=own',
    summary: ['News about a shift request', 'News about {count} shift requests'],
    line: shiftSample,
    about: 'Shift swap. Tells a student what became of a shift that was offered to others.',
    en: ['{{change.list}}', '<a href="{{link}}">See your schedule</a>'],
    es: ['{{change.list}}', '<a href="{{link}}">Ver sus solicitudes</a>'],
  }),
  PLACEMENT_ranking_open: email({
    person: 'student',
    fields: { ...rankingFields, link: link('The page on which the student ranks') },
    when: 'Sent when a ranking opens, to all students of the plan.',
    about: 'Rank your sites. Tells students that they can rank sites for a plan.',
    en: [
      'Rank your sites: {{plan.name}}',
      'Hello {{student.firstName}},',
      'You can rank your sites for <strong>{{plan.name}}</strong> until {{plan.closes}}.',
      '<a href="{{link}}">Rank your sites</a>',
    ],
    es: [
      'Ordene sus {sites}: {{plan.name}}',
      'Hola, {{student.firstName}}:',
      'Puede ordenar sus {sites} para <strong>{{plan.name}}</strong> hasta el {{plan.closes}}.',
      '<a href="{{link}}">Ordenar sus {sites}</a>',
    ],
  }),
  PLACEMENT_ranking_reminder: email({
    person: 'student',
    fields: { ...rankingFields, link: link('The page on which the student ranks') },
    when: 'Sent a day before a ranking closes, and when staff remind students, to those who have not submitted one.',
    about: 'Rank your sites: reminder. Reminds students who have not submitted a ranking before it closes.',
    en: [
      'Your ranking closes {{plan.closes}}: {{plan.name}}',
      'Hello {{student.firstName}},',
      'Your ranking for <strong>{{plan.name}}</strong> is not submitted yet. It closes {{plan.closes}}.',
      '<a href="{{link}}">Rank your sites</a>',
    ],
    es: [
      'Su elección cierra el {{plan.closes}}: {{plan.name}}',
      'Hola, {{student.firstName}}:',
      'Aún no ha enviado su elección para <strong>{{plan.name}}</strong>. Cierra el {{plan.closes}}.',
      '<a href="{{link}}">Ordenar sus {sites}</a>',
    ],
  }),
  PLACEMENT_ranking_receipt: email({
    person: 'student',
    fields: {
      ...rankingFields,
      ranking: text('The sites in their order', '1. Harbor General Hospital, 2. Mercy Ridge'),
      link: link('The page on which the student ranks'),
    },
    when: 'Sent when a student submits a ranking.',
    about: 'Ranking received. Confirms to a student what they ranked.',
    en: [
      'Your ranking for {{plan.name}}',
      'Hello {{student.firstName}},',
      'We received your ranking for <strong>{{plan.name}}</strong>:',
      '{{ranking}}',
      'You can change it until {{plan.closes}}.',
      '<a href="{{link}}">Open your ranking</a>',
    ],
    es: [
      'Su elección para {{plan.name}}',
      'Hola, {{student.firstName}}:',
      'Recibimos su elección para <strong>{{plan.name}}</strong>:',
      '{{ranking}}',
      'Puede cambiarla hasta el {{plan.closes}}.',
      '<a href="{{link}}">Abrir su elección</a>',
    ],
  }),
  SHIFT_open: digest('student', {
    page: '/new/open-shifts',
    summary: ['{count} new open shift', '{count} new open shifts'],
    line: shiftSample,
    about:
      'Open shifts. Tells students about shifts that they can sign up for, when staff choose to announce them.',
    en: [
      'You can sign up for:',
      '{{change.list}}',
      'Places go to whoever signs up first.',
      '<a href="{{link}}">See open shifts</a>',
    ],
    es: [
      'puede apuntarse a:',
      '{{change.list}}',
      'Las plazas son para quienes se apunten primero.',
      '<a href="{{link}}">Ver los turnos abiertos</a>',
    ],
  }),
  SHIFT_change_asked: digest('coordinator', {
    page: '/new/admin/shift-requests',
    summary: ['{count} shift request waits for a decision', '{count} shift requests wait for a decision'],
    line: `Swap: Ada Example gives ${shiftSample}`,
    about: 'Shift requests. Tells coordinators that a swap, a cover or a late drop waits for approval.',
    en: ['{{change.list}}', '<a href="{{link}}">Approve or decline</a>'],
    isCopied: true,
  }),
  SHIFT_site_asked: email({
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
    needed: ['link'],
    when: 'Sent when students agree on a swap or cover, in programs where the site approves it.',
    about: 'Shift change at a site. Sends the link by which a site approves a swap or cover.',
    en: [
      'Shift change at {{site.name}}: please approve or decline',
      'Hello {{recipient.name}},',
      '{{change.text}}',
      '<a href="{{link}}">Approve or decline</a>',
      'Nothing changes until you approve. The first time, we email you a code.',
    ],
  }),
  PLACEMENT_published: email({
    person: 'student',
    fields: {
      'student.firstName': studentFirstName,
      'plan.name': rankingFields['plan.name'],
      placements: text('Where the student is in each block', 'Block 1: Harbor General Hospital, HGH-D'),
      link: link('The page with the result and its reasons'),
    },
    when: 'Sent to the students of a plan when its placements are published.',
    about: 'Placements are out. Tells students that they can see where they are placed by a plan.',
    en: [
      'Your placement: {{plan.name}}',
      'Hello {{student.firstName}},',
      'Your placements of <strong>{{plan.name}}</strong> are out:',
      '{{placements}}',
      '<a href="{{link}}">See your placement and why</a>',
    ],
    es: [
      'Sus prácticas: {{plan.name}}',
      'Hola, {{student.firstName}}:',
      'Ya se publicaron sus prácticas de <strong>{{plan.name}}</strong>:',
      '{{placements}}',
      '<a href="{{link}}">Ver sus prácticas y por qué</a>',
    ],
  }),
}
