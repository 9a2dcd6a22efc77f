import { failure, failures } from '#contract/core/failure.ts'

export const changeFailures = failures({
  expired: failure(400, {
    en: 'Changes are kept for 60 days, and this cursor is older or from before the installation was restored. Load everything once, then begin with a new cursor.',
  }),
})
