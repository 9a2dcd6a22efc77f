import { formatDate } from '#contract/core/calendar.ts'
import { shiftChangeFailures } from '#contract/shift-changes/failures.ts'
import * as contract from '#contract/shift-changes/shift-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { readStudentNumbers } from '#server/core/files/student-numbers.ts'
import { type ExportColumn, recordColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { listLinks } from '../links/links.queries.ts'
import { auditByLink, openedLink } from '../links/links.service.ts'
import { getPlacingProgram } from '../scheduling/placement.queries.ts'
import { checkHandovers } from '../scheduling/placing.queries.ts'
import { decide, linesOf, lockChange, readHandovers } from './outcomes.service.ts'
import { addEvent, answerAsSite } from './shift-changes.commands.ts'
import {
  type ChangeRow,
  type ChangeSite,
  findChange,
  findChangeRow,
  findChangeSite,
  listChangeSites,
  listChanges,
  listEvents,
  pageChanges,
} from './shift-changes.queries.ts'

const getChange = async (db: Db, programId: number, id: number): Promise<contract.ShiftChange> => {
  const change = await findChange(db, programId, id)
  if (!change) throw fail(shiftChangeFailures.no_request)
  return change
}

const shiftText = (shift: contract.GivenShift | null): string =>
  shift ? `${shift.StartTime}–${shift.EndTime}, ${shift.ShiftCode}, ${shift.Site}` : ''

const columns: readonly ExportColumn<contract.ShiftChange>[] = [
  { title: 'Kind', width: 10, value: (row) => row.Kind },
  { title: 'Status', width: 10, value: (row) => row.State },
  { title: 'Student', width: 26, value: (row) => row.Student },
  { title: 'Date', kind: 'date', width: 12, value: (row) => row.Given.Date },
  { title: 'Shift', width: 44, value: (row) => shiftText(row.Given) },
  { title: 'Taken by', width: 26, value: (row) => row.Taker ?? '' },
  { title: 'Return Date', kind: 'date', width: 12, value: (row) => row.Returned?.Date ?? null },
  { title: 'Return Shift', width: 44, value: (row) => shiftText(row.Returned) },
  { title: 'Approval', width: 10, value: (row) => row.Approval },
  { title: 'Note', width: 30, value: (row) => row.Note },
  { title: 'Reason', width: 30, value: (row) => row.Reason },
  { title: 'Asked', width: 20, value: (row) => row.CreatedAt },
]

/** The rule that keeps a pending change from becoming final now. */
const findBlocked = async (db: Db, programId: number, change: ChangeRow) => {
  if (change.state !== 'pending' || change.kind === 'drop') return null
  const handovers = await readHandovers({ db, programId }, change)
  if (!handovers) return null
  const program = await getPlacingProgram(db, programId)
  const [refusal] = await checkHandovers(db, { programId, program }, [handovers])
  return refusal ? { Rule: refusal.Rule, Message: refusal.Message } : null
}

export const shiftChangeRoutes = [
  handle(contract.listShiftChanges, ({ db, params: { programId }, query }) =>
    pageChanges(db, programId, query),
  ),

  handle(contract.exportShiftChanges, async ({ db, params: { programId }, query, user }) => {
    const { Format, ...filters } = query
    const rows = await listChanges(db, programId, filters)
    const own = recordColumns(await readStudentNumbers(db, programId))
    return tableFile(Format, `Shift requests ${todayIn(user.TimeZone)}`, [...columns, ...own], rows)
  }),

  handle(contract.getShiftChange, async ({ db, params: { programId, changeId } }) => {
    const change = await getChange(db, programId, changeId)
    // It was found above.
    const row = (await findChangeRow(db, programId, changeId))!
    const sites = await listChangeSites(db, programId, changeId)
    const links = await listLinks(
      db,
      programId,
      'swap',
      sites.map(({ id }) => id),
    )
    return {
      ...change,
      Events: await listEvents(db, programId, changeId),
      Sites: sites.map(({ id, site, recipient, answer, answeredAt }) => ({
        Site: site,
        Recipient: recipient,
        Answer: answer,
        AnsweredAt: answeredAt,
        Openings: links.find(({ SubjectId }) => SubjectId === id)?.Openings ?? 0,
      })),
      Blocked: await findBlocked(db, programId, row),
    }
  }),

  handle(contract.decideShiftChange, async ({ db, params: { programId, changeId }, body, user, audit }) => {
    const before = await getChange(db, programId, changeId)
    audit.subjectId = before.StudentId
    audit.detail = {
      Kind: before.Kind,
      Given: before.Given,
      Taker: before.Taker,
      Returned: before.Returned,
      ...body,
    }
    await decide({ db, programId, actor: user.Name, by: user.Id }, changeId, {
      isApproved: body.IsApproved,
      reason: body.Reason,
    })
    return getChange(db, programId, changeId)
  }),
]

/** What a change does at one site, as its contact reads it. */
const linesAt = async (db: Db, programId: number, site: ChangeSite, change: ChangeRow) => {
  const shown = await getChange(db, programId, change.id)
  const taker = change.taker ?? ''
  const text = (shift: contract.GivenShift) =>
    `${formatDate(shift.Date)} ${shift.StartTime}–${shift.EndTime}, ${shift.ShiftCode}`
  return [
    { shift: shown.Given, From: change.student, To: taker },
    ...(shown.Returned ? [{ shift: shown.Returned, From: taker, To: change.student }] : []),
  ]
    .filter(({ shift }) => shift.Site === site.site)
    .map(({ shift, From, To }) => ({ Shift: text(shift), From, To }))
}

const changeOfSite = async (db: Db, programId: number, subjectId: number) => {
  // The link was made with both.
  const site = (await findChangeSite(db, programId, subjectId))!
  const change = (await findChangeRow(db, programId, site.changeId))!
  return { site, change }
}

export const siteShiftChangeRoutes = [
  handle(contract.openShiftChange, async (call) => {
    const { db } = call
    const link = await openedLink(call, call.params.token, 'swap')
    const { site, change } = await changeOfSite(db, link.programId, link.subjectId)
    return {
      Site: site.site,
      Lines: await linesAt(db, link.programId, site, change),
      Answer: site.answer,
      State: change.state,
    }
  }),

  handle(contract.answerShiftChange, async (call) => {
    const { db, body } = call
    const link = await openedLink(call, call.params.token, 'swap')
    const { programId } = link
    const { site, change: known } = await changeOfSite(db, programId, link.subjectId)
    // Locked first, so that the answers of two sites come one after the other.
    const change = await lockChange({ db, programId }, known.id)
    const actor = `${link.recipientName}, ${site.site}`
    if (change.state !== 'pending') throw fail(shiftChangeFailures.over_meanwhile)
    if (!(await answerAsSite(db, programId, site.id, body.IsApproved ? 'approved' : 'declined')))
      throw fail(shiftChangeFailures.answered_before)
    await auditByLink(call, link, body.IsApproved ? 'approved' : 'declined', {
      subjectId: change.studentId,
      Change: linesOf(change),
      Reason: body.Reason,
    })
    const sites = await listChangeSites(db, programId, change.id)
    if (body.IsApproved && sites.some(({ answer }) => answer === null)) {
      await addEvent(db, programId, change.id, { actor, action: 'approved', detail: body.Reason })
      await withdrawLinks(db, { programId, kind: 'swap', subjectId: site.id, by: null })
      return { State: 'pending' as const }
    }
    return {
      State: await decide({ db, programId, actor, by: null }, change.id, {
        isApproved: body.IsApproved,
        reason: body.Reason,
      }),
    }
  }),
]
