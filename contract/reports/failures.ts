import { failure, failures, missing } from '#contract/core/failure.ts'

export const reportFailures = failures({
  no_report: missing('This report'),
  not_yours: failure(409, '{Name} belongs to {Owner}, so nothing was changed. Save a copy of your own.'),
  no_email: failure(422, {
    en: 'Your account has no email address. Add one in your preferences; nothing was changed.',
  }),
  no_document: missing('This document'),
  no_goal: missing('This goal'),
  no_outcome: missing('This outcome'),
  too_many_goals: failure(422, {
    en: '{Year} has {Count} goals. Nothing was added; delete one first.',
    code: 'too_many',
  }),
  too_many_outcomes: failure(422, {
    en: 'This goal has {Count} outcomes. Nothing was added; delete one first.',
    code: 'too_many',
  }),
  empty: failure(422, '{FromYear} has no goals. Nothing was copied.'),
  year_taken: failure(409, {
    en: '{ToYear} has goals already. Nothing was copied; delete them first, or choose another year.',
  }),
})
