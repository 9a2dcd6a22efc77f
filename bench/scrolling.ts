import type { Page } from '@playwright/test'

/** What scrolling a grid is like. */
export interface Scrolling {
  rows: number
  columns: number
  /** Pictures a second by the clock, of the page itself. */
  framesPerSecond: number
  /** Pictures that came later than one and a half of a sixtieth second. */
  late: number
  frames: number
  /** Milliseconds of processor that the page's thread needs for a picture. What else the machine does is not in them. */
  workMs: number
}

/** Pixels of each turn of the wheel, one a picture: 2,400 a second. */
const turnPx = 40
const turns = 180

/**
 * Turns the wheel over a grid for three seconds, as fast as it is drawn sixty times a second, and counts the pictures in between.
 * The page is open and shows the grid.
 */
export const scrollGrid = async (page: Page): Promise<Scrolling> => {
  const grid = page.getByRole('grid')
  const box = await grid.boundingBox()
  if (!box) throw new Error('The page shows no grid.')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workedSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(() => {
    // Read below by the same names.
    const held = window as unknown as { frames: number[]; isOver: boolean }
    held.frames = []
    held.isOver = false
    let last = performance.now()
    const count = (now: number) => {
      held.frames.push(now - last)
      last = now
      if (!held.isOver) requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  const before = await workedSeconds()
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, turnPx)
    await page.waitForTimeout(1000 / 60)
  }
  const worked = (await workedSeconds()) - before
  const frames = await page.evaluate(() => {
    // Set above.
    const held = window as unknown as { frames: number[]; isOver: boolean }
    held.isOver = true
    return held.frames.slice(1)
  })
  return {
    rows: Number(await grid.getAttribute('aria-rowcount')) - 2,
    columns: Number(await grid.getAttribute('aria-colcount')) - 1,
    framesPerSecond: (1000 * frames.length) / frames.reduce((sum, each) => sum + each, 0),
    late: frames.filter((each) => each > 25).length,
    frames: frames.length,
    workMs: (1000 * worked) / frames.length,
  }
}
