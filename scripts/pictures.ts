import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import UPNG from 'upng-js'
import { startProduct } from '../journeys/start.ts'
import config from '../playwright.config.ts'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'

/**
 * `npm run pictures`: the pictures and films of the README from the demo as it starts, in docs/images. Colors are reduced to a
 * palette, which a screen of plain areas does not show.
 */
const folder = join(import.meta.dirname, '..', 'docs', 'images')
const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const limit = { picture: 150_000, film: 2_000_000 }

const pixelsOf = (shot: Buffer): { pixels: ArrayBuffer; width: number; height: number } => {
  const image = UPNG.decode(new Uint8Array(shot).buffer)
  return { pixels: UPNG.toRGBA8(image)[0]!, width: image.width, height: image.height }
}

const write = (name: string, bytes: ArrayBuffer, most: number): void => {
  writeFileSync(join(folder, `${name}.png`), new Uint8Array(bytes))
  console.log(`${name}.png: ${Math.round(bytes.byteLength / 1000)} kB`)
  if (bytes.byteLength > most) throw new Error(`${name}.png is larger than ${most / 1000} kB.`)
}

/** A palette as large as the size allows. */
const save = (name: string, shot: Buffer): void => {
  const { pixels, width, height } = pixelsOf(shot)
  const sizes = [256, 160, 96, 64].map((colors) => UPNG.encode([pixels], width, height, colors))
  write(name, sizes.find(({ byteLength }) => byteLength <= limit.picture) ?? sizes.at(-1)!, limit.picture)
}

/** Frames of one size, each shown for its own time in ms. */
class Film {
  private readonly frames: { pixels: ArrayBuffer; delay: number }[] = []
  private size = { width: 0, height: 0 }

  async take(page: Page, delay: number): Promise<void> {
    const { pixels, width, height } = pixelsOf(await page.screenshot())
    this.size = { width, height }
    this.frames.push({ pixels, delay })
  }

  /** A press that can be seen: a ring where the finger or the pointer is, then the click. */
  async press(page: Page, target: Locator): Promise<void> {
    const box = await target.boundingBox()
    if (!box) throw new Error('What is to be pressed cannot be seen.')
    await page.evaluate(
      ({ x, y }) => {
        const ring = document.createElement('div')
        ring.id = 'pressed'
        ring.style.cssText = `position:fixed;left:${x - 22}px;top:${y - 22}px;width:44px;height:44px;border-radius:50%;background:#1f1d1a40;border:2px solid #fff;box-shadow:0 0 0 1px #1f1d1a80;z-index:9999;pointer-events:none`
        document.body.append(ring)
      },
      { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    )
    await this.take(page, 600)
    await page.evaluate(() => document.getElementById('pressed')?.remove())
    await target.click()
  }

  save(name: string): void {
    const bytes = UPNG.encode(
      this.frames.map(({ pixels }) => pixels),
      this.size.width,
      this.size.height,
      128,
      this.frames.map(({ delay }) => delay),
    )
    write(name, bytes, limit.film)
  }
}

await ensureBuilt()
mkdirSync(folder, { recursive: true })
const product = await startProduct()
const browser = await chromium.launch({
  ...config.use?.launchOptions,
  executablePath: (await ensureBrowser()).path,
})
const url = (path: string): string => `${product.address}/new/${path}`
const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))),
  )
}

interface As {
  size?: { width: number; height: number }
  dark?: boolean
  /** Pixels of the picture for one of the screen. */
  scale?: number
}

/** A browser in which someone is signed in. */
const as = async (
  userName: string,
  { size = desktop, dark = false, scale = 1.5 }: As = {},
): Promise<{ page: Page; context: BrowserContext }> => {
  const context = await browser.newContext({
    viewport: size,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    permissions: ['geolocation'],
    deviceScaleFactor: scale,
    hasTouch: size === phone,
  })
  const page = await context.newPage()
  await page.goto(url('login'))
  await page.getByLabel('User name').fill(userName)
  await page.getByLabel('Password', { exact: true }).fill('Bluebird-42-harbor')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((address) => !address.pathname.endsWith('/login'))
  return { page, context }
}

/** Waits for a text that comes late, where one does. */
const picture = async (page: Page, name: string, path: string, late?: RegExp): Promise<void> => {
  await page.goto(url(path))
  if (late) await page.getByText(late).first().waitFor()
  await settled(page)
  save(name, await page.screenshot())
}

