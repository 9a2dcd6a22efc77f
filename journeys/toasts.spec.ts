import type { Page } from '@playwright/test'
import { desktop, expect, phone, signIn, test } from './support.ts'

/** The main buttons, and those in feet and bars, that news on the screen is over. */
const listCovered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const news = [...document.querySelectorAll('[role=status][data-place] > [data-tone]')].map((each) =>
      each.getBoundingClientRect(),
    )
    const isOver = ({ left, top, right, bottom }: DOMRect) =>
      news.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top)
    return [
      ...document.querySelectorAll<HTMLElement>('[data-foot] button, footer button, [data-variant=filled]'),
    ].flatMap((button) =>
      button.checkVisibility() && isOver(button.getBoundingClientRect()) ? button.innerText : [],
    )
  })

/** News that stays as long as the test looks at it. */
const holdNews = (page: Page) =>
  page.addStyleTag({ content: '[data-clock] { animation-play-state: paused !important }' })

for (const [name, size] of [
  ['desk', desktop],
  ['phone', phone],
] as const)
  test(`D1-317 news covers no button that is pressed next, on a ${name}`, async ({ page }) => {
    await page.setViewportSize(size)
    await signIn(page, 'coordinator2', 'admin/approve-time-records?insight=1')
    await holdNews(page)
    const tick = page.getByRole('checkbox', { name: /^(Select|Choose|Tick)/ })
    const news = page.locator('[role=status][data-place] > [data-tone]')
    for (const round of [1, 2, 3, 4]) {
      await tick.nth(2).check()
      await page.getByRole('button', { name: 'Approve Selected' }).click()
      await expect(news).toHaveCount(round)
    }
    await expect.poll(() => listCovered(page)).toEqual([])

    await tick.nth(2).check()
    await tick.nth(3).check()
    await expect(page.getByRole('button', { name: 'Approve Selected' })).toBeVisible()
    await expect.poll(() => listCovered(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Reject/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await expect.poll(() => listCovered(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    // Nothing is left of it: what was approved is pending again.
    for (const round of [3, 2, 1, 0]) {
      await news.getByRole('button', { name: 'Undo', exact: true }).first().click()
      await expect(news.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(round)
    }
  })

test('D1-317 news covers no button of a supervisor at the foot of a phone', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'supervisor2', 'approve')
  await holdNews(page)
  const shift = page.getByRole('listitem').filter({ has: page.getByRole('checkbox') })
  await shift.first().getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('button', { name: /^Approve/ })
    .last()
    .click()
  const news = page.locator('[role=status][data-place] > [data-tone]')
  await expect(news.first()).toBeVisible()
  await expect.poll(() => listCovered(page)).toEqual([])
  await shift.first().getByRole('button').click()
  await expect(dialog.getByRole('button', { name: /^Reject/ })).toBeVisible()
  await expect.poll(() => listCovered(page)).toEqual([])
  await page.keyboard.press('Escape')
  await news.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect(page.getByText(/pending again/).first()).toBeVisible()
})

test('D1-317 news is over no main button and no action of the page from its first frame on', async ({
  page,
}) => {
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator2', 'admin/approve-time-records?insight=1')
  await holdNews(page)
  await page.evaluate(() => {
    const covered = new Set<string>()
    Object.assign(window, { covered })
    const listOver = (): Set<string> => {
      const over = new Set<string>()
      for (const each of document.querySelectorAll('[role=status][data-place] > [data-tone]')) {
        if (!each.checkVisibility({ opacityProperty: true })) continue
        const box = each.getBoundingClientRect()
        for (const button of document.querySelectorAll<HTMLElement>(
          'main header :is(a, button), [data-variant=filled], [data-foot] button',
        )) {
          const { left, top, right, bottom } = button.getBoundingClientRect()
          const isOver = left < box.right && right > box.left && top < box.bottom && bottom > box.top
          if (isOver && button.checkVisibility()) over.add(button.innerText)
        }
      }
      return over
    }
    // What is put right before the next frame was never seen, so it takes two of them.
    let before = new Set<string>()
    const look = () => {
      const over = listOver()
      for (const name of over) if (before.has(name)) covered.add(name)
      before = over
      requestAnimationFrame(look)
    }
    look()
  })
  const news = page.locator('[role=status][data-place] > [data-tone]')
  const tick = page.getByRole('checkbox', { name: /^(Select|Choose|Tick)/ })
  for (const round of [1, 2]) {
    await tick.nth(2).check()
    await page.getByRole('button', { name: 'Approve Selected' }).click()
    await expect(news).toHaveCount(round)
    await expect(news.last()).toBeVisible()
  }
  await expect.poll(() => listCovered(page)).toEqual([])
  expect(await page.evaluate(() => [...(window as never as { covered: Set<string> }).covered])).toEqual([])
  for (const round of [1, 0]) {
    await news.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await expect(news.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(round)
  }
})
