import { readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { api, closeToasts, desktop, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

const card = readFileSync(new URL('../server/demo/cpr-card.jpg', import.meta.url))
const photo = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: card }

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string | RegExp) => expect(page.getByText(text).last()).toBeVisible()
const fromToday = (days: number): string => {
  const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
}
const row = (page: Page, name: string) =>
  page.locator('li').filter({ has: page.getByText(name, { exact: true }) })

/** Opens the form of a requirement's proof. */
const showFor = async (page: Page, name: string): Promise<void> => {
  const item = row(page, name)
  await expect(item).toBeVisible()
  const verb = item.getByRole('button', { name: /^Send (new )?proof$/ })
  if (!(await verb.isVisible())) await item.getByRole('button').first().click()
  await verb.click()
}
const fillDate = async (page: Page, label: string, text: string): Promise<void> => {
  await page
    .getByRole('dialog')
    .getByLabel(new RegExp(`^${label}`))
    .fill(text)
  await page.getByRole('heading', { name: 'CPR' }).last().click()
}

test('a student photographs a CPR card, and staff accept it with one key; the next comes by itself', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  await expect(page.getByRole('heading', { name: 'Requirements', exact: true })).toBeVisible()
  await expectGoodScreen(page, 'own requirements')
  await showFor(page, 'CPR')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('alert').first()).toHaveText('Take a photo, or choose a file.')
  await page.locator('input[type=file][multiple]').setInputFiles(photo)
  await expect(page.getByRole('dialog').getByText('card.jpg')).toBeVisible()
  await expectGoodScreen(page, 'the form of a proof')
  await fillDate(page, 'Issued', fromToday(-3))
  await fillDate(page, 'Expires', fromToday(700))
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await said(page, 'Sent. You will hear when it is accepted.')

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/review')
  const queue = page.getByRole('navigation', { name: 'Proofs to review' })
  await expect(queue.getByRole('button').first()).toBeVisible()
  await expectGoodScreen(page, 'review queue')
  // The newest is the last one.
  await queue.getByRole('listitem').last().getByRole('button').click()
  await expect(page.getByRole('heading', { name: 'CPR', exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: /^CPR, / })).toBeVisible()
  const count = await queue.getByRole('listitem').count()
  await page.keyboard.press('a')
  await said(page, /^Accepted .*: CPR$/)
  await expect(queue.getByRole('listitem')).toHaveCount(count - 1)
  await page.keyboard.press('z')
  await said(page, 'The proof is in review again.')
  await expect(queue.getByRole('listitem')).toHaveCount(count)
  // It is read again before it can be decided about.
  await expect(page.getByRole('region', { name: 'CPR', exact: true })).toContainText('Okafor, Amara')
  await expect(page.getByRole('img', { name: /^CPR, / })).toBeVisible()
  await page.keyboard.press('a')
  await expect(queue.getByRole('listitem')).toHaveCount(count - 1)

  // On a phone the proof is above what is asked about it, and so is the next one.
  await page.setViewportSize({ ...phone, height: 560 })
  await closeToasts(page)
  await queue.getByRole('listitem').first().getByRole('button').click()
  await expect(button(page, 'Accept, next')).toBeEnabled()
  await expect(async () => {
    await page.getByLabel(/^Note to /).hover()
    await page.mouse.wheel(0, 2_000)
    await expect(queue).not.toBeInViewport({ timeout: 1_000 })
  }).toPass()
  await button(page, 'Accept, next').click()
  await expect(queue.getByRole('listitem')).toHaveCount(count - 2)
  await expect(queue).toBeInViewport()
  await button(page, 'Undo').last().click()
  await said(page, 'The proof is in review again.')

  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  await expect(row(page, 'CPR')).toContainText(`To ${fromToday(700)}`)
})

