import type { DraftFigures } from '#contract/placement/drafts.ts'
import type { PlacementPlan } from '#contract/placement/plans.ts'
import { formatDistance } from '#contract/sites/distance.ts'
import { formatInstant } from '#web/ui/dates.ts'
import type { Words } from '#web/words/plain-words.ts'

/** Whether students can rank now, and until when. */
export const stateText = (
  words: Words,
  {
    State,
    OpensAt,
    ClosesAt,
  }: { State: 'planning' | 'ranking' | 'closed'; OpensAt: string | null; ClosesAt: string | null },
  timeZone: string,
): string => {
  if (OpensAt === null || ClosesAt === null) return words('placement.noRanking')
  if (State === 'planning') return words('placement.ownAhead', { when: formatInstant(OpensAt, timeZone) })
  const when = formatInstant(ClosesAt, timeZone)
  return words(State === 'ranking' ? 'placement.state_ranking' : 'placement.state_closed', { when })
}

/** '1st', '4th'; ranks go up to 20. */
export const rankText = (words: Words, rank: number): string =>
  rank === 1
    ? words('placement.rank1')
    : rank === 2
      ? words('placement.rank2')
      : rank === 3
        ? words('placement.rank3')
        : words('placement.rankN', { rank })

const metersAMile = 1609.344

export const milesText = (miles: number): string => formatDistance(miles * metersAMile)

/** '2 places', or '2–4 places' where blocks differ. */
export const placesText = (words: Words, places: readonly number[]): string => {
  const least = Math.min(...places)
  const most = Math.max(...places)
  if (most === 0) return words('placement.noPlaces')
  return least === most
    ? words('placement.places', { count: least })
    : words('placement.placesFrom', { least, most })
}

/** A mean rank: '1.52'. */
export const meanText = (rank: number | null): string => (rank === null ? '–' : rank.toFixed(2))

/** How far a draft may be above the best possible: '0.6 %'. */
export const gapText = (gap: number): string =>
  gap === 0 ? '0 %' : gap < 0.001 ? 'less than 0.1 %' : `${(100 * gap).toFixed(1)} %`

/** The names of a plan's rotations by their ids where there are several; empty where there is one. */
export const rotationNames = ({ Rotations }: Pick<PlacementPlan, 'Rotations'>): ReadonlyMap<number, string> =>
  new Map(Rotations.length > 1 ? Rotations.map(({ Id, Name }) => [Id, Name]) : [])

/** What a draft could not do, what it only warns about, and what a draft of before says without its cause. */
export const problemsOf = (figures: DraftFigures | null) => {
  const causes = figures?.Causes ?? []
  const named = new Set(causes.map(({ Text }) => Text))
  return {
    stops: causes.filter(({ Kind }) => Kind === 'stops'),
    warned: causes.filter(({ Kind }) => Kind === 'warns'),
    unnamed: (figures?.Problems ?? []).filter((problem) => !named.has(problem)),
  }
}
