import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type FullProject,
  type Locator,
  type Page,
} from '@playwright/test'
import { expectAccessible, expectGood, leaveTools, waitUntilQuiet } from './accessible.ts'
import { type Product, password, startProduct } from './start.ts'

export { expect, expectAccessible }

const isOurs = (frame?: NodeJS.CallSite): boolean =>
  frame !== undefined && !/node_modules|^node:/.test(frame.getFileName() ?? 'node:')

// Playwright looks at the stack of each call for the line of the journey. Mapping every frame of its own code took a fifth of
// its time; with Node's own TypeScript (`scripts/test.mjs`) lines are right as they are. The frame that ours calls names the call.
if (process.env.PW_DISABLE_TS_ESM)
  Error.prepareStackTrace = (error, frames) =>
    [error, ...frames.filter((frame, at) => isOurs(frame) || isOurs(frames[at + 1]))].join('\n    at ')

/** An address of the installation that the journeys of this worker share. */
export const url = (path = ''): string => `${process.env.PRACTICUM_URL}/new/${path}`

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }

/** An address of the installation that shows next to nothing. */
const nothing = (): string => `${process.env.PRACTICUM_URL}/healthz`

/** A browser that is kept for the next journey: reading the code of the pages again costs more than many a journey. */
interface Kept {
  context: BrowserContext
  /** Opens the page, which so shares its process: a new one costs more than to open a page in it. */
  opener: Page
  /** The page of each journey: to empty it costs less than to open another. */
  page?: Page | undefined
}

const keep = async (browser: Browser, { use }: FullProject): Promise<Kept> => {
  const { viewport, locale, timezoneId, contextOptions } = use
  const context = await browser.newContext({
    ...contextOptions,
    viewport,
    locale,
    timezoneId,
    serviceWorkers: 'block',
  })
  await context.exposeBinding('answerProof', answerProof)
  await context.addInitScript(tellOfProofs)
  return { context, opener: await context.newPage() }
}

const proofOf = (page: Page): Locator => page.locator('form#proof')

/** Pages whose journey looks at the question itself. */
const unanswered = new WeakSet<Page>()

/**
 * Whoever sits at a page proves it when they are asked, before they do anything else. The page tells of the question: to look for it
 * before each press and each look of an `expect` took a third of these.
 */
const answerProof = async ({ page }: { page: Page }): Promise<void> => {
  if (unanswered.has(page)) return
  const answer = async (proof: Locator): Promise<void> => {
    await proof.locator('input[type=password]').fill(password)
    await page.locator('button[form=proof]').press('Enter')
  }
  await page.addLocatorHandler(proofOf(page), answer, { times: 1 })
}

/** Runs in each page. */
const tellOfProofs = (): void => {
  let told: Element | null = null
  new MutationObserver(() => {
    const proof = document.getElementById('proof')
    if (proof && proof !== told) (window as unknown as { answerProof: () => void }).answerProof()
    told = proof
  }).observe(document, { subtree: true, childList: true })
}

/** For a journey that looks at the question itself, until `answerProofs`. */
export const leaveProofs = (page: Page): void => void unanswered.add(page)

export const answerProofs = (page: Page): void => void unanswered.delete(page)

/** The opener has to be of the same origin, or the page gets a process of its own: some files have another installation. */
const openPage = async (kept: Kept): Promise<Page> => {
  const { context, opener } = kept
  if (new URL(opener.url()).origin !== new URL(url()).origin) {
    await kept.page?.close()
    kept.page = undefined
    await opener.goto(nothing())
    await leaveTools(opener)
  }
  if (kept.page && !kept.page.isClosed()) return kept.page
  const [page] = await Promise.all([
    context.waitForEvent('page'),
    opener.evaluate(() => void window.open('about:blank')),
  ])
  kept.page = Object.assign(page, { addInitScript: stays, exposeFunction: stays, exposeBinding: stays })
  return page
}

const stays = (): never => {
  throw new Error('It would stay in the page for the next journey: open a context for it.')
}

/** What journeys ask a page to tell them. */
const told = ['console', 'dialog', 'pageerror', 'request', 'response'] as const

/** Leaves nothing in the page of a journey. */
const clear = async (page: Page): Promise<void> => {
  for (const event of told) await page.removeAllListeners(event, { behavior: 'ignoreErrors' })
  await page.removeLocatorHandler(proofOf(page))
  // Where the page was about to go elsewhere by itself, that way ends this one.
  await page.goto(nothing()).catch(() => page.goto(nothing()))
  await page.evaluate(() => sessionStorage.clear())
  await page.mouse.move(-1, -1)
  await page.emulateMedia({ colorScheme: null })
}