test('30 proofs are reviewed in under five minutes', async ({ page }) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'student', 'requirements')
  const { Items } = await api(page, 'GET', '/requirements/mine')
  const training = Items.find(({ Name }: { Name: string }) => Name === 'HIPAA training').Id
  await page.evaluate(
    async ([root, id, day]) => {
      const { CsrfToken } = await (await fetch(`${root}api/auth/session`)).json()
      const picture = await new Promise<Blob>((resolve) => {
        const canvas = document.createElement('canvas')
        canvas.width = canvas.height = 60
        canvas.getContext('2d')!.fillRect(0, 0, 30, 30)
        canvas.toBlob((blob) => resolve(blob!), 'image/jpeg')
      })
      for (let index = 0; index < 30; index++) {
        const form = new FormData()
        const events = [{ Kind: 'done', On: day }]
        form.set(
          'proof',
          JSON.stringify({ RequirementId: Number(id), Events: events, Key: crypto.randomUUID() }),
        )
        form.append('file', picture, 'a.jpg')
        const answer = await fetch(`${root}api/requirements/mine/proofs`, {
          method: 'POST',
          headers: { 'x-csrf-token': CsrfToken },
          body: form,
        })
        if (!answer.ok) throw new Error(await answer.text())
      }
    },
    [url(), String(training), new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)] as const,
  )
  await signIn(page, 'coordinator', 'admin/requirements/review')
  const items = page.getByRole('navigation', { name: 'Proofs to review' }).getByRole('listitem')
  await expect(items.first()).toBeVisible()
  const before = await items.count()
  // Who speaks to the computer turns the letters off; the arrows still go from one proof to the next.
  await button(page, 'Turn off single-key shortcuts').click()
  await expect(button(page, 'Accept, next')).toBeEnabled()
  await page.keyboard.press('a')
  await page.keyboard.press('ArrowDown')
  await expect(items.nth(1).getByRole('button')).toHaveAttribute('aria-current', 'true')
  await expect(items).toHaveCount(before)
  await button(page, 'Turn on single-key shortcuts').click()
  // Whoever types a name outside of any field decides nothing.
  await page.getByRole('heading', { name: 'Review proofs' }).click()
  await page.keyboard.type('arza')
  await expect(items).toHaveCount(before)
  await page.keyboard.press('ArrowUp')
  await expect(items.first().getByRole('button')).toBeFocused()
  // By keys alone: one for each proof, and the next comes by itself. Ten seconds a proof would be five minutes.
  const took: number[] = []
  for (let done = 1; done <= 30; done++) {
    const began = Date.now()
    await expect(button(page, 'Accept, next')).toBeEnabled()
    await page.keyboard.press('a')
    await expect(items).toHaveCount(before - done)
    took.push(Date.now() - began)
  }
  expect(took.reduce((sum, each) => sum + each, 0)).toBeLessThan(5 * 60_000)
})

test('a photographed card survives a lost network and a closed page', async ({ page, context }) => {
  test.slow()
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  await showFor(page, 'Health insurance')
  await page.locator('input[type=file][multiple]').setInputFiles(photo)
  await expect(page.getByRole('dialog').getByText('card.jpg')).toBeVisible()
  await page
    .getByRole('dialog')
    .getByLabel(/^Issued/)
    .fill(fromToday(-2))
  await page.keyboard.press('Escape')
  await page
    .getByRole('dialog')
    .getByLabel(/^Expires/)
    .fill(fromToday(300))
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await said(page, /Health insurance: kept on this phone/)
  await context.setOffline(false)
  await page.goto('about:blank')
  await page.goto(url('requirements'))
  await expect(page.getByText(/Health insurance: kept on this phone/)).toBeHidden()
  await expect
    .poll(async () => {
      const { Items } = await api(page, 'GET', '/requirements/mine')
      return Items.find(({ Name }: { Name: string }) => Name === 'Health insurance').Standing.IsWaiting
    })
    .toBe(true)
})

test('a photo becomes a JPEG where the browser reads it and goes as HEIC else; what is too large is refused with what to do, before anything is sent', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  await showFor(page, 'Physical examination')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/proofs')) sent.push(request.url())
  })
  const files = page.locator('input[type=file][multiple]')
  const alert = page.getByRole('dialog').getByRole('alert')
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  await files.setInputFiles({ name: 'IMG_0042.HEIC', mimeType: 'image/heic', buffer: card })
  await expect(page.getByRole('dialog').getByText('IMG_0042.jpg')).toBeVisible()
  await files.setInputFiles({ name: 'IMG_0043.HEIC', mimeType: 'image/heic', buffer: heic })
  await expect(page.getByRole('dialog').getByText('IMG_0043.HEIC')).toBeVisible()
  const folder = await mkdtemp(join(tmpdir(), 'proof-'))
  try {
    for (const name of ['record.pdf', 'photo.jpg']) {
      // It takes no room on the disk.
      await writeFile(join(folder, name), '%PDF-1.7')
      await truncate(join(folder, name), 200 * 1024 * 1024)
      await files.setInputFiles(join(folder, name))
      await expect(alert).toContainText(`${name} is 209.7 MB. The limit is 20 MB`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  await expectGoodScreen(page, 'a proof that was refused')
  expect(sent).toEqual([])
})

test('a PDF is sent from the phone and read by staff, a date before birth is refused, and a rule that changed meanwhile asks for its own date', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(phone)
  await signIn(page, 'coordinator', 'admin/requirements')
  const at = '/programs/1/requirements'
  const rule = { Name: 'Ladder safety', Kind: 'training', BlocksPlacement: false, NeedsFile: true }
  const { Id } = await api(page, 'POST', at, { ...rule, Rule: { Kind: 'months', Months: 12 } })
  await signIn(page, 'student', 'requirements')
  await showFor(page, 'Ladder safety')
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  )
  await page
    .locator('input[type=file][multiple]')
    .setInputFiles({ name: 'Ladder.pdf', mimeType: 'application/pdf', buffer: pdf })
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Ladder.pdf')).toBeVisible()
  await dialog.getByLabel(/^Date/).fill('05/05/1911')
  await page.keyboard.press('Escape')
  await button(page, 'Send').click()
  await expect(dialog.getByRole('alert')).toContainText('before you were born. Check the year.')
  await dialog.getByLabel(/^Date/).fill(fromToday(-20))
  await page.keyboard.press('Escape')
  await button(page, 'Send').click()
  await said(page, 'Sent. You will hear when it is accepted.')

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/review')
  await api(page, 'POST', `${at}/${Id}`, { ...rule, Rule: { Kind: 'until' } })
  await page.reload()
  const queue = page.getByRole('navigation', { name: 'Proofs to review' })
  await queue.getByRole('button').filter({ hasText: 'Ladder safety' }).click()
  await expect(page.getByText(/^The rule changed after this was sent/)).toBeVisible()
  await expect(page.locator('iframe[title^="Ladder safety"]')).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByText('Enter the last day.')).toBeVisible()
  await page.getByLabel(/^Expires/).fill(fromToday(100))
  await page.keyboard.press('Escape')
  await button(page, 'Accept, next').click()
  await said(page, /^Accepted .*: Ladder safety$/)
  await api(page, 'DELETE', `${at}/${Id}`)
})

