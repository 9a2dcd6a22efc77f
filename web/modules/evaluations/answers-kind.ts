import { saveAnswers } from '#contract/evaluations/evaluations.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** Answers of an evaluation that wait on this device; evaluations do not wait for each other. */
export const answersKind = queueKind({
  name: 'answers',
  call: saveAnswers,
  groupOf: ({ params }) => String(params.evaluationId),
})
