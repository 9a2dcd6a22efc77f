import { digest, email } from '../email-kind.ts'
import { html, link, text } from '../mail-fields.ts'

/** Emails about evaluations. */
export const evaluationEmails = {
  EVALUATION_due: email({
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
    when: 'Sent once a day for all that are new or due, on the days that each template says, and when staff choose it under “Evaluation Status”.',
    isCopied: true,
    about:
      'Evaluation reminder. Reminds evaluators of evaluations that are new or due soon, one email a day.',
    en: [
      '{Evaluations} to complete: {{evaluation.count}}',
      '{Evaluations} to complete: {{evaluation.count}}. The first is due: {{evaluation.due}}.',
      '{{evaluation.list}}',
      '<a href="{{link}}">Open them</a>',
    ],
    es: [
      '{Evaluations} por completar: {{evaluation.count}}',
      '{Evaluations} por completar: {{evaluation.count}}. El primer plazo vence: {{evaluation.due}}.',
      '{{evaluation.list}}',
      '<a href="{{link}}">Abrirlas</a>',
    ],
  }),
  EVALUATION_late: email({
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
    when: 'Sent once a day when something is overdue, on the days that each template says.',
    isCopied: true,
    about:
      'Evaluations overdue. Goes to the evaluator when at least one evaluation is overdue, one email a day. New ones and those due soon are in it too.',
    en: [
      'Overdue {evaluations}: {{evaluation.count}}',
      'Hello {{evaluator.firstName}},',
      '{{evaluation.count}} of your {evaluations} are overdue. Open {evaluations}:',
      '{{evaluation.list}}',
      '<a href="{{link}}">Open the {evaluations}</a>',
    ],
    es: [
      'Plazo vencido: {{evaluation.count}} {evaluations}',
      'Hola, {{evaluator.firstName}}:',
      'venció el plazo de estas {evaluations}:',
      '{{evaluation.list}}',
      '<a href="{{link}}">Abrir las {evaluations}</a>',
    ],
  }),
  EVALUATION_completed: digest('coordinator', {
    page: '/new/admin/evaluations/status',
    summary: ['{count} evaluation was submitted', '{count} evaluations were submitted'],
    line: 'Clinical evaluation of Ada Example, by Grace Sample',
    about:
      'Evaluations completed. Tells coordinators which evaluations were submitted. Anonymous evaluations are never named.',
    en: ['these evaluations were submitted:', '{{change.list}}', '<a href="{{link}}">See evaluations</a>'],
    isCopied: true,
  }),
  EVALUATION_low_score: digest('coordinator', {
    page: '/new/admin/evaluations/status',
    summary: ['{count} evaluation has low scores', '{count} evaluations have low scores'],
    line: 'Clinical evaluation of Ada Example: 2 low scores',
    about:
      'Low score. Tells coordinators that an evaluation has scores below the limit of its template. Never for anonymous evaluations.',
    en: ['{{change.list}}', '<a href="{{link}}">See evaluations</a>'],
    isCopied: true,
  }),
  EVALUATION_overdue: digest('coordinator', {
    when: 'Sent once a day for the evaluations that are overdue for as many days as their template says.',
    page: '/new/admin/evaluations/status?quick=late',
    summary: ['{count} evaluator is behind', '{count} evaluators are behind'],
    line: 'Grace Sample: 2 evaluations, the oldest due 01/31/2030',
    about:
      'Evaluations long overdue. Tells coordinators which evaluators have been overdue, once the number of days that the template sets has passed. One email a day.',
    en: ['these evaluators are overdue:', '{{change.list}}', '<a href="{{link}}">See {evaluations}</a>'],
    isCopied: true,
  }),
  EVALUATION_requested: email({
    person: 'evaluator',
    fields: {
      'evaluator.firstName': text('The first name of the evaluator', 'Grace'),
      'requester.name': text('Who asks', 'Ada Example'),
      'evaluation.title': text('The title of the evaluation', 'Clinical evaluation'),
      'evaluation.due': text('When it is due', '01/31/2030'),
      'request.note': html('What the person wrote with it', '<p>About the last two weeks.</p>'),
      link: link('The evaluation'),
    },
    when: 'Sent at once when someone asks for an evaluation.',
    isCopied: true,
    about: 'Evaluation requested. Tells an evaluator that someone asks for an evaluation.',
    en: [
      '{{requester.name}} asks for an {evaluation}',
      'Hello {{evaluator.firstName}},',
      '{{requester.name}} asks you for an {evaluation}: {{evaluation.title}}. It is due: {{evaluation.due}}.',
      '{{request.note}}',
      '<a href="{{link}}">Open it</a>',
    ],
    es: [
      '{{requester.name}} le pide: {evaluation}',
      'Hola, {{evaluator.firstName}}:',
      '{{requester.name}} le pide esto: {{evaluation.title}} ({evaluation}). El plazo vence: {{evaluation.due}}.',
      '{{request.note}}',
      '<a href="{{link}}">Abrir</a>',
    ],
  }),
}
