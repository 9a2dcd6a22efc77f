import { failure, failures } from '#contract/core/failure.ts'

export const clinicalRecordFailures = failures({
  not_cleared_yet: failure(409, {
    en: 'The program director has not cleared this student yet. Sign clearance first.',
    code: 'not_cleared',
  }),
  wrong_name: failure(422, 'Type your own name, {Name}. Nothing was signed.'),
  text_changed: failure(409, {
    en: 'The text has changed since you read it. Nothing was signed; read it again.',
    code: 'stale',
  }),
  cleared: failure(409, '{First} {Last} is cleared already. Nothing was changed.'),
  not_met: failure(422, {
    en: 'Not everything is met. Say why the student is cleared all the same. Nothing was signed.',
  }),
  not_cleared: failure(409, 'This student is not cleared. Nothing was changed.'),
  not_valid: failure(409, 'Record {Number} is not valid any longer. Nothing was changed.'),
})
