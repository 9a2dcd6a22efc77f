import type { Page } from '@playwright/test'
import { weekOf } from '#contract/core/calendar.ts'
import { clearDays, dayText, findShiftPeople, placeOn, shiftOn } from './shift-people.ts'
import { another, api, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

test('a student offers a shift on a phone, staff see it, and it can be taken back', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/shift-requests')
  await expect(page.getByRole('heading', { name: 'Shift requests' })).toBeVisible()
  await expectGoodScreen(page, 'shift requests')
  const { page: own, leave } = await another(browser, 'student', { size: phone, at: 'swaps' })
  await expect(own.getByRole('heading', { name: 'Swaps' })).toBeVisible()
  await own.getByRole('button', { name: 'Offer a shift' }).click()
  const dialog = own.getByRole('dialog', { name: 'Offer a shift' })
  await dialog.getByRole('combobox', { name: 'Which shift' }).click()
  await own.getByRole('option').last().click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('A family visit')
  const question = own.getByRole('dialog', { name: 'Leave without saving?' })
  for (const leaveIt of [
    () => own.goBack(),
    () => dialog.getByRole('button', { name: 'Close' }).press('Enter'),
    () => dialog.getByRole('button', { name: 'Cancel' }).press('Enter'),
  ]) {
    await leaveIt()
    await question.getByRole('button', { name: 'Stay' }).press('Enter')
    await expect(question).toHaveCount(0)
  }
  await expectGoodScreen(own, 'offering a shift')
  await dialog.getByRole('button', { name: 'Offer', exact: true }).click()
  await expect(own.getByText('Offered the shift')).toBeVisible()
  await expect(own.getByText('Offered to everyone who could take it')).toBeVisible()
  await expectGoodScreen(own, 'own requests')

  await page.getByRole('combobox', { name: /^Show:/ }).click()
  await page.getByRole('option', { name: 'Looking for someone' }).click()
  const name = 'Okafor'
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()

  await own.getByRole('button', { name: 'Withdraw' }).click()
  await own.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(own.getByText('Request withdrawn')).toBeVisible()
  await leave()
})

