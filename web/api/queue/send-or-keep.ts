import type { AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { call } from '../call.ts'
import { newKey } from '../new-key.ts'
import type { QueueKind } from './item.ts'
import { askToStay, drop, enqueueHeld, type Owner, settle } from './queue.ts'
import { isUndecided } from './undecided.ts'

const answerMs = 15_000

interface Sending {
  files?: Record<string, File[]>
  /** How long an answer may take, in milliseconds. */
  ms?: number
}

/**
 * The one way by which a change of a kind that waits leaves a screen: it is kept on the device, then sent. What nobody
 * answers stays, and is sent under the same key when the device is back on line.
 *
 * @returns whether the server has it
 * @throws CallError the server's refusal; nothing is kept then
 */
export const sendOrKeep = async <E extends AnyEndpoint>(
  kind: QueueKind<E>,
  owner: Owner,
  input: InputOf<E>,
  { files, ms = answerMs }: Sending = {},
): Promise<boolean> => {
  const key = newKey()
  let refusal: unknown
  let isSaved = false
  await enqueueHeld(
    kind,
    owner,
    input,
    key,
    async (item) => {
      try {
        await call(kind.call, input, {
          ...(files && { files }),
          idempotencyKey: key,
          account: owner.account,
          signal: AbortSignal.timeout(ms),
        })
        isSaved = true
      } catch (error) {
        if (isUndecided(error)) return askToStay()
        refusal = error
      }
      await (isSaved ? settle(kind, item) : drop(item))
    },
    files,
  )
  if (refusal) throw refusal
  return isSaved
}
