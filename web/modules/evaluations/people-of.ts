import { Level } from '#contract/core/levels.ts'
import { listedName } from '#contract/people/person-fields.ts'

interface Person {
  Id: number
  FirstName: string
  LastName: string
  AccessLevel: number
}

const levelsOf: Record<string, readonly number[]> = {
  faculty: [Level.Faculty],
  coordinator: [Level.Coord, Level.Director, Level.Admin],
  supervisor: [Level.Supervisor, Level.CCUnderHood],
}

/** The people of these roles, to choose from. */
export const peopleOf = (people: readonly Person[] | undefined, roles: readonly string[]) => {
  const levels = new Set(roles.flatMap((role) => levelsOf[role] ?? []))
  return (people ?? [])
    .filter(({ AccessLevel }) => levels.has(AccessLevel))
    .map(({ Id, FirstName, LastName }) => ({ value: String(Id), label: listedName({ FirstName, LastName }) }))
}
