import type { PlaceRequest, SiteAnswerKind } from '#contract/placement-lists/place-requests.ts'
import { formatDate } from '#web/ui/dates.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'

export const answerWords: Readonly<Record<SiteAnswerKind, WordKey>> = {
  yes: 'placeRequests.answerYes',
  fewer: 'placeRequests.answerFewer',
  otherDates: 'placeRequests.answerOtherDates',
  no: 'placeRequests.answerNo',
}

/** How a request is marked: what waits for the coordinator is told apart from what waits for the site. */
export const requestTag = ({
  State,
  IsLate,
}: Pick<PlaceRequest, 'State' | 'IsLate'>): { status: Status; word: WordKey } => {
  switch (State) {
    case 'withdrawn':
      return { status: 'unmatched', word: 'placeRequests.stateWithdrawn' }
    case 'accepted':
      return { status: 'approved', word: 'placeRequests.stateAccepted' }
    case 'declined':
      return { status: 'rejected', word: 'placeRequests.stateDeclined' }
    case 'offered':
      return { status: 'review', word: 'placeRequests.stateOffered' }
    case 'waiting':
      return IsLate
        ? { status: 'careful', word: 'placeRequests.stateLate' }
        : { status: 'pending', word: 'placeRequests.stateWaiting' }
  }
}

/** '08/24/2026–12/11/2026', or the one day. */
export const stretchOf = (from: string, through: string): string =>
  from === through ? formatDate(from) : `${formatDate(from)}–${formatDate(through)}`

/** '4 places', 'No places' */
export const placesText = (count: number, words: Words): string =>
  count === 0 ? words('placeRequests.noPlaces') : words('placeRequests.places', { count })

/** '4 places · 08/24/2026–12/11/2026', with the dates where they are others than asked for or `withDates`; empty without an answer. */
export const offerOf = (
  request: Pick<
    PlaceRequest,
    'Answer' | 'OfferedPlaces' | 'OfferedFrom' | 'OfferedThrough' | 'StartDate' | 'EndDate'
  >,
  words: Words,
  { withDates = false } = {},
): string => {
  const { Answer, OfferedPlaces, OfferedFrom, OfferedThrough, StartDate, EndDate } = request
  if (OfferedPlaces === null || OfferedFrom === null || OfferedThrough === null) return ''
  const areOther = OfferedFrom !== StartDate || OfferedThrough !== EndDate
  return [
    placesText(OfferedPlaces, words),
    ...(Answer !== 'no' && (areOther || withDates) ? [stretchOf(OfferedFrom, OfferedThrough)] : []),
  ].join(' · ')
}

/** '6 places · ICU-D · Second Year' */
export const askedOf = (
  { Places, Shift, StudentLevel }: Pick<PlaceRequest, 'Places' | 'Shift' | 'StudentLevel'>,
  words: Words,
): string => [placesText(Places, words), Shift, StudentLevel].filter(Boolean).join(' · ')
