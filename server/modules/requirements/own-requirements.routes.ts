import { randomUUID } from 'node:crypto'
import { requirementFailures } from '#contract/requirements/failures.ts'
import * as contract from '#contract/requirements/own-requirements.ts'
import { states } from '#contract/requirements/requirement-rules.ts'
import { isSignedAs } from '#server/core/auth/signed-name.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { listOwnRequests } from './exemption-requests.queries.ts'
import { noticeOf } from './pre-adverse.rules.ts'
import { refuseEvents } from './proof.rules.ts'
import { storeProofFiles } from './proof-files.service.ts'
import { insertProof, insertProofFiles, withdraw } from './proofs.commands.ts'
import {
  findByKey,
  findProofFile,
  firstBlocked,
  listProofs,
  listShiftsAhead,
  listStandings,
  readToday,
  type StudentStanding,
} from './proofs.queries.ts'
import { keepStandings } from './standings.commands.ts'
import { lockStudentsOfProofs } from './standings.queries.ts'

/** A student's program; the account of a student always has one. */
const programOf = (user: { ProgramId: number | null }): number => user.ProgramId!

/** The requirement as it is asked of the student, at the site where each site asks by itself. */
const getAsked = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  { requirementId, siteId, today }: { requirementId: number; siteId: number | null; today: string },
): Promise<StudentStanding> => {
  const asked = (await listStandings(db, programId, studentId, today)).find(
    ({ Id, Scope, SiteId }) => Id === requirementId && (Scope !== 'perSite' || SiteId === siteId),
  )
  if (!asked) throw fail(requirementFailures.no_requirement)
  return asked
}

export const ownRequirementRoutes = [
  handle(contract.getOwnRequirements, async ({ db, user }) => {
    const programId = programOf(user)
    const today = await readToday(db, programId)
    const [standings, proofs, shifts, requests, program] = await Promise.all([
      listStandings(db, programId, user.Id, today),
      listProofs(db, programId, user.Id),
      listShiftsAhead(db, programId, user.Id, today),
      listOwnRequests(db, programId, user.Id),
      findProgramContext(db, programId),
    ])
    const Items = standings.map(({ TextVersion: _, ...each }) => {
      const shown = proofs.filter(
        ({ RequirementId, SiteId }) =>
          RequirementId === each.Id && (each.Scope !== 'perSite' || SiteId === each.SiteId),
      )
      return {
        ...each,
        Blocks: firstBlocked(each, shifts),
        Proofs: shown,
        Request: requests.get(each.Id) ?? null,
        Notice: noticeOf(shown, program?.Options.PreAdverseDays ?? 0),
      }
    })
    const urgency = ({ Blocks, Standing }: (typeof Items)[number]): number =>
      (Blocks ? 0 : states.length) + states.indexOf(Standing.State)
    return {
      Today: today,
      Items: Items.toSorted(
        (a, b) =>
          urgency(a) - urgency(b) || (a.Standing.ExpiresOn ?? '9').localeCompare(b.Standing.ExpiresOn ?? '9'),
      ),
    }
  }),

  handle(contract.sendProof, async ({ db, user, body: { proof }, files, services, audit, afterCommit }) => {
    const own = { programId: programOf(user), studentId: user.Id }
    await lockStudentsOfProofs(db, own.programId, [user.Id])
    audit.subjectId = user.Id
    const kept = await findByKey(db, own.programId, user.Id, proof.Key)
    if (kept !== undefined) return { Id: kept }
    const today = await readToday(db, own.programId)
    const asked = await getAsked(db, own, { requirementId: proof.RequirementId, siteId: proof.SiteId, today })
    if (asked.Rule.Kind === 'result') throw fail(requirementFailures.not_sent, { Name: asked.Name })
    if (asked.Rule.Kind === 'signed') throw fail(requirementFailures.signed_here, { Name: asked.Name })
    refuseEvents(asked, proof.Events, today)
    if (asked.NeedsFile && files.length === 0) throw fail(requirementFailures.proof_file_required, 'file')
    const fileIds = await storeProofFiles(db, services, files, { ...own, accountId: user.Id })
    const id = await insertProof(db, {
      ...own,
      requirementId: asked.Id,
      siteId: asked.Scope === 'perSite' ? asked.SiteId : null,
      version: asked.Version,
      events: proof.Events,
      note: proof.Note,
      key: proof.Key,
      by: user.Id,
      source: 'student',
      isAccepted: false,
    })
    await insertProofFiles(db, own.programId, id, fileIds)
    await keepStandings(db, own.programId, { studentIds: [user.Id], requirementIds: [asked.Id] })
    audit.detail = { ProofId: id, Requirement: asked.Name, Files: fileIds.length }
    afterCommit(() => services.live.publishRequirements(own.programId))
    return { Id: id }
  }),

  handle(contract.withdrawProof, async ({ db, user, params: { proofId }, services, audit, afterCommit }) => {
    const programId = programOf(user)
    await lockStudentsOfProofs(db, programId, [user.Id])
    const [proof] = await listProofs(db, programId, user.Id, { proofId })
    if (!proof) throw fail(requirementFailures.no_proof)
    if (proof.State !== 'submitted' || proof.Source !== 'student')
      throw fail(requirementFailures.proof_reviewed)
    await withdraw(db, programId, proofId, user.Id)
    await keepStandings(db, programId, { studentIds: [user.Id], requirementIds: [proof.RequirementId] })
    audit.subjectId = user.Id
    afterCommit(() => services.live.publishRequirements(programId))
  }),

  handle(contract.getOwnProofFile, async ({ db, user, params, services, audit }) => {
    const file = await findProofFile(db, programOf(user), user.Id, params)
    if (!file) throw fail(requirementFailures.no_file)
    audit.subjectId = user.Id
    return { name: file.name, type: file.media_type, chunks: await services.files.read(file.store_key) }
  }),

  handle(
    contract.signRequirement,
    async ({ db, user, params: { requirementId }, body, from, services, audit, afterCommit }) => {
      const own = { programId: programOf(user), studentId: user.Id }
      await lockStudentsOfProofs(db, own.programId, [user.Id])
      const today = await readToday(db, own.programId)
      const asked = await getAsked(db, own, { requirementId, siteId: body.SiteId, today })
      if (asked.Rule.Kind !== 'signed') throw fail(requirementFailures.not_signed_here, { Name: asked.Name })
      if (asked.Version !== body.Version) throw fail(requirementFailures.text_changed)
      if (!isSignedAs(body.Name, user.Name))
        throw fail(requirementFailures.wrong_name, { Name: user.Name }, 'Name')
      const id = await insertProof(db, {
        ...own,
        requirementId,
        siteId: asked.Scope === 'perSite' ? asked.SiteId : null,
        version: asked.Version,
        events: [{ Kind: 'signed', On: today, Until: null, Result: '', Of: '' }],
        note: '',
        key: randomUUID(),
        by: user.Id,
        source: 'signature',
        isAccepted: true,
        signature: { name: body.Name, text: asked.Rule.Text, from: from.address },
      })
      await keepStandings(db, own.programId, { studentIds: [user.Id], requirementIds: [requirementId] })
      audit.subjectId = user.Id
      audit.detail = { Requirement: asked.Name, Version: asked.Version }
      afterCommit(() => services.live.publishRequirements(own.programId))
      return { Id: id }
    },
  ),
]
