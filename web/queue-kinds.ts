import type { AnyQueueKind } from './api/queue/item.ts'
import { procedureKind } from './modules/competencies/procedure-kind.ts'
import { answersKind } from './modules/evaluations/answers-kind.ts'
import { proofKind } from './modules/requirements/proof-kind.ts'
import { incidentKind } from './modules/safety/incident-kind.ts'
import { clockOutKind } from './modules/time/clock-out-kind.ts'
import { punchKind } from './modules/time/punch-kind.ts'

/** Every kind of change that may wait on a device: what sends them, also in the service worker, knows them from here. */
export const queueKinds: readonly AnyQueueKind[] = [
  punchKind,
  clockOutKind,
  procedureKind,
  proofKind,
  answersKind,
  incidentKind,
]
