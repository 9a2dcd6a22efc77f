import { getOwnRequirements, type ProofInput, sendProof } from '#contract/requirements/own-requirements.ts'
import { call } from '#web/api/call.ts'
import { newKey } from '#web/api/new-key.ts'
import { askToStay, drop, keepAndHold, type Owner } from '#web/api/queue/queue.ts'
import { isUndecided } from '#web/api/queue/undecided.ts'
import { randomUuid } from '#web/api/random-uuid.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { proofKind } from './proof-kind.ts'

const answerMs = 120_000

/**
 * The one way by which a proof leaves the device: it is kept on it with its files, then sent. Under the same key it is answered again and
 * never kept twice. What nobody answers waits, and is sent when the device is back on line.
 *
 * @returns whether the server has it
 * @throws CallError the server's refusal; nothing is kept then
 */
export const sendOrKeep = async (
  owner: Owner,
  proof: Omit<ProofInput, 'Key'>,
  files: readonly File[],
): Promise<boolean> => {
  const input = { body: { proof: { ...proof, Key: randomUuid() } } }
  const parts = { file: [...files] }
  const key = newKey()
  let refusal: unknown
  let isSaved = false
  await keepAndHold(
    proofKind,
    owner,
    input,
    key,
    async (item) => {
      try {
        await call(sendProof, input, {
          files: parts,
          idempotencyKey: key,
          account: owner.account,
          signal: AbortSignal.timeout(answerMs),
        })
        isSaved = true
      } catch (error) {
        if (!isUndecided(error)) refusal = error
        else return askToStay()
      }
      await drop(item)
    },
    parts,
  )
  if (refusal) throw refusal
  if (isSaved) await queryClient.invalidateQueries({ queryKey: readKey(getOwnRequirements) })
  return isSaved
}
