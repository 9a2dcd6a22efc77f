import { digest, email } from '../email-kind.ts'
import { byHand, checkbox, html, line, lines, link, text } from '../mail-fields.ts'

/** Emails with news, reports, and about the installation. */
export const programEmails = {
  OTHER_test: email({
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
      checkbox('NameInstallation', 'Name the address of this installation'),
      line('Greeting', 'How the email begins', 'Hello'),
      lines('Closing', 'Text at its end'),
    ],
    when: 'Sent by “Send Test Notification”, to the person who clicks it. It shows whether mail arrives.',
    about:
      'Test notification. Shows whether mail arrives. “Send Test Notification” sends it to the person who clicks it.',
    en: [
      'Test notification',
      '{{parameter.Greeting}} {{user.name}},',
      'this email was sent on {{sent.at}}. Mail works.',
      '{{sent.from}}',
      '{{parameter.Closing}}',
    ],
  }),
  CUSTOM_report: email({
    person: 'reader',
    fields: {
      'reader.firstName': text('The first name of the reader', 'Grace'),
      'report.name': text('The name of the report', 'Hours by site'),
      'report.frequency': text('How often it comes', 'weekly'),
      link: link('The report, for signed-in people only'),
    },
    when: 'Sent to everyone who signed up for it on the page of a custom report.',
    about: 'Custom report. Tells people who signed up for it that a report is ready.',
    en: [
      'Your {{report.frequency}} report: {{report.name}}',
      'Hello {{reader.firstName}},',
      'your {{report.frequency}} report is ready: <a href="{{link}}">{{report.name}}</a>.',
      'You signed up for this email on the report’s page, where you can also end it.',
    ],
  }),
  PROGRAM_unused_features: email({
    person: 'staff',
    fields: {
      'staff.firstName': text('The first name of the reader', 'Grace'),
      'feature.summary': text('The name of the feature, or how many guides', '2 short guides'),
      'feature.guides': html(
        'The guides, each with its link',
        '<h3>Time clock</h3><p>Students clock in at the door.</p><p><a href="/new/login">Begin here</a></p>',
      ),
    },
    when: byHand('Unused Feature Notifications'),
    about: 'Unused features. Short guides to what a program has and never used.',
    en: [
      'Have you tried this yet? {{feature.summary}}',
      'Hello {{staff.firstName}},',
      '{{program.name}} has not used this yet. It is part of what you have.',
      '{{feature.guides}}',
    ],
  }),
  DOCUMENT_added: digest('reader', {
    page: '/new/documents',
    summary: ['{count} document was added', '{count} documents were added'],
    line: 'Handbook: Clinical handbook 2030',
    about: 'Documents added. Tells everyone who may read them which documents were added.',
    en: ['these documents were added:', '{{change.list}}', '<a href="{{link}}">See documents</a>'],
    es: ['se agregaron estos documentos:', '{{change.list}}', '<a href="{{link}}">Ver los documentos</a>'],
    isCopied: true,
  }),
  ANNOUNCEMENT_published: email({
    person: 'reader',
    fields: {
      'reader.firstName': text('The first name of the reader', 'Ada'),
      'announcement.summary': text('How the announcement begins', 'Clinic is closed on Friday'),
      'announcement.text': html('The announcement', '<p>Clinic is closed on Friday.</p>'),
      link: link('The home page, where announcements are acknowledged'),
    },
    when: 'Sent to everyone an announcement is for, when it becomes active for the first time.',
    about: 'Announcement. Brings a new announcement to everyone it is for.',
    en: [
      'Announcement: {{announcement.summary}}',
      'Hello {{reader.firstName}},',
      '{{announcement.text}}',
      '<a href="{{link}}">Open the home page</a>',
    ],
    es: [
      'Anuncio: {{announcement.summary}}',
      'Hola, {{reader.firstName}}:',
      '{{announcement.text}}',
      '<a href="{{link}}">Abrir la página de inicio</a>',
    ],
  }),
  REPORT_weekly: email({
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
    when: 'Sent on Mondays to super admins with the area Custom Reports.',
    about: 'Weekly report. Brings the figures of the past week to the super admins who read them.',
    en: [
      'Weekly report: week of {{report.week}}',
      'Hello {{reader.firstName}},',
      '{{report.figures}}',
      '<a href="{{link}}">Open the weekly report</a>',
    ],
  }),
  WEBHOOK_disabled: email({
    person: 'admin',
    fields: {
      'admin.firstName': text('The first name of the administrator', 'Grace'),
      'webhook.host': text('The host of the endpoint', 'hooks.example.org'),
      'webhook.reason': text('Why it was switched off', 'it did not take an event for three days.'),
      link: link('The page Webhooks'),
    },
    needed: ['link'],
    when: 'Sent to administrators when an endpoint has not taken an event for three days.',
    about:
      'Webhook switched off. Tells the administrators of a program that an endpoint did not take its events for three days.',
    en: [
      'A webhook was switched off: {{webhook.host}}',
      'Hello {{admin.firstName}},',
      'The webhook to {{webhook.host}} was switched off: {{webhook.reason}}',
      'Events that happen while it is off are not kept. What waits for it is sent once it is on again.',
      '<a href="{{link}}">See the deliveries</a>',
    ],
  }),
}
