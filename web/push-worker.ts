import { addPushDevice, type PushPayload } from '#contract/push/push.ts'
import { addressOf, type PushManagerOf, subscribe } from './api/push-address.ts'
import { keepPushNote, type PushNote, readPushNotes } from './api/push-notes.ts'
import { changeAs, readSession } from './api/queue/send.ts'
import { appRoot } from './api/root.ts'
import { language } from './words/language.ts'
import type { WorkerMessage } from './worker-messages.ts'

// The types of windows and of workers exclude each other; these are the parts that are used here.
interface LongEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface PushEvent extends LongEvent {
  data: { json: () => unknown } | null
}
interface ClickEvent extends LongEvent {
  notification: { close: () => void; data?: { link?: string } }
}
interface Window {
  url: string
  focus: () => Promise<unknown>
  postMessage: (message: WorkerMessage, ports: Transferable[]) => void
}
export interface PushWorker {
  addEventListener: <E extends Event>(name: string, work: (event: E) => void) => void
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: true }) => Promise<Window[]>
    openWindow: (address: string) => Promise<unknown>
  }
  registration: {
    pushManager?: PushManagerOf
    showNotification: (title: string, options: NotificationOptions) => Promise<void>
  }
}

const isPayload = (data: unknown): data is PushPayload => {
  const { account, tag, title, body, link } = (data ?? {}) as Partial<PushPayload>
  return (
    typeof account === 'number' &&
    [tag, title, body].every((text) => typeof text === 'string') &&
    typeof link === 'string' &&
    link.startsWith('/new/')
  )
}

const presentNote = async (): Promise<PushNote | undefined> =>
  (await readPushNotes()).find(({ isAway }) => !isAway)

/** Shows a message of the account that is signed in here, and of no other. Of a topic the newest stays. */
const show = async ({ registration }: PushWorker, icon: string, { data }: PushEvent): Promise<void> => {
  const payload = data?.json()
  if (!isPayload(payload)) return
  const { account, tag, title, body, link } = payload
  if (account !== 0 && (await presentNote())?.account !== account) {
    // It is somebody's who has left: the push service is told to send no more.
    const subscription = await registration.pushManager?.getSubscription()
    await subscription?.unsubscribe()
    return
  }
  await registration.showNotification(title, { body, tag, icon, badge: icon, lang: language, data: { link } })
}

const answerMs = 2_000

/** Asks an open page to show an address; it answers at once, and asks its person about unsaved fields by itself. */
const askPage = (page: Window, address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(true)
    setTimeout(resolve, answerMs, false)
    page.postMessage({ ask: 'open', address }, [port2])
  })

/** Shows the page that a notification is about: in a window that is open, or in a new one. */
const open = async ({ clients }: PushWorker, link: string): Promise<void> => {
  const base = `${location.origin}${appRoot}/new/`
  const address = `${location.origin}${appRoot}${link}`
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => url === address) ?? pages.find(({ url }) => url.startsWith(base))
  if (page) {
    // Browsers that allow it bring the window to the front.
    await page.focus().catch(() => {})
    if (page.url === address || (await askPage(page, address))) return
  }
  await clients.openWindow(address)
}

/** The push service has changed this browser's address: the server learns the new one, or does when the product is opened next. */
const renew = async ({ registration }: PushWorker): Promise<void> => {
  const note = await presentNote()
  const session = await readSession()
  if (!note || !registration.pushManager || typeof session !== 'object' || session.account !== note.account)
    return
  const address = addressOf(await subscribe(registration.pushManager, note.publicKey), note.publicKey)
  const body = { Id: note.device, Name: 'Browser', Address: address, IsRenewal: true }
  const isTaken = await changeAs(session, addPushDevice.path, body)
  if (isTaken) await keepPushNote({ ...note, endpoint: address.Endpoint })
}

/** What the service worker does with messages of push services. */
export const startPush = (worker: PushWorker, icon: string): void => {
  worker.addEventListener<PushEvent>('push', (event) => event.waitUntil(show(worker, icon, event)))
  worker.addEventListener<ClickEvent>('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(worker, event.notification.data?.link ?? '/new/'))
  })
  worker.addEventListener<LongEvent>('pushsubscriptionchange', (event) => event.waitUntil(renew(worker)))
}
