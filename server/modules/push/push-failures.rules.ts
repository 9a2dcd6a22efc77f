import { isIP } from 'node:net'
import { pushFailures } from '#contract/push/failures.ts'
import type { PushAddress } from '#contract/push/push.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { mayReach, OutsideError, readAddress } from '#server/core/runtime/outside.ts'
import { isPublicKey } from './encryption.rules.ts'

/** @throws Failure 422: pushes are switched off in this installation */
export const refuseWhileOff = ({ IsOn }: { IsOn: boolean }): void => {
  if (!IsOn) throw fail(pushFailures.push_off)
}

/**
 * @throws Failure 422 for an address that can be told to be unusable without a look-up, 409 for one that was made for other keys than
 * the installation has now
 */
export const refuseAddress = (
  { Endpoint, P256dh, PublicKey }: PushAddress,
  publicKey: string,
  allowed: readonly string[],
): void => {
  if (PublicKey !== publicKey) throw fail(pushFailures.push_keys)
  try {
    const host = readAddress(Endpoint, allowed).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !mayReach(host, allowed))
      throw new OutsideError('network', `${host} is not in the public internet.`)
    if (!isPublicKey(P256dh)) throw new OutsideError('address', 'The key of the browser is not valid.')
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    throw fail(pushFailures.push_address)
  }
}
