import { daysBetween, formatDate } from '#contract/core/calendar.ts'
import type { Out } from '#contract/core/endpoint.ts'
import { placementListFailures } from '#contract/placement-lists/failures.ts'
import * as contract from '#contract/placement-lists/place-requests.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import { dayText } from '#contract/scheduling/scheduling-rules.ts'
import { siteFailures } from '#contract/sites/failures.ts'
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
import { mailDecision, mailRequests, offerText, remindOfRequest } from './asking.service.ts'
import {
  giveShiftPlaces,
  insertRequests,
  keepDecision,
  keepOffer,
  markRequestWithdrawn,
  type Offer,
} from './place-requests.commands.ts'
import {
  findAsked,
  findOverfull,
  findRequests,
  hasStudentLevel,
  isAnswerOf,
  listAskable,
  listExportedRequests,
  listPlansFrom,
  lockRequest,
  pageRequests,
} from './place-requests.queries.ts'
import { requestsPage } from './placement-lists.jobs.ts'

const columns: readonly ExportColumn<contract.PlaceRequest>[] = [
  { title: 'Site', width: 30, value: (row) => row.Site },
  { title: 'Shift', width: 14, value: (row) => row.Shift ?? '' },
  { title: 'Level', width: 16, value: (row) => row.StudentLevel ?? '' },
  { title: 'First Date', kind: 'date', width: 12, value: (row) => row.StartDate },
  { title: 'Last Date', kind: 'date', width: 12, value: (row) => row.EndDate },
  { title: 'Places', width: 8, value: (row) => row.Places },
  { title: 'Status', width: 12, value: (row) => row.State },
  { title: 'Offered Places', width: 10, value: (row) => row.OfferedPlaces },
  { title: 'Offered From', kind: 'date', width: 12, value: (row) => row.OfferedFrom },
  { title: 'Offered Through', kind: 'date', width: 12, value: (row) => row.OfferedThrough },
  { title: 'Words Of The Site', width: 40, value: (row) => row.Words },
  { title: 'Answered', width: 20, value: (row) => row.AnsweredAt },
  { title: 'Answer By', kind: 'date', width: 12, value: (row) => row.AnswerBy },
  { title: 'Sent To', width: 34, value: (row) => `${row.RecipientName} <${row.RecipientEmail}>` },
  { title: 'Sent', width: 20, value: (row) => row.SentAt },
]

const getRequest = async (db: Db, programId: number, id: number): Promise<contract.PlaceRequest> => {
  const [request] = await findRequests(db, programId, [id])
  if (!request) throw fail(placementListFailures.no_request_for_places)
  return request
}

/** The request, which nobody else changes until the call is over. */
const lockedRequest = async (db: Db, programId: number, id: number): Promise<contract.PlaceRequest> => {
  await lockRequest(db, programId, id)
  return getRequest(db, programId, id)
}

const refuseLong = (from: string, through: string): void => {
  if (daysBetween(from, through) >= contract.longestRequestDays)
    throw fail(placementListFailures.too_long, 'EndDate')
}

/** A request as its site sees it. */
const getAsked = async (db: Db, programId: number, id: number) => {
  const asked = await findAsked(db, programId, id)
  if (!asked) throw fail(placementListFailures.no_request_for_places)
  return asked
}

type SiteAnswer = Out<NonNullable<(typeof contract.answerPlaceRequest)['body']>>

/** What an answer offers of what was asked. */
const offerOf = (
  { Places, StartDate, EndDate }: contract.PlaceRequest,
  answer: SiteAnswer,
  today: string,
): Offer => {
  const asked = {
    answer: answer.Answer,
    places: Places,
    from: StartDate,
    through: EndDate,
    words: answer.Words,
  }
  switch (answer.Answer) {
    case 'yes':
      return asked
    case 'no':
      return { ...asked, places: 0 }
    case 'fewer':
      if ((answer.Places ?? 0) >= Places) throw fail(placementListFailures.not_fewer, { Places }, 'Places')
      return { ...asked, places: answer.Places ?? 0 }
    case 'otherDates': {
      const from = answer.StartDate ?? StartDate
      const through = answer.EndDate ?? EndDate
      if (through < today) throw fail(placementListFailures.past_dates, 'EndDate')
      refuseLong(from, through)
      return { ...asked, places: answer.Places ?? Places, from, through }
    }
  }
}

