import type { SiteDetail, SiteInput } from './sites.ts'

const restorable = ['Contacts', 'Departments', 'Networks'] as const
type Restorable = (typeof restorable)[number]
type Row = SiteDetail[Restorable][number]

/** Rows are listed in the order they were added: those above the first removed row stay, and everything below it is added again. */
const putBack = (before: readonly Row[], after: readonly Row[]): Row[] | undefined => {
  const now = new Map(after.map((row) => [row.Id, row]))
  const first = before.findIndex(({ Id }) => !now.has(Id))
  if (first === -1) return undefined
  const known = new Set(before.map(({ Id }) => Id))
  return [
    ...before.slice(0, first).flatMap(({ Id }) => now.get(Id) ?? []),
    ...[
      ...before.slice(first).map((row) => now.get(row.Id) ?? row),
      ...after.filter(({ Id }) => !known.has(Id)),
    ].map((row) => ({ ...row, Id: 0 })),
  ]
}

/** The change that brings back what a save of a site removed of its contacts, departments and networks; undefined where it removed none. */
export const undoRemovedParts = (before: SiteDetail, after: SiteDetail): SiteInput | undefined => {
  const parts = restorable.flatMap((part) => {
    const rows = putBack(before[part], after[part])
    return rows ? [[part, rows] as const] : []
  })
  return parts.length === 0 ? undefined : { Name: after.Name, ...Object.fromEntries(parts) }
}
