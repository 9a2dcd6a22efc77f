const foreign: Record<string, string> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', þ: 'th', ı: 'i' }

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßæøœłđþı]/g, (sign) => foreign[sign]!)
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '')

/** Without the digits at its end, which are the counter's. */
const uncounted = (text: string): string => text.slice(0, 40).replace(/\d+$/, '')

export interface Named {
  firstName: string
  lastName: string
  email?: string | null | undefined
  studentNumber?: string | null | undefined
}

/**
 * The beginning of a user name made from a person's name: `dwhitfield`, of a single word the word. Names without Latin letters give the email before its @,
 * or else the student number; who has neither is a `user`.
 */
export const userNameStem = ({ firstName, lastName, email, studentNumber }: Named): string => {
  const address = letters(email?.split('@')[0] ?? '').slice(0, 40)
  return (
    (letters(lastName) !== '' && uncounted(letters(firstName).slice(0, 1) + letters(lastName))) ||
    uncounted(letters(firstName)) ||
    uncounted(address) ||
    address ||
    letters(studentNumber ?? '').slice(0, 40) ||
    'user'
  )
}

/** What all user names of a stem have before their counter. */
export const countedStem = (stem: string): string => stem.replace(/\d+$/, '')

/** The first name made from the stem that is not taken; it is taken afterwards. `taken` holds names in lower case. */
export const freeUserName = (stem: string, taken: Set<string>, counters: Map<string, number>): string => {
  let count = counters.get(stem) ?? 1
  let name = count === 1 ? stem : `${stem}${count}`
  while (taken.has(name)) {
    count++
    name = `${stem}${count}`
  }
  counters.set(stem, count)
  taken.add(name)
  return name
}
