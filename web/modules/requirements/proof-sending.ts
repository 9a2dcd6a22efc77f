import { getOwnRequirements, type ProofInput } from '#contract/requirements/own-requirements.ts'
import type { Owner } from '#web/api/queue/queue.ts'
import { sendOrKeep } from '#web/api/queue/send-or-keep.ts'
import { randomUuid } from '#web/api/random-uuid.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { proofKind } from './proof-kind.ts'

/** Files of 20 MB on a phone's connection. */
const answerMs = 120_000

/**
 * The one way by which a proof leaves the device, with its files. Under the same key it is answered again and never kept twice.
 *
 * @returns whether the server has it
 * @throws CallError the server's refusal; nothing is kept then
 */
export const sendProofOrKeep = async (
  owner: Owner,
  proof: Omit<ProofInput, 'Key'>,
  files: readonly File[],
): Promise<boolean> => {
  const input = { body: { proof: { ...proof, Key: randomUuid() } } }
  const isSaved = await sendOrKeep(proofKind, owner, input, { files: { file: [...files] }, ms: answerMs })
  if (isSaved) await queryClient.invalidateQueries({ queryKey: readKey(getOwnRequirements) })
  return isSaved
}
