import { addPushDevice, getPush, type PushSettings } from '#contract/push/push.ts'
import type { WorkerMessage } from '#web/worker-messages.ts'
import { CallError, call } from './call.ts'
import { readNote, writeNote } from './device.ts'
import { addressOf, subscribe } from './push-address.ts'
import { dropPushNote, keepPushNote, readPushNotes } from './push-notes.ts'
import { randomUuid } from './random-uuid.ts'
import { registerWorker } from './register-worker.ts'
import { appRoot } from './root.ts'

/**
 * What keeps this browser from showing notifications: pages without HTTPS have no service worker, iPhones show them only for a product on
 * the home screen, some browsers never, and people may have forbidden it.
 */
export type PushHindrance = 'insecure' | 'ios' | 'unsupported' | 'denied'

const isIos = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  // An iPad that asks for pages of desktops.
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export const pushHindrance = (): PushHindrance | undefined => {
  if (!isSecureContext) return 'insecure'
  const isThere =
    import.meta.env.PROD &&
    'serviceWorker' in navigator &&
    'PushManager' in globalThis &&
    'Notification' in globalThis
  if (!isThere) return isIos() ? 'ios' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : undefined
}

/** Where this browser is registered already; nothing is registered by asking. */
const findRegistration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration(`${appRoot}/new/`) : undefined

const readyMs = 30_000

/** The service worker, ready to take messages. */
const readyWorker = async (): Promise<ServiceWorkerRegistration> => {
  await registerWorker()
  const late = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new DOMException('The service worker does not begin.', 'TimeoutError')), readyMs),
  )
  return Promise.race([navigator.serviceWorker.ready, late])
}

/** Ends the subscription of this browser, whosever it is. Without a network it is forgotten here all the same. */
const unsubscribe = async (): Promise<void> => {
  const registration = await findRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe().catch(() => false)
}

let isListening = false

/** Has this page show what a notification is about that is pressed while it is open. */
const listen = (): void => {
  if (isListening) return
  isListening = true
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<WorkerMessage>) => {
    if (data.ask !== 'open') return
    ports[0]?.postMessage(true)
    location.assign(data.address)
  })
}

/** Asks for permission, which follows a press, and answers this browser's address. Undefined: the person did not allow it. */
export const askForPush = async (publicKey: string) => {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const registration = await readyWorker()
  const subscription = await subscribe(registration.pushManager, publicKey)
  // From now on a page that opens looks after it.
  writeNote('push', 1)
  listen()
  return addressOf(subscription, publicKey)
}

/** Has the account told on this browser. Undefined: the person did not allow it. */
export const turnOnPush = async (
  account: number,
  name: string,
  publicKey: string,
): Promise<PushSettings | undefined> => {
  const address = await askForPush(publicKey)
  if (!address) return undefined
  const known = (await readPushNotes()).find((note) => note.account === account)
  // One that was removed elsewhere is another device when it comes back.
  const device = known?.device ?? randomUuid()
  const settings = await call(
    addPushDevice,
    { body: { Id: device, Name: name, Address: address } },
    { account },
  )
  await keepPushNote({ account, device, endpoint: address.Endpoint, publicKey, isAway: false })
  return settings
}

/** By which the server knows this browser, where the account is told here. */
export const findOwnDevice = async (account: number): Promise<string | undefined> => {
  if (readNote('push') === null) return undefined
  const notes = await readPushNotes().catch(() => [])
  return notes.find((note) => note.account === account && !note.isAway)?.device
}

/** The account is no longer told here; what the server knows is for the caller to end. */
export const turnOffPush = async (account: number): Promise<void> => {
  await Promise.allSettled([dropPushNote(account), unsubscribe()])
}

/** Of whoever signs out nothing is shown any longer, with or without a network. */
export const forgetPush = async (): Promise<void> => {
  if (readNote('push') === null) return
  const notes = await readPushNotes().catch(() => [])
  const present = notes.filter(({ isAway }) => !isAway)
  await Promise.allSettled([...present.map(({ account }) => dropPushNote(account)), unsubscribe()])
}

/**
 * Looks after what this browser was once asked to show: nothing of an account that is not the one signed in; of that one again where its
 * session, the browser's address or the installation's keys have changed. Never asks for permission.
 *
 * @param account the one that is signed in; undefined on a computer that many share
 */
export const tendPush = async (account: number | undefined): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  listen()
  const notes = await readPushNotes()
  const own = notes.find((note) => note.account === account)
  await Promise.all(
    notes
      .filter((note) => note !== own && !note.isAway)
      .map((note) => keepPushNote({ ...note, isAway: true })),
  )
  if (!own) {
    await unsubscribe()
    if (notes.length === 0) writeNote('push', undefined)
    return
  }
  if (pushHindrance() || Notification.permission !== 'granted') return
  const { IsOn, PublicKey, Devices } = await call(getPush, {}, { isBackground: true })
  if (!IsOn) return
  const registration = await readyWorker()
  const address = addressOf(await subscribe(registration.pushManager, PublicKey), PublicKey)
  const known = Devices.find(({ Id }) => Id === own.device)
  const { endpoint, isAway } = own
  if (known?.IsOfSession && endpoint === address.Endpoint && !isAway) return
  try {
    const body = { Id: own.device, Name: known?.Name ?? 'Browser', Address: address, IsRenewal: true }
    await call(addPushDevice, { body }, { isBackground: true, account: own.account })
    await keepPushNote({ ...own, endpoint: address.Endpoint, publicKey: PublicKey, isAway: false })
  } catch (error) {
    const isRemoved = error instanceof CallError && error.code === 'push_removed'
    if (isRemoved) await turnOffPush(own.account)
  }
}
