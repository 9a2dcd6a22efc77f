import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, CDPSession, Page, Request } from '@playwright/test'
import { installApart } from '../scripts/lib/install.mjs'
import type { Installation, SignedIn } from './installation.ts'
import { median } from './load.ts'
import { type Scrolling, scrollGrid } from './scrolling.ts'

const dist = join(import.meta.dirname, '..', 'dist')

const browsers = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium-headless-shell',
]

const lighthouseRuns = 5
const lighthouseVersion = '13.5.0'

interface LighthouseResult {
  lhr: { categories: Record<string, { score: number | null }> }
}

/** With all that it brings it is a fifth of the files of all packages, for these marks alone. */
const loadLighthouse = async (): Promise<
  (address: string, options: Record<string, unknown>) => Promise<LighthouseResult | undefined>
> => {
  const folder = await installApart(`lighthouse-${lighthouseVersion}`, [`lighthouse@${lighthouseVersion}`])
  const file = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js')
  return (await import(pathToFileURL(file).href)).default
}

export interface PageFigures {
  /** Kilobytes (1,000 bytes) of JavaScript that a page loads until it rests, each file as the server sends it, without what is kept for working without a network. */
  kilobytes: Record<MeasuredPage, number>
  /** Milliseconds until the largest part of a page is drawn, with the processor slowed to a quarter; the least of five passes. */
  largestPaint: Record<Exclude<MeasuredPage, 'sites'>, number>
  /** Milliseconds from the slowest press or key to the next picture, per screen. */
  interaction: { schedule: number; scheduleCells: number; people: number; peopleRows: number }
  /** The same with the processor slowed to a quarter; the least of three passes. */
  slowInteraction: {
    schedule: number
    approve: number
    hours: number
    assignments: number
    missed: number
    competencies: number
    tickAll: number
    filters: number
    sites: number
    exams: number
  }
  /** The grids of all students, down by the wheel. */
  scrolling: { schedule: Scrolling; competencies: Scrolling }
  /** Lighthouse's marks for a phone, 0 to 100, the middle of five runs: performance, accessibility, best practices. */
  lighthouse: { signIn: Marks; clock: Marks }
}

/** Pages by what the table calls them. */
export type MeasuredPage = 'signIn' | 'clock' | 'home' | 'approve' | 'schedule' | 'sites'

const addresses: Record<MeasuredPage, string> = {
  signIn: '/login',
  clock: '/clock',
  home: '/admin/home',
  approve: '/admin/approve-time-records',
  schedule: '/admin/visualization?weeks=13',
  sites: '/admin/sites',
}

const phone = { width: 390, height: 844 }

export interface Marks {
  performance: number
  accessibility: number
  'best-practices': number
}

const origin = (at: Installation): string => `${at.ours.origin}/new`

const openAs = async (
  browser: Browser,
  at: Installation,
  cookie?: string,
  viewport = { width: 1280, height: 800 },
): Promise<Page> => {
  const context = await browser.newContext({ viewport })
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: at.ours.origin }])
  }
  const page = await context.newPage()
  await makeRoom(page, viewport)
  return page
}

/** What a window has above its page: tabs and the address. */
const barsPx = 200

/**
 * Makes the window larger than the page. Headless Chromium makes it as large, tabs and address included, and never draws what is below its
 * edge: a press that changes something there alone would be answered with the next picture.
 */
const makeRoom = async (page: Page, { width, height }: { width: number; height: number }): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  const { windowId } = await session.send('Browser.getWindowForTarget')
  const bounds = { width: width + barsPx, height: height + barsPx }
  await session.send('Browser.setWindowBounds', { windowId, bounds })
  await session.detach()
}

/** A page rests when nothing was asked for as long as this. */
const restMs = 500
/** With a slowed processor, where one script may take that long. */
const slowRestMs = 1_500
const patienceMs = 60_000

