import type { Page } from '@playwright/test'
import { xssCorpus } from '../server/test/xss-corpus.ts'
import {
  another,
  closeToasts,
  expect,
  expectGoodScreen,
  phone,
  press,
  saving,
  signIn,
  test,
  url,
  write,
} from './support.ts'

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const runOf = async (page: Page, text: string, verb: string) => {
  await row(page, text)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: verb }).click()
}
const choose = async (page: Page, field: string | RegExp, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).first().click()
}
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

/** Waits until an image that is asked for now has failed; those that were asked for before it have, too. */
const failedImage = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const image = new Image()
        image.onerror = () => resolve()
        image.src = 'missing.png'
      }),
  )

test('D1-030 D1-031 D1-138 D1-139 D1-140 D1-141 D1-142 D1-143 D1-144 D1-145 D1-146 D1-147 D1-149 D1-216 D1-217 D1-236 D1-237 D1-322 a super admin writes news with a picture, staff read it, and it goes again', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/admin-news')
  await expect(page.getByRole('columnheader').filter({ hasText: /\S/ })).toHaveText([
    'Modality',
    'Text',
    'Date',
    'Active',
    'Actions',
  ])
  await expect(row(page, 'Maintenance on Sunday')).toContainText('All')
  await expectGoodScreen(page, 'news')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/admin-news\/edit$/)
  await expect(page.getByRole('heading', { name: 'Admin News' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^Date/ })).toHaveValue(/^\d\d\/\d\d\/\d{4}$/)
  await expect(page.getByLabel('Active')).toBeChecked()
  await page.getByRole('combobox', { name: 'Modality' }).click()
  await expect(page.getByRole('option').first()).toHaveText('*All')
  await page.getByRole('option', { name: 'Radiography', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter the news')).toBeVisible()
  await expectGoodScreen(page, 'news form with a refusal')

  const editor = page.getByRole('textbox', { name: 'News' })
  await expect(page.locator('.mantine-RichTextEditor-root')).toHaveCSS('height', '500px')
  await write(editor, 'Portable units arrive on Monday. ')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'unit.png', mimeType: 'image/png', buffer: png })
  await expect(editor.locator('img')).toHaveAttribute('src', /^\/new\/api\/pictures\/[0-9a-f]{40}$/)
  await editor.locator('img').click()
  const alt = page.getByLabel('Describe the picture for people who cannot see it')
  await expect(alt).toHaveValue('unit')
  await alt.fill('The portable unit in room 2')
  await expect(editor.locator('img')).toHaveAttribute('alt', 'The portable unit in room 2')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bad.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload=alert(1)>') })
  await expect(page.getByText('bad.png was not uploaded')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/admin\/admin-news\?whichpage=ADMIN_adminnews$/)
  await expect(row(page, 'Portable units arrive')).toContainText('Radiography')

  const reader = await another(browser, 'faculty', { at: 'admin/home' })
  const news = reader.page.getByRole('article', { name: 'News' }).filter({ hasText: 'Portable units' })
  await expect(news).toBeVisible()
  await expect
    .poll(() => news.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1)
  const elsewhere = await another(browser, 'coordinator2', { at: 'admin/home' })
  await expect(elsewhere.page.getByText('Maintenance on Sunday')).toBeVisible()
  await expect(elsewhere.page.getByText('Portable units')).toHaveCount(0)
  await elsewhere.leave()

  await runOf(page, 'Portable units arrive', 'Edit')
  await expect(page).toHaveURL(/\/admin\/admin-news\/edit\?id=\d+$/)
  await expect(page.getByRole('textbox', { name: 'News' })).toContainText('Portable units')
  await page.getByRole('textbox', { name: /^Date/ }).fill('01/02/26')
  await page.getByRole('textbox', { name: /^Date/ }).blur()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Portable units arrive')).toContainText('01/02/2026')
  await runOf(page, 'Portable units arrive', 'Edit')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/whichpage=ADMIN_adminnews$/)

  await saving(page, () => page.getByRole('checkbox', { name: /^Active: Portable/ }).uncheck())
  await page.reload()
  await expect(page.getByRole('checkbox', { name: /^Active: Portable/ })).not.toBeChecked()
  await reader.page.reload()
  await expect(reader.page.getByRole('region', { name: 'Needs attention' })).toBeVisible()
  await expect(reader.page.getByText('Portable units')).toHaveCount(0)
  await reader.leave()

  await runOf(page, 'Portable units arrive', 'Delete')
  await expect(page.getByRole('dialog')).toContainText('Are you sure you wish to delete?')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'Portable units arrive')).toHaveCount(0)
})

