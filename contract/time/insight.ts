import { z } from 'zod'

/**
 * What makes somebody look twice at a clock record. `grave` doubts make it Careful Review (3), mild ones Need
 * Review (2), none at all Clean (1).
 */
export const doubts = {
  /** Value: meters from the site's entrance. */
  far_away: { isGrave: true },
  no_assignment: { isGrave: true },
  change_asked: { isGrave: true },
  /** Value: minutes that the clocks of device, server and database were apart. */
  clock_off: { isGrave: true },
  /** Value: kilometers an hour since the punch before. */
  impossible_travel: { isGrave: true },
  offline: { isGrave: true },
  self_reported: { isGrave: true },
  /** The hours of the pair overlap an exception, an absence or planned makeup. */
  overlaps: { isGrave: true },
  /** The pair is much longer than its shift, or than any shift where it has none. Value: its minutes. */
  too_long: { isGrave: true },
  /** Value: minutes early (negative) or late. */
  outside_tolerance: { isGrave: false },
  /** Value: meters. */
  poor_accuracy: { isGrave: false },
  /** Value: meters from the site's entrance: near, but outside the circle. */
  unknown_network: { isGrave: false },
  no_position: { isGrave: false },
  /** Staff typed it: no clock saw it. */
  by_staff: { isGrave: false },
  /** The other half of the pair is why: the two are judged as one. */
  other_half: { isGrave: false },
  /** The student took it back: clocked in by mistake. */
  taken_back: { isGrave: false },
} as const satisfies Record<string, { isGrave: boolean }>

export type DoubtCode = keyof typeof doubts
export const doubtCodes = Object.keys(doubts) as [DoubtCode, ...DoubtCode[]]

/** Why a record can be in Careful Review: a grave doubt of its own, or of its other half. */
export const carefulCodes = doubtCodes.filter((code) => doubts[code].isGrave || code === 'other_half')

export const Doubt = z.object({ Code: z.enum(doubtCodes), Value: z.number().optional() })
export type Doubt = z.infer<typeof Doubt>

/** 1 Clean, 2 Need Review, 3 Careful Review. */
export type Insight = 1 | 2 | 3

export const insightOf = (reasons: readonly Doubt[]): Insight =>
  reasons.some(({ Code }) => doubts[Code].isGrave) ? 3 : reasons.length > 0 ? 2 : 1

/** What one half of a pair brings to the other while it waits: its insight, and whether a time change is asked for it. */
export interface OtherHalf {
  insight: Insight
  isChangeAsked: boolean
}

/** Of which insight a pending record is with its other half, and why: the two are judged as one. In SQL: `insight.queries.ts`. */
export const judgeWith = (
  reasons: readonly Doubt[],
  other: OtherHalf | null,
): { Insight: Insight; Reasons: Doubt[] } => {
  const own = insightOf(reasons)
  if (other?.isChangeAsked && !reasons.some(({ Code }) => Code === 'change_asked'))
    return { Insight: 3, Reasons: [...reasons, { Code: 'change_asked' }] }
  return other && other.insight > own
    ? { Insight: other.insight, Reasons: [...reasons, { Code: 'other_half' }] }
    : { Insight: own, Reasons: [...reasons] }
}

/** A pair that is so many minutes longer than its shift is always looked at: somebody may have forgotten to clock out. */
export const muchLongerMinutes = 120

/** Minutes after the begin of a shift from which a clock-in counts as late. */
export const lateAfterMinutes = 5

/** Minutes after the begin of a shift from which a student who has not clocked in is missed, while the shift goes on. */
export const missedAfterMinutes = 15
