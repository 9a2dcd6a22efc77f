import type { Locator } from '@playwright/test'

/**
 * Picks an entry of a list up by its handle and the keyboard. A resize event, which comes with the next
 * frame, would cancel the drag. The list hears of further keys by a timer that it sets while it is told of the first one: the timer that
 * is set here fires behind that one.
 */
export const pickUp = async (handle: Locator): Promise<void> => {
  await handle.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await handle.focus()
  await handle.page().keyboard.press('Space')
  await handle.evaluate(() => new Promise((done) => setTimeout(done)))
}
