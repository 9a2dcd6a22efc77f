import { formatDate } from '#contract/core/calendar.ts'
import type { PlaceRequest } from '#contract/placement-lists/place-requests.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { withdrawLinks } from '../links/links.commands.ts'
import { mailLinks } from './link-mail.service.ts'
import { markRequestReminded } from './place-requests.commands.ts'
import { findRequests, lockRequest } from './place-requests.queries.ts'

type Asked = Pick<PlaceRequest, 'Places' | 'StudentLevel'>

/** '6 students', '1 student (Second Year)' */
const studentsOf = ({ Places, StudentLevel }: Asked): string =>
  `${Places} student${Places === 1 ? '' : 's'}${StudentLevel ? ` (${StudentLevel})` : ''}`

/** '08/24/2026–12/11/2026', or the one day. */
export const stretchText = (from: string, through: string): string =>
  from === through ? formatDate(from) : `${formatDate(from)}–${formatDate(through)}`

/** '4 places 08/24/2026–12/11/2026' */
export const offerText = ({
  OfferedPlaces,
  OfferedFrom,
  OfferedThrough,
  Answer,
}: Pick<PlaceRequest, 'OfferedPlaces' | 'OfferedFrom' | 'OfferedThrough' | 'Answer'>): string =>
  Answer === 'no' || !OfferedFrom || !OfferedThrough
    ? 'no places'
    : `${OfferedPlaces} place${OfferedPlaces === 1 ? '' : 's'} ${stretchText(OfferedFrom, OfferedThrough)}`

const textOf = (request: PlaceRequest, isReminder: boolean): string => {
  const { Site, Shift, StartDate, EndDate, AnswerBy, Note } = request
  const where = Shift ? `${Site}, ${Shift}` : Site
  const asked = `We ask for places for ${studentsOf(request)} at a time at ${where}, ${stretchText(StartDate, EndDate)}.`
  return [
    isReminder ? `A reminder. ${asked}` : asked,
    `Please answer by ${formatDate(AnswerBy)}: as asked, fewer, on other dates, or none.`,
    Note,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Mails the recipient of each request a link to it. */
export const mailRequests = async (
  db: Db,
  services: Services,
  programId: number,
  requests: readonly PlaceRequest[],
  { by, isReminder }: { by: number | null; isReminder: boolean },
): Promise<void> => {
  await mailLinks(db, services, programId, requests, {
    kind: 'places',
    by,
    emailOf: (request, shared) => ({
      ...shared,
      label: 'SITE_places_asked',
      values: {
        ...shared.values,
        'request.students': studentsOf(request),
        'request.answerBy': formatDate(request.AnswerBy),
        'request.text': textOf(request, isReminder),
      },
    }),
  })
}

/** Reminds the site of a request that waits, by a new link; the one before opens nothing any more. */
export const remindOfRequest = async (
  db: Db,
  services: Services,
  programId: number,
  requestId: number,
  by: number | null,
): Promise<void> => {
  await lockRequest(db, programId, requestId)
  await withdrawLinks(db, { programId, kind: 'places', subjectId: requestId, by })
  await mailRequests(db, services, programId, await findRequests(db, programId, [requestId]), {
    by,
    isReminder: true,
  })
  await markRequestReminded(db, programId, requestId)
}

/** Tells the site what became of its answer. */
export const mailDecision = async (
  db: Db,
  programId: number,
  request: PlaceRequest,
  isAccepted: boolean,
): Promise<void> => {
  const { Site, RecipientName, RecipientEmail } = request
  const offer = offerText(request)
  const text = isAccepted
    ? request.Answer === 'no'
      ? `Thank you for your answer. We plan without ${Site} for these dates.`
      : `Thank you. We plan with ${offer} at ${Site}.`
    : request.Answer === 'no'
      ? `Thank you for your answer. We will get in touch about ${Site}.`
      : `Thank you for offering ${offer} at ${Site}. We do not need these places; they are yours to give to others.`
  await queueTemplatedEmails(db, [
    {
      programId,
      label: 'SITE_places_decided',
      recipient: RecipientEmail,
      values: {
        'recipient.name': RecipientName,
        'site.name': Site,
        'decision.summary': isAccepted ? `we plan with ${offer}` : 'about the places you offered',
        'decision.text': text,
      },
    },
  ])
}
