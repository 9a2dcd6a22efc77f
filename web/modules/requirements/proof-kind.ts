import { sendProof } from '#contract/requirements/own-requirements.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** Proofs that wait on this device with their files; requirements do not wait for each other. */
export const proofKind = queueKind({
  name: 'proofs',
  call: sendProof,
  groupOf: ({ body }) => String(body.proof.RequirementId),
})
