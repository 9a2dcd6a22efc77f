import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import * as contract from '#contract/people/merging.ts'
import type { UserDetail } from '#contract/people/people.ts'
import type { User } from '#server/core/auth/session.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { noteGoals } from '#server/core/database/goals.ts'
import { keepIf } from '#server/core/database/keep-if.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { mergeGraduates, unmergeGraduates } from '../graduates/merged-graduates.commands.ts'
import { keepStandings } from '../requirements/standings.commands.ts'
import { lockStudentTime } from '../time/lock.queries.ts'
import { approveReopened, followOtherHalves, reopenOverlaps } from '../time/merged-hours.commands.ts'
import { setLeavesOn } from './access.commands.ts'
import { accountColumns } from './account-columns.rules.ts'
import { getChangeable, getUser, refuseMerged, refuseTestUser } from './changeable.service.ts'
import { findLeft } from './leaving.queries.ts'
import { comeBack, giveBack } from './leaving.service.ts'
import {
  addMerge,
  giveRows,
  keepMergedGraduate,
  keepReopened,
  passOnBefore,
  setColumns,
  takeRowsBack,
} from './merging.commands.ts'
import { countRowsOf, findMerge, lastSeenOf, listMergesOf, lockAccounts } from './merging.queries.ts'

/** Makes other writes of the time of two students wait, in the order of their ids. */
const lockTimeOf = async (db: Db, ids: readonly number[]): Promise<void> => {
  for (const id of ids.toSorted((one, other) => one - other)) await lockStudentTime(db, id)
}

const nameOf = ({ FirstName, LastName }: UserDetail): string => `${FirstName} ${LastName}`.trim()

/** Both accounts, where they may become one. */
const takeTwo = async (
  db: Db,
  programId: number,
  user: User,
  { KeptId, MergedId }: { KeptId: number; MergedId: number },
): Promise<{ kept: UserDetail; merged: UserDetail }> => {
  if (KeptId === MergedId) throw fail(peopleFailures.same_account, 'MergedId')
  for (const id of [KeptId, MergedId]) await refuseMerged(db, programId, id)
  const kept = await getChangeable(db, programId, user, KeptId)
  const merged = await getChangeable(db, programId, user, MergedId)
  for (const each of [kept, merged]) refuseTestUser(each)
  if (MergedId === user.Id) throw fail(peopleFailures.own_account, 'MergedId')
  if (kept.AccessLevel !== merged.AccessLevel)
    throw fail(peopleFailures.different_levels, { Kept: nameOf(kept), Merged: nameOf(merged) }, 'MergedId')
  return { kept, merged }
}

/** Figures that are not kept by the rows themselves. */
const countAgain = async (db: Db, programId: number, studentIds: readonly number[], level: number) => {
  if (level !== Level.Student) return
  await keepStandings(db, programId, { studentIds: [...studentIds] })
  await noteGoals(db, programId)
}

const picked = (from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]))

