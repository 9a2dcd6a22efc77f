/** Most different errors that a process tells apart in an hour, and most that it counts in a minute: whoever sends more says nothing new. */
const maxKinds = 50
const maxInMinute = 60

const isKind = /^[A-Z][A-Za-z]{2,39}$/
const isPlace = /^[\w.-]{1,100}\.js:\d{1,7}:\d{1,7}$/

/** A reported error as it is kept: its kind, the page, and the place in our own code. What is none of ours is left out. */
export const nameOf = (kind: string, page: string, places: readonly string[]): string =>
  [isKind.test(kind) ? kind : 'Error', page, places.find((place) => isPlace.test(place))]
    .filter(Boolean)
    .join(' · ')

/** Keeps a flood of reports from filling the log and the database: says under which name one counts, or that it does not. */
export const createBudget = () => {
  let names = new Set<string>()
  let hour = -1
  let minute = -1
  let counted = 0
  return (name: string, atMs: number): { name: string; isNew: boolean } | undefined => {
    if (Math.floor(atMs / 60_000) !== minute) {
      minute = Math.floor(atMs / 60_000)
      counted = 0
    }
    if (Math.floor(atMs / 3_600_000) !== hour) {
      hour = Math.floor(atMs / 3_600_000)
      names = new Set()
    }
    if (++counted > maxInMinute) return undefined
    if (names.has(name)) return { name, isNew: false }
    if (names.size >= maxKinds) return { name: 'others', isNew: false }
    names.add(name)
    return { name, isNew: true }
  }
}
