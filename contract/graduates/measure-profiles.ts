import type { Measure } from './measures-rules.ts'

/** Figures of fewer people are not published unless the program sets another number: one person’s result could be read from them. */
export const fewestShown = 5

export interface ProfileMeasure extends Measure {
  Name: string
  Alternative: string
  FewestShown: number
}

const measure = (Name: string, rules: Measure, more: Partial<ProfileMeasure> = {}): ProfileMeasure => ({
  Name,
  Alternative: '',
  FewestShown: fewestShown,
  ...rules,
  ...more,
})

const pass = { Kind: 'pass', Success: 'first', Population: 'tested', WithinMonths: 6 } as const
const placement = { Kind: 'placement', Success: 'field', Population: 'available', WithinMonths: 12 } as const
const completion = {
  Kind: 'completion',
  Success: 'onTime',
  Population: 'entered',
  WithinMonths: 24,
  Years: 1,
} as const
const free = { Target: 'none', Threshold: null } as const
const from = (Threshold: number) => ({ Target: 'threshold', Threshold }) as const

/**
 * What accreditors ask, as they published it for 2026; a program changes what has changed since.
 */
export const profiles = {
  jrcert: {
    name: 'JRCERT (radiography)',
    measures: [
      measure('Credentialing examination pass rate', { ...pass, Years: 5, ...from(75) }),
      measure('Job placement rate', { ...placement, Years: 5, ...from(75) }),
      measure('Program completion rate', { ...completion, ...free }),
    ],
  },
  jrcdms: {
    name: 'CAAHEP, JRC-DMS (sonography)',
    measures: [
      measure('Credentialing success', { ...pass, Success: 'any', WithinMonths: 12, Years: 3, ...from(60) }),
      measure('Positive placement', {
        ...placement,
        Success: 'positive',
        Population: 'graduates',
        Years: 3,
        ...from(75),
      }),
      measure('Retention', {
        ...completion,
        Success: 'ever',
        Population: 'allEntered',
        Years: 3,
        ...from(70),
      }),
    ],
  },
  coarc: {
    name: 'CoARC (respiratory care)',
    measures: [
      measure('High cut score', {
        ...pass,
        Success: 'high',
        Population: 'graduates',
        WithinMonths: null,
        Years: 3,
        ...from(60),
      }),
      measure('Retention', {
        ...completion,
        Success: 'ever',
        Population: 'entered',
        Years: 3,
        ...from(70),
      }),
      measure('Job placement', { ...placement, Success: 'positive', Years: 3, ...free }),
    ],
  },
  acen: {
    name: 'ACEN (nursing)',
    measures: [
      measure(
        'Licensure pass rate, first attempt',
        { ...pass, WithinMonths: null, Years: 3, ...from(80) },
        { Alternative: 'licensure' },
      ),
      measure(
        'Licensure pass rate, with repeaters',
        { ...pass, Success: 'any', WithinMonths: null, Years: 3, ...from(80) },
        { Alternative: 'licensure' },
      ),
      measure(
        'Licensure pass rate beside the national mean',
        { ...pass, WithinMonths: null, Years: 3, Target: 'mean', Threshold: null },
        { Alternative: 'licensure' },
      ),
      measure('Program completion rate', { ...completion, ...free }),
      measure('Job placement rate', { ...placement, Years: 1, ...free }),
    ],
  },
} as const satisfies Record<string, { name: string; measures: readonly ProfileMeasure[] }>

export type ProfileKey = keyof typeof profiles
// The keys of the object above, as it is written.
export const profileKeys = Object.keys(profiles) as ProfileKey[]
