import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Installation, SignedIn } from './installation.ts'

const dist = join(import.meta.dirname, '..', 'dist')

const browsers = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Kilobytes (1,000 bytes) of JavaScript that a page loads until it rests, each file packed by gzip. */
export interface PageSizes {
  signIn: number
  adminHome: number
}

/** Opens both pages in a real browser and adds up what they load; undefined without a build or a browser. */
export const measurePages = async (
  { ours }: Installation,
  { headers }: SignedIn,
): Promise<PageSizes | undefined> => {
  if (!existsSync(join(dist, 'index.html'))) return undefined
  const { chromium } = await import('@playwright/test')
  const executablePath = browsers.find((path) => path && existsSync(path))
  const browser = await chromium
    .launch({
      ...(executablePath && { executablePath }),
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    .catch(() => undefined)
  if (!browser) return undefined
  try {
    const sizeOf = async (path: string, cookie?: string): Promise<number> => {
      const context = await browser.newContext()
      if (cookie) {
        const [name = '', value = ''] = cookie.split('=')
        await context.addCookies([{ name, value, url: ours.origin }])
      }
      const page = await context.newPage()
      const scripts = new Set<string>()
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (pathname.endsWith('.js')) scripts.add(pathname.split('/').at(-1)!)
      })
      await page.goto(`${ours.origin}/new${path}`, { waitUntil: 'networkidle' })
      await context.close()
      let bytes = 0
      for (const name of scripts) bytes += gzipSync(readFileSync(join(dist, 'assets', name))).length
      return bytes / 1000
    }
    return { signIn: await sizeOf('/login'), adminHome: await sizeOf('/admin/home', headers.cookie) }
  } finally {
    await browser.close()
  }
}