export const mergingRoutes = [
  handle(contract.previewMerge, async ({ db, params: { programId }, query, user }) => {
    const { kept, merged } = await takeTwo(db, programId, user, query)
    const sideOf = async (Person: UserDetail) => ({
      Person,
      LastSeenAt: await lastSeenOf(db, Person.Id),
      Rows: await countRowsOf(db, programId, Person.Id),
    })
    return { Kept: await sideOf(kept), Merged: await sideOf(merged) }
  }),

  handle(contract.mergeAccounts, async ({ db, params: { programId }, body, user, audit }) => {
    const both = [body.KeptId, body.MergedId]
    await lockTimeOf(db, both)
    const accounts = await lockAccounts(db, programId, both)
    const { kept, merged } = await takeTwo(db, programId, user, body)
    const [first, second] = [accounts.get(kept.Id)!, accounts.get(merged.Id)!]
    const taken = body.Take.map((field) => accountColumns[field])
    const ending = [
      'user_name',
      'email',
      'is_email_confirmed',
      'student_number',
      'deleted_at',
      'deactivated_at',
      'leaves_on',
    ]
    const keptAfter = {
      ...picked(second, taken),
      // Who was about to leave still is.
      leaves_on: first.leaves_on ?? second.leaves_on,
      ...(taken.includes('email') && { is_email_confirmed: second.is_email_confirmed }),
    }
    const { mergeId, moved, left, reopened } = await keepIf(db, !body.DryRun, async () => {
      const made = await addMerge(db, programId, {
        keptId: kept.Id,
        mergedId: merged.Id,
        keptBefore: picked(first, Object.keys(keptAfter)),
        keptAfter,
        mergedBefore: picked(second, ending),
        by: user.Id,
      })
      const graduate = await mergeGraduates(db, programId, { keptId: kept.Id, mergedId: merged.Id })
      if (graduate) await keepMergedGraduate(db, programId, made, graduate)
      const open = await reopenOverlaps(db, programId, { keptId: kept.Id, mergedId: merged.Id })
      if (open.length > 0) await keepReopened(db, programId, made, open)
      const given = await giveRows(db, programId, { mergedId: merged.Id, keptId: kept.Id, mergeId: made })
      return { mergeId: made, ...given, reopened: open.length }
    })
    if (body.DryRun) return { MergeId: null, Moved: moved, Left: left, Reopened: reopened }
    const now = new Date().toISOString()
    await setColumns(db, programId, merged.Id, {
      // Names and numbers that are one person's alone are free for the account that stays.
      user_name: `merged${merged.Id}`,
      email: '',
      is_email_confirmed: false,
      student_number: null,
      deactivated_at: second.deactivated_at ?? now,
      ...(left.length === 0 && { deleted_at: now }),
    })
    await setColumns(db, programId, kept.Id, keptAfter)
    await endSessionsOf(db, merged.Id, 'access')
    await countAgain(db, programId, [kept.Id, merged.Id], kept.AccessLevel)
    audit.subjectId = kept.Id
    audit.detail = {
      MergedId: merged.Id,
      Merged: nameOf(merged),
      Take: body.Take,
      Moved: moved,
      Left: left,
      Reopened: reopened,
    }
    return { MergeId: mergeId, Moved: moved, Left: left, Reopened: reopened }
  }),

  handle(contract.listAccountMerges, async ({ db, params: { programId, userId }, user }) => {
    await getUser(db, programId, user, userId)
    return listMergesOf(db, programId, userId)
  }),

  handle(contract.undoAccountMerge, async ({ db, params: { programId, mergeId }, user, audit }) => {
    const merge = await findMerge(db, programId, mergeId)
    if (!merge) throw fail(peopleFailures.no_merge)
    if (merge.undone_at !== null) throw fail(peopleFailures.undone)
    // What belonged to the second account is with the other one by now, and comes back with the first.
    await refuseMerged(db, programId, merge.kept_id)
    const kept = await getChangeable(db, programId, user, merge.kept_id)
    await lockTimeOf(db, [merge.kept_id, merge.merged_id])
    const accounts = await lockAccounts(db, programId, [merge.kept_id, merge.merged_id])
    const current = accounts.get(merge.kept_id)!
    const passed = await passOnBefore(db, programId, mergeId, merge)
    // What somebody has changed since stays.
    const unchanged = Object.keys(merge.kept_before).filter(
      (name) => !passed.has(name) && current[name] === merge.kept_after[name],
    )
    const left = await findLeft(db, { programId, userId: merge.kept_id })
    await setColumns(db, programId, merge.kept_id, picked(merge.kept_before, unchanged))
    const { deactivated_at, deleted_at, leaves_on, ...names } = merge.merged_before
    await setColumns(db, programId, merge.merged_id, { ...names, deleted_at: deleted_at ?? null })
    const Returned = await takeRowsBack(db, programId, mergeId, user.Id)
    await followOtherHalves(db, programId, { keptId: merge.kept_id, mergedId: merge.merged_id })
    if (merge.reopened) await approveReopened(db, programId, merge.merged_id, merge.reopened)
    if (merge.graduate) await unmergeGraduates(db, programId, merge.graduate)
    // Whether they may be placed is judged by what they have shown, which is theirs again.
    await countAgain(db, programId, [merge.kept_id, merge.merged_id], kept.AccessLevel)
    if (left && unchanged.includes('leaves_on') && merge.kept_before.leaves_on === null && current.leaves_on)
      await giveBack(db, { programId, userId: merge.kept_id }, left)
    // What was freed when the second account ended comes back as when somebody returns.
    const { Refused } = deactivated_at ? { Refused: [] } : await comeBack(db, programId, merge.merged_id)
    if (leaves_on && !deactivated_at) await setLeavesOn(db, programId, merge.merged_id, String(leaves_on))
    if (kept.AccessLevel === Level.Student) await noteGoals(db, programId)
    audit.subjectId = merge.kept_id
    audit.detail = { MergeId: mergeId, MergedId: merge.merged_id, Returned }
    return { Returned, Refused }
  }),
]