export const placeRequestRoutes = [
  handle(contract.listPlaceRequests, ({ db, params: { programId }, query }) =>
    pageRequests(db, programId, query),
  ),

  handle(contract.exportPlaceRequests, async ({ db, params: { programId }, query, user }) => {
    const { Format, ...filters } = query
    const rows = await listExportedRequests(db, programId, filters)
    return tableFile(Format, `Requests for places ${todayIn(user.TimeZone)}`, columns, rows)
  }),

  handle(contract.listRequestPlans, async ({ db, params: { programId } }) =>
    listPlansFrom(db, programId, await todayOf(db, programId)),
  ),

  handle(contract.listAskableSites, ({ db, params: { programId } }) => listAskable(db, programId)),

  handle(contract.sendPlaceRequests, async ({ db, services, user, audit, body, params: { programId } }) => {
    const today = await todayOf(db, programId)
    if (body.AnswerBy < today) throw fail(placementListFailures.past_answer_date, 'AnswerBy')
    if (body.EndDate < today) throw fail(placementListFailures.past_dates, 'EndDate')
    refuseLong(body.StartDate, body.EndDate)
    const wanted = new Set(body.SiteIds)
    const sites = (await listAskable(db, programId)).filter(({ SiteId }) => wanted.has(SiteId))
    refuseMissing(
      siteFailures.no_sites,
      wanted,
      sites.map(({ SiteId }) => SiteId),
    )
    const { SiteShiftId, StudentLevelId } = body
    if (
      SiteShiftId !== null &&
      !sites.some(({ Shifts }) => Shifts.some((shift) => shift.SiteShiftId === SiteShiftId))
    )
      throw fail(schedulingFailures.no_shift)
    if (StudentLevelId !== null && !(await hasStudentLevel(db, programId, StudentLevelId)))
      throw fail(placementListFailures.no_level)
    const sent = sites.filter(({ RecipientEmail }) => RecipientEmail !== '')
    const ids = await insertRequests(
      db,
      programId,
      {
        siteShiftId: SiteShiftId,
        studentLevelId: StudentLevelId,
        startDate: body.StartDate,
        endDate: body.EndDate,
        places: body.Places,
        note: body.Note,
        answerBy: body.AnswerBy,
        by: user.Id,
      },
      sent.map(({ SiteId, RecipientName, RecipientEmail }) => ({
        SiteId,
        RecipientName: RecipientName || RecipientEmail,
        RecipientEmail,
      })),
    )
    await mailRequests(db, services, programId, await findRequests(db, programId, ids), {
      by: user.Id,
      isReminder: false,
    })
    audit.detail = { ...body, SiteIds: undefined, Sites: sent.map(({ Site }) => Site) }
    return {
      Sent: sent.length,
      Skipped: sites.flatMap(({ Site, RecipientEmail }) => (RecipientEmail === '' ? [Site] : [])),
    }
  }),

  handle(contract.getPlaceRequest, async ({ db, params: { programId, requestId } }) => {
    const request = await getRequest(db, programId, requestId)
    return {
      ...request,
      ...(await openingsOf(db, programId, 'places', requestId)),
      Overfull: request.State === 'offered' ? await findOverfull(db, programId, requestId) : null,
    }
  }),

  handle(contract.remindPlaceRequest, async ({ db, services, user, audit, params }) => {
    const { programId, requestId } = params
    const request = await lockedRequest(db, programId, requestId)
    if (request.State !== 'waiting') throw fail(placementListFailures.request_over)
    audit.detail = { Site: request.Site, Places: request.Places }
    await remindOfRequest(db, services, programId, requestId, user.Id)
    return getRequest(db, programId, requestId)
  }),

  handle(contract.withdrawPlaceRequest, async ({ db, user, audit, params: { programId, requestId } }) => {
    const request = await lockedRequest(db, programId, requestId)
    if (request.State !== 'waiting' && request.State !== 'offered')
      throw fail(placementListFailures.request_decided)
    await markRequestWithdrawn(db, programId, requestId)
    await withdrawLinks(db, { programId, kind: 'places', subjectId: requestId, by: user.Id })
    audit.detail = { Site: request.Site, Places: request.Places }
    return getRequest(db, programId, requestId)
  }),

  handle(contract.decidePlaceRequest, async ({ db, user, audit, body, params }) => {
    const { programId, requestId } = params
    const request = await lockedRequest(db, programId, requestId)
    const { State, Site, Shift, SiteShiftId } = request
    if (State !== 'offered') throw fail(placementListFailures.not_open)
    if (!(await isAnswerOf(db, programId, requestId, body.AnsweredAt)))
      throw fail(placementListFailures.answered_anew, { Site })
    if (body.IsAccepted && SiteShiftId !== null) {
      const overfull = await findOverfull(db, programId, requestId)
      if (overfull || !(await giveShiftPlaces(db, programId, requestId)))
        throw overfull
          ? fail(placementListFailures.overfull, {
              Placed: overfull.Placed,
              Shift: Shift ?? '',
              Date: dayText(overfull.Date),
              Places: request.OfferedPlaces ?? '',
            })
          : fail(placementListFailures.others_placing, { Shift: Shift ?? '' })
    }
    await keepDecision(db, programId, requestId, { isAccepted: body.IsAccepted, by: user.Id })
    await mailDecision(db, programId, request, body.IsAccepted)
    audit.detail = { Site, Shift, IsAccepted: body.IsAccepted, Offer: offerText(request) }
    return getRequest(db, programId, requestId)
  }),
]

