/** Fields that are names of things by their number, which readers of a history do not know. */
const isNumbered = /(?:^|[a-z])Ids?$/

/** 'LastRenewalDate' is 'Last renewal date', 'StudentLevelId' is 'Student level'. */
export const fieldWords = (name: string): string => {
  const text = name
    .replace(isNumbered, (end) => end.replace(/Ids?$/, ''))
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase())
    .trim()
  const shown = text || name
  return shown.charAt(0).toUpperCase() + shown.slice(1)
}

/** Whether a field says which thing it is by its number alone. */
export const isNumberOf = (name: string): boolean => isNumbered.test(name) || name === 'id' || name === 'ids'