/** Opens an address and waits until the page rests. The stream of live updates, which every page keeps open, does not count. */
const openAndRest = async (page: Page, address: string, quietMs = restMs): Promise<void> => {
  const asked = new Set<Request>()
  let changedAt = performance.now()
  const changed = (): void => {
    changedAt = performance.now()
  }
  page.on('request', (request) => {
    if (request.resourceType() === 'eventsource') return
    asked.add(request)
    changed()
  })
  const answered = (request: Request): void => {
    if (asked.delete(request)) changed()
  }
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  await page.goto(address)
  const until = performance.now() + patienceMs
  while (asked.size > 0 || performance.now() - changedAt < quietMs) {
    if (performance.now() > until)
      throw new Error(`${address} does not rest: ${[...asked].map((request) => request.url()).join(', ')}`)
    await page.waitForTimeout(50)
  }
}

const slowed = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return session
}

/** What comes a second after a page is drawn, for working without a network (`web/app.tsx`). */
const offlineScript = /\/(offline-[^/]+\.js)$/
/** Its own files are asked for together with it, where the page had no use for them before. */
const togetherMs = 400

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(dist, 'assets', file), 'utf8').matchAll(/(?:from|import)\s*"\.\/([\w~.-]+\.js)"/g),
  ].map(
    // The expression has one group.
    ([, name]) => name!,
  )

/** A script with all that it imports, by name. */
const importedWith = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const each of importsOf(file)) importedWith(each, found)
  return found
}

const kilobytesOf = async (browser: Browser, at: Installation, path: string, cookie?: string) => {
  const page = await openAs(browser, at, cookie)
  const scripts: Promise<{ path: string; at: number; bytes: number }>[] = []
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.endsWith('.js')) return
    const script = async () => {
      const { responseBodySize } = await request.sizes()
      return { path: pathname, at: request.timing().startTime, bytes: responseBodySize }
    }
    scripts.push(script())
  })
  await openAndRest(page, origin(at) + path)
  const loaded = await Promise.all(scripts)
  await page.context().close()
  const later = loaded.find((script) => offlineScript.test(script.path))
  const file = offlineScript.exec(later?.path ?? '')?.[1]
  const ofOffline = file ? importedWith(file) : new Set<string>()
  const isLater = (script: (typeof loaded)[number]): boolean =>
    later !== undefined &&
    script.at > later.at - togetherMs &&
    (script.at > later.at || ofOffline.has(script.path.slice(script.path.lastIndexOf('/') + 1)))
  return loaded.reduce((sum, script) => sum + (isLater(script) ? 0 : script.bytes), 0) / 1000
}

/** The least of some passes: whatever else the machine does only adds to one. */
const leastOf = async (passes: number, measure: () => Promise<number>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let pass = 0; pass < passes; pass++) least = Math.min(least, await measure())
  return least
}

