import { coreFailures } from '#contract/core/failures.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'

/** A row of a part: something of its own that belongs to a record, such as a contact of a site. 0 is a new one. */
export interface PartRow {
  Id: number
}

/** What a save changes of the rows of one part. */
export interface PartPatch<Row extends PartRow> {
  added: Row[]
  /** The fields that differ from what the caller saw. */
  changed: (Partial<Row> & PartRow)[]
  removed: number[]
}

const isSame = (a: unknown, b: unknown): boolean => (a ?? null) === (b ?? null)

/** The refusal of a save that would undo what somebody else has done to a row of it. */
export const staleRow = (what: string, did: 'changed' | 'removed'): Failure =>
  fail(coreFailures.row_changed, { Did: did, What: what }, { extra: { ChangedBy: null, ChangedAt: null } })

/**
 * What `sent` says of the rows that are there now (`current`). Nothing goes because it was not sent: a row is removed when the caller saw it
 * and sends it no longer. Of a row that was seen only the fields that differ from it are written.
 *
 * @param seen the rows as the caller read them, or those that are known to be seen by their id; undefined where nobody has said
 * @param what the row in a sentence: 'contact'
 * @throws Failure 409 `stale` where somebody else has changed the same field, or a row that is removed or changed
 */
export const patchParts = <Row extends PartRow>(
  current: readonly Row[],
  sent: readonly Row[],
  seen: readonly (Partial<Row> & PartRow)[] | undefined,
  what: string,
): PartPatch<Row> => {
  const now = new Map(current.map((row) => [row.Id, row]))
  const before = new Map(seen?.map((row) => [row.Id, row]))
  const patch: PartPatch<Row> = { added: [], changed: [], removed: [] }
  const differing = (from: Partial<Row>, to: Row): (keyof Row & string)[] =>
    (Object.keys(from) as (keyof Row & string)[]).filter((name) => !isSame(from[name], to[name]))
  for (const row of sent) {
    const there = now.get(row.Id)
    const old = before.get(row.Id)
    const mine = old
      ? (Object.keys(row) as (keyof Row & string)[]).filter((name) =>
          name in old ? !isSame(old[name], row[name]) : !isSame(there?.[name], row[name]),
        )
      : differing(row, there ?? row)
    if (!there) {
      if (!old) patch.added.push(row)
      else if (mine.length > 0) throw staleRow(what, 'removed')
      continue
    }
    if (old)
      for (const name of mine)
        if (name in old && !isSame(there[name], old[name]) && !isSame(there[name], row[name]))
          throw staleRow(what, 'changed')
    if (mine.length > 0)
      patch.changed.push({
        Id: row.Id,
        ...Object.fromEntries(mine.map((name) => [name, row[name]])),
      } as Partial<Row> & PartRow)
  }
  const kept = new Set(sent.map(({ Id }) => Id))
  for (const old of before.values()) {
    const there = now.get(old.Id)
    if (!there || kept.has(old.Id)) continue
    if (differing(old, there).length > 0) throw staleRow(what, 'changed')
    patch.removed.push(old.Id)
  }
  return patch
}
