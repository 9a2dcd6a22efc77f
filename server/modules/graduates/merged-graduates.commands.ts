import { sql } from 'kysely'
import { type Graduate, problemsOf } from '#contract/graduates/graduates.ts'
import type { Db } from '#server/core/database/pool.ts'
import { columns } from './graduates.queries.ts'

/** What a merge of two accounts made of their rows among the graduates. */
export interface GraduateMerge {
  keptId: number
  goneId: number
  before: Partial<Graduate>
  after: Partial<Graduate>
}

/** Fields that belong together: of one row or of the other. */
const groups: readonly (readonly (keyof Graduate)[])[] = [
  ['EnteredOn'],
  ['GraduatedOn', 'WithdrewOn', 'WithdrawalReason'],
  ['FirstAttemptOn', 'FirstAttemptResult', 'PassedOn', 'HighCutOn'],
  ['Placement', 'StartedWorkOn'],
  ['StudentNumber'],
  ['Cohort'],
  ['Exam'],
  ['Notes'],
]

const isEmpty = (value: unknown): boolean => value === null || value === ''

const rowsOf = async (db: Db, programId: number, accountIds: readonly number[]): Promise<Graduate[]> =>
  db
    .selectFrom('graduate')
    .select(columns)
    .where('program_id', '=', programId)
    .where('account_id', 'in', [...accountIds])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    // The columns of choices are text to the database.
    .execute() as Promise<Graduate[]>

const columnOf = new Map(columns.map((column) => [column.split(' as ')[1], column.split(' as ')[0]!]))

const write = async (db: Db, programId: number, id: number, fields: Partial<Graduate>): Promise<void> => {
  const set = Object.entries(fields).map(([field, value]) => [columnOf.get(field)!, value])
  if (set.length === 0) return
  await db
    .updateTable('graduate')
    .set(Object.fromEntries(set))
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .execute()
}

const setGone = async (db: Db, programId: number, id: number, isGone: boolean): Promise<void> => {
  await db
    .updateTable('graduate')
    .set({ deleted_at: isGone ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .execute()
}

/**
 * One person is one graduate: where both accounts have a row, the first one's gets what it lacks, and the second one's goes. Undefined
 * where there is nothing to do, or the two do not fit together; both rows stay then.
 */
export const mergeGraduates = async (
  db: Db,
  programId: number,
  { keptId, mergedId }: { keptId: number; mergedId: number },
): Promise<GraduateMerge | undefined> => {
  const rows = await rowsOf(db, programId, [keptId, mergedId])
  const [kept, gone] = [keptId, mergedId].map((id) => rows.find(({ UserId }) => UserId === id))
  if (!kept || !gone) return undefined
  const taken = groups
    .filter((group) => group.every((field) => isEmpty(kept[field])))
    .flatMap((group) => group.filter((field) => !isEmpty(gone[field])))
  const picked = (from: Graduate): Partial<Graduate> =>
    Object.fromEntries(taken.map((field) => [field, from[field]]))
  const after = picked(gone)
  if (problemsOf({ ...kept, ...after }).length > 0) return undefined
  await setGone(db, programId, gone.Id, true)
  await write(db, programId, kept.Id, after)
  return { keptId: kept.Id, goneId: gone.Id, before: picked(kept), after }
}

/** Takes `mergeGraduates` back; what somebody has changed since stays. */
export const unmergeGraduates = async (
  db: Db,
  programId: number,
  { keptId, goneId, before, after }: GraduateMerge,
): Promise<void> => {
  const kept = (await db
    .selectFrom('graduate')
    .select(columns)
    .where('program_id', '=', programId)
    .where('id', '=', keptId)
    .executeTakeFirst()) as Graduate | undefined
  const fields = Object.keys(after) as (keyof Graduate)[]
  if (kept && fields.every((field) => kept[field] === after[field]))
    await write(db, programId, keptId, before)
  await setGone(db, programId, goneId, false)
}
