import { failure, failures } from '#contract/core/failure.ts'

export const systemFailures = failures({
  no_copy: failure(409, 'This installation is the real one already. Nothing was changed.'),
  wrong_mail_code: failure(422, 'This is not the code of the last test email. Nothing was saved.'),
  part_off: failure(422, 'This installation does not use it, so there is nothing to test.'),
})
