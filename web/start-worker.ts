import { registerWorker } from './api/register-worker.ts'
import { ownScripts } from './renew.ts'
import { askToLeave, unsavedAt } from './ui/form/unsaved.ts'
import { toast } from './ui/toast.tsx'
import { plainWords } from './words/plain-words.ts'
import { takeOver, type WorkerMessage } from './worker-messages.ts'

const lookMs = 3_600_000
const offerMs = 86_400_000
/** How long the new version may take to begin before the window is loaded again all the same. */
const beginMs = 3_000

/** Whether a new version of the service worker is that of this page: then it only has to begin. */
const isOfThisPage = (worker: ServiceWorker): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data)
    const message: WorkerMessage = { ask: 'has', files: ownScripts() }
    worker.postMessage(message, [port2])
  })

/** The new version begins with this window; fields that nobody has saved are asked about first. */
const reload = async (worker: ServiceWorker): Promise<void> => {
  const left = unsavedAt(() => true)
  if (left.length > 0 && !(await askToLeave(plainWords, left))) return offer(worker)
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  worker.postMessage(takeOver)
  // The version before ends its work first, or a still newer one has come: the pages are the new ones either way.
  setTimeout(() => location.reload(), beginMs)
}

let shown: number | undefined

/** One offer at a time: that of the newest version. */
const offer = (worker: ServiceWorker): void => {
  if (shown !== undefined) toast.hide(shown)
  shown = toast.done({
    title: plainWords('shell.newVersion'),
    detail: plainWords('shell.newVersionNote'),
    action: { label: plainWords('shell.reload'), onRun: () => void reload(worker) },
    duration: offerMs,
  })
}

const offered = new WeakSet<ServiceWorker>()

const handle = async (worker: ServiceWorker): Promise<void> => {
  if (offered.has(worker)) return
  offered.add(worker)
  if (await isOfThisPage(worker)) worker.postMessage(takeOver)
  else offer(worker)
}

const watch = (registration: ServiceWorkerRegistration): void => {
  const look = () => {
    // The first one of all waits for nobody.
    if (registration.waiting && registration.active) void handle(registration.waiting)
  }
  look()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
  const update = () => void registration.update().catch(() => {})
  setInterval(update, lookMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') update()
  })
}

/** Has the service worker keep the code of the pages, and offers its new versions. Where there is none, nothing happens. */
export const startWorker = (): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  registerWorker()
    .then(watch)
    .catch(() => {})
}
