import type { VerificationRow } from '#contract/requirements/verifications.ts'
import type { StudentEmail, StudentEvaluation, StudentShift } from '#contract/students/students.ts'
import type { TimeRecord } from '#contract/time/time-records.ts'
import { formatDate } from '#web/ui/dates.ts'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

type Look = readonly [Status, WordKey]

const shiftLooks: Record<StudentShift['State'], Look> = {
  ahead: ['pending', 'students.stateAhead'],
  running: ['review', 'students.stateRunning'],
  worked: ['approved', 'students.stateWorked'],
  unmatched: ['unmatched', 'students.stateUnmatched'],
  absent: ['careful', 'students.stateAbsent'],
  missed: ['rejected', 'students.stateMissed'],
}
/** What waits while no mail server is set is not about to be sent. */
export type ShownMailState = StudentEmail['Status'] | 'waiting'
const mailLooks: Record<ShownMailState, Look> = {
  waiting: ['careful', 'students.mailWaiting'],
  queued: ['pending', 'students.mailQueued'],
  sent: ['approved', 'students.mailSent'],
  failed: ['rejected', 'students.mailFailed'],
  blocked: ['careful', 'students.mailBlocked'],
  cancelled: ['pending', 'students.mailCancelled'],
}
const verificationLooks: Record<VerificationRow['State'], Look> = {
  complete: ['approved', 'students.stateComplete'],
  waived: ['approved', 'students.stateWaived'],
  expiring: ['review', 'students.stateExpiring'],
  expired: ['rejected', 'students.expired'],
  missing: ['rejected', 'students.stateMissing'],
  pending: ['pending', 'students.statePending'],
  failed: ['careful', 'students.stateFailed'],
}
const kindWords: Record<TimeRecord['Type'], WordKey> = {
  in: 'students.kindIn',
  out: 'students.kindOut',
  exception: 'students.kindException',
  absence: 'students.kindAbsence',
  makeup: 'students.kindMakeup',
}

export const kindName = (words: Words, kind: TimeRecord['Type']): string => words(kindWords[kind])
export const shiftStateName = (words: Words, state: StudentShift['State']): string =>
  words(shiftLooks[state][1])
export const mailStateName = (words: Words, state: ShownMailState): string => words(mailLooks[state][1])

function Tag({ look: [status, key], date = null }: { look: Look; date?: string | null }) {
  const words = useWords()
  return <StatusTag status={status}>{words(key, { date: formatDate(date) })}</StatusTag>
}

export const ShiftState = ({ state }: { state: StudentShift['State'] }) => <Tag look={shiftLooks[state]} />
export const MailState = ({ state }: { state: ShownMailState }) => <Tag look={mailLooks[state]} />
export const VerificationTag = ({ row }: { row: VerificationRow }) => (
  <Tag look={verificationLooks[row.State]} date={row.Expires} />
)

/** What wants somebody's attention; the rest is in order. */
export const isOpenVerification = ({ State }: VerificationRow): boolean =>
  State !== 'complete' && State !== 'waived'
export const evaluationState = ({ IsCompleted, IsLate, IsStopped }: StudentEvaluation): Look =>
  IsCompleted
    ? ['approved', 'students.completed']
    : IsStopped
      ? ['review', 'students.stopped']
      : IsLate
        ? ['rejected', 'students.overdue']
        : ['pending', 'students.open']
export const EvaluationState = ({ row }: { row: StudentEvaluation }) => <Tag look={evaluationState(row)} />
