import { peopleFailures } from '#contract/people/failures.ts'
import * as contract from '#contract/placement/drafts.ts'
import { placementFailures } from '#contract/placement/failures.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import { tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { getProgramContext } from '../../programs/context.queries.ts'
import { rankAt } from '../plan/plan.rules.ts'
import { getPlacementPlanById, listSiteNames, lockPlan } from '../plan/plans.queries.ts'
import { costOf } from '../solve/instance.solver.ts'
import { allStepsOf } from '../solve/plan-instance.rules.ts'
import { listBreaches } from './breaches.rules.ts'
import { cellsOf, type Drafted } from './draft.rules.ts'
import { findAcceptedCell, getDraft, isOpen, loadDrafted, lockStillDraft } from './drafted.queries.ts'
import {
  insertDraft,
  moveCells,
  queueDraft,
  saveFigures,
  setDraftDeleted,
  setLocks,
  stopRun,
} from './drafts.commands.ts'
import { enqueueDraft } from './drafts.jobs.ts'
import { listDraftRows, listDraftShifts, listDraftsOf, lockDraftRow } from './drafts.queries.ts'
import { explain, explainToStudent, forceInBlock } from './explain.rules.ts'
import { draftColumns, draftedStudents, draftTables } from './export.rules.ts'
import { figuresOf, meanRankOf } from './figures.rules.ts'
import { listPlansToSolveWith, type OtherPlan } from './together.across.ts'
import { addDraftsOfOthers } from './together.commands.ts'
import {
  findDraftState,
  findOtherPlans,
  inOthers,
  listRunMembers,
  maxDrafts,
  together,
} from './together.queries.ts'

const indexOfStudent = ({ indexed }: Drafted, studentId: number, block: number): number => {
  const i = indexed.plan.Students.findIndex(({ Id }) => Id === studentId)
  if (i < 0) throw fail(peopleFailures.no_student)
  if (block >= indexed.blocks) throw fail(placementFailures.no_block)
  return i
}

const codeAt = ({ indexed }: Drafted, o: number): string => {
  const option = indexed.options[o]
  const site = option && indexed.plan.Sites[option.site]
  return site ? site.Code || site.Name : ''
}