const largestPaintOf = (browser: Browser, at: Installation, path: string, cookie?: string) =>
  leastOf(5, async () => {
    const page = await openAs(browser, at, cookie, path === addresses.clock ? phone : undefined)
    await slowed(page)
    await page.addInitScript(() => {
      // Read below by the same name.
      const held = window as unknown as { largest: number }
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) held.largest = startTime
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await openAndRest(page, origin(at) + path, slowRestMs)
    // As above.
    const largest = await page.evaluate(() => (window as unknown as { largest?: number }).largest)
    await page.context().close()
    if (largest === undefined) throw new Error(`${path} has painted nothing.`)
    return largest
  })

/** Watches the page's own measure of interactions from before it loads. */
const watchInteractions = (page: Page) =>
  page.addInitScript(() => {
    // Set by the script that the page was opened with.
    const held = window as unknown as { slowest: number }
    held.slowest = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
        if (entry.interactionId) held.slowest = Math.max(held.slowest, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })

const slowestOf = async (page: Page): Promise<number> => {
  await page.waitForTimeout(500)
  // Set by the script that the page was opened with.
  return page.evaluate(() => (window as unknown as { slowest: number }).slowest)
}

/** The schedule of three months for as many students as the program has: walked through by keys and by presses. */
const scheduleInteraction = async (browser: Browser, at: Installation, cookie: string) => {
  const page = await openAs(browser, at, cookie)
  await watchInteractions(page)
  await openAndRest(page, `${origin(at)}/admin/visualization?weeks=12`)
  const grid = page.getByRole('grid')
  await grid.focus()
  for (let n = 0; n < 15; n++) await page.keyboard.press(n % 3 === 2 ? 'ArrowDown' : 'ArrowRight')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  const cells = Number(await grid.getAttribute('aria-rowcount')) * 84
  const slowest = await slowestOf(page)
  await page.context().close()
  return { slowest, cells }
}

/** The list of all people: sorted, ticked and searched. */
const peopleInteraction = async (browser: Browser, at: Installation, cookie: string) => {
  const page = await openAs(browser, at, cookie)
  await watchInteractions(page)
  await openAndRest(page, `${origin(at)}/admin/manage-users`)
  const grid = page.getByRole('grid').or(page.getByRole('table')).first()
  const rows = Number(await grid.getAttribute('aria-rowcount'))
  for (const head of (await page.getByRole('columnheader').getByRole('button').all()).slice(0, 3)) {
    await head.click()
    await page.waitForTimeout(200)
  }
  for (const tick of (await page.getByRole('checkbox').all()).slice(0, 4)) await tick.click()
  const slowest = await slowestOf(page)
  await page.context().close()
  return { slowest, rows }
}

const scrollingOf = async (
  browser: Browser,
  at: Installation,
  cookie: string,
  path: string,
): Promise<Scrolling> => {
  const page = await openAs(browser, at, cookie)
  await openAndRest(page, origin(at) + path)
  const scrolling = await scrollGrid(page)
  await page.context().close()
  return scrolling
}

/** Presses on a screen with a slowed processor, one after the other; the slowest. */
const slowInteractionOf = (
  browser: Browser,
  at: Installation,
  cookie: string,
  path: string,
  work: (page: Page) => Promise<void>,
) =>
  leastOf(3, async () => {
    const page = await openAs(browser, at, cookie)
    await watchInteractions(page)
    await openAndRest(page, origin(at) + path)
    await slowed(page)
    await work(page)
    const slowest = await slowestOf(page)
    await page.context().close()
    return slowest
  })

/** Each press waits until the one before it is drawn. */
const pressAll = async (page: Page, places: readonly { x: number; y: number }[]): Promise<void> => {
  for (const { x, y } of places) {
    await page.mouse.click(x, y)
    await page.waitForTimeout(400)
  }
}

const placesOf = async (page: Page, selector: string, most: number) => {
  const boxes = await Promise.all(
    (await page.locator(selector).all()).slice(0, most).map((each) => each.boundingBox()),
  )
  return boxes.flatMap((box) => (box ? [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }] : []))
}

const tickSome = async (page: Page): Promise<void> =>
  pressAll(page, await placesOf(page, 'input[data-tick]', 5))

const walkSchedule = async (page: Page): Promise<void> => {
  await page.getByRole('grid').focus()
  const keys = [
    'ArrowRight',
    'ArrowRight',
    'ArrowDown',
    'PageDown',
    'PageDown',
    'ArrowLeft',
    'Control+End',
    'Home',
  ]
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(400)
  }
  await page.mouse.move(700, 500)
  await page.mouse.wheel(0, 800)
  await page.waitForTimeout(800)
  await pressAll(page, await placesOf(page, '[data-cell]', 2))
}

const walkCompetencies = async (page: Page): Promise<void> => {
  await page.getByRole('grid').focus()
  for (const key of ['ArrowDown', 'PageDown', 'PageDown', 'Control+End', 'Home', 'Control+Home']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(400)
  }
}

const tickAll = async (page: Page): Promise<void> => {
  const [all] = await placesOf(page, 'thead input[type="checkbox"]', 1)
  if (all) await pressAll(page, [all, all])
}

const openFilters = async (page: Page): Promise<void> => {
  for (const place of await placesOf(page, 'form[aria-label="Filters"] [aria-haspopup]', 3)) {
    await pressAll(page, [place])
    await page.keyboard.press('Escape')
    await page.waitForTimeout(400)
  }
}

const openRows = async (page: Page): Promise<void> =>
  pressAll(page, await placesOf(page, 'tbody tr:not([aria-hidden]) td:nth-child(2)', 2))

const sortSome = async (page: Page): Promise<void> =>
  pressAll(page, await placesOf(page, 'th[aria-sort] button', 3))

