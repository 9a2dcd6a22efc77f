import { chromium } from 'playwright-core'
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox','--disable-gpu'] })
const [who, ...paths] = process.argv.slice(2)
for (const [w,h,theme] of (process.env.ONE ? [[1280,800,'light']] : [[1280,800,'light'],[390,844,'dark']])) {
  const c = await b.newContext({ viewport: { width: w, height: h }, colorScheme: theme })
  const p = await c.newPage()
  await p.goto('http://127.0.0.1:18991/new/login')
  await p.getByLabel('User name').or(p.getByLabel('Username')).first().fill(who)
  await p.getByLabel('Password').first().fill('Bluebird-42-harbor')
  await p.keyboard.press('Enter')
  await p.waitForURL(/home/)
  let i = 0
  for (const path of paths) {
    const [at, press] = path.split('::')
    await p.goto('http://127.0.0.1:18991/new/' + at)
    await p.waitForTimeout(3000)
    if (process.env.SPACING) { await p.addStyleTag({ content: '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important} p{margin-bottom:2em!important}' }); await p.waitForTimeout(1500) }
    if (press) { await p.getByRole('button', { name: press }).first().click(); await p.waitForTimeout(1500) }
    if (process.env.CELL) { await p.locator(process.env.CELL).nth(Number(process.env.NTH ?? 3)).click(); await p.waitForTimeout(1500) }
    await p.screenshot({ path: `/tmp/own-${i++}-${w}.png` })
  }
  await c.close()
}
await b.close()