test('A54 news is searched, an item before its date says so, and one of a picture alone has a name', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/admin-news/edit')
  const editor = page.getByRole('textbox', { name: 'News' })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'open-house_map.png', mimeType: 'image/png', buffer: png })
  await expect(editor.locator('img')).toHaveAttribute('alt', 'open house map')
  // The editor takes the focus a moment after the picture, and with it what is typed elsewhere.
  await expect(editor).toBeFocused()
  await page.getByRole('textbox', { name: /^Date/ }).fill('01/15/2090')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'open house map')).toContainText('Not shown yet')
  await page.getByLabel('Search news').fill('OPEN HOUSE')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByLabel('Search news').fill('no such news')
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('D1-309 D1-310 failures of news are logged with their status, marked at the row, and told nowhere else', async ({
  page,
}) => {
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await signIn(page, 'super', 'admin/admin-news')
  const box = page.getByRole('checkbox', { name: /^Active: Spring schedules/ })
  await expect(box).toBeChecked()
  await page.route('**/api/admin-news/**', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, json: { Message: 'x' } }),
  )
  // Not uncheck(): the box goes back at once.
  await box.click()
  await expect(page.getByRole('img', { name: 'The last change was not saved.' })).toBeVisible()
  await expect(box).toBeChecked()
  await runOf(page, 'Spring schedules', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => logged).toContain('Deleting news: HTTP 500')
  expect(logged).toContain('Switching news on or off: HTTP 500')
  await expect(row(page, 'Spring schedules')).toBeVisible()
  await expectGoodScreen(page, 'news with a failed row')
  await runOf(page, 'Spring schedules', 'Edit')
  await write(page.getByRole('textbox', { name: 'News' }), 'Kept in the form.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('img', { name: /The last attempt to save failed/ })).toBeVisible()
  await expect.poll(() => logged).toContain('Saving news: HTTP 500')
  await expect(page.getByRole('textbox', { name: 'News' })).toContainText('Kept in the form.')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expectGoodScreen(page, 'news form that was not saved')
})

test('D1-309 a state that cannot be saved is logged with its status, and the shell shows the true one', async ({
  page,
}) => {
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  await signIn(page, 'super', 'admin/home')
  await page.route('**/api/state', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, json: { Message: 'x' } }),
  )
  const box = page.getByRole('checkbox', { name: 'See menu as program' })
  await box.click()
  await expect.poll(() => logged).toContain('Saving the state: HTTP 500')
  await expect(box).not.toBeChecked()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('D1-148 on an iPad the news is a plain text area', async ({ browser }) => {
  const context = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0',
  })
  const page = await context.newPage()
  await signIn(page, 'super', 'admin/admin-news/edit')
  await expect(page.locator('textarea')).toHaveCSS('height', '500px')
  await expect(page.getByRole('textbox', { name: 'News', exact: true })).toHaveJSProperty(
    'tagName',
    'TEXTAREA',
  )
  await context.close()
})

test('D1-256 news pages lead everybody else to the admin home page', async ({ page }) => {
  await signIn(page, 'admin', 'admin/admin-news')
  await expect(page).toHaveURL(/\/admin\/home$/)
})

