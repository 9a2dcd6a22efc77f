import { isBlank } from '#contract/core/blank.ts'
import { fitsForm } from '#contract/core/writing.ts'

/** The longest texts of a person, by their fields; the same in forms, imports, directories and rosters. */
export const personLimits = {
  FirstName: 255,
  MiddleName: 255,
  LastName: 255,
  Suffix: 50,
  Institution: 255,
  ZipCode: 50,
  PhoneNumber: 50,
  EmailAddress: 255,
  StudentNumber: 50,
  Cohort: 100,
} as const

/** Whether a person has a name: one word is one, as a first or a last name. */
export const isNamed = (first: string, last: string): boolean =>
  [first, last].some((name) => !isBlank(name) && fitsForm('name', name))

/** A person's name as lists have it: the last name first, and a name of one word as it is. */
export const listedName = ({ FirstName, LastName }: { FirstName: string; LastName: string }): string =>
  [LastName, FirstName].filter(Boolean).join(', ')
