/** Rules of clinical records that server and browser share: numbers, names, and what a record's holder shows to others. */

/** Without signs that are taken for others: no I, L, O, 0 and 1. */
export const numberSigns = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const groupLength = 4
const groups = 3

/** How a record's number is written, such as CR-7QK4-2M9X-VDHT. */
export const recordNumber = /^CR(-[A-HJKMNP-Z2-9]{4}){3}$/

/** A new number from random bytes, one for each of its twelve signs; bytes of 248 and up are skipped, so that all signs are as likely. */
export const numberFrom = (bytes: Iterable<number>): string | undefined => {
  const most = 256 - (256 % numberSigns.length)
  const signs = [...bytes]
    .filter((byte) => byte < most)
    .slice(0, groupLength * groups)
    .map((byte) => numberSigns[byte % numberSigns.length])
  if (signs.length < groupLength * groups) return undefined
  const parts = Array.from({ length: groups }, (_, at) =>
    signs.slice(at * groupLength, (at + 1) * groupLength).join(''),
  )
  return ['CR', ...parts].join('-')
}

/** A number as somebody types it, from paper or by heart, as it is written; undefined for what is none. */
export const readNumber = (typed: string): string | undefined => {
  const signs = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  // A number may itself begin with CR, and be typed without the CR before it.
  const own = signs.length > groupLength * groups ? signs.replace(/^CR/, '') : signs
  const written = `CR-${own.replace(/(.{4})(?=.)/g, '$1-')}`
  return recordNumber.test(written) ? written : undefined
}

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * Whether a name that somebody typed is that of a record: first and last name in either order, with or without the middle
 * names, whatever its accents, capitals and hyphens. An initial is not enough.
 */
export const isSameName = (typed: string, { First, Last }: { First: string; Last: string }): boolean => {
  const given = wordsOf(typed)
  const first = wordsOf(First)
  const last = wordsOf(Last)
  const all = new Set([...first, ...last])
  return (
    given.every((word) => all.has(word)) &&
    (first.length === 0 || given.includes(first[0] ?? '')) &&
    last.every((word) => given.includes(word)) &&
    given.length > 0
  )
}

/** What the holder of a record lets those see who verify it, besides that it is valid. */
export const sharedParts = ['hours', 'rotations', 'competencies'] as const
export type SharedPart = (typeof sharedParts)[number]

/** What the number in a record's PDF stands behind, so that a changed file still tells which one it was. */
export const numberMark = 'practicum-record:'

/** The number in the bytes of a file that was made as a record's PDF; undefined for any other file. */
export const numberInFile = (text: string): string | undefined =>
  /practicum-record:(CR(?:-[A-HJKMNP-Z2-9]{4}){3})/.exec(text)?.[1]

/** The number of a record in its credential, a JWT; undefined for any other text. Nothing of the signature is checked. */
export const numberInCredential = (text: string): string | undefined => {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(text.trim())?.[1]
  if (!payload) return undefined
  try {
    const { jti } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof jti === 'string' ? readNumber(new URL(jti).searchParams.get('number') ?? '') : undefined
  } catch {
    return undefined
  }
}

/** What a program director signs where everything is met. The version grows with every change of a text. */
export const clearanceText = {
  version: 2,
  text: 'I have reviewed this student’s clinical hours, competencies and requirements. The student has met the program’s requirements and is cleared for graduation and for the certification examination.',
}

/** How far a student is with one thing that clearance asks. */
interface Checked {
  Done: number
  Needed: number
  IsMet: boolean
}

const hoursText = (minutes: number): string => String(Math.round(minutes / 6) / 10)

/** What a program director signs: it says what is met, and of what is not which it is and by whose exception. */
export const clearanceSentence = (
  checks: Readonly<Record<'Hours' | 'Mandatory' | 'Electives' | 'Requirements', Checked>>,
  { missing, exception, name }: { missing: readonly string[]; exception: string; name: string },
): string => {
  const share = ({ Done, Needed }: Checked): string => `${Done} of ${Needed}`
  const { Hours, Mandatory, Electives, Requirements } = checks
  const open = [
    !Hours.IsMet && `clinical hours (${hoursText(Hours.Done)} of ${hoursText(Hours.Needed)})`,
    !Mandatory.IsMet && `mandatory competencies (${share(Mandatory)})`,
    !Electives.IsMet && `elective competencies (${share(Electives)})`,
    !Requirements.IsMet &&
      `requirements (${[share(Requirements), missing.length > 0 && `missing: ${missing.join(', ')}`].filter(Boolean).join('; ')})`,
  ].filter((part) => part !== false)
  if (open.length === 0) return clearanceText.text
  return `I have reviewed this student’s clinical hours, competencies and requirements. The student has not met: ${open.join('; ')}. By an exception granted by ${name}, program director, the student is cleared for graduation and for the certification examination all the same. Reason: ${exception}`
}

/** The exception, where the signed text does not say it: texts signed before it did. */
export const exceptionBesides = ({ Text, Exception }: { Text: string; Exception: string }): string[] =>
  Exception === '' || Text.endsWith(`Reason: ${Exception}`) ? [] : [`Exception: ${Exception}`]
