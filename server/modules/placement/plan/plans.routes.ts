import type { z } from 'zod'
import { peopleFailures } from '#contract/people/failures.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import { presetOf, suggestPlanPreset } from '#contract/placement/plan-presets.ts'
import { blocksOf, maxBlocks, maxPlanStudents } from '#contract/placement/plan-rules.ts'
import * as contract from '#contract/placement/plans.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { findRotationFacts } from '../../scheduling/placement.queries.ts'
import { closedBy } from './closed-sites.rules.ts'
import {
  refuseContradictoryAnswer,
  refuseContradictoryGroups,
  refuseContradictoryStudent,
} from './contradictions.rules.ts'
import { loadPlan } from './load-plan.queries.ts'
import { indexedPlanOf } from './plan-cache.rules.ts'
import {
  changePlacementPlan,
  insertPlacementPlan,
  saveRotationsOfPlan,
  saveSiteOfPlan,
  saveStudentOfPlan,
  saveStudentsOfPlan,
  setPlanDeleted,
} from './plans.commands.ts'
import {
  findDiscipline,
  findSiteOfPlan,
  getPlacementPlanById,
  isOut,
  listPlannedIds,
  listSiteNames,
  lockPlan,
  pagePlacementPlans,
  pagePlanStudents,
} from './plans.queries.ts'
import { notifyUnanswered } from './ranking-emails.queries.ts'
import { convertRankings, type GivenRanking, saveRankingFor } from './rankings.commands.ts'
import { listDemand, storedRankings } from './rankings.queries.ts'
import { usablePlaces } from './reach.rules.ts'
import { findProblems } from './readiness.rules.ts'

type Input = z.output<typeof contract.PlacementPlanInput>

/** The students that the input plans for, once all that it names is there and fits. */
const checkPlan = async (db: Db, programId: number, input: Input): Promise<number[]> => {
  const rotationIds = contract.rotationsOf(input)
  const rotations = await findRotationFacts(db, programId, rotationIds)
  const [rotation] = rotations
  if (!rotation || rotations.length < rotationIds.length) throw fail(schedulingFailures.no_chosen_rotation)
  const from = rotations.map(({ StartDate }) => StartDate).toSorted()[0] ?? ''
  const through =
    rotations
      .map(({ EndDate }) => EndDate)
      .toSorted()
      .at(-1) ?? ''
  if (input.StartDate < from || input.EndDate > through)
    throw rotations.length === 1
      ? fail(placementFailures.outside_rotation, { Rotation: rotation.Name }, 'StartDate')
      : fail(placementFailures.outside_rotations, 'StartDate')
  const blocks = blocksOf(input.StartDate, input.EndDate, input.WeeksPerBlock).length
  if (blocks > maxBlocks) throw fail(placementFailures.too_many_blocks, { Most: maxBlocks }, 'WeeksPerBlock')
  refuseContradictoryGroups(input.Rules, blocks)
  const { Groups, SiteIds } = input.Rules
  const named = [
    ...SiteIds,
    ...Groups.flatMap(({ Experiences }) => Experiences.flatMap((each) => each.SiteIds)),
  ]
  refuseMissing(siteFailures.no_sites, named, (await listSiteNames(db, programId, named)).keys())
  const asked = Groups.flatMap(({ Experiences }) => Experiences.flatMap((each) => each.RotationIds))
  if (asked.some((id) => !rotationIds.includes(id))) throw fail(placementFailures.other_rotation, 'Rules')
  const idle = Groups.flatMap(({ Experiences }) => Experiences).find(
    ({ Blocks, MostBlocks }) => Blocks === 0 && MostBlocks === null,
  )
  if (idle) throw fail(placementFailures.asks_nothing, { Name: idle.Name }, 'Rules')
  const short = Groups.flatMap(({ Experiences }) => Experiences).find(
    ({ Blocks, MostBlocks }) => MostBlocks !== null && MostBlocks < Blocks,
  )
  if (short)
    throw fail(
      placementFailures.most_below_least,
      { Name: short.Name, Blocks: short.Blocks, MostBlocks: short.MostBlocks ?? '' },
      'Rules',
    )
  const ids = await listPlannedIds(db, programId, input)
  if (input.Cohort === '') refuseMissing(peopleFailures.no_students, input.StudentIds, ids)
  if (ids.length === 0 || ids.length > maxPlanStudents)
    throw ids.length === 0
      ? fail(placementFailures.no_active_student, 'Cohort')
      : fail(placementFailures.too_many_students, { Most: maxPlanStudents.toLocaleString('en-US') }, 'Cohort')
  return ids
}