test('students sign up for open shifts on a phone, and staff see who did', async ({ page, browser }) => {
  await signIn(page, 'coordinator', 'admin/open-shifts')
  await expect(page.getByRole('heading', { name: 'Open shifts' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'open shifts')
  const { page: own, leave } = await another(browser, 'student', { size: phone, at: 'open-shifts' })
  await expect(own.getByRole('tab', { name: 'Open' })).toBeVisible()
  await expectGoodScreen(own, 'own open shifts')
  await own.getByRole('tab', { name: 'Mine' }).click()
  await expectGoodScreen(own, 'own sign-ups')
  await leave()
})

test('a swap goes from the offer to both schedules: offered and answered on phones, approved by staff', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/shift-requests')
  const found = await findShiftPeople(page)
  const [ada, ben] = found.people
  const [first, second] = found.dates
  const given = await placeOn(page, found, ada, first)
  await placeOn(page, found, ben, second)

  const adas = await another(browser, ada.UserName, { size: phone, at: `swaps?shift=${given}` })
  const offer = adas.page.getByRole('dialog', { name: 'Offer a shift' })
  await offer.getByRole('combobox', { name: 'What are you looking for?' }).click()
  await adas.page.getByRole('option', { name: 'Someone swaps with me' }).click()
  await offer.getByRole('combobox', { name: 'Offer to' }).click()
  await adas.page.getByRole('option', { name: /^Only these/ }).click()
  await offer.getByRole('combobox', { name: 'Students' }).click()
  // There is no room below the field for a list that has come by now.
  await expect(adas.page.getByRole('option', { name: ben.Listed })).toBeAttached()
  const opened = adas.page.locator('.mantine-Combobox-dropdown').filter({ visible: true })
  await expect(opened).toBeInViewport({ ratio: 1 })
  await adas.page.getByRole('option', { name: ben.Listed }).click()
  await adas.page.keyboard.press('Escape')
  await offer.getByRole('textbox', { name: 'Note' }).fill('My exam was moved')
  await offer.getByRole('button', { name: 'Offer', exact: true }).click()
  await expect(adas.page.getByText('Offered to 1 student')).toBeVisible()

  const bens = await another(browser, ben.UserName, { size: phone, at: 'swaps' })
  const card = bens.page.getByRole('listitem').filter({ hasText: 'My exam was moved' })
  await expect(card.getByText(`${ada.Name} would like to swap this shift`)).toBeVisible()
  await expectGoodScreen(bens.page, 'a swap that is offered')
  await card.getByRole('button', { name: 'Offer one in return' }).click()
  const returning = bens.page.getByRole('dialog', { name: 'Which shift do you give in return?' })
  await returning
    .getByRole('listitem')
    .filter({ hasText: dayText(second) })
    .getByRole('button', { name: 'Offer this shift' })
    .click()
  await expect(bens.page.getByText(`${ada.Name} was told which shift you offer`)).toBeVisible()

  const proposals = adas.page.getByRole('region', { name: 'Would swap with you' })
  await expect(proposals.getByText(ben.Name)).toBeVisible()
  await expectGoodScreen(adas.page, 'a swap that is proposed')
  await proposals.getByRole('button', { name: 'Swap', exact: true }).click()
  await adas.page
    .getByRole('dialog', { name: `Swap with ${ben.Name}?` })
    .getByRole('button', { name: 'Swap', exact: true })
    .click()
  await expect(adas.page.getByText('Agreed. Waiting for approval.')).toBeVisible()

  // The list of staff tells of it by itself.
  await page.getByRole('row', { name: new RegExp(`${ada.Listed}.*${ben.Listed}`) }).click()
  const request = page.getByRole('dialog', { name: 'Swap' })
  await expect(request.getByText('My exam was moved')).toBeVisible()
  await expectGoodScreen(page, 'a swap that waits for approval')
  await request.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Approved', { exact: true })).toBeVisible()

  await expect(adas.page.getByText('Done', { exact: true })).toBeVisible()
  await adas.page.goto(url(`schedule?from=${weekOf(first)}`))
  await expect(shiftOn(adas.page, second)).toBeVisible()
  await expect(shiftOn(adas.page, first)).toBeHidden()
  await bens.page.goto(url(`schedule?from=${weekOf(first)}`))
  await expect(shiftOn(bens.page, first)).toBeVisible()
  await expect(shiftOn(bens.page, second)).toBeHidden()
  await clearDays(page, found)
  await Promise.all([adas.leave(), bens.leave()])
})

test('a full open shift has a waiting list that moves up by itself, and staff see it while it happens', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/open-shifts')
  const found = await findShiftPeople(page)
  const [ada, ben] = found.people
  const [date] = found.dates
  await api(page, 'POST', `/programs/${found.programId}/open-shifts`, {
    RotationId: found.RotationId,
    SiteShiftId: found.SiteShiftId,
    Dates: [date],
    LevelIds: [],
    Places: 1,
    ClosesHoursBefore: 24,
    Note: 'One place in the journey',
  })
  await page.goto(url(`admin/open-shifts?from=${date}&through=${date}`))
  const row = page.getByRole('row', { name: new RegExp(`${found.ShiftCode}.*Open`) })
  await expect(row.getByText('0 of 1')).toBeVisible()

  const adas = await another(browser, ada.UserName, { size: phone, at: 'open-shifts' })
  const cardOf = (on: Page) => on.getByRole('listitem').filter({ hasText: 'One place in the journey' })
  await cardOf(adas.page).getByRole('button', { name: 'Sign up' }).click()
  await expect(adas.page.getByText('You have the shift')).toBeVisible()
  await expect(page.getByText('1 of 1')).toBeVisible()

  const bens = await another(browser, ben.UserName, { size: phone, at: 'open-shifts' })
  await cardOf(bens.page).getByRole('button', { name: 'Join waiting list' }).click()
  await expect(bens.page.getByText('You are number 1 on the waiting list')).toBeVisible()
  await bens.page.getByRole('tab', { name: 'Mine' }).click()
  await expect(cardOf(bens.page).getByText('Number 1 on the waiting list')).toBeVisible()

  await adas.page.getByRole('tab', { name: 'Mine' }).click()
  await cardOf(adas.page).getByRole('button', { name: 'Drop shift' }).click()
  await adas.page
    .getByRole('dialog', { name: 'Drop this shift?' })
    .getByRole('button', { name: 'Drop shift' })
    .click()
  await expect(adas.page.getByText('Dropped the shift')).toBeVisible()
  await expect(cardOf(bens.page).getByText('You have this shift')).toBeVisible({ timeout: 30_000 })
  await expectGoodScreen(bens.page, 'a shift that a student moved up to')
  await bens.page.goto(url('inbox'))
  await expect(bens.page.getByText(/moved up|You have the shift/).first()).toBeVisible()
  await bens.page.goto(url(`schedule?from=${weekOf(date)}`))
  await expect(shiftOn(bens.page, date)).toBeVisible()

  await page.getByRole('row', { name: new RegExp(found.ShiftCode) }).click()
  const signups = page.getByRole('dialog', { name: 'Sign-ups' })
  await expect(signups.getByRole('listitem').filter({ hasText: ben.Name.split(' ').at(-1)! })).toContainText(
    'Placed',
  )
  await page.keyboard.press('Escape')
  await clearDays(page, found)
  await Promise.all([adas.leave(), bens.leave()])
})