/** Leaves nothing in the browser but the code of the pages. */
const empty = async (kept: Kept): Promise<void> => {
  const { context, opener } = kept
  const pages = context.pages().filter((each) => each !== opener)
  await Promise.all([
    context.setOffline(false),
    context.unrouteAll(),
    ...pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })),
  ])
  await Promise.all(pages.map((page) => (page === kept.page ? clear(page) : page.close())))
  const devtools = await context.newCDPSession(opener)
  await devtools.send('Storage.clearDataForOrigin', {
    origin: new URL(url()).origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  })
  await devtools.detach()
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setGeolocation(null)])
}

/** Browsers for second persons, of this worker: those that nobody has at present, and those of the present journey. */
const spare: Kept[] = []
const lent = new Set<Kept>()

/**
 * Each worker has its own installation with the demo in it, which its journeys share; after a failure a new one begins.
 * For journeys in which the page is meant to throw.
 */
export const plainTest = base.extend<object, { installation: Product; kept: Kept }>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: it needs nothing of the others, which has to be said so
    async ({}, use) => {
      const product = await startProduct()
      process.env.PRACTICUM_URL = product.address
      await use(product)
      await product.stop()
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  /** Here and not with the journeys that use it: those of either kind share a worker then. */
  kept: [
    async ({ browser, installation: _ }, use, { project }) => {
      const kept = await keep(browser, project)
      await use(kept)
      await kept.context.close()
    },
    { scope: 'worker' },
  ],
})

/**
 * Fails a journey on anything the page throws: a person would have seen it break. The browsers are kept for the next
 * journey and emptied between them.
 */
export const test = plainTest.extend<{ page: Page }>({
  context: async ({ kept, permissions }, use) => {
    if (permissions) await kept.context.grantPermissions(permissions)
    await use(kept.context)
    await Promise.all([empty(kept), ...[...lent].map(takeBack)])
  },
  page: async ({ context: _, kept, viewport }, use) => {
    const page = await openPage(kept)
    await page.setViewportSize(viewport ?? desktop)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await use(page)
    expect(errors).toEqual([])
  },
})

/**
 * Signs in by the call of the login page, whose own journeys are in `sign-in.spec.ts`, and opens no page yet.
 *
 * @returns the address that the login page would open
 */
export const startSession = async (page: Page, userName: string): Promise<string> => {
  // A page of somebody else would reload when its session ends, in the way of the next address.
  if (page.url() !== nothing()) await page.goto(nothing())
  const answer = await page.request.post(url('api/auth/login'), {
    data: { UserName: userName, Password: password },
    // A connection that was cut before may be tried first.
    maxRetries: 1,
  })
  expect(answer.status(), `${userName} signs in: ${await answer.text()}`).toBe(200)
  const { RedirectTo } = await answer.json()
  return new URL(RedirectTo, process.env.PRACTICUM_URL).href
}

/** Signs in, and opens a page: the first one of this person unless told. */
export const signIn = async (page: Page, userName: string, at = ''): Promise<void> => {
  const first = await startSession(page, userName)
  await page.goto(at ? url(at) : first)
  await page.waitForURL((address) => !address.pathname.endsWith('/login'))
}

/** The buttons that close what was told in a corner of the screen: one for each. */
export const toasts = (page: Page): Locator => page.locator('[role=status] button[aria-label=Close]')

/** Closes what was told, as people do where it covers what they want to press. */
export const closeToasts = (page: Page): Promise<void> =>
  toasts(page).evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click()
  })

/** Presses what shows at once and saves behind it, and waits for the answer: a reload before that takes the call with it. */
export const saving = async (page: Page, press: () => Promise<unknown>): Promise<void> => {
  const saved = page.waitForResponse((answer) => answer.request().method() !== 'GET' && answer.ok())
  await press()
  await saved
}

/** Writes into an editor of formatted text. It moves to its place a moment after it is there, and takes no text meanwhile. */
export const write = (editor: Locator, text: string): Promise<void> =>
  expect(async () => {
    await editor.fill(text)
    await expect(editor).toHaveText(text, { timeout: 1_000 })
  }).toPass()

/** Takes the session from the browser. The page is left first: signed out it would reload, in the way of the next. */
export const forgetSession = async (page: Page): Promise<void> => {
  await page.goto(nothing())
  await page.context().clearCookies()
}

type Answers = [key: [path: string, input: unknown], answer: object][]

