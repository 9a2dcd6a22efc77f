import { sql } from 'kysely'
import type {
  ChangedMeanwhile,
  ImportRunScope,
  ImportStore,
  KeptRow,
} from '#server/core/imports/definition.ts'
import { keepImportChanges } from '#server/core/imports/runs.ts'

const asArray = sql`array(select jsonb_array_elements_text(r.site_ids::jsonb)::bigint)`

/** What an import changed of a student, a row `w` for each plan, as SQL; imports of before changed one plan of each. */
const changedPlans = sql`jsonb_array_elements(coalesce(c.before -> 'plans', jsonb_build_array(c.before))) as w`

/** How imports write rankings, and undo it. */
export const rankingStore: ImportStore = {
  async add({ db, programId, importId }: ImportRunScope, added) {
    await sql`insert into placement_preference (program_id, plan_id, student_id, site_ids, block_rankings, submitted_at, import_id)
      select ${programId}, r.plan_id, r.student_id, ${asArray}, r.block_rankings::jsonb, now(), ${importId}
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as r (plan_id bigint, student_id bigint, site_ids text, block_rankings text)`.execute(
      db,
    )
  },

  async change({ db, programId, importId }: ImportRunScope, changes) {
    const rows = changes.map(({ id, line, before, after }) => ({
      student_id: id,
      line,
      ...after,
      sites_before: before.site_ids,
      blocks_before: before.block_rankings,
    }))
    const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (plan_id bigint, student_id bigint, line integer,
      site_ids text, block_rankings text, sites_before text, blocks_before text)`
    const { rows: changed } = await sql<ChangedMeanwhile>`
      with written as (update placement_preference f set site_ids = ${asArray}, block_rankings = r.block_rankings::jsonb, saved_at = now(),
          submitted_at = coalesce(f.submitted_at, now())
        from ${given}
        where f.program_id = ${programId} and f.plan_id = r.plan_id and f.student_id = r.student_id
          and to_jsonb(f.site_ids) = r.sites_before::jsonb and f.block_rankings = r.blocks_before::jsonb
        returning f.plan_id, f.student_id)
      select r.line, 'Choice1' as field from ${given}
      where not exists (select from written w where w.plan_id = r.plan_id and w.student_id = r.student_id) order by r.line`.execute(
      db,
    )
    if (changed.length > 0) return changed
    // A file may change the rankings of a student for several plans.
    const students = [...Map.groupBy(changes, ({ id }) => id)]
    await keepImportChanges(
      db,
      importId,
      students.map(([id, each]) => ({
        id,
        before: { plans: each.map(({ before }) => before) },
        after: { plans: each.map(({ after }) => after) },
      })),
    )
    return []
  },

  async findKept({ db, programId, importId }: ImportRunScope) {
    const { rows } = await sql<KeptRow>`select distinct p.id, p.name, 'has accepted placements' as reason
      from placement_plan p join placement_acceptance a on a.program_id = p.program_id and a.plan_id = p.id and a.undone_at is null
      where p.program_id = ${programId} and (
        exists (select from placement_preference f where f.program_id = p.program_id and f.plan_id = p.id and f.import_id = ${importId})
        or exists (select from import_change c, ${changedPlans} where c.import_id = ${importId} and (w ->> 'plan_id')::bigint = p.id))
      order by 2`.execute(db)
    return rows
  },

  /** By the plans that stay. */
  async undo({ db, programId, importId }: ImportRunScope, kept) {
    const added =
      await sql`delete from placement_preference where program_id = ${programId} and import_id = ${importId}
      and plan_id <> all (${kept}::bigint[])`.execute(db)
    const changed = await sql`update placement_preference f
      set site_ids = case when w ? 'site_ids'
          then array(select jsonb_array_elements_text((w ->> 'site_ids')::jsonb)::bigint) else f.site_ids end,
        block_rankings = case when w ? 'block_rankings' then (w ->> 'block_rankings')::jsonb else f.block_rankings end
      from import_change c, ${changedPlans}
      where c.import_id = ${importId} and f.program_id = ${programId} and f.plan_id <> all (${kept}::bigint[])
        and f.plan_id = (w ->> 'plan_id')::bigint and f.student_id = c.entity_id
        and not exists (select from jsonb_array_elements(c.after -> 'plans') a
          where a ->> 'plan_id' = w ->> 'plan_id' and (to_jsonb(f.site_ids) <> (a ->> 'site_ids')::jsonb
            or f.block_rankings <> (a ->> 'block_rankings')::jsonb))`.execute(db)
    return Number((added.numAffectedRows ?? 0n) + (changed.numAffectedRows ?? 0n))
  },
}