const refuseOnceAccepted = ({ AcceptedCount, Name }: contract.PlacementPlan): void => {
  if (AcceptedCount > 0) throw fail(placementFailures.accepted_plan, { Name })
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id))

/** A student of the plan as the list of them shows it; undefined when they are not in it. */
const findPlanStudent = async (
  db: Db,
  programId: number,
  planId: number,
  studentId: number,
): Promise<contract.PlanStudent | undefined> => {
  const only = { page: 1, pageSize: 1, sort: 'Student', IsMissing: false, studentId } as const
  return (await pagePlanStudents(db, programId, planId, only)).Items[0]
}

/** What is ranked stays as it was once placements are out. */
const refuseOtherRanking = (before: GivenRanking, given: GivenRanking): void => {
  const textOf = ({ SiteIds, BlockRankings }: GivenRanking): string =>
    JSON.stringify([
      SiteIds,
      storedRankings(BlockRankings).map(({ Block, SiteIds: ranked }) => [Block, ranked]),
    ])
  if (textOf(before) !== textOf(given)) throw fail(placementFailures.published_ranking, 'SiteIds')
}

export const planRoutes = [
  handle(contract.listPlacementPlans, ({ db, params, query }) =>
    pagePlacementPlans(db, params.programId, query),
  ),

  handle(suggestPlanPreset, async ({ db, params: { programId } }) => {
    const Discipline = await findDiscipline(db, programId)
    return { Discipline, Preset: presetOf(Discipline) }
  }),

  handle(contract.getPlacementPlanById, ({ db, params: { programId, planId } }) =>
    getPlacementPlanById(db, programId, planId),
  ),

  handle(contract.createPlacementPlan, async ({ db, params: { programId }, body, user, audit }) => {
    const ids = await checkPlan(db, programId, body)
    const planId = await insertPlacementPlan(db, programId, user.Id, body)
    await saveRotationsOfPlan(db, programId, planId, contract.rotationsOf(body).slice(1))
    await saveStudentsOfPlan(db, programId, planId, ids)
    audit.detail = { Id: planId, ...body, StudentIds: ids.slice(0, 200) }
    return getPlacementPlanById(db, programId, planId)
  }),

  handle(contract.updatePlacementPlan, async ({ db, params: { programId, planId }, body, user, audit }) => {
    const before = await lockPlan(db, programId, planId)
    const ids = await checkPlan(db, programId, body)
    const isMoved =
      before.StartDate !== body.StartDate ||
      before.EndDate !== body.EndDate ||
      before.WeeksPerBlock !== body.WeeksPerBlock ||
      before.Rotations.map(({ Id }) => Id).join() !== contract.rotationsOf(body).join() ||
      !isSame(before.StudentIds, ids)
    if (isMoved) refuseOnceAccepted(before)
    await changePlacementPlan(db, programId, planId, user.Id, body)
    await saveRotationsOfPlan(db, programId, planId, contract.rotationsOf(body).slice(1))
    if (before.RanksPer !== body.RanksPer)
      await convertRankings(db, programId, planId, {
        ranksPer: body.RanksPer,
        blocks: blocksOf(body.StartDate, body.EndDate, body.WeeksPerBlock).length,
      })
    if (!isSame(before.StudentIds, ids)) await saveStudentsOfPlan(db, programId, planId, ids)
    audit.detail = { Before: before, After: { ...body, StudentIds: ids.slice(0, 200) } }
    const after = await getPlacementPlanById(db, programId, planId)
    const isMeant = after.OpensAt !== before.OpensAt || after.ClosesAt !== before.ClosesAt
    if (isMeant && isOut(before) && after.ClosesAt !== null && new Date(after.ClosesAt) > new Date())
      throw fail(placementFailures.published_plan, { Name: before.Name }, 'ClosesDate')
    return after
  }),

  handle(contract.deletePlacementPlan, async ({ db, params: { programId, planId }, audit }) => {
    const plan = await lockPlan(db, programId, planId)
    refuseOnceAccepted(plan)
    await setPlanDeleted(db, programId, planId, true)
    audit.detail = { Id: planId, Name: plan.Name }
  }),

  handle(contract.restorePlacementPlan, async ({ db, params: { programId, planId } }) => {
    if (!(await setPlanDeleted(db, programId, planId, false))) throw fail(placementFailures.no_plan)
    return getPlacementPlanById(db, programId, planId)
  }),

  handle(contract.checkPlacementPlan, async ({ db, params: { programId, planId } }) => {
    const plan = await loadPlan(db, programId, planId)
    const indexed = indexedPlanOf(programId, planId, plan)
    const demand = await listDemand(db, programId, planId)
    const inPlan = new Set(indexed.options.map(({ site }) => site))
    const usable = usablePlaces(indexed)
    const Problems = findProblems(indexed)
    const concerned = new Set(Problems.flatMap(({ StudentIds }) => StudentIds))
    return {
      Problems,
      Students: plan.Students.filter(({ Id }) => concerned.has(Id)).map(({ Id, Name }) => ({ Id, Name })),
      Blocks: [...plan.Blocks],
      Demand: plan.Sites.flatMap((site, s) =>
        inPlan.has(s) || demand.has(site.Id) || plan.Rules.SiteIds.includes(site.Id)
          ? [
              {
                SiteId: site.Id,
                Site: site.Name,
                Code: site.Code,
                Places: [...usable.subarray(s * indexed.blocks, (s + 1) * indexed.blocks)],
                Closed: closedBy(indexed, usable, s)?.text ?? '',
                FirstChoices: demand.get(site.Id)?.first ?? 0,
                Ranked: demand.get(site.Id)?.ranked ?? 0,
                FirstByBlock:
                  plan.RanksPer === 'block'
                    ? plan.Blocks.map((_, b) => demand.get(site.Id)?.firstByBlock.get(b) ?? 0)
                    : [],
                Takes: site.Takes,
                Reserved: site.Reserved,
                Technologists: site.Technologists,
                AtLeast: site.AtLeast,
                AgreementCapacity:
                  site.Agreements.find(({ Capacity }) => Capacity !== null)?.Capacity ?? null,
              },
            ]
          : [],
      ),
    }
  }),

  handle(contract.savePlacementSite, async ({ db, params, body, audit }) => {
    const { programId, planId, siteId } = params
    await lockPlan(db, programId, planId)
    if (!(await listSiteNames(db, programId, [siteId])).has(siteId)) throw fail(siteFailures.no_site)
    const answer = { ...(await findSiteOfPlan(db, programId, { planId, siteId })), ...body }
    refuseContradictoryAnswer(answer)
    await saveSiteOfPlan(db, programId, { planId, siteId }, answer)
    audit.detail = { PlanId: planId, SiteId: siteId, ...body }
  }),

  handle(contract.listPlanStudents, async ({ db, params: { programId, planId }, query }) => {
    await getPlacementPlanById(db, programId, planId)
    const found = await pagePlanStudents(db, programId, planId, query)
    return { ...found, Page: query.page, PageSize: query.pageSize }
  }),

  handle(contract.savePlanStudent, async ({ db, params, body, audit }) => {
    const { programId, planId, studentId } = params
    const plan = await lockPlan(db, programId, planId)
    const before = await findPlanStudent(db, programId, planId, studentId)
    if (!before) throw fail(peopleFailures.no_student)
    const after = { ...before, ...body }
    const rankings = plan.RanksPer === 'block' ? after.BlockRankings : []
    const sites = [
      ...(body.SiteIds ?? []),
      ...(body.BlockRankings ?? []).flatMap(({ SiteIds }) => SiteIds),
      ...(body.ExcludedSiteIds ?? []),
      ...after.Pins.map(({ SiteId }) => SiteId),
    ]
    const names = await listSiteNames(db, programId, sites)
    refuseMissing(siteFailures.no_sites, sites, names.keys())
    if ([...after.Pins, ...rankings].some(({ Block }) => Block >= plan.Blocks.length))
      throw fail(placementFailures.block_out_of_plan, { Count: plan.Blocks.length }, 'Pins')
    refuseContradictoryStudent(after, plan, (id) => names.get(id) ?? '')
    const one = { planId, studentId }
    await saveStudentOfPlan(db, programId, one, after)
    audit.detail = { PlanId: planId, StudentId: studentId, ...body }
    // What the student ranks meanwhile is left to them.
    if (!body.SiteIds && !body.BlockRankings) return
    const SiteIds = plan.RanksPer === 'block' ? [] : after.SiteIds
    if (isOut(plan)) refuseOtherRanking(before, { SiteIds, BlockRankings: rankings })
    else
      await saveRankingFor(db, programId, one, {
        SiteIds: SiteIds.slice(0, plan.MostRanks),
        BlockRankings: rankings.map((each) => ({ ...each, SiteIds: each.SiteIds.slice(0, plan.MostRanks) })),
      })
  }),

  handle(contract.remindPlanStudents, async ({ db, params: { programId, planId }, audit }) => {
    const plan = await lockPlan(db, programId, planId)
    if (plan.State !== 'ranking') throw fail(placementFailures.cannot_rank_now)
    const Sent = await notifyUnanswered(db, programId, planId, 'PLACEMENT_ranking_reminder')
    audit.detail = { PlanId: planId, Sent }
    return { Sent }
  }),
]
