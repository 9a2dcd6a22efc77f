import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import type { Installation, SignedIn } from './installation.ts'
import { median } from './load.ts'

const dist = join(import.meta.dirname, '..', 'dist')

const browsers = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const lighthouseRuns = 5

export interface PageFigures {
  /** Kilobytes (1,000 bytes) of JavaScript that a page loads until it rests, each file packed by gzip. */
  kilobytes: { signIn: number; adminHome: number }
  /** Milliseconds from the slowest press or key to the next picture, per screen. */
  interaction: { schedule: number; scheduleCells: number; people: number; peopleRows: number }
  /** Lighthouse's marks for a phone, 0 to 100, the middle of five runs: performance, accessibility, best practices. */
  lighthouse: { signIn: Marks; clock: Marks }
}

export interface Marks {
  performance: number
  accessibility: number
  'best-practices': number
}

const origin = (at: Installation): string => `${at.ours.origin}/new`

const openAs = async (browser: Browser, at: Installation, cookie?: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: at.ours.origin }])
  }
  return context.newPage()
}

const kilobytesOf = async (browser: Browser, at: Installation, path: string, cookie?: string) => {
  const page = await openAs(browser, at, cookie)
  const scripts = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) scripts.add(pathname.split('/').at(-1)!)
  })
  await page.goto(origin(at) + path, { waitUntil: 'networkidle' })
  await page.context().close()
  let bytes = 0
  for (const name of scripts) bytes += gzipSync(readFileSync(join(dist, 'assets', name))).length
  return bytes / 1000
}

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
  await page.goto(`${origin(at)}/admin/visualization?weeks=12`, { waitUntil: 'networkidle' })
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
  await page.goto(`${origin(at)}/admin/manage-users`, { waitUntil: 'networkidle' })
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
    const { default: lighthouse } = await import('lighthouse')
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
    return {
      kilobytes: {
        signIn: await kilobytesOf(browser, at, '/login'),
        adminHome: await kilobytesOf(browser, at, '/admin/home', cookie),
      },
      interaction: {
        schedule: schedule.slowest,
        scheduleCells: schedule.cells,
        people: people.slowest,
        peopleRows: people.rows,
      },
      lighthouse: { signIn: await marksOf('/login'), clock: await marksOf('/clock', student.headers.cookie) },
    }
  } finally {
    await browser.close()
  }
}
