/** A student as rows of a file may name her. */
export interface NamedStudent {
  id: number
  number: string | null
  userName: string
  email: string
  firstName: string
  lastName: string
}

/** A name as it is compared: without case and extra blanks. */
export const key = (text: unknown): string =>
  String(text ?? '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()

export const group = <T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): Map<string, T[]> => {
  const found = new Map<string, T[]>()
  for (const row of rows)
    for (const each of new Set(keysOf(row).filter(Boolean))) {
      const same = found.get(each)
      if (same) same.push(row)
      else found.set(each, [row])
    }
  return found
}

/** Finds the student whom a cell names: by number, user name, email address or name, in this order. */
export const studentsBy = (
  students: readonly NamedStudent[],
): ((named: string) => { id: number } | { problem: string }) => {
  const indexes = [
    group(students, ({ number }) => [key(number)]),
    group(students, ({ userName }) => [key(userName)]),
    group(students, ({ email }) => [key(email)]),
    group(students, ({ firstName, lastName }) => [
      key(`${lastName}, ${firstName}`),
      key(`${firstName} ${lastName}`),
    ]),
  ]
  return (named) => {
    const wanted = key(named)
    const found = indexes.map((index) => index.get(wanted) ?? []).find((each) => each.length > 0) ?? []
    if (found.length === 0) return { problem: `“${named}” is not an active student of this program.` }
    if (found.length > 1)
      return {
        problem: `${found.length} students are named ${named}. Use the student ID or the user name.`,
      }
    return { id: found[0]!.id }
  }
}
