import { sql } from 'kysely'
import type { BlockRanking, RanksPer } from '#contract/placement/plans.ts'
import type { Db } from '#server/core/database/pool.ts'
import { storedRankings } from './rankings.queries.ts'

/** A ranking by a student, or by staff on their behalf: once or by block; the other is empty. */
export interface GivenRanking {
  SiteIds: readonly number[]
  BlockRankings: readonly BlockRanking[]
}

/**
 * Converts the rankings of a plan to the way in which it ranks now: a single ranking is copied to every block; of block rankings the first
 * becomes the plan's.
 */
export const convertRankings = async (
  db: Db,
  programId: number,
  planId: number,
  { ranksPer, blocks }: { ranksPer: RanksPer; blocks: number },
): Promise<void> => {
  await (ranksPer === 'block'
    ? sql`update placement_preference set site_ids = '{}', block_rankings = coalesce((
        select jsonb_agg(jsonb_build_object('Block', b, 'SiteIds', to_jsonb(site_ids)) order by b)
        from generate_series(0, ${blocks - 1}) as b), '[]')
      where program_id = ${programId} and plan_id = ${planId} and cardinality(site_ids) > 0`
    : sql`update placement_preference set block_rankings = '[]',
        site_ids = array(select jsonb_array_elements_text(block_rankings->0->'SiteIds')::bigint)
      where program_id = ${programId} and plan_id = ${planId} and jsonb_array_length(block_rankings) > 0`
  ).execute(db)
}

/**
 * Saves a ranking if the window is open and no result is out. The clock is read once the plan's row is locked, so that nothing slips in
 * after closing. Answers nothing if the window is not open.
 */
export const saveRanking = async (
  db: Db,
  programId: number,
  { planId, studentId }: { planId: number; studentId: number },
  { SiteIds, BlockRankings, Reason, IsSubmitted }: GivenRanking & { Reason: string; IsSubmitted: boolean },
): Promise<{ SavedAt: string; SubmittedAt: string | null } | undefined> => {
  await sql`select from placement_plan where program_id = ${programId} and id = ${planId} for share`.execute(
    db,
  )
  const { rows } = await sql<{ SavedAt: string; SubmittedAt: string | null }>`
    insert into placement_preference as f (program_id, plan_id, student_id, site_ids, block_rankings, reason, saved_at, submitted_at)
    select ${programId}, ${planId}, ${studentId}, ${[...SiteIds]}::bigint[], ${JSON.stringify(storedRankings(BlockRankings))}::jsonb, ${Reason}, clock_timestamp(),
      case when ${IsSubmitted} then clock_timestamp() end
    from placement_plan p where p.program_id = ${programId} and p.id = ${planId} and p.deleted_at is null
      and p.opens_at <= clock_timestamp() and p.closes_at > clock_timestamp() and coalesce(p.published_at > clock_timestamp(), true)
    on conflict (program_id, plan_id, student_id) do update set site_ids = excluded.site_ids, block_rankings = excluded.block_rankings, reason = excluded.reason,
      saved_at = excluded.saved_at, submitted_at = coalesce(excluded.submitted_at, f.submitted_at), import_id = null
    returning saved_at as "SavedAt", submitted_at as "SubmittedAt"`.execute(db)
  return rows[0]
}

/** Saves a ranking as staff set it, regardless of the window; an empty one deletes it. */
export const saveRankingFor = async (
  db: Db,
  programId: number,
  { planId, studentId }: { planId: number; studentId: number },
  { SiteIds, BlockRankings }: GivenRanking,
): Promise<void> => {
  const kept = storedRankings(BlockRankings)
  if (SiteIds.length === 0 && kept.length === 0)
    await sql`delete from placement_preference where program_id = ${programId} and plan_id = ${planId} and student_id = ${studentId}`.execute(
      db,
    )
  else
    await sql`insert into placement_preference (program_id, plan_id, student_id, site_ids, block_rankings, submitted_at)
      values (${programId}, ${planId}, ${studentId}, ${[...SiteIds]}::bigint[], ${JSON.stringify(kept)}::jsonb, now())
      on conflict (program_id, plan_id, student_id) do update set site_ids = excluded.site_ids,
        block_rankings = excluded.block_rankings, saved_at = now(), import_id = null,
        submitted_at = coalesce(placement_preference.submitted_at, now())`.execute(db)
}
