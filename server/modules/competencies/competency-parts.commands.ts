import { type RawBuilder, sql } from 'kysely'
import type { CompetencyPart } from '#contract/competencies/competency-lists.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { changeDesign } from './list-design.commands.ts'

/** Deleting, bringing back and ordering are the same for everything that a list is made of. */
interface PartTable {
  table: string
  /** What it is called in. */
  label: 'name' | 'text'
  /** The column of what it is below, and that table; none for what is directly below the program. */
  parent?: { column: string; table: string }
  /** What goes with it and comes back with it: table and its column for this. */
  below?: readonly (readonly [table: string, column: string])[]
}

const tables: Readonly<Record<CompetencyPart, PartTable>> = {
  list: { table: 'competency_list', label: 'name' },
  'major-study': {
    table: 'major_study',
    label: 'name',
    parent: { column: 'list_id', table: 'competency_list' },
    below: [
      ['skill', 'major_study_id'],
      ['participation_level', 'major_study_id'],
    ],
  },
  procedure: {
    table: 'skill',
    label: 'name',
    parent: { column: 'major_study_id', table: 'major_study' },
  },
  'participation-level': {
    table: 'participation_level',
    label: 'name',
    parent: { column: 'major_study_id', table: 'major_study' },
  },
  pathology: { table: 'pathology', label: 'name', parent: { column: 'skill_id', table: 'skill' } },
  score: { table: 'competency_score', label: 'name' },
  'exam-item': { table: 'comp_exam_item', label: 'text', parent: { column: 'skill_id', table: 'skill' } },
}

/** A level is shown once for all its major studies, so the others of its name go along, with the place of the named one. */
const withSame = (programId: number, part: CompetencyPart, ids: readonly number[], isDeleted: boolean) => {
  const named = sql`select id, n from unnest(${[...ids]}::bigint[]) with ordinality as named (id, n)`
  if (part !== 'participation-level') return named
  const alike = isDeleted
    ? sql`t.deleted_at = o.deleted_at`
    : sql`t.deleted_at is null and o.deleted_at is null`
  return sql`select t.id, min(n.n) as n from (${named}) n
    join participation_level o on o.program_id = ${programId} and o.id = n.id
    join major_study m on m.program_id = o.program_id and m.id = o.major_study_id
    join major_study v on v.program_id = o.program_id and v.list_id = m.list_id
    join participation_level t on t.program_id = o.program_id and t.major_study_id = v.id and lower(t.name) = lower(o.name)
      and t.is_counted = o.is_counted and ${alike}
    group by t.id`
}