export const sitePlaceRequestRoutes = [
  handle(contract.openPlaceRequest, async (call) => {
    const { programId, subjectId } = await openedLink(call, call.params.token, 'places')
    return getAsked(call.db, programId, subjectId)
  }),

  handle(contract.answerPlaceRequest, async (call) => {
    const { db, body } = call
    const link = await openedLink(call, call.params.token, 'places')
    const { programId, subjectId } = link
    const request = await lockedRequest(db, programId, subjectId)
    if (request.State !== 'waiting' && request.State !== 'offered')
      throw fail(placementListFailures.decided_by_school)
    const offer = offerOf(request, body, await todayOf(db, programId))
    const isSame =
      request.Answer === offer.answer &&
      request.OfferedPlaces === offer.places &&
      request.OfferedFrom === offer.from &&
      request.OfferedThrough === offer.through &&
      request.Words === offer.words
    if (isSame) return getAsked(db, programId, subjectId)
    await keepOffer(db, programId, subjectId, offer)
    const answered = await getRequest(db, programId, subjectId)
    await auditByLink(call, link, 'answered', {
      Site: answered.Site,
      Asked: `${request.Places}, ${formatDate(request.StartDate)}–${formatDate(request.EndDate)}`,
      Answer: offer.answer,
      Offer: offerText(answered),
      ...(offer.words && { Words: offer.words }),
    })
    const text = `${answered.Site} offers ${offerText(answered)}; asked for ${request.Places}`
    await notifyCoordinators(db, programId, {
      kind: 'site_places_answered',
      text,
      link: `${requestsPage}?show=offered`,
      email: { label: 'SITE_places_answered', key: `places:${subjectId}`, line: text },
    })
    return getAsked(db, programId, subjectId)
  }),
]