export const draftRoutes = [
  handle(contract.listDrafts, async ({ db, params: { programId, planId } }) => {
    await getPlacementPlanById(db, programId, planId)
    return { Drafts: await listDraftsOf(db, programId, planId) }
  }),

  handle(contract.createDraft, async ({ db, params: { programId, planId }, body, user, audit }) => {
    const plan = await lockPlan(db, programId, planId)
    if (plan.DraftCount >= maxDrafts) throw fail(placementFailures.too_many_drafts, { Most: maxDrafts })
    if (body.FromDraftId !== undefined) await getDraft(db, { programId, planId, draftId: body.FromDraftId })
    const sites = body.Places.map(({ SiteId }) => SiteId)
    refuseMissing(siteFailures.no_sites, sites, (await listSiteNames(db, programId, sites)).keys())
    const { With, ...own } = body
    const others = await findOtherPlans(db, { programId, planId }, With, user.isSuperAdmin)
    const draftId = await insertDraft(
      db,
      programId,
      { planId, accountId: user.Id, steps: allStepsOf(body.Effort) },
      own,
    )
    if (others.length > 0)
      await addDraftsOfOthers(db, others, body, {
        programId,
        plan,
        draftId,
        program: (await getProgramContext(db, programId)).Name,
        students: plan.StudentIds.length,
        isSuperAdmin: user.isSuperAdmin,
        accountId: user.Id,
      })
    await enqueueDraft(db, { programId, draftId })
    audit.detail = {
      Id: draftId,
      PlanId: planId,
      ...own,
      ...(others.length > 0 && { SolvedWith: others.map(({ Program }) => Program).join(', ') }),
    }
    return getDraft(db, { programId, planId, draftId })
  }),

  handle(contract.listOtherPlans, async ({ db, params: { programId, planId }, user }) => {
    await getPlacementPlanById(db, programId, planId)
    const found = await listPlansToSolveWith(db, programId, planId)
    const isOffered = ({ IsOpen }: OtherPlan) => IsOpen || user.isSuperAdmin
    return {
      Plans: found.filter(isOffered),
      NotOpen: [...new Set(found.filter((each) => !isOffered(each)).map(({ Program }) => Program))],
    }
  }),

  handle(contract.getDraft, async ({ db, params }) => {
    const { programId, planId, draftId } = params
    const plan = await getPlacementPlanById(db, programId, planId)
    const Draft = await getDraft(db, params)
    const Rows = await listDraftRows(db, programId, { planId, draftId })
    const Shifts = await listDraftShifts(db, programId, planId)
    const Placed = plan.Blocks.map(() => 0)
    for (const { Cells } of Rows) for (const { Block } of Cells) Placed[Block] = (Placed[Block] ?? 0) + 1
    return { Draft, Rows, Shifts, Blocks: plan.Blocks, Placed }
  }),

  handle(contract.exportDraft, async ({ db, params, query: { Format }, user }) => {
    const draft = await getDraft(db, params)
    const drafted = await loadDrafted(db, params, draft)
    const name = `${drafted.indexed.plan.Name}, ${draft.Name}`
    if (Format !== 'pdf') return tableFile(Format, name, draftColumns(drafted), draftedStudents(drafted))
    const program = await getProgramContext(db, params.programId)
    return pdfFile(
      name,
      draftTables(drafted, draft, {
        program: program.Name,
        by: user.Name,
        at: momentIn(program.TimeZone),
      }),
    )
  }),

  handle(contract.runDraft, async ({ db, params, user, audit }) => {
    const { programId } = params
    const draft = await lockStillDraft(db, params)
    const members = await listRunMembers(db, params)
    await inOthers(db, programId, members, async (key) => {
      const state = await findDraftState(db, key)
      if (state === 'queued' || state === 'running') throw fail(placementFailures.running_together)
    })
    await queueDraft(db, params)
    await inOthers(db, programId, members, (key) => queueDraft(db, key), {
      accountId: user.Id,
      action: 'placement: solved together again',
    })
    await enqueueDraft(db, params)
    audit.detail = { Id: draft.Id, Name: draft.Name, ...together(members, programId) }
    return getDraft(db, params)
  }),

  handle(contract.stopDraft, async ({ db, params, user, audit }) => {
    if (!(await lockDraftRow(db, params.programId, params))) throw fail(placementFailures.no_draft)
    const draft = await getDraft(db, params)
    if (!isOpen(draft)) throw fail(placementFailures.not_running, { Name: draft.Name })
    const members = await listRunMembers(db, params)
    await stopRun(db, params)
    await inOthers(db, params.programId, members, (key) => stopRun(db, key), {
      accountId: user.Id,
      action: 'placement: stopped together',
    })
    audit.detail = { Id: draft.Id, Name: draft.Name, ...together(members, params.programId) }
    return getDraft(db, params)
  }),

  handle(contract.deleteDraft, async ({ db, params, audit }) => {
    if (!(await lockDraftRow(db, params.programId, params))) throw fail(placementFailures.no_draft)
    const draft = await getDraft(db, params)
    if (draft.AcceptedCount > 0) throw fail(placementFailures.accepted_draft, { Name: draft.Name })
    // Before anybody has taken the run, there is no run without this draft; later the others go on.
    if (draft.State === 'queued')
      await inOthers(db, params.programId, await listRunMembers(db, params), (key) => stopRun(db, key))
    await setDraftDeleted(db, params.programId, params, true)
    audit.detail = { Id: draft.Id, Name: draft.Name }
  }),

  handle(contract.restoreDraft, async ({ db, params }) => {
    await refuseDeletedParent(db, params.programId, {
      table: 'placement_draft',
      ids: [params.draftId],
      parent: 'placement_plan',
      by: 'plan_id',
    })
    await lockPlan(db, params.programId, params.planId)
    if (!(await setDraftDeleted(db, params.programId, params, false))) throw fail(placementFailures.no_draft)
    return getDraft(db, params)
  }),

  handle(contract.lockCells, async ({ db, params, body, audit }) => {
    await lockStillDraft(db, params)
    const wanted = new Set(body.Cells.map(({ StudentId, Block }) => `${StudentId} ${Block}`)).size
    if ((await setLocks(db, params, body.Cells, body.IsLocked)) !== wanted)
      throw fail(placementFailures.no_such_place)
    audit.detail = { DraftId: params.draftId, IsLocked: body.IsLocked, Cells: body.Cells.slice(0, 200) }
    return getDraft(db, params)
  }),

  handle(contract.explainCell, async ({ db, params, query }) => {
    const drafted = await loadDrafted(db, params, await getDraft(db, params))
    const { StudentId: studentId, Block: block } = query
    const i = indexOfStudent(drafted, studentId, block)
    const accepted = await findAcceptedCell(db, params.programId, {
      draftId: params.draftId,
      studentId,
      block,
    })
    return {
      Why: accepted?.cell.Why?.map((why) => ({ ...why, IsPossible: false })) ?? explain(drafted, i, block),
      StudentText: accepted?.cell.Reason ?? explainToStudent(drafted, i, block),
      AcceptedDate: accepted?.acceptedAt ?? null,
    }
  }),

  handle(contract.forceCell, async ({ db, params, query }) => {
    const drafted = await loadDrafted(db, params, await getDraft(db, params))
    const { indexed, solution } = drafted
    const i = indexOfStudent(drafted, query.StudentId, query.Block)
    const s = indexed.plan.Sites.findIndex(({ Id }) => Id === query.SiteId)
    if (s < 0) throw fail(siteFailures.no_site)
    const forced = forceInBlock(drafted, i, query.Block, s)
    if (!forced) throw fail(placementFailures.not_possible)
    const rank = (j: number, o: number) =>
      rankAt(indexed.plan, j, query.Block, indexed.options[o]?.SiteId ?? 0) || null
    const moves = indexed.plan.Students.flatMap(({ Id, Name }, j) => {
      const at = j * indexed.blocks + query.Block
      const [before, after] = [solution[at] ?? -1, forced.solution[at] ?? -1]
      return before === after
        ? []
        : [
            {
              StudentId: Id,
              Student: Name,
              From: codeAt(drafted, before),
              FromRank: rank(j, before),
              To: codeAt(drafted, after),
              ToRank: rank(j, after),
              SiteShiftId: indexed.options[after]?.SiteShiftId ?? null,
            },
          ]
    })
    return {
      Moves: moves.toSorted(
        (one, other) =>
          Number(other.StudentId === query.StudentId) - Number(one.StudentId === query.StudentId),
      ),
      MeanRankBefore: meanRankOf(indexed, solution),
      MeanRankAfter: meanRankOf(indexed, forced.solution),
      Cost: forced.cost,
    }
  }),

  handle(contract.setCells, async ({ db, params, body, audit }) => {
    const draft = await lockStillDraft(db, params)
    const drafted = await loadDrafted(db, params, draft)
    const { indexed, instance, solution } = drafted
    const next = solution.slice()
    const moved = body.Cells.map(({ StudentId, SiteShiftId, IsLocked }, index) => {
      const i = indexOfStudent(drafted, StudentId, body.Block)
      const o =
        SiteShiftId === null
          ? -1
          : indexed.options.findIndex(
              (option) =>
                option.SiteShiftId === SiteShiftId &&
                option.weekdays[indexed.groupOf[i] ?? -1] &&
                option.blocks?.[body.Block] !== false,
            )
      if (SiteShiftId !== null && o < 0) throw fail(placementFailures.no_such_shift)
      next[i * indexed.blocks + body.Block] = o
      return { i, StudentId, isLocked: (IsLocked ?? index === 0) && o >= 0 }
    })
    // What is moved by hand is not held by its own lock.
    const free = { ...instance, allowed: instance.allowed.slice() }
    for (const { i } of moved) {
      const row = (i * indexed.blocks + body.Block) * indexed.options.length
      free.allowed.set(indexed.allowed.subarray(row, row + indexed.options.length), row)
    }
    const [breach] = listBreaches({ indexed, instance: free, solution }, next)
    if (breach) throw fail(placementFailures.rule, { Reason: breach.text })
    const all = new Map(cellsOf(indexed, next).map((cell) => [`${cell.StudentId} ${cell.Block}`, cell]))
    await moveCells(
      db,
      params,
      body.Block,
      moved.map(({ StudentId, isLocked }) => ({
        StudentId,
        isLocked,
        cell: all.get(`${StudentId} ${body.Block}`),
      })),
    )
    const cost = costOf(instance, next)
    await saveFigures(
      db,
      params,
      figuresOf(
        indexed,
        instance,
        { solution: next, cost, bound: Math.min(cost, draft.Figures?.Bound ?? cost) },
        { isLast: false },
      ),
    )
    audit.detail = { DraftId: params.draftId, ...body, Cells: body.Cells.slice(0, 200) }
    return getDraft(db, params)
  }),
]
