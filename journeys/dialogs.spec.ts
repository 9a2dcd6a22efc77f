import type { Locator, Page } from '@playwright/test'
import { expect, phone, signIn, test, url } from './support.ts'

const openException = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Time exception' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report a time exception' })
  await expect(dialog).toBeVisible()
  return dialog
}

/** A Sunday some weeks ago, on which the student has no shift, as it is typed. */
const sundayAgo = (weeks: number): string => {
  const day = new Date(Date.now() - weeks * 7 * 86_400_000)
  day.setDate(day.getDate() - day.getDay())
  return day.toLocaleDateString('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' })
}

test('the first press on Send counts, though the error of a corrected field goes with it and moves the button', async ({
  page,
}) => {
  await signIn(page, 'student2', 'clock')
  const dialog = await openException(page)
  const send = dialog.getByRole('button', { name: 'Send' })
  await send.click()
  await expect(dialog.getByText('This field is required').first()).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Clinical site' }).click()
  await page.getByRole('option').first().click()
  await dialog.getByLabel(/^Date/).fill(sundayAgo(8))
  await dialog.getByLabel(/^Reason/).fill('The reader at the door was broken')
  await dialog.getByLabel(/^Start/).fill('5:00')
  const { y } = (await send.boundingBox())!
  await send.hover()
  await page.mouse.down()
  await expect.poll(async () => (await send.boundingBox())!.y, 'the button moves').not.toBe(y)
  await page.mouse.up()
  await expect(dialog).toHaveCount(0)
})