test('the known attacks, kept as news, run nothing on the home page', async ({ page, browser }) => {
  await signIn(page, 'super', 'admin/admin-news')
  const id = await page.evaluate(async (attacks) => {
    const { CsrfToken } = await (await fetch('/new/api/auth/session')).json()
    const bytes = new TextEncoder().encode(`<p>Attacked news</p>${attacks.join('')}`)
    const answer = await fetch('/new/api/admin-news', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': CsrfToken },
      body: JSON.stringify({
        Date: '2026-01-01',
        Text: btoa(String.fromCharCode(...bytes)),
        IsActive: true,
        ModalityId: null,
      }),
    })
    return (await answer.json()).Id as number
  }, xssCorpus)
  // Without the policy against inline scripts: the cleaning alone has to hold.
  const context = await browser.newContext({ bypassCSP: true })
  const home = { page: await context.newPage(), context }
  await signIn(home.page, 'coordinator', 'admin/home')
  // Older news may be before it: look at it where it is edited, too.
  await page.goto(url(`admin/admin-news/edit?id=${id}`))
  await expect(page.getByRole('textbox', { name: 'News' })).toContainText('Attacked news')
  for (const each of [page, home.page]) {
    await failedImage(each)
    expect(await each.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
  }
  const html = await page.evaluate(
    async (id) => (await (await fetch(`/new/api/admin-news/${id}`)).json()).Text,
    id,
  )
  await home.page.evaluate((html) => {
    const place = document.createElement('div')
    document.body.append(place)
    place.innerHTML = html
    for (const part of place.querySelectorAll<HTMLElement>('*')) {
      for (const kind of ['click', 'mouseover', 'focus', 'load', 'error', 'toggle', 'animationstart'])
        if (!(part instanceof HTMLAnchorElement)) part.dispatchEvent(new Event(kind))
    }
  }, html)
  await failedImage(home.page)
  expect(await home.page.evaluate(() => (window as { pwned?: number }).pwned)).toBeUndefined()
  // The same look at an attack that was not cleaned sees it.
  await home.page.evaluate(() =>
    document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.pwned=1">'),
  )
  await expect.poll(() => home.page.evaluate(() => (window as { pwned?: number }).pwned)).toBe(1)
  await home.context.close()
  await page.evaluate(async (id) => {
    const { CsrfToken } = await (await fetch('/new/api/auth/session')).json()
    await fetch(`/new/api/admin-news/${id}`, { method: 'DELETE', headers: { 'x-csrf-token': CsrfToken } })
  }, id)
})

