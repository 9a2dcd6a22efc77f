const foreign: Record<string, string> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', þ: 'th', ı: 'i' }

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßæøœłđþı]/g, (sign) => foreign[sign]!)
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '')

/** The beginning of a user name made from a person's name: `dwhitfield`. Names without Latin letters give `user`. */
export const userNameStem = (firstName: string, lastName: string): string => {
  const stem = letters(firstName).slice(0, 1) + letters(lastName)
  // Digits at the end are the counter's.
  return (
    stem.slice(0, 40).replace(/\d+$/, '') || letters(firstName).slice(0, 40).replace(/\d+$/, '') || 'user'
  )
}

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
