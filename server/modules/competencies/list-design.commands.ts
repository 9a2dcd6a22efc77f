import { sql } from 'kysely'
import type { DesignEffect } from '#contract/competencies/procedures.ts'
import { keepIf } from '#server/core/database/keep-if.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readDesign, readListStanding } from './competency-lists.queries.ts'
import { changedLists, effectOf } from './list-design.rules.ts'

/**
 * Changes what the lists of a program ask, one change after the other. What gets the name of a procedure of another version counts for it,
 * and everybody whose list asks something else now is counted anew. Whatever writes lists, sections, procedures, levels or who has which
 * list runs in it, once: one within another would read all lists twice.
 */
export const changeDesign = async <T>(db: Db, programId: number, change: () => Promise<T>): Promise<T> => {
  // The lock of whoever counts them anew.
  await sql`select pg_advisory_xact_lock(hashtextextended('competency-lists:' || ${programId}::bigint, 0))`.execute(
    db,
  )
  const before = await readDesign(db, programId)
  const done = await change()
  const known = before.procedures.map(({ id }) => id)
  await sql`call link_new_procedures(${programId}, ${known}::bigint[])`.execute(db)
  let counted = before
  // Lists that are compared the first time, since their students did something by the other one, may change once more by it.
  for (;;) {
    const design = await readDesign(db, programId)
    const lists = changedLists(counted, design)
    if (lists.length === 0) return done
    await sql`call keep_competencies_of_lists(${programId}, ${lists}::bigint[])`.execute(db)
    counted = design
  }
}

/** What a change would do to the students of a list, by doing it and taking it back. */
export const previewChange = async (
  db: Db,
  { programId, listId }: { programId: number; listId: number },
  change: () => Promise<unknown>,
): Promise<DesignEffect> => {
  const read = () => readListStanding(db, programId, listId)
  const before = await read()
  const after = await keepIf(db, false, async () => {
    await change()
    return read()
  })
  return effectOf(before, after)
}
