import { expect } from '@playwright/test'
import type { Connection, Way } from './connection.ts'
import { type Phone, punchesOf, rowsOf } from './phone.ts'
import { url } from './support.ts'

/** Numbers between 0 and 1 that a seed decides. */
const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Presses the clock again and again while the connection is cut at random, answers are lost, pages are closed and the
 * browser is closed and opened again. Every press that the screen has shown is there once at the end.
 *
 * @returns how many presses there were
 */
export const cutRounds = async (
  phone: Phone,
  connection: Connection,
  { rounds, seed, tell = () => {} }: { rounds: number; seed: number; tell?: (round: number) => void },
): Promise<number> => {
  const random = randomFrom(seed)
  const isNow = (part: number): boolean => random() < part
  const before = await punchesOf(phone.page)
  for (let round = 1; round <= rounds; round++) {
    tell(round)
    const { page } = phone
    const button = page.getByRole('button', { name: /^Clock (in|out)$/ })
    await expect(button).toBeEnabled()
    const isIn = (await button.getAttribute('data-out')) !== null
    const way: Way = isNow(0.45) ? 'open' : isNow(0.5) ? 'cut' : 'one-way'
    const cutsLater = isNow(0.3)
    connection.set(way)
    await button.click()
    if (cutsLater) connection.set('cut')
    // The screen has told that it was pressed: it works, or it shows the other state already.
    await page.waitForFunction(
      (was) => {
        const shown = document.querySelector('button[aria-busy]')
        return (
          shown?.getAttribute('aria-busy') === 'true' || (shown && shown.hasAttribute('data-out') !== was)
        )
      },
      isIn,
      { polling: 5 },
    )
    if (isNow(0.25)) {
      await phone.reopen()
      await phone.page.goto(url('clock'))
    } else if (isNow(0.3)) {
      phone.page = await phone.context.newPage()
      await page.close()
      await phone.page.goto(url('clock'))
    }
    if (isNow(0.3)) connection.set('open')
  }
  connection.set('open')
  await phone.page.goto(url('clock'))
  await expect.poll(() => rowsOf(phone.page, 'items'), { timeout: 90_000 }).toEqual([])
  expect(await punchesOf(phone.page)).toBe(before + rounds)
  return rounds
}
