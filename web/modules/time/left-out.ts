import type { AnswerOf } from '#contract/core/endpoint.ts'
import type { approveTimeRecords, LeftOutReason } from '#contract/time/approvals.ts'
import type { Words } from '#web/words/plain-words.ts'

export type Approved = AnswerOf<typeof approveTimeRecords>

/** What is in Careful Review is left out by choice, what somebody else has decided is done: of all others it is told why. */
export const isUnforeseen = ({ Reason }: Approved['LeftOut'][number]): boolean =>
  Reason !== 'careful' && Reason !== 'decided'

/** How many were left out for a reason: of an approval, or by whoever chose the clean ones alone. */
export interface LeftOutCount {
  Reason: LeftOutReason | 'review'
  Count: number
}

/** 'Left out: 11 in Careful Review, 2 with time change requests'; empty where nothing is. */
export const leftOutText = (words: Words, counts: readonly LeftOutCount[]): string => {
  const told = counts.filter(({ Count }) => Count > 0)
  if (told.length === 0) return ''
  const reasons = told.map(({ Reason, Count }) => words(`time.leftOut_${Reason}`, { count: Count }))
  return words('time.leftOutReasons', { reasons: reasons.join(', ') })
}