/** Opens the pages in a real browser; undefined without a build or a browser. */
export const measurePages = async (
  at: Installation,
  staff: SignedIn,
  student: SignedIn,
): Promise<PageFigures | undefined> => {
  if (!existsSync(join(dist, 'index.html'))) return undefined
  const { chromium } = await import('@playwright/test')
  const executablePath = browsers.find((path) => path && existsSync(path))
  const port = 9_300 + (process.pid % 500)
  const browser = await chromium
    .launch({
      ...(executablePath && { executablePath }),
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        `--remote-debugging-port=${port}`,
      ],
    })
    .catch(() => undefined)
  if (!browser) return undefined
  try {
    const lighthouse = await loadLighthouse()
    const marksOnce = async (path: string, cookie?: string): Promise<Marks> => {
      const found = await lighthouse(origin(at) + path, {
        port,
        output: 'json',
        logLevel: 'silent',
        formFactor: 'mobile',
        onlyCategories: ['performance', 'accessibility', 'best-practices'],
        ...(cookie && { extraHeaders: { cookie } }),
      })
      const mark = (name: keyof Marks) => Math.round((found?.lhr.categories[name]?.score ?? Number.NaN) * 100)
      return {
        performance: mark('performance'),
        accessibility: mark('accessibility'),
        'best-practices': mark('best-practices'),
      }
    }
    /** The middle of some runs for each mark: one run measures what else the machine did just then. */
    const marksOf = async (path: string, cookie?: string): Promise<Marks> => {
      const runs: Marks[] = []
      for (let run = 0; run < lighthouseRuns; run++) runs.push(await marksOnce(path, cookie))
      const middle = (name: keyof Marks) => median(runs.map((run) => run[name]))
      return {
        performance: middle('performance'),
        accessibility: middle('accessibility'),
        'best-practices': middle('best-practices'),
      }
    }
    // Whoever is signed in has one.
    const cookie = staff.headers.cookie!
    const schedule = await scheduleInteraction(browser, at, cookie)
    const people = await peopleInteraction(browser, at, cookie)
    const whoSees = (page: MeasuredPage) =>
      page === 'signIn' ? undefined : page === 'clock' ? student.headers.cookie : cookie
    const bytes = (page: MeasuredPage) => kilobytesOf(browser, at, addresses[page], whoSees(page))
    const paint = (page: MeasuredPage) => largestPaintOf(browser, at, addresses[page], whoSees(page))
    const pressed = (path: string, work: (page: Page) => Promise<void>) =>
      slowInteractionOf(browser, at, cookie, path, work)
    return {
      kilobytes: {
        signIn: await bytes('signIn'),
        clock: await bytes('clock'),
        home: await bytes('home'),
        approve: await bytes('approve'),
        schedule: await bytes('schedule'),
        sites: await bytes('sites'),
      },
      largestPaint: {
        signIn: await paint('signIn'),
        clock: await paint('clock'),
        home: await paint('home'),
        approve: await paint('approve'),
        schedule: await paint('schedule'),
      },
      slowInteraction: {
        schedule: await pressed(addresses.schedule, walkSchedule),
        approve: await pressed(addresses.approve, tickSome),
        hours: await pressed('/admin/hours-summary', sortSome),
        assignments: await pressed('/admin/shift-assignments', tickSome),
        missed: await pressed('/admin/missed-time-records', tickSome),
        competencies: await pressed('/admin/competencies/progress', walkCompetencies),
        tickAll: await pressed(addresses.approve, tickAll),
        filters: await pressed(addresses.approve, openFilters),
        sites: await pressed(addresses.sites, openRows),
        exams: await pressed('/admin/competencies/exams', openRows),
      },
      interaction: {
        schedule: schedule.slowest,
        scheduleCells: schedule.cells,
        people: people.slowest,
        peopleRows: people.rows,
      },
      scrolling: {
        schedule: await scrollingOf(browser, at, cookie, addresses.schedule),
        competencies: await scrollingOf(browser, at, cookie, '/admin/competencies/progress'),
      },
      lighthouse: { signIn: await marksOf('/login'), clock: await marksOf('/clock', student.headers.cookie) },
    }
  } finally {
    await browser.close()
  }
}
