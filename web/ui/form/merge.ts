type Values = Record<string, unknown>

/** Whether two values of a field are the same to a reader. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The fields whose value differs. */
export const differences = <V extends Values>(a: V, b: V): (keyof V & string)[] =>
  Object.keys(a).filter((name) => !isSame(a[name], b[name]))

/**
 * Puts together what two people made of the same thing: `base` is what both started from, `mine` what is in the
 * fields, `theirs` what was saved meanwhile. Fields that I did not touch become theirs, the others stay mine.
 * `theirChanges` names what they changed; the ones that I changed too need a look.
 */
export const mergeValues = <V extends Values>(
  base: V,
  mine: V,
  theirs: V,
): { values: V; theirChanges: (keyof V & string)[] } => {
  const touched = new Set<string>(differences(mine, base))
  const values = { ...theirs }
  for (const name of touched) (values as Values)[name] = mine[name]
  return {
    values,
    theirChanges: differences(theirs, base).filter((name) => !isSame(theirs[name], mine[name])),
  }
}
