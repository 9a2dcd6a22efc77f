/** People whose names may be two spellings of one person's, for server and browser: a reason to look, never to refuse. */
import { searchKey } from '#contract/core/search.ts'

export interface NamedPerson {
  FirstName: string
  LastName: string
  /** Different numbers mean different people. */
  StudentNumber?: string | null
}

/** The words of a name as every search compares them. */
const wordsOf = (name: string): string[] =>
  searchKey(name)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

/** The Levenshtein distance of two words: how many letters to add, drop, or replace. */
const distance = (one: string, other: string): number => {
  // No caller asks beyond 2.
  if (Math.abs(one.length - other.length) > 2) return 3
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const now = [row]
    for (let at = 1; at <= other.length; at++)
      now[at] = Math.min(
        before[at]! + 1,
        now[at - 1]! + 1,
        before[at - 1]! + (one[row - 1] === other[at - 1] ? 0 : 1),
      )
    before = now
  }
  return before[other.length]!
}

/** Short words differ by a letter without being one: Lee and Lea, Kim and Tim. */
const shortest = 4

const isMisspelled = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) >= shortest && distance(one, other) <= 1)

/** The same first name misspelled, shortened, or in another language: Alex and Alexander, Mary and Maria. */
const isSameFirst = (one: string, other: string): boolean =>
  isMisspelled(one, other) ||
  (one.slice(0, 3) === other.slice(0, 3) &&
    Math.min(one.length, other.length) >= 3 &&
    (one.startsWith(other) || other.startsWith(one) || distance(one, other) <= 2))

interface Words {
  first: string[]
  last: string[]
}
/** A single name is a first name, whichever field holds it. */
const nameOf = ({ FirstName, LastName }: NamedPerson): Words => {
  const [first, last] = [wordsOf(FirstName), wordsOf(LastName)]
  return first.length > 0 ? { first, last } : { first: last, last: first }
}

const isAlike = (one: Words, other: Words): boolean => {
  const [few, many] = one.last.length <= other.last.length ? [one, other] : [other, one]
  // A single name has nothing beside it to tell misspelled from different.
  if (few.last.length === 0) return many.last.length === 0 && one.first.join(' ') === other.first.join(' ')
  return (
    isSameFirst(one.first[0]!, other.first[0]!) &&
    few.last.every((word) => many.last.some((each) => isMisspelled(word, each)))
  )
}

/** Only people who share a key are compared: the start of the first name and of one last name. */
const keysOf = ({ first, last }: Words): string[] => {
  const start = first[0]!.slice(0, 3)
  return last.length === 0 ? [start] : last.map((word) => `${start} ${word.slice(0, 2)}`)
}

/** Most people a name is compared with. In a list of tens of thousands, so many share a key that more would say nothing. */
const mostLookedAt = 50

/** People by name: `add` takes one in, `find` gives the first that another may be. */
export class AlikePeople<Person extends NamedPerson> {
  readonly #byKey = new Map<string, { person: Person; name: Words }[]>()

  constructor(people: readonly Person[] = []) {
    for (const person of people) this.add(person)
  }

  add(person: Person): void {
    const name = nameOf(person)
    if (name.first.length === 0) return
    for (const key of new Set(keysOf(name))) {
      const known = this.#byKey.get(key)
      if (known) known.push({ person, name })
      else this.#byKey.set(key, [{ person, name }])
    }
  }

  find(person: NamedPerson): Person | undefined {
    const name = nameOf(person)
    if (name.first.length === 0) return undefined
    for (const key of keysOf(name))
      for (const { person: other, name: otherName } of this.#byKey.get(key)?.slice(0, mostLookedAt) ?? []) {
        const isOther =
          person.StudentNumber &&
          other.StudentNumber &&
          person.StudentNumber.toLowerCase() !== other.StudentNumber.toLowerCase()
        if (!isOther && isAlike(name, otherName)) return other
      }
    return undefined
  }
}
