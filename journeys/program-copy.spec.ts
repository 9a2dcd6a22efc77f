import type { Page } from '@playwright/test'
import { api, expect, expectGoodScreen, signIn, test, url } from './support.ts'

const choose = async (page: Page, field: RegExp, option: RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}
const box = (page: Page, code: string) => page.locator(`input[value="${code}"]`)

test('D1-071 D3-026 D3-027 D3-028 D3-029 D3-181 D3-202 D3-203 D3-204 D3-205 D3-207 D3-338 D3-339 D3-345 a super admin copies data into a new program', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/program-copy')
  const { Id: college } = (await api(page, 'GET', '/colleges')).find(
    ({ Name }: { Name: string }) => Name === 'Harbor College',
  )
  const made = await api(page, 'POST', '/programs', {
    CollegeId: college,
    Name: 'Copied Imaging',
    ModalityId: null,
    ProgramClassId: null,
    ProgramTypeId: null,
    LanguageProfileId: null,
    State: 'MA',
    TimeZone: 'America/New_York',
    HasCredit: false,
    RequiresTotp: false,
    HasPayments: false,
    ActiveFrom: null,
    ActiveThrough: null,
  })
  await page.reload()
  const copy = page.getByRole('button', { name: 'Copy', exact: true })
  await expect(page.getByText('A copy cannot be undone.')).toBeVisible()
  await expect(copy).toHaveAttribute('aria-disabled', 'true')

  await box(page, 'ma1').check()
  for (const code of ['ma2', 'ma20', 'co1', 'pa1', 'se1', 'se2']) await expect(box(page, code)).toBeChecked()
  await expect(box(page, 'se2')).toBeDisabled()
  await expect(page.getByText('required by Comp exam items').first()).toBeVisible()
  await copy.click()
  await expect(page.getByText('Required', { exact: true })).toHaveCount(2)
  await expectGoodScreen(page, 'program copy refused')
  await box(page, 'ma20').uncheck()
  await expect(box(page, 'co1')).not.toBeChecked()
  await expect(box(page, 'se2')).toBeEnabled()

  await page.getByRole('combobox', { name: /^Source/ }).click()
  await page.keyboard.type('radio')
  await page.getByRole('option', { name: 'Harbor College - Radiography' }).click()
  await choose(page, /^Destination/, /Harbor College - Radiography/)
  await copy.click()
  await expect(page.getByText('Programs must not match').first()).toBeVisible()
  await choose(page, /^Destination/, /Harbor College - Copied Imaging/)
  await page.getByRole('checkbox', { name: 'All', exact: true }).check()
  await expect(page.locator('input[value]:not(:checked)[type=checkbox]')).toHaveCount(0)

  await page.route(
    '**/api/programs/copies*',
    (route) => route.fulfill({ status: 503, json: { Message: 'x' } }),
    {
      times: 1,
    },
  )
  const logged = page.waitForEvent('console', (message) =>
    message.text().startsWith('Copying a program: HTTP 503'),
  )
  await copy.click()
  await logged
  await expect(page.getByLabel('The copy failed. Try again.')).toBeVisible()
  await expect(page.getByRole('status')).toBeEmpty()

  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/programs/copies*', async (route) => {
    await held
    await route.continue()
  })
  const sent = page.waitForRequest('**/api/programs/copies*')
  await copy.click()
  const asked = new URL((await sent).url()).searchParams
  expect(asked.get('destinationProgramId')).toBe(String(made.Id))
  expect(asked.get('dataTypes')).toMatch(/^se1,se2,ma1,ma2,ma20,co1,pa1,ps1,/)
  await expect(page.locator('button:has-text("Copy")[disabled]')).toBeVisible()
  goOn()
  await expect(page.getByText('Successfully copied program data.')).toBeVisible()
  await expect(copy).toBeEnabled()
  await expect(page.getByText(/\d+ rows copied/).first()).toBeVisible()
  await expectGoodScreen(page, 'program copied')
  await copy.click()
  await expect(page.getByText('nothing new').first()).toBeVisible()
  await expect(page.getByText(/rows? copied/)).toHaveCount(0)
  await api(page, 'DELETE', `/programs/${made.Id}`)
})

test('D3-193 D3-334 a template names a student level, which is then not cleared', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/manage-levels')
  const level = page.getByRole('textbox', { name: 'Level 18', exact: true })
  const save = page.getByRole('button', { name: /^Save/ })
  await level.fill('Journey eighteenth')
  await save.click()
  await expect(page.getByText('Saved Successfully')).toBeVisible()
  await page.goto(url('admin/evaluations/templates/edit'))
  await page.getByLabel('Title').fill('Journey form for a level')
  await page.getByRole('combobox', { name: /^Student levels/ }).click()
  await page.getByRole('option', { name: 'Journey eighteenth' }).click()
  await page.keyboard.press('Escape')
  await expectGoodScreen(page, 'template with a level')
  await save.click()
  await expect(page).toHaveURL(/evaluations\/items\?template=\d+/)

  await page.goto(url('admin/manage-levels'))
  await level.fill('')
  await save.click()
  const told = page.getByRole('alert').filter({ hasText: /^Not Saved/ })
  await expect(told).toBeVisible()
  await expectGoodScreen(page, 'a level that is not cleared')
  await told.getByRole('link', { name: 'Journey form for a level' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('combobox', { name: /^Student levels/ })).toHaveText('Journey eighteenth')

  const program = (await api(page, 'GET', '/state')).ProgramId
  const template = new URL(page.url()).searchParams.get('id')
  await api(page, 'DELETE', `/programs/${program}/evaluation-templates/${template}`)
  await api(page, 'POST', `/programs/${program}/student-levels`, [{ Id: 18, Name: '' }])
})