test('what a dialog does it does once, however quickly its button is pressed again', async ({ page }) => {
  await signIn(page, 'student2', 'clock')
  await page.getByRole('button', { name: 'Report absence' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill('Fever since the night')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  await dialog.getByRole('button', { name: 'Send' }).evaluate((button: HTMLElement) => {
    for (const _press of [1, 2]) button.click()
  })
  await expect(dialog).toHaveCount(0)
  expect(sent.filter((path) => path.endsWith('/clock/exceptions'))).toHaveLength(1)
})

test('the second of two quick taps on Send reaches nothing beneath the dialog', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student2', 'clock')
  await page.getByRole('button', { name: 'Report absence' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Reason/).fill('Fever since the night')
  // At the moment in which the dialog has gone, and again where nobody has pressed before.
  await page.evaluate(() => {
    const reached: string[] = []
    Object.assign(window, { reached })
    addEventListener('click', ({ target }) => reached.push((target as Element).localName))
    const tap = (clientX: number, clientY: number) => {
      const at = document.elementFromPoint(clientX, clientY)!
      for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
        at.dispatchEvent(
          new MouseEvent(type, { clientX, clientY, detail: 1, bubbles: true, cancelable: true }),
        )
    }
    addEventListener(
      'click',
      ({ clientX, clientY }) =>
        new MutationObserver((_, observer) => {
          if (document.querySelector('[role=dialog]')) return
          observer.disconnect()
          reached.length = 0
          tap(clientX, clientY)
          tap(clientX, clientY - 100)
          reached.push('end')
        }).observe(document.body, { childList: true, subtree: true }),
      { once: true },
    )
  })
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog).toHaveCount(0)
  const reached = () => page.evaluate(() => (window as unknown as { reached: string[] }).reached)
  await expect.poll(reached).toHaveLength(2)
  expect((await reached())[1]).toBe('end')
})

/** Presses the same place again as soon as `isOver`, and tells what that has reached: nothing, when it is held. */
const pressAgain = async (page: Page, button: Locator, isOver: string): Promise<string[]> => {
  await button.evaluate((element: HTMLElement, condition) => {
    const reached: string[] = []
    Object.assign(window, { reached, pressed: element })
    addEventListener('click', ({ target }) => reached.push((target as Element).localName))
    const isGone = () =>
      condition === 'gone' ? !element.isConnected : document.querySelector(condition) !== null
    element.addEventListener('click', ({ clientX, clientY }) =>
      new MutationObserver((_, observer) => {
        if (!isGone()) return
        observer.disconnect()
        reached.length = 0
        const at = document.elementFromPoint(clientX, clientY)!
        for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
          at.dispatchEvent(
            new MouseEvent(type, { clientX, clientY, detail: 1, bubbles: true, cancelable: true }),
          )
        reached.push('end')
      }).observe(document.body, { childList: true, subtree: true }),
    )
  }, isOver)
  await button.click()
  const reached = () => page.evaluate(() => (window as unknown as { reached: string[] }).reached)
  await expect.poll(async () => (await reached()).at(-1)).toBe('end')
  return reached()
}

test('the second of two quick taps does not reach the dialog that the first has opened', async ({ page }) => {
  await signIn(page, 'student2', 'clock')
  const button = page.getByRole('button', { name: 'Report absence' })
  expect(await pressAgain(page, button, '[role=dialog]')).toEqual(['end'])
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('the second of two quick taps does not decide the record that slides to the place of the first', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/approve-time-records?insight=1&sort=Date')
  const approve = page.getByRole('button', { name: /^Approve: / }).first()
  await approve.locator('xpath=ancestor::tr').hover()
  const element = await approve.elementHandle()
  expect(await pressAgain(page, approve, 'gone')).toEqual(['end'])
  expect(await element!.evaluate((each) => each.isConnected)).toBe(false)
  await expect(page.getByText(/^Approved .+, .+, \d\d\/\d\d/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(/pending again$/)).toBeVisible()
})

/**
 * A step through the history, asked for by the page, and so after what the page has written there. Playwright looks up the place in the
 * browser before it steps, where the newest entry may be missing yet.
 */
const step = (page: Page, by: 1 | -1): Promise<void> =>
  page.evaluate(
    (delta) =>
      new Promise<void>((resolve) => {
        const left = history.state
        const look = () => (history.state === left ? void requestAnimationFrame(look) : resolve())
        history.go(delta)
        look()
      }),
    by,
  )
const goBack = (page: Page): Promise<void> => step(page, -1)
const goForward = (page: Page): Promise<void> => step(page, 1)

/** For one thing that is open over the page there is one entry above its own: a moment after another has closed. */
const expectEntries = (page: Page, count: number): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => (history.state as { over?: { depth: number } }).over?.depth ?? 0))
    .toBe(count)

test('Back on a phone closes what is open and not the page, and asks before typed text is lost', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student2', 'hours')
  await page.getByRole('link', { name: 'Clock' }).click()
  await expect(page).toHaveURL(/clock$/)

  const dialog = await openException(page)
  await goBack(page)
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/clock$/)
  await goForward(page)
  await expect(page.getByRole('button', { name: 'Time exception' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expectEntries(page, 0)

  await openException(page)
  await dialog.getByLabel(/^Reason/).fill('The reader at the door was broken')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await goBack(page)
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(dialog.getByLabel(/^Reason/)).toHaveValue('The reader at the door was broken')
  await expectEntries(page, 1)

  // A list of choices over the dialog goes first, and the question like everything else.
  await dialog.getByRole('combobox', { name: 'Clinical site' }).click()
  await expect(page.getByRole('listbox')).toBeVisible()
  await goBack(page)
  await expect(page.getByRole('listbox')).toBeHidden()
  await expectEntries(page, 1)
  await goBack(page)
  await expect(question).toBeVisible()
  await goBack(page)
  await expect(question).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await expectEntries(page, 1)
  await goBack(page)
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(dialog).toHaveCount(0)

  // Nothing of it is left in the way: one step leads to the page before, one step forward to this one.
  await expectEntries(page, 0)
  await goBack(page)
  await expect(page).toHaveURL(/hours$/)
  await goForward(page)
  await expect(page).toHaveURL(/clock$/)

  // Closed otherwise, and followed by another page.
  await openException(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('link', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/schedule$/)
  await goBack(page)
  await expect(page).toHaveURL(/clock$/)
  await goBack(page)
  await expect(page).toHaveURL(url('hours'))
})

test('Back on a phone goes one page back, also from a link that was tapped while the entry of a dialog was taken away', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student2', 'hours')
  await page.getByRole('link', { name: 'Clock' }).click()
  const dialog = await openException(page)
  // The entry is taken away; the link is tapped before it has gone, and Back pressed as soon as the address of the link is there.
  await page.evaluate(() => {
    const isThere = () => location.pathname.endsWith('/schedule')
    const goBack = () => {
      if (!isThere()) return void requestAnimationFrame(goBack)
      history.back()
      Object.assign(window, { wentBack: true })
    }
    const { pushState } = history
    history.pushState = (...entry) => {
      history.pushState = pushState
      history.pushState(...entry)
      goBack()
    }
    history.go = (by) => {
      history.go = History.prototype.go
      history.go(by)
      document.querySelector<HTMLElement>('nav a[href$="/schedule"]')!.click()
    }
  })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.evaluate(() => 'wentBack' in window)).toBe(true)
  await expect(page).toHaveURL(/clock$/)
  await expect(page.getByRole('button', { name: 'Time exception' })).toBeVisible()
  await goBack(page)
  await expect(page).toHaveURL(url('hours'))
})

test('the calendar of a date covers no button on a short phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await signIn(page, 'student2', 'clock')
  await page.getByRole('button', { name: 'Report absence' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Date/).click()
  const calendar = page.locator('.mantine-Popover-dropdown:visible')
  await expect(calendar).toBeVisible()
  const foot = (await dialog.getByRole('button', { name: 'Send' }).boundingBox())!
  const days = (await calendar.boundingBox())!
  expect(days.y + days.height).toBeLessThanOrEqual(foot.y)
  await dialog.getByLabel(/^Reason/).fill('Fever since the night')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})
