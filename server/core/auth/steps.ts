import { type Text, text } from '#contract/language/texts.ts'

/** What the session's row says about steps that are still to be done. */
interface Facts {
  needs_eula: boolean
  needs_authenticator: boolean
}

interface Step {
  name: string
  /** The one page that is open while the step waits, below `{root}/new`. */
  page: string
  /** What a refused call says. */
  message: Text
  waits: (facts: Facts) => boolean
}

/**
 * What a person has to do after signing in and before anything else, in this order. While one
 * waits, every page leads to its page and every call is refused, except those that are declared `duringStep`. A new step
 * is one entry here and one column where sessions and log-ins are found.
 */
export const steps = [
  {
    name: 'eula',
    page: '/eula',
    message: text(
      'The license agreement has changed. Read and accept it first.',
      'El acuerdo de licencia cambió. Primero léalo y acéptelo.',
    ),
    waits: ({ needs_eula }) => needs_eula,
  },
  {
    name: 'authenticator',
    page: '/totp-settings',
    message: text('Your program asks its staff for an authenticator. Set it up first.'),
    waits: ({ needs_authenticator }) => needs_authenticator,
  },
] as const satisfies readonly Step[]

export const stepOf = (facts: Facts): Step | undefined => steps.find((step) => step.waits(facts))