/** A call of the product's own API with the session of the page. */
const call = <T>(page: Page, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> =>
  page.evaluate(
    async ({ method, path, body }) => {
      const session = await (await fetch('/new/api/auth/session')).json()
      const answer = await fetch(`/new/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-csrf-token': session.CsrfToken },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return answer.json()
    },
    { method, path, body },
  )

/** A shift of the demo's student that began ten minutes ago, whatever the hour: the clock always has one to show. */
const placeStudentNow = async (page: Page): Promise<void> => {
  const optionOf = async (kind: string, search: string): Promise<number> => {
    const path = `programs/1/scheduling-options?Kind=${kind}&search=${search}`
    return (await call<{ Items: { Id: number }[] }>(page, 'GET', path)).Items[0]!.Id
  }
  const local = (at: number): [date: string, time: string] => {
    // '2026-11-22 22:20:05'
    const [date = '', time = ''] = new Date(at)
      .toLocaleString('sv-SE', { timeZone: 'America/New_York' })
      .split(' ')
    return [date, time.slice(0, 5)]
  }
  const [date, start] = local(Date.now() - 10 * 60_000)
  const [, end] = local(Date.now() + 8 * 3_600_000)
  const shift = await call<{ Id: number }>(page, 'POST', 'programs/1/site-shifts', {
    SiteId: await optionOf('site', 'Harbor'),
    Code: 'HGH-D2',
    Name: 'Imaging',
    Type: 'day',
    Weekdays: [0, 1, 2, 3, 4, 5, 6],
    StartTime: start,
    EndTime: end,
    Capacity: 4,
    StartDate: '2020-01-01',
    EndDate: '2099-12-31',
  })
  await call(page, 'POST', 'programs/1/shift-assignments', {
    RotationId: await optionOf('rotation', ''),
    SiteShiftId: shift.Id,
    StudentIds: [await optionOf('student', 'Amara')],
    Dates: [date],
  })
}

const filmClock = async (): Promise<void> => {
  const { page, context } = await as('student', { size: phone, scale: 1 })
  await page.goto(url('clock'))
  const { Shifts } = await call<{ Shifts: { Latitude: number; Longitude: number }[] }>(page, 'GET', 'clock')
  const { Latitude: latitude, Longitude: longitude } = Shifts[0]!
  await context.setGeolocation({ latitude, longitude, accuracy: 14 })
  await settled(page)
  const film = new Film()
  await film.take(page, 1500)
  await film.press(page, page.getByRole('button', { name: 'Clock in', exact: true }))
  await page.getByText(/^Since \d\d:\d\d/).waitFor()
  await film.take(page, 2200)
  await context.setOffline(true)
  await film.press(page, page.getByRole('button', { name: 'Clock out' }))
  await page.getByText(/^Kept on this phone/).waitFor()
  await film.take(page, 2200)
  await context.setOffline(false)
  await page.getByText('1 saved punch was sent').waitFor()
  await page.getByText(/^Clocked out at/).waitFor()
  await film.take(page, 2600)
  film.save('clock-film')
  await context.close()
}

const filmApproving = async (): Promise<void> => {
  const { page, context } = await as('coordinator', { scale: 1 })
  await page.goto(url('admin/approve-time-records?insight=1'))
  await settled(page)
  const film = new Film()
  await film.take(page, 1600)
  await film.press(page, page.getByRole('button', { name: /^Approve All \d+$/ }).first())
  // Not until nothing moves: the line of the toast is its clock.
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.getByText('No matches.').waitFor()
  await film.take(page, 2200)
  await film.press(page, page.locator('label', { hasText: 'Careful Review' }))
  await page.waitForURL(/insight=3/)
  await page.getByRole('row').nth(1).waitFor()
  await settled(page)
  await film.take(page, 2600)
  film.save('approve-film')
  await context.close()
}

try {
  const staff = await as('coordinator')
  await picture(staff.page, 'home', 'admin/home')
  await picture(staff.page, 'schedule', 'admin/visualization', /^\d+ conflicts?$/)
  await picture(staff.page, 'approve', 'admin/approve-time-records')
  await picture(staff.page, 'sites', 'admin/sites')
  await placeStudentNow(staff.page)
  await staff.context.close()

  const night = await as('coordinator', { dark: true })
  await picture(night.page, 'progress-dark', 'admin/hours-summary')
  await night.context.close()

  const supervisor = await as('supervisor', { size: phone })
  await supervisor.page.goto(url('evaluate'))
  await supervisor.page
    .getByRole('link', { name: /Student performance/ })
    .first()
    .click()
  await settled(supervisor.page)
  save('evaluate', await supervisor.page.screenshot())
  await supervisor.context.close()

  await filmClock()
  await filmApproving()
} finally {
  await browser.close()
  await product.stop()
}
