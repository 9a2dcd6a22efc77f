import type { PushAddress } from '#contract/push/push.ts'

/** What page and service worker use of the browser's push; workers have it under the same names. */
export type PushManagerOf = Pick<PushManager, 'subscribe' | 'getSubscription'>

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes: ArrayBuffer | null | undefined): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The subscription of this browser for the keys of the installation, made anew where it has one for other keys. */
export const subscribe = async (push: PushManagerOf, publicKey: string): Promise<PushSubscription> => {
  const known = await push.getSubscription()
  if (known && textOf(known.options.applicationServerKey) === publicKey) return known
  await known?.unsubscribe()
  return push.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) })
}

/** A subscription as the server takes it. */
export const addressOf = (subscription: PushSubscription, publicKey: string): PushAddress => ({
  Endpoint: subscription.endpoint,
  P256dh: textOf(subscription.getKey('p256dh')),
  Auth: textOf(subscription.getKey('auth')),
  PublicKey: publicKey,
})
