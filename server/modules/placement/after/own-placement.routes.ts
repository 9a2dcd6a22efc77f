import { placementFailures } from '#contract/placement/failures.ts'
import * as contract from '#contract/placement/own-placement.ts'
import { blocksOf, milesBetween } from '#contract/placement/plan-rules.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { reasonIn } from '../draft/explain.rules.ts'
import { getPlacementPlanById, pagePlanStudents } from '../plan/plans.queries.ts'
import { rankingPage } from '../plan/ranking-emails.queries.ts'
import { type GivenRanking, saveRanking } from '../plan/rankings.commands.ts'
import { listOwnPlans, listRankedSites, type OwnPlanRow, storedRankings } from '../plan/rankings.queries.ts'
import { findOwnPoints, listResults } from './acceptances.queries.ts'

const getOwnPlan = async (
  db: Db,
  { ProgramId, Id }: { ProgramId: number | null; Id: number },
  planId: number,
): Promise<{ programId: number; plan: OwnPlanRow & { OpensAt: string; ClosesAt: string } }> => {
  const [plan] = ProgramId === null ? [] : await listOwnPlans(db, ProgramId, Id, planId)
  if (!plan || ProgramId === null || plan.OpensAt === null || plan.ClosesAt === null)
    throw fail(placementFailures.no_ranking)
  return { programId: ProgramId, plan: { ...plan, OpensAt: plan.OpensAt, ClosesAt: plan.ClosesAt } }
}

const isDuring = (
  run: { StartDate: string; EndDate: string },
  block: { StartDate: string; EndDate: string } | undefined,
): boolean => block !== undefined && run.StartDate <= block.EndDate && run.EndDate >= block.StartDate

/** Refuses a ranking that does not fit what the plan asks for now: its kind, its sites and how many. */
const checkRanking = (
  plan: OwnPlanRow,
  { SiteIds, BlockRankings, IsSubmitted }: { IsSubmitted: boolean } & GivenRanking,
  sites: ReadonlyMap<number, string>,
): void => {
  const blocks = blocksOf(plan.StartDate, plan.EndDate, plan.WeeksPerBlock).length
  if ((plan.RanksPer === 'block' ? SiteIds : BlockRankings).length > 0)
    throw fail(plan.RanksPer === 'block' ? placementFailures.ranks_by_block : placementFailures.ranks_at_once)
  const field = plan.RanksPer === 'block' ? 'BlockRankings' : 'SiteIds'
  const lists = plan.RanksPer === 'block' ? BlockRankings.map((each) => each.SiteIds) : [SiteIds]
  refuseMissing(siteFailures.no_sites, lists.flat(), sites.keys())
  if (BlockRankings.some(({ Block }) => Block >= blocks)) throw fail(placementFailures.no_such_block)
  if (lists.some((ids) => ids.length > plan.MostRanks))
    throw fail(placementFailures.too_many_ranks, { Most: plan.MostRanks }, field)
  if (IsSubmitted && lists.every((ids) => ids.length === 0))
    throw fail(placementFailures.nothing_ranked, field)
}

/** A ranking as the receipt lists it: '1. Harbor, 2. Mercy', or 'Block 1: 1. Harbor; Block 2: 1. Mercy'. */
const rankingText = (
  { SiteIds, BlockRankings }: GivenRanking,
  sites: ReadonlyMap<number, string>,
): string => {
  const list = (ids: readonly number[]) => ids.map((id, index) => `${index + 1}. ${sites.get(id)}`).join(', ')
  return SiteIds.length > 0
    ? list(SiteIds)
    : storedRankings(BlockRankings)
        .map((each) => `Block ${each.Block + 1}: ${list(each.SiteIds)}`)
        .join('; ')
}

