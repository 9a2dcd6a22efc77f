import { failure, failures, missing } from '#contract/core/failure.ts'

export const graduateFailures = failures({
  no_measure: missing('This measure'),
  no_page: missing('This page'),
  no_graduate: missing('This graduate'),
  in_future: failure(422, {
    en: 'A graduation, a withdrawal or an exam result cannot lie in the future. Nothing was saved; enter it once it has happened.',
  }),
  nobody_in_cohort: failure(422, { en: 'Nobody is in this cohort. Nothing was added.', code: 'no_one' }),
  added_again: failure(409, 'This person has been added again. The deleted row was kept as it is.'),
})