const refuseListsInUse = async (db: Db, programId: number, ids: readonly number[]): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select l.name from competency_list l
    where l.program_id = ${programId} and l.id = any (${[...ids]}::bigint[]) and l.deleted_at is null and (
      exists (select from competency_list_cohort c where c.program_id = l.program_id and c.list_id = l.id)
      or l.is_for_others and exists (select from competency_list o
        where o.program_id = l.program_id and o.deleted_at is null and o.id <> l.id))
    limit 1`.execute(db)
  if (rows[0]) throw fail(competencyFailures.list_in_use, { Name: rows[0].name })
}

/** Deactivates those of the scores that items use, and answers which. */
const deactivateUsed = async (db: Db, programId: number, ids: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    update competency_score s set is_active = false
    where s.program_id = ${programId} and s.id = any (${[...ids]}::bigint[]) and s.deleted_at is null
      and exists (select from comp_exam_item i where i.program_id = s.program_id and i.score_id = s.id and i.deleted_at is null)
    returning s.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes parts with what is below them, all at one moment; a score that items use is only no longer offered. */
export const removeParts = (
  db: Db,
  programId: number,
  part: CompetencyPart,
  ids: readonly number[],
): Promise<{ Changed: number; Deactivated: number; names: string[] }> =>
  changeDesign(db, programId, async () => {
    const { table, label, below = [] } = tables[part]
    if (part === 'list') await refuseListsInUse(db, programId, ids)
    const kept = part === 'score' ? await deactivateUsed(db, programId, ids) : []
    const gone = ids.filter((id) => !kept.includes(id))
    const { rows } = await sql<{ label: string }>`
    update ${sql.table(table)} t set deleted_at = now()
    from (${withSame(programId, part, gone, false)}) n
    where t.program_id = ${programId} and t.id = n.id and t.deleted_at is null
    returning t.${sql.ref(label)} as label`.execute(db)
    for (const [child, column] of below)
      await sql`update ${sql.table(child)} set deleted_at = now()
      where program_id = ${programId} and ${sql.ref(column)} = any (${gone}::bigint[]) and deleted_at is null`.execute(
        db,
      )
    return {
      Changed: rows.length,
      Deactivated: kept.length,
      names: [...new Set(rows.map((row) => row.label))].slice(0, 50),
    }
  })

const refuseRestore = async (
  db: Db,
  programId: number,
  { table, parent }: PartTable,
  named: RawBuilder<unknown>,
): Promise<void> => {
  const back = sql`${sql.table(table)} t join (${named}) n on n.id = t.id`
  const siblings = parent ? sql`and o.${sql.ref(parent.column)} = t.${sql.ref(parent.column)}` : sql``
  const { rows } = await sql<{ name: string; isOrphan: boolean }>`
    ${
      parent
        ? sql`select p.name, true as "isOrphan" from ${back}
            join ${sql.table(parent.table)} p on p.program_id = t.program_id and p.id = t.${sql.ref(parent.column)}
            where t.program_id = ${programId} and p.deleted_at is not null union all`
        : sql``
    }
    ${
      table === 'comp_exam_item'
        ? sql`select '' as name, false where false`
        : sql`select t.name, false as "isOrphan" from ${back} join ${sql.table(table)} o on o.program_id = t.program_id
            and lower(o.name) = lower(t.name) and o.deleted_at is null and o.id <> t.id ${siblings}
            where t.program_id = ${programId} and t.deleted_at is not null`
    }
    limit 1`.execute(db)
  if (!rows[0]) return
  throw rows[0].isOrphan
    ? fail(competencyFailures.parent_deleted, { Name: rows[0].name })
    : fail(competencyFailures.name_taken_again, { Name: rows[0].name })
}

/** Brings parts back with what went with them. Scores that were only deactivated are offered again. */
export const restoreParts = (
  db: Db,
  programId: number,
  part: CompetencyPart,
  ids: readonly number[],
): Promise<number> =>
  changeDesign(db, programId, async () => {
    const { table, below = [] } = tables[part]
    const named = withSame(programId, part, ids, true)
    await refuseRestore(db, programId, tables[part], named)
    const ofIds = sql`t.program_id = ${programId} and t.id = any (${[...ids]}::bigint[])`
    for (const [child, column] of below)
      await sql`update ${sql.table(child)} c set deleted_at = null from ${sql.table(table)} t
      where ${ofIds} and c.program_id = t.program_id and c.${sql.ref(column)} = t.id and c.deleted_at = t.deleted_at`.execute(
        db,
      )
    if (part === 'list')
      await sql`update competency_list t set is_for_others = false
      where ${ofIds} and t.deleted_at is not null and exists (select from competency_list o
        where o.program_id = t.program_id and o.is_for_others and o.deleted_at is null)`.execute(db)
    const reactivated = part === 'score' ? sql`, is_active = true` : sql``
    const isBack =
      part === 'score' ? sql`(t.deleted_at is not null or not t.is_active)` : sql`t.deleted_at is not null`
    const { rows } = await sql`
    update ${sql.table(table)} t set deleted_at = null ${reactivated} from (${named}) n
    where t.program_id = ${programId} and t.id = n.id and ${isBack} returning t.id`.execute(db)
    return rows.length
  })

/** Puts parts in the order of their ids; siblings that are not named follow in the order they had. */
export const orderParts = async (
  db: Db,
  programId: number,
  part: CompetencyPart,
  ids: readonly number[],
): Promise<number> => {
  const { table, parent } = tables[part]
  // Only lists and scores have no parent, and they have no order either.
  const column = sql.ref(parent!.column)
  const whole = part === 'participation-level' ? sql`m.list_id` : sql`t.${column}`
  const ofList =
    part === 'participation-level'
      ? sql`join major_study m on m.program_id = t.program_id and m.id = t.major_study_id`
      : sql``
  const { rows: wholes } = await sql`
    select distinct ${whole} from ${sql.table(table)} t ${ofList}
    where t.program_id = ${programId} and t.id = any (${[...ids]}::bigint[]) and t.deleted_at is null`.execute(
    db,
  )
  if (wholes.length !== 1) throw fail(competencyFailures.not_siblings)
  const { rows } = await sql`
    with named as (${withSame(programId, part, ids, false)}),
    placed as (
      select t.id, row_number() over (partition by t.${column} order by n.n nulls last, t.position, t.id) as position
      from ${sql.table(table)} t left join named n on n.id = t.id
      where t.program_id = ${programId} and t.deleted_at is null and t.${column} in (
        select o.${column} from ${sql.table(table)} o join named on named.id = o.id where o.program_id = ${programId}))
    update ${sql.table(table)} t set position = p.position from placed p
    where t.program_id = ${programId} and t.id = p.id returning t.id`.execute(db)
  return rows.length
}