export const ownPlacementRoutes = [
  handle(contract.listOwnPlacement, async ({ db, user }) => {
    const plans = user.ProgramId === null ? [] : await listOwnPlans(db, user.ProgramId, user.Id)
    return {
      Plans: plans
        .filter(({ OpensAt, PublishedAt }) => OpensAt !== null || PublishedAt !== null)
        .map(({ PlanId, Plan, StartDate, EndDate, State, OpensAt, ClosesAt, SubmittedAt, PublishedAt }) => ({
          PlanId,
          Plan,
          StartDate,
          EndDate,
          State: PublishedAt === null ? State : ('published' as const),
          OpensAt,
          ClosesAt,
          SubmittedAt,
        })),
    }
  }),

  handle(contract.getOwnRanking, async ({ db, params: { planId }, user }) => {
    const { programId, plan } = await getOwnPlan(db, user, planId)
    const sites = await listRankedSites(db, programId, planId, user.Id)
    const owed = await pagePlanStudents(db, programId, planId, {
      page: 1,
      pageSize: 1,
      sort: 'Student',
      IsMissing: false,
      studentId: user.Id,
    })
    const { Latitude, Longitude } = plan
    const blocks = blocksOf(plan.StartDate, plan.EndDate, plan.WeeksPerBlock)
    const offered = new Set(sites.map(({ SiteId }) => SiteId))
    return {
      ...plan,
      Blocks: [...blocks],
      SiteIds: plan.SiteIds.filter((id) => offered.has(id)),
      BlockRankings: plan.BlockRankings.filter(({ Block }) => Block < blocks.length).map(
        ({ Block, SiteIds }) => ({ Block, SiteIds: SiteIds.filter((id) => offered.has(id)) }),
      ),
      Points: owed.Items[0]?.Points ?? 0,
      Sites: sites.map(({ Latitude: latitude, Longitude: longitude, Runs, ...site }) => ({
        ...site,
        Blocks: [...blocks.keys()].filter((b) => Runs.some((run) => isDuring(run, blocks[b]))),
        Miles:
          Latitude === null || Longitude === null || latitude === null || longitude === null
            ? null
            : milesBetween({ Latitude, Longitude }, { Latitude: latitude, Longitude: longitude }),
      })),
    }
  }),

  handle(contract.getOwnPlacementResult, async ({ db, params: { planId }, user, language }) => {
    const [own] = user.ProgramId === null ? [] : await listOwnPlans(db, user.ProgramId, user.Id, planId)
    if (!own || user.ProgramId === null || own.PublishedAt === null)
      throw fail(placementFailures.no_placement)
    const plan = await getPlacementPlanById(db, user.ProgramId, planId)
    const places = new Map(
      (await listResults(db, user.ProgramId, planId, user.Id)).map((place) => [place.block, place]),
    )
    return {
      PlanId: planId,
      Plan: plan.Name,
      Rotation: plan.Rotation,
      Rotations: plan.Rotations.map(({ Name }) => Name),
      StartDate: plan.StartDate,
      EndDate: plan.EndDate,
      Points: await findOwnPoints(db, user.ProgramId, planId, user.Id),
      Blocks: plan.Blocks.map((block, index) => {
        const place = places.get(index)
        return {
          ...block,
          Block: index,
          Site: place?.site ?? '',
          Rotation: place ? place.rotation || plan.Rotation : '',
          City: place?.city ?? '',
          Shift: place?.shift ?? '',
          Weekdays: place?.weekdays ?? [],
          Rank: place?.rank ?? null,
          Reason: reasonIn(place?.reason ?? '', language),
        }
      }),
    }
  }),

  handle(contract.saveOwnRanking, async ({ db, params: { planId }, body, user, audit }) => {
    const { programId, plan } = await getOwnPlan(db, user, planId)
    const sites = new Map(
      (await listRankedSites(db, programId, planId, user.Id)).map(({ SiteId, Site }) => [SiteId, Site]),
    )
    checkRanking(plan, body, sites)
    const saved = await saveRanking(db, programId, { planId, studentId: user.Id }, body)
    if (!saved)
      throw fail(
        plan.State === 'ahead'
          ? placementFailures.ranking_ahead
          : plan.PublishedAt !== null
            ? placementFailures.ranking_published
            : placementFailures.ranking_closed,
      )
    const { SiteIds, BlockRankings, IsSubmitted } = body
    audit.detail = { PlanId: planId, SiteIds, BlockRankings, IsSubmitted }
    if (body.IsSubmitted && user.EmailAddress)
      await queueTemplatedEmails(db, [
        {
          programId,
          accountId: user.Id,
          recipient: user.EmailAddress,
          label: 'PLACEMENT_ranking_receipt',
          values: {
            'student.firstName': plan.FirstName,
            'plan.name': plan.Plan,
            'plan.closes': plan.ClosesText,
            ranking: rankingText(body, sites),
            link: rankingPage(planId),
          },
        },
      ])
    return saved
  }),
]
