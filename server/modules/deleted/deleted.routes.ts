import { may, type Permission } from '#contract/core/permissions.ts'
import type { SensitiveClass } from '#contract/core/sensitive.ts'
import * as contract from '#contract/deleted/deleted.ts'
import { callOf } from '#contract/deleted/restores.ts'
import { termPlaceholders } from '#contract/terminology/terminology.ts'
import type { User } from '#server/core/auth/session.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { classesClosedTo } from '#server/core/http/sensitive.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import { pageDeleted, streamDeleted } from './deleted.queries.ts'

/** The kinds that somebody may bring back, or see where nobody can, without those of the classes. */
const kindsFor = (
  user: User,
  kind: contract.DeletedKind | undefined,
  closed: readonly SensitiveClass[],
): contract.DeletedKind[] =>
  (kind ? [kind] : contract.DeletedKind.options).filter((one) => {
    const { may: permission, class: of } = callOf(one)
    // What restores is never open to everybody.
    return may(user, permission as Permission) && !(of && closed.includes(of))
  })

const columns = (words: Record<string, string>): ExportColumn<contract.DeletedRow>[] => [
  {
    title: 'Kind',
    width: 24,
    value: ({ Kind }) =>
      contract.deletedKinds[Kind].replace(/\{(\w+)\}/g, (all, name: string) => words[name] ?? all),
  },
  { title: 'Name', width: 40, value: (row) => row.Name },
  { title: 'Belongs to', width: 36, value: (row) => row.Detail },
  { title: 'Day', kind: 'date', width: 14, value: (row) => row.Day },
  { title: 'Deleted', width: 26, value: (row) => row.DeletedAt },
  { title: 'Deleted by', width: 26, value: (row) => row.DeletedBy },
]

/** A file goes on where nobody sees who reads it: nothing private is in it, whoever takes it. */
const closedInFiles = ['health', 'conduct', 'declaration'] as const

export const deletedRoutes = [
  handle(
    contract.listDeleted,
    async ({
      db,
      params: { programId },
      query: { page, pageSize, Kind, ...filter },
      user,
      session,
      audit,
    }) => {
      const closed = classesClosedTo({ user, session })
      const found = await pageDeleted(
        db,
        { ...filter, programId, userId: user.Id, kinds: kindsFor(user, Kind, closed) },
        { page, pageSize },
      )
      // Whose private records these are is looked at as if it were opened there.
      audit.subjectIds = [
        ...new Set(
          found.Items.flatMap((row) =>
            row.subjectId !== null && callOf(row.Kind).class !== undefined ? [row.subjectId] : [],
          ),
        ),
      ]
      return { ...found, Kinds: kindsFor(user, undefined, closed) }
    },
  ),

  handle(
    contract.exportDeleted,
    async ({ db, params: { programId }, query: { Format, Kind, ...filter }, user }) =>
      tableFile(
        Format,
        'Deleted',
        columns(termPlaceholders(await getTerms(db, programId))),
        streamDeleted(db, {
          ...filter,
          programId,
          userId: user.Id,
          kinds: kindsFor(user, Kind, closedInFiles),
        }),
      ),
  ),
]
