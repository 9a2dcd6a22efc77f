import { placementListFailures } from '#contract/placement-lists/failures.ts'
import * as contract from '#contract/placement-lists/placement-lists.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { openingsOf } from '../links/links.queries.ts'
import { auditByLink, openedLink } from '../links/links.service.ts'
import { todayOf } from '../programs/context.queries.ts'
import { findRotation, lockRotation } from '../scheduling/rotations.queries.ts'
import { insertLists, keepAnswers, markWithdrawn, withdrawOpenLists } from './placement-lists.commands.ts'
import { listsPage } from './placement-lists.jobs.ts'
import {
  type ExportedRow,
  findLists,
  listExported,
  listSendable,
  listStudents,
  lockList,
  pageLists,
} from './placement-lists.queries.ts'
import { mailLists, remind } from './sending.service.ts'

const answerOf = ({ IsConfirmed }: contract.ListedStudent): string =>
  IsConfirmed === null ? 'waiting' : IsConfirmed ? 'confirmed' : 'declined'

const columns: readonly ExportColumn<ExportedRow>[] = [
  { title: 'Site', width: 30, value: (row) => row.Site },
  { title: 'Rotation', width: 24, value: (row) => row.Rotation },
  { title: 'Student', width: 26, value: (row) => row.Student },
  { title: 'Level', width: 16, value: (row) => row.StudentLevel ?? '' },
  { title: 'First Date', kind: 'date', width: 12, value: (row) => row.FirstDate },
  { title: 'Last Date', kind: 'date', width: 12, value: (row) => row.LastDate },
  { title: 'Shifts', width: 8, value: (row) => row.Shifts },
  { title: 'Answer', width: 12, value: answerOf },
  { title: 'Reason', width: 40, value: (row) => row.Reason },
  { title: 'Answered', width: 20, value: (row) => row.AnsweredAt },
  { title: 'Answer By', kind: 'date', width: 12, value: (row) => row.AnswerBy },
  { title: 'Sent To', width: 34, value: (row) => `${row.RecipientName} <${row.RecipientEmail}>` },
  { title: 'Sent', width: 20, value: (row) => row.SentAt },
]

const getList = async (db: Db, programId: number, id: number) => {
  const [list] = await findLists(db, programId, [id])
  if (!list) throw fail(placementListFailures.no_placement_list)
  return list
}

const getRotation = async (db: Db, programId: number, id: number) => {
  const rotation = await findRotation(db, programId, id)
  if (!rotation) throw fail(schedulingFailures.no_rotation)
  return rotation
}

export const placementListRoutes = [
  handle(contract.listPlacementLists, ({ db, params: { programId }, query }) =>
    pageLists(db, programId, query),
  ),

  handle(contract.exportPlacementLists, async ({ db, params: { programId }, query, user }) => {
    const { Format, ...filters } = query
    const rows = await listExported(db, programId, filters)
    return tableFile(Format, `Placement lists ${todayIn(user.TimeZone)}`, columns, rows)
  }),

  handle(contract.listSendableSites, async ({ db, params: { programId }, query }) => {
    await getRotation(db, programId, query.RotationId)
    return listSendable(db, programId, query.RotationId)
  }),

  handle(contract.sendPlacementLists, async (call) => {
    const { db, services, user, audit, body } = call
    const { programId } = call.params
    const rotation = await getRotation(db, programId, body.RotationId)
    if (body.AnswerBy < (await todayOf(db, programId)))
      throw fail(placementListFailures.past_answer_date, 'AnswerBy')
    const wanted = new Set(body.SiteIds)
    const sites = (await listSendable(db, programId, rotation.Id)).filter(({ SiteId }) => wanted.has(SiteId))
    refuseMissing(
      placementListFailures.no_sites_with_students,
      wanted,
      sites.map(({ SiteId }) => SiteId),
    )
    const skipped = sites.filter(({ Problem }) => Problem !== null)
    const sent = sites.filter(({ Problem }) => Problem === null)
    // Two who send lists of a rotation come one after the other.
    await lockRotation(db, programId, rotation.Id)
    const replaced = await withdrawOpenLists(
      db,
      programId,
      rotation.Id,
      sent.map(({ SiteId }) => SiteId),
    )
    for (const { id } of replaced)
      await withdrawLinks(db, { programId, kind: 'list', subjectId: id, by: user.Id })
    const ids = await insertLists(
      db,
      programId,
      { rotationId: rotation.Id, note: body.Note, answerBy: body.AnswerBy, by: user.Id },
      sent.map(({ SiteId, RecipientName, RecipientEmail }) => ({
        siteId: SiteId,
        recipientName: RecipientName || RecipientEmail,
        recipientEmail: RecipientEmail,
        replacedId: replaced.find(({ siteId }) => siteId === SiteId)?.id,
      })),
    )
    await mailLists(db, services, programId, await findLists(db, programId, ids), {
      by: user.Id,
      isReminder: false,
    })
    audit.detail = { Rotation: rotation.Name, Sites: sent.map(({ Site }) => Site), AnswerBy: body.AnswerBy }
    return {
      Sent: sent.length,
      // The filter above leaves those that have one.
      Skipped: skipped.map(({ Site, Problem }) => ({ Site, Problem: Problem! })),
    }
  }),

  handle(contract.getPlacementList, async ({ db, params: { programId, listId } }) => {
    const list = await getList(db, programId, listId)
    return {
      ...list,
      ...(await openingsOf(db, programId, 'list', listId)),
      Items: await listStudents(db, programId, listId),
    }
  }),

  handle(contract.remindSite, async ({ db, services, user, audit, params: { programId, listId } }) => {
    const list = await getList(db, programId, listId)
    if (list.State !== 'waiting') throw fail(placementListFailures.list_over)
    audit.detail = { Site: list.Site, Rotation: list.Rotation }
    await remind(db, services, programId, listId, user.Id)
    return getList(db, programId, listId)
  }),

  handle(contract.withdrawPlacementList, async ({ db, user, audit, params: { programId, listId } }) => {
    const list = await getList(db, programId, listId)
    await lockList(db, programId, listId)
    if (!(await markWithdrawn(db, programId, listId))) throw fail(placementListFailures.withdrawn_before)
    await withdrawLinks(db, { programId, kind: 'list', subjectId: listId, by: user.Id })
    audit.detail = { Site: list.Site, Rotation: list.Rotation }
    return getList(db, programId, listId)
  }),
]

