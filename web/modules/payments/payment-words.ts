import type { ArrangementStanding, Payer } from '#contract/payments/payments-rules.ts'
import type { Status } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'

export const standingTag: Record<ArrangementStanding, Status> = {
  active: 'approved',
  evidence: 'review',
  upcoming: 'pending',
  ended: 'pending',
}
export const payerWord: Record<Payer, WordKey> = {
  college: 'payments.payer_college',
  program: 'payments.payer_program',
  students: 'payments.payer_students',
  other: 'payments.payer_else',
}
