import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import UPNG from 'upng-js'
import { ensureBrowser } from './lib/browser.mjs'

/** `npm run icons`: what a phone shows of the installed product, from the mark in `web/icon.svg`, in `web/icons`. */
const web = join(import.meta.dirname, '..', 'web')
const paper = '#F7F5F2'

/** `part`: how much of the side the mark takes. Phones cut a circle out of the icons that they may mask. */
const icons = [
  { name: 'icon-192', size: 192, part: 0.72 },
  { name: 'icon-512', size: 512, part: 0.72 },
  { name: 'maskable-512', size: 512, part: 0.54 },
  { name: 'apple-touch-icon', size: 180, part: 0.66 },
]

const { path } = await ensureBrowser()
const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage()
const mark = readFileSync(join(web, 'icon.svg')).toString('base64')
mkdirSync(join(web, 'icons'), { recursive: true })
for (const { name, size, part } of icons) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<body style="margin:0;display:grid;place-items:center;height:100vh;background:${paper}">
      <img src="data:image/svg+xml;base64,${mark}" style="width:${part * 100}%">`,
  )
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode())
  const shot = UPNG.decode(new Uint8Array(await page.screenshot()).buffer)
  const pixels = UPNG.toRGBA8(shot)[0]!
  writeFileSync(join(web, 'icons', `${name}.png`), new Uint8Array(UPNG.encode([pixels], size, size, 64)))
}
await browser.close()