/** Changes the answers that a page brings with it, before the browser reads them. */
export const changeAnswers = (page: Page, change: (answers: Answers) => Answers): Promise<unknown> =>
  page.route(
    ({ pathname }) => !/\/(assets|api)\//.test(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const answer = await route.fetch({ maxRedirects: 0 })
      const body = (await answer.text()).replace(
        /(id="answers">)(.*?)(<\/script>)/,
        (_all, before: string, text: string, after: string) =>
          `${before}${JSON.stringify(change(JSON.parse(text))).replaceAll('<', '\\u003c')}${after}`,
      )
      return route.fulfill({ response: answer, body })
    },
  )

/** Changes the settings that the front-end begins with, where the page brings them and where the call answers them. */
export const changeGlobals = async (page: Page, change: Record<string, unknown>): Promise<void> => {
  await page.route('**/api/globals', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), ...change } })
  })
  await changeAnswers(page, (answers) =>
    answers.map(([key, answer]) => [key, key[0] === '/globals' ? { ...answer, ...change } : answer]),
  )
}

/** A second person at the same time, in their own browser, who may leave before the journey ends. */
export const another = async (
  browser: Browser,
  userName: string,
  { size, at }: { size?: { width: number; height: number }; at?: string } = {},
): Promise<Guest> => {
  const guest = await visitor(browser, size)
  await signIn(guest.page, userName, at)
  return guest
}

interface Guest {
  page: Page
  leave: () => Promise<void>
}

/** Like `another`, but not signed in. */
export const visitor = async (browser: Browser, size = desktop): Promise<Guest> => {
  const kept = spare.pop() ?? (await keep(browser, base.info().project))
  lent.add(kept)
  const page = await openPage(kept)
  await page.setViewportSize(size)
  return { page, leave: () => takeBack(kept) }
}

/** The browser of a second person is free for the next. */
const takeBack = async (kept: Kept): Promise<void> => {
  if (!lent.delete(kept)) return
  await empty(kept)
  spare.push(kept)
}

/** Calls the API as the signed-in person. */
export const api = (page: Page, method: string, path: string, body?: object): Promise<any> =>
  page.evaluate(
    async ([root, how, at, json, Password]) => {
      const session = await (await fetch(`${root}api/auth/session`)).json()
      const send = async (call: string, path: string, text: string, proof = ''): Promise<any> => {
        const answer = await fetch(`${root}api${path}`, {
          method: call,
          headers: {
            'content-type': 'application/json',
            'x-csrf-token': session.CsrfToken,
            'x-proof': proof,
          },
          ...(text && { body: text }),
        })
        if (answer.ok) return answer.status === 204 ? null : answer.json()
        const refusal = await answer.text()
        if (proof || !refusal.includes('proof_required')) throw new Error(refusal)
        const given = await send('POST', '/auth/proofs', JSON.stringify({ Kind: 'password', Password }))
        return send(call, path, text, given.Proof)
      }
      return send(how, at, json)
    },
    [url(), method, path, body ? JSON.stringify(body) : '', password] as const,
  )

/** In a dialog every label keeps its distance from the field above it. */
export const expectRoomBetweenFields = async (dialog: Locator): Promise<void> => {
  const gaps = await dialog.evaluate((element) => {
    const shown = (found: Element) => found.getBoundingClientRect().height > 0
    const boxes = [...element.querySelectorAll('input, textarea, select')].filter(shown)
    return [...element.querySelectorAll('label')].filter(shown).flatMap((label) => {
      const { top, left, right } = label.getBoundingClientRect()
      const above = boxes
        .map((box) => box.getBoundingClientRect())
        .filter((box) => box.bottom <= top + 1 && box.left < right && box.right > left)
      return above.length > 0 ? [top - Math.max(...above.map(({ bottom }) => bottom))] : []
    })
  })
  expect(gaps.length).toBeGreaterThan(0)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
}

/** Presses one of several radio buttons by its text, as people do: the button itself is covered by it. */
export const press = (within: Page | Locator, text: string | RegExp): Promise<void> =>
  within.getByRole('radiogroup').locator('label').filter({ hasText: text }).click()

/** Waits until nothing on the page has changed for three frames in a row, as after a change of its size. */
export const settle = (page: Page): Promise<void> => page.evaluate(waitUntilQuiet)

/** The narrowest screen that counts; phones up to twice as wide are laid out as it is. */
const narrow = { width: 320, height: 700 }

/** axe on a desktop and at 320 px, where the page does not scroll sideways and nothing lies over something else. */
export const expectGoodScreen = async (page: Page, what: string): Promise<void> => {
  const before = page.viewportSize()!
  const sizes = before.width < desktop.width ? [narrow, desktop] : [before, narrow]
  for (const size of sizes) {
    if (size !== before) await page.setViewportSize(size)
    await expectGood(page, `${what} at ${size.width}`)
  }
  await page.setViewportSize(before)
}
