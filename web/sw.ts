import { syncTag } from './api/queue/queue.ts'
import { sendKept } from './api/queue/send.ts'
import { appRoot } from './api/root.ts'
import { type PushWorker, startPush } from './push-worker.ts'
import { queueKinds } from './queue-kinds.ts'
import { language } from './words/language.ts'
import type { WorkerMessage } from './worker-messages.ts'

/** Written in by the build (`scripts/service-worker.ts`): what the pages of a student load, a name for all of it, and the icon. */
declare const keptFiles: { version: string; files: string[]; icon: string }

// The types of windows and of workers exclude each other; these are the parts that are used here.
interface LongEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void
}
interface FetchEvent extends LongEvent {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
}
interface Worker extends PushWorker {
  skipWaiting: () => Promise<void>
  clients: PushWorker['clients'] & { claim: () => Promise<void> }
  registration: PushWorker['registration'] & { navigationPreload?: { enable: () => Promise<void> } }
}
// It is run as a worker only.
const worker = self as unknown as Worker

const base = `${appRoot}/new/`
/** The worker of each language is another one: a page that begins in another language registers that one in its place. */
const shell = `${base}shell?lang=${language}`
const namesOfOurs = `practicum${appRoot} `
const ownName = `${namesOfOurs}${keptFiles.version} ${language}`
/** A page that is still open may need files of the version that it began with. */
const keptVersions = 2
/** A network that has not begun to answer by then is none. */
const pageMs = 8_000

/** Files, pages of staff, and addresses that lead to and from a college: without a network the browser says so itself. */
const isElsewhere = /^(api|admin|lti|oidc|saml)\//

const inLanguage = (file: string): string =>
  language === 'es' ? file.replace(/^assets\/(?=[^/]+\.js$)/, 'assets/es/') : file
const addresses = keptFiles.files.map((file) => `${base}${inLanguage(file)}`)

/** Only what our server answers itself is kept: nothing that led elsewhere, and nothing that failed. */
const fetchWhole = async (address: string, cache: RequestCache): Promise<Response> => {
  const response = await fetch(address, { credentials: 'omit', redirect: 'error', cache })
  if (!response.ok || response.type !== 'basic') throw new Error(`${address} answered ${response.status}.`)
  return response
}

/** Files are named by what they hold: one of an earlier version is the same. */
const find = (address: string): Promise<Response | undefined> => caches.match(address, { ignoreVary: true })

const install = async (): Promise<void> => {
  const page = await fetchWhole(shell, 'no-store')
  const html = await page.clone().text()
  const named = [...html.matchAll(/"([^"]+\/assets\/[^"]+\.(?:js|css))"/g)].map(([, address = '']) => address)
  // While a cluster is being updated, the page and this worker may be of two versions: the next look finds them together.
  if (named.some((address) => !addresses.includes(address)))
    throw new Error('The page is of another version.')
  const cache = await caches.open(ownName)
  await Promise.all(
    addresses.map(async (address) =>
      cache.put(address, (await find(address)) ?? (await fetchWhole(address, 'default'))),
    ),
  )
  await cache.put(shell, page)
}

const activate = async (): Promise<void> => {
  const ours = (await caches.keys()).filter((name) => name.startsWith(namesOfOurs))
  const others = ours.filter((name) => name !== ownName)
  await Promise.all(others.slice(0, -(keptVersions - 1)).map((name) => caches.delete(name)))
  // The request of a page does not wait until the worker has started.
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

const ownShell = async (): Promise<Response | undefined> => (await caches.open(ownName)).match(shell)

const late = (): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, pageMs, undefined))

/** A page from the server; without one the shell, which shows what the device has. */
const answerPage = async ({ request, preloadResponse }: FetchEvent): Promise<Response> => {
  const asked = preloadResponse.then((preloaded) => preloaded ?? fetch(request))
  asked.catch(() => {})
  try {
    const response = await Promise.race([asked, late()])
    const isThere = response !== undefined && ![502, 503, 504].includes(response.status)
    return isThere ? response : ((await ownShell()) ?? response ?? (await asked))
  } catch (error) {
    const kept = await ownShell()
    if (kept) return kept
    throw error
  }
}

const answerFile = async ({ request }: FetchEvent): Promise<Response> =>
  (await find(request.url)) ?? fetch(request)

worker.addEventListener<LongEvent>('install', (event) => event.waitUntil(install()))
worker.addEventListener<LongEvent>('activate', (event) => event.waitUntil(activate()))

// Calls pass by: what they answer is the pages' business, and nothing of anybody's is in the caches of this worker.
worker.addEventListener<FetchEvent>('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin || !pathname.startsWith(base)) return
  if (pathname.startsWith(`${base}assets/`)) event.respondWith(answerFile(event))
  else if (mode === 'navigate' && !isElsewhere.test(pathname.slice(base.length)))
    event.respondWith(answerPage(event))
})

worker.addEventListener<MessageEvent<WorkerMessage> & LongEvent>('message', (event) => {
  const { data, ports } = event
  if (data.ask === 'has') {
    const own = addresses.map((address) => new URL(address, location.origin).href)
    ports[0]?.postMessage(data.files.every((file) => own.includes(file)))
  } else if (data.ask === 'take-over') event.waitUntil(worker.skipWaiting())
})

startPush(worker, `${base}${keptFiles.icon}`)

worker.addEventListener<LongEvent & { tag: string }>('sync', (event) => {
  if (event.tag !== syncTag) return
  const sending = sendKept(queueKinds).then((round) => {
    // The browser comes again later.
    if (round === 'waiting') throw new Error('Something still waits.')
  })
  event.waitUntil(sending)
})
