import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { numberAfter } from '../evaluations/left-and-merged.commands.ts'
import type { GraduateMerge } from '../graduates/merged-graduates.commands.ts'
import type { ReopenedRecord } from '../time/merged-hours.commands.ts'
import { byKind, type Columns, type Merge } from './merging.queries.ts'

/** Sets columns of an account to what they are in JSON. */
export const setColumns = async (
  db: Db,
  programId: number,
  userId: number,
  columns: Columns,
): Promise<void> => {
  const names = Object.keys(columns)
  if (names.length === 0) return
  const json = JSON.stringify(columns)
  const set = names.map((name) => sql`${sql.ref(name)} = f.${sql.ref(name)}`)
  await sql`update account a set ${sql.join(set)} from jsonb_populate_record(null::account, ${json}::jsonb) f
    where a.program_id = ${programId} and a.id = ${userId}`.execute(db)
}

export const addMerge = async (
  db: Db,
  programId: number,
  merge: {
    keptId: number
    mergedId: number
    keptBefore: Columns
    keptAfter: Columns
    mergedBefore: Columns
    by: number
  },
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into account_merge (program_id, kept_id, merged_id, kept_before, kept_after, merged_before, created_by)
    values (${programId}, ${merge.keptId}, ${merge.mergedId}, ${JSON.stringify(merge.keptBefore)}::jsonb,
      ${JSON.stringify(merge.keptAfter)}::jsonb, ${JSON.stringify(merge.mergedBefore)}::jsonb, ${merge.by}) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

/** Keeps what became of the rows among the graduates, for whoever undoes the merge. */
export const keepMergedGraduate = async (
  db: Db,
  programId: number,
  mergeId: number,
  graduate: GraduateMerge,
): Promise<void> => {
  await sql`update account_merge set graduate = ${JSON.stringify(graduate)}::jsonb
    where program_id = ${programId} and id = ${mergeId}`.execute(db)
}

/** Keeps which approved hours wait again, for whoever undoes the merge. */
export const keepReopened = async (
  db: Db,
  programId: number,
  mergeId: number,
  records: readonly ReopenedRecord[],
): Promise<void> => {
  await sql`update account_merge set reopened = ${JSON.stringify(records)}::jsonb
    where program_id = ${programId} and id = ${mergeId}`.execute(db)
}

export const giveRows = async (
  db: Db,
  programId: number,
  { mergedId, keptId, mergeId }: { mergedId: number; keptId: number; mergeId: number },
) => {
  await numberAfter(db, programId, mergedId)
  const { rows } = await sql<{ relation: string; given: number; left_over: number }>`
    select relation, given, left_over from merge_rows(${programId}, ${mergedId}, ${keptId}, ${mergeId})`.execute(
    db,
  )
  return {
    moved: byKind(rows.map(({ relation, given }) => ({ relation, amount: given }))),
    left: byKind(rows.map(({ relation, left_over }) => ({ relation, amount: left_over }))),
  }
}

export const takeRowsBack = async (
  db: Db,
  programId: number,
  mergeId: number,
  by: number,
): Promise<number> => {
  const { rows } = await sql<{
    n: number
  }>`select unmerge_rows(${programId}, ${mergeId}) as n`.execute(db)
  await sql`update account_merge set undone_at = now(), undone_by = ${by}
    where program_id = ${programId} and id = ${mergeId}`.execute(db)
  return rows[0]!.n
}

/**
 * Of what a merge has changed in the account that stayed, the fields that a later merge into it has changed again and still holds: those
 * give back, when they are undone, what was there before both.
 */
export const passOnBefore = async (db: Db, programId: number, mergeId: number, merge: Merge) => {
  const { rows: later } = await sql<{ id: number; kept_before: Columns; kept_after: Columns }>`
    select id, kept_before, kept_after from account_merge
    where program_id = ${programId} and kept_id = ${merge.kept_id} and id > ${mergeId} and undone_at is null
    order by id`.execute(db)
  const passed = new Set<string>()
  for (const [name, before] of Object.entries(merge.kept_before)) {
    const next = later.find(({ kept_before, kept_after }) => kept_before[name] !== kept_after[name])
    if (!next || next.kept_before[name] !== merge.kept_after[name]) continue
    passed.add(name)
    await sql`update account_merge set kept_before = kept_before || ${JSON.stringify({ [name]: before })}::jsonb
      where program_id = ${programId} and id = ${next.id}`.execute(db)
  }
  return passed
}