test('a student asks to be exempt from the phone, and staff answer', async ({ page }) => {
  test.slow()
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  const item = row(page, 'N95 fit test')
  await expect(item).toBeVisible()
  const ask = item.getByRole('button', { name: 'Request an exemption' })
  if (!(await ask.isVisible())) await item.getByRole('button').first().click()
  await ask.click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('My site uses hoods')
  await expectGoodScreen(page, 'asking for an exemption')
  await page.getByRole('dialog').getByRole('button', { name: 'Request', exact: true }).click()
  await said(page, 'Request sent. You will hear from your program.')
  await expect(item).toContainText('Waiver: requested')
  await expectGoodScreen(page, 'an exemption that waits')

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/requests')
  const request = page.getByRole('row').filter({ hasText: 'My site uses hoods' })
  await expect(request).toContainText('N95 fit test')
  await expectGoodScreen(page, 'exemption requests')
  await request.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('dialog').getByLabel(/^Note/).fill('Other sites ask for it')
  await expectGoodScreen(page, 'declining an exemption')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click()
  await said(page, /^Declined .*’s exemption/)

  await page.setViewportSize(phone)
  await signIn(page, 'student', 'requirements')
  await expect(row(page, 'N95 fit test')).toContainText('Waiver declined: Other sites ask for it')
})

test('students and requirements are on one page; exempting is undone, and each student has a page', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements')
  const table = page.getByRole('table')
  await expect(table.getByRole('row').nth(2)).toBeVisible()
  await expectGoodScreen(page, 'students and requirements')
  await page.getByRole('combobox', { name: /^Show/ }).click()
  await page.getByRole('option', { name: 'Not ready' }).click()
  await expect(page).toHaveURL(/show=notReady/)
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await table.getByRole('row').nth(1).getByRole('checkbox').check()
  await button(page, 'Email students').click()
  await expect(page.getByLabel('Subject')).toHaveValue('Your requirements')
  await page.goBack()
  await table.getByRole('row').nth(1).getByRole('checkbox').check()
  await button(page, 'Exempt').click()
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: /Requirement/ })
    .click()
  await page.getByRole('option', { name: 'N95 fit test' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Reason/)
    .fill('Not needed this term')
  await expectGoodScreen(page, 'exempting')
  await page.getByRole('dialog').getByRole('button', { name: 'Exempt', exact: true }).click()
  await said(page, 'Exempted 1 student')
  await button(page, 'Undo').click()
  await said(page, 'Ended the exemption')

  await page.goto(url('admin/requirements/forecast'))
  await expect(page.getByRole('heading', { name: 'Ready by date' })).toBeVisible()
  await expectGoodScreen(page, 'ready by date')
  await page.goto(url('admin/requirements'))
  await table.getByRole('row').nth(1).getByRole('button').click()
  await expect(page.getByRole('heading', { name: /^Requirements of / })).toBeVisible()
  await expectGoodScreen(page, 'requirements of a student')
})

test('requirements are designed: a season is added, and its days are checked', async ({ page }) => {
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/requirements/design')
  await expect(page.getByText('Hepatitis B')).toBeVisible()
  await expectGoodScreen(page, 'requirements')
  await button(page, 'Add New').click()
  await page.getByRole('textbox', { name: /^Requirement/ }).fill('RSV')
  await page.getByRole('combobox', { name: /^Rule/ }).click()
  await page.getByRole('option', { name: 'Season, each year' }).click()
  await page.getByLabel(/Required from/).fill('13/01')
  await page
    .getByRole('button', { name: /^(Save|Add)/ })
    .first()
    .click()
  await expect(page.getByText('Enter a day of the year as mm/dd.').first()).toBeVisible()
  await page.getByLabel(/Required from/).fill('10/01')
  // No other journey's placements are blocked by it.
  await page.getByLabel('Required for scheduling').uncheck()
  await expectGoodScreen(page, 'a requirement')
  await page
    .getByRole('button', { name: /^(Save|Add)/ })
    .first()
    .click()
  await said(page, 'Saved RSV')
  await expect(page.getByText('Dose from 07/01; required 10/01 through 04/30.')).toBeVisible()
})