test('D1-040 D1-150 D1-151 a coordinator keeps the blacklist of the program', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/email-blacklist')
  await expect(page.getByRole('columnheader', { name: 'Id' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Email Address' })).toBeVisible()
  await expect(row(page, 'former.liaison@hgh.example')).toBeVisible()
  await expectGoodScreen(page, 'blacklist')
  const box = page.getByPlaceholder('Add to blacklist')
  await box.fill('nonsense')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText(/^Not an email address or domain: nonsense/)).toBeVisible()
  await expectGoodScreen(page, 'blacklist with a refusal')
  await box.fill('Zed <ZED@journey.example>, @journeys.example; nonsense\nzed@journey.example')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Added 2 entries')).toBeVisible()
  await expect(box).toHaveValue('nonsense')
  await box.fill('ZED@JOURNEY.EXAMPLE')
  await box.press('Enter')
  await expect(page.getByText('Nothing was added: already on the list')).toBeVisible()
  await page.getByLabel('Search addresses').fill('journey')
  await expect(page.getByRole('row')).toHaveCount(3)
  await runOf(page, 'zed@journey.example', 'Remove')
  await expect(row(page, 'zed@journey.example')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'zed@journey.example')).toBeVisible()
  await closeToasts(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('Blacklist Emails.csv')
  await page.getByLabel('Search addresses').fill('nothing-like-it')
  await expect(page.getByText('No matches.')).toBeVisible()
})

test('D1-094 D1-155 D1-156 D1-157 D1-158 D1-159 D1-160 a coordinator reads both summaries, filters them and imports a vendor’s file', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/verification?type=1')
  await expect(page.getByRole('heading', { name: 'Background Check Summary' })).toBeVisible()
  await expect(page.getByText(/^This page shows data from third-party/)).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'background checks by student')
  await choose(page, /^Records/, 'Immunizations')
  await expect(page.getByRole('heading', { name: 'Immunization Summary' })).toBeVisible()
  await press(page, /^Missing/)
  await expect(page).toHaveURL(/type=2&show=missing|show=missing.*type=2/)
  await choose(page, /^View/, 'Results')
  await expect(page.getByRole('row').nth(1)).toContainText('Missing')
  await expectGoodScreen(page, 'missing immunizations')
  await page.reload()
  await expect(page.getByRole('row').nth(1)).toContainText('Missing')
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByLabel('Search students').fill('Okafor')
  await expect(page.getByRole('row').nth(1)).toContainText('Okafor')
  await page.getByLabel('Search students').fill('Nobody At All')
  await expect(page.getByText('No matches.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Excel' }).click()
  expect((await download).suggestedFilename()).toBe('Immunization Summary.xlsx')

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(
    page.getByRole('heading', { name: 'Import background checks and immunizations' }),
  ).toBeVisible()
  const file = (status: string) => ({
    name: 'vaxline.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Student Name,Company,Vaccine,Compliance Status,Date Given,Expiration Date\n"Okafor, Amara",Journey Health,Rabies,${status},02/03/2026,02/03/2030\n`,
    ),
  })
  await page.locator('input[type=file]').setInputFiles(file('Purple'))
  await expect(page.getByRole('combobox', { name: 'Column for Requirement' })).toHaveText('Vaccine')
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await expect(row(page, '“Purple” is not a known status.')).toContainText('Compliance Status')
  await expectGoodScreen(page, 'import of verifications: refusal')
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await page.locator('input[type=file]').setInputFiles(file('Compliant'))
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('1 added', { exact: true })).toBeVisible()
  await page.goto(url('admin/verification?type=2&view=results&search=Okafor'))
  await expect(row(page, 'Rabies').first()).toContainText('02/03/2030')
  await page.goto(url('admin/imports?kind=verifications'))
  const undone = row(page, 'vaxline.csv').first()
  await undone.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone: vaxline.csv')).toBeVisible()

  for (const at of ['verification', 'verification?type=0', 'verification?type=3']) {
    await page.goto(url(`admin/${at}`))
    await expect(page).toHaveURL(/\/admin\/not-found$/)
  }
  await expect(page.getByRole('heading', { name: /not found|nothing/i })).toBeVisible()
})

test('A35 D1-026 a student sees the own records on the phone', async ({ browser }) => {
  const { page, leave } = await another(browser, 'student', { size: phone, at: 'more' })
  await page.getByRole('link', { name: 'Immunizations' }).click()
  await expect(page.getByRole('heading', { name: 'Immunization Summary' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  // What is above the records agrees with their tags.
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) })
  const complete = cards.filter({ hasText: /Complete/ })
  const open = (await cards.count()) - (await complete.count())
  expect(open).toBeGreaterThan(0)
  await expect(page.getByText(new RegExp(`^${open} of your records? needs? attention`))).toBeVisible()
  await expectGoodScreen(page, 'own immunizations')
  await page.goto(url('verification?type=1'))
  await expect(page.getByRole('heading', { name: 'Background Check Summary' })).toBeVisible()
  await expectGoodScreen(page, 'own background checks')
  await page.goto(url('verification'))
  await expect(page).toHaveURL(/\/new\/not-found$/)
  await leave()
})
