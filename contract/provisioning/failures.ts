import { failure, failures, missing } from '#contract/core/failure.ts'

export const provisioningFailures = failures({
  no_provisioning: missing('This provisioning'),
  group_gone: failure(422, { en: 'A group is gone. Load the page again; nothing was saved.', code: 'gone' }),
})
