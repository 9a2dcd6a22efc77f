import { isObject } from '#contract/core/is-object.ts'

type Values = Record<string, unknown>

/** Whether two values of a field are the same to a reader. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** The fields whose value differs. */
export const differences = <V extends Values>(a: V, b: V): (keyof V & string)[] =>
  Object.keys(a).filter((name) => !isSame(a[name], b[name]))

type Row = { Id: number | null }
const isRow = (value: unknown): value is Row => isObject(value) && 'Id' in value

/** What an item of a list is known by: the id of a row, or the item itself; a new row has none. */
const keysOf = (list: readonly unknown[]): unknown[] | undefined => {
  const keys = list.map((item) => (isRow(item) ? item.Id || {} : item))
  const isPlain = list.every((item) => isRow(item) || typeof item !== 'object')
  return isPlain && new Set(keys).size === keys.length ? keys : undefined
}

/** Mine, without what they took away and I did not touch, and with what they added; of a row, the fields that I did not touch are theirs. */
const mergeLists = (
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
): unknown => {
  const [baseKeys, myKeys, theirKeys] = [keysOf(base), keysOf(mine), keysOf(theirs)]
  if (!baseKeys || !myKeys || !theirKeys) return mine
  const at = (list: readonly unknown[], keys: unknown[], key: unknown): unknown => list[keys.indexOf(key)]
  const own = mine.flatMap((item, index) => {
    const key = myKeys[index]
    if (!baseKeys.includes(key)) return [item]
    const before = at(base, baseKeys, key)
    const now = at(theirs, theirKeys, key)
    if (!theirKeys.includes(key)) return isSame(item, before) ? [] : [item]
    return isRow(item) ? [mergeValues(before as Values, item as Values, now as Values).values] : [item]
  })
  const added = theirs.filter((_, index) => {
    const key = theirKeys[index]
    return !baseKeys.includes(key) && !myKeys.includes(key)
  })
  return [...own, ...added]
}

/**
 * Puts together what two people made of the same thing: `base` is what both started from, `mine` what is in the
 * fields, `theirs` what was saved meanwhile. Fields that I did not touch become theirs, the others stay mine; lists are put together
 * item by item.
 * `theirChanges` names what they changed; the ones that I changed too need a look.
 */
export const mergeValues = <V extends Values>(
  base: V,
  mine: V,
  theirs: V,
): { values: V; theirChanges: (keyof V & string)[] } => {
  const touched = new Set<string>(differences(mine, base))
  const values = { ...theirs }
  for (const name of touched) {
    const [before, own, now] = [base[name], mine[name], theirs[name]]
    const areLists = Array.isArray(before) && Array.isArray(own) && Array.isArray(now)
    ;(values as Values)[name] = areLists ? mergeLists(before, own, now) : own
  }
  return {
    values,
    theirChanges: differences(theirs, base).filter((name) => !isSame(theirs[name], mine[name])),
  }
}
