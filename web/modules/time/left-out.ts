import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { approveTimeRecords } from '#contract/time/approvals.ts'

export type Approved = AnswerOf<typeof approveTimeRecords>

/** What is in Careful Review is left out by choice, what somebody else has decided is done: of all others it is told why. */
export const isUnforeseen = ({ Reason }: Approved['LeftOut'][number]): boolean =>
  Reason !== 'careful' && Reason !== 'decided'