export const sitePlacementListRoutes = [
  handle(contract.openPlacementList, async (call) => {
    const { db } = call
    const { programId, subjectId } = await openedLink(call, call.params.token, 'list')
    const { Site, Rotation, Note, AnswerBy } = await getList(db, programId, subjectId)
    return { Site, Rotation, Note, AnswerBy, Items: await listStudents(db, programId, subjectId) }
  }),

  handle(contract.answerPlacementList, async (call) => {
    const { db, body } = call
    const link = await openedLink(call, call.params.token, 'list')
    const { programId, subjectId } = link
    await lockList(db, programId, subjectId)
    if ((await getList(db, programId, subjectId)).State === 'withdrawn')
      throw fail(placementListFailures.list_replaced)
    const students = new Map(
      (await listStudents(db, programId, subjectId)).map((student) => [student.StudentId, student]),
    )
    if (body.Answers.some(({ StudentId }) => !students.has(StudentId)))
      throw fail(placementListFailures.not_listed, 'Answers')
    if (body.Answers.some(({ IsConfirmed, Reason }) => !IsConfirmed && Reason === ''))
      throw fail(placementListFailures.no_reason, 'Answers')
    const changed = body.Answers.filter(({ StudentId, IsConfirmed, Reason }) => {
      const before = students.get(StudentId)
      return before?.IsConfirmed !== IsConfirmed || (!IsConfirmed && before.Reason !== Reason)
    })
    const declined = await keepAnswers(db, programId, subjectId, changed)
    const list = await getList(db, programId, subjectId)
    const { Confirmed, Declined, Site, Rotation, Students } = list
    if (changed.length > 0) {
      await auditByLink(call, link, 'answered', {
        Site,
        Rotation,
        Answers: changed.map(({ StudentId, IsConfirmed, Reason }) => ({
          Student: students.get(StudentId)?.Student,
          IsConfirmed,
          ...(Reason && { Reason }),
        })),
      })
      const text = `${Site}, ${Rotation}: ${Confirmed} of ${Students} confirmed${Declined > 0 ? `, ${Declined} declined` : ''}${
        declined.length > 0 ? ` (${declined.slice(0, 5).join(', ')}${declined.length > 5 ? ', …' : ''})` : ''
      }`
      await notifyCoordinators(db, programId, {
        kind: 'site_list_answered',
        text,
        link: `${listsPage}?show=${Declined > 0 ? 'declined' : 'all'}`,
        email: { label: 'SITE_list_answered', key: `list:${subjectId}`, line: text },
      })
    }
    return { Confirmed, Declined, Waiting: Students - Confirmed - Declined }
  }),
]
