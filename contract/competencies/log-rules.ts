/** Ages of patients as registries count them; a list says where each begins and ends. */
export const patients = ['adult', 'pediatric', 'geriatric'] as const
export type Patient = (typeof patients)[number]

export const logStates = ['submitted', 'verified', 'returned'] as const
export type LogState = (typeof logStates)[number]

/** Most lines that are saved in one call. */
export const maxLines = 30
/** Most procedures, and most repeats, of one line. */
export const maxCount = 99
/** How many days back procedures can be logged. */
export const loggableDays = 366

export type PrivateDetail = 'ssn' | 'phone' | 'birth' | 'record'

const spanishMonths = 'ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic'
const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
/** The first that matches names it. A day with its year is refused whatever it is of: what was done when is the day of the entry. */
const privateDetails: readonly (readonly [PrivateDetail, RegExp])[] = [
  ['birth', /\b(dob|d\.o\.b\.?|date of birth|birth ?(day|date)|born)\b/i],
  ['birth', /\b\d{1,2}\s?[/.-]\s?\d{1,2}\s?[/.-]\s?(\d{4}|\d{2})\b/],
  ['birth', /\b(19|20)\d\d[/.-]\d{1,2}[/.-]\d{1,2}\b/],
  ['birth', new RegExp(`\\b(${months})[a-z]*\\.? \\d{1,2}(st|nd|rd|th)?,? (19|20)\\d\\d\\b`, 'i')],
  ['birth', new RegExp(`\\b\\d{1,2}(st|nd|rd|th)? (${months})[a-z]*\\.?,? (19|20)\\d\\d\\b`, 'i')],
  // As people write who read the pages in Spanish.
  ['birth', /\b(fecha de nacimiento|(?<!reci[eé]n )nacid[oa])\b/i],
  ['birth', new RegExp(`\\b\\d{1,2} de (${spanishMonths})[a-z]* (del? )?(19|20)\\d\\d\\b`, 'i')],
  ['ssn', /\bseguro social\b/i],
  ['record', /\bexpediente\b/i],
  ['ssn', /\b\d{3}[- ]\d{2}[- ]\d{4}\b/],
  ['ssn', /\b(ssn|social security)\b/i],
  ['phone', /(\+?1[-. ]?)?(\(\d{3}\) ?|\b\d{3}[-. ])\d{3}[-. ]\d{4}\b/],
  [
    'record',
    /\b(mrn|m\.r\.n\.?|medical record|record (no|number|#)|accession|acc(ession)? ?#|patient id|pt id)\b/i,
  ],
  // Six digits and more, also with hyphens and blanks between or letters in front. Views and exposures have fewer.
  ['record', /\d(?:[- ]?\d){5,}/],
]

/** What in a text looks like it tells who the patient is; undefined where nothing does. */
export const privateDetailIn = (text: string): PrivateDetail | undefined =>
  privateDetails.find(([, pattern]) => pattern.test(text))?.[0]

/** Whether the student may still change or delete an entry. */
export const isOpenToStudent = (state: LogState): boolean => state !== 'verified'

/** Whether an entry may be verified together with others: repeats are confirmed one at a time. */
export const isClean = ({ State, Repeats }: { State: LogState; Repeats: number }): boolean =>
  State === 'submitted' && Repeats === 0

/** Words that tell one procedure from another, without those that many share. */
const wordsOf = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2 && !['and', 'the', 'age', 'patient', 'routine'].includes(word))

const variantPattern: Readonly<Record<Exclude<Patient, 'adult'>, RegExp>> = {
  pediatric: /^pa?ediatric\b/i,
  geriatric: /^geriatric\b/i,
}

/**
 * The procedure of the list that is meant for such a patient: for a child's "Chest Routine" the "Pediatric Chest Routine".
 * All words that it has besides must be in the name of the logged one.
 */
export const variantFor = <P extends { Id: number; Name: string }>(
  patient: Patient,
  logged: P,
  procedures: readonly P[],
): P | undefined => {
  if (patient === 'adult' || Object.values(variantPattern).some((pattern) => pattern.test(logged.Name)))
    return undefined
  const own = wordsOf(logged.Name)
  return procedures.find((each) => {
    if (each.Id === logged.Id || !variantPattern[patient].test(each.Name)) return false
    const [, ...rest] = wordsOf(each.Name)
    return rest.length > 0 && rest.every((word) => own.includes(word))
  })
}
