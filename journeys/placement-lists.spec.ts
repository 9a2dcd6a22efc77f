import type { Locator, Page } from '@playwright/test'
import { weekOf } from '#contract/core/calendar.ts'
import { linkIn } from './mailbox.ts'
import { ownInstallation } from './own-installation.ts'
import { findShiftPeople, placeOn, shiftOn } from './shift-people.ts'
import {
  another,
  api,
  desktop,
  expect,
  expectGoodScreen,
  forgetSession,
  phone,
  signIn,
  test,
  url,
} from './support.ts'

/** Lists are mailed: they have their own installation, with a mail server. */
const own = ownInstallation()

/** Opens the mailed link as the contact that `sent` names does. Answers the contact's address. */
const openAsRecipient = async (page: Page, sent: Locator): Promise<string> => {
  const to = /\((\S+@\S+)\)/.exec((await sent.getByText(/^Sent .* to /).textContent()) ?? '')?.[1] ?? ''
  await openAs(page, to)
  return to
}

/** Opens the link that was mailed to a contact, who has no account, on another device. */
const openAs = async (page: Page, to: string): Promise<void> => {
  const link = linkIn(await own.mailbox.next(to))
  await forgetSession(page)
  await page.setViewportSize(phone)
  await page.goto(link)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByLabel('Code').fill(/\d{6}/.exec((await own.mailbox.next(to)).subject)![0])
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

test('a coordinator sends a site its list, and its contact answers on a phone without an account', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/placement-lists?show=all')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'placement lists')
  const listed = await page
    .getByRole('row', { name: /Harbor General/ })
    .first()
    .innerText()
  const rotation = /Hospital\s+(.+?)\s+Grace Whitfield/.exec(listed)?.[1] ?? ''
  await page
    .getByRole('row', { name: /Declined some/ })
    .first()
    .click()
  const answers = page.getByRole('dialog')
  await expect(answers.getByText('The preceptor of this unit is on leave until the new year.')).toBeVisible()
  await expectGoodScreen(page, 'answers of a site')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Send lists' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send placement lists' })
  await dialog.getByRole('combobox', { name: 'Rotation' }).click()
  await page.getByRole('option', { name: rotation }).click()
  const harbor = dialog.getByRole('checkbox', { name: /Harbor General/ })
  await expect(harbor).toBeVisible()
  await dialog.getByLabel('Answer by').fill('12/31/2098')
  await page.keyboard.press('Escape')
  await harbor.check()
  await expectGoodScreen(page, 'sending lists')
  await dialog.getByRole('button', { name: 'Send 1 list' }).click()
  await expect(page.getByText('Sent 1 list')).toBeVisible()
  await page
    .getByRole('row', { name: /Harbor General.*12\/31\/2098/ })
    .first()
    .click()
  await expect(answers.getByText('Not opened yet')).toBeVisible()
  await openAsRecipient(page, answers)
  await expect(page.getByRole('heading', { name: /Harbor General/ })).toBeVisible()
  await expectGoodScreen(page, 'an opened placement list')
  await page.getByRole('button', { name: /^Confirm the remaining \d+$/ }).click()
  await page
    .getByRole('button', { name: /^Decline: / })
    .first()
    .click()
  await page.getByLabel('Why').fill('No preceptor that month.')
  await expectGoodScreen(page, 'answers before they are sent')
  await page.getByRole('button', { name: /^Send \d+ answers/ }).click()
  await expect(page.getByText('Thank you. The school has your answers.')).toBeVisible()

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/placement-lists?show=declined')
  await page.getByRole('row', { name: /12\/31\/2098/ }).click()
  await expect(answers.getByText('No preceptor that month.')).toBeVisible()
})

test('a coordinator asks a site for places, its contact offers fewer on a phone, and the coordinator accepts', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/place-requests?show=all')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectGoodScreen(page, 'requests for places')
  await page.getByRole('button', { name: 'Ask for places' }).click()
  const dialog = page.getByRole('dialog', { name: /for places/ })
  await dialog.getByRole('combobox', { name: 'Site', exact: true }).click()
  await page.getByRole('option', { name: /Harbor General/ }).click()
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Places').fill('5')
  await dialog.getByLabel('First day').fill('01/11/2098')
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Last day').fill('04/25/2098')
  await page.keyboard.press('Escape')
  await dialog.getByLabel('Answer by').fill('12/31/2097')
  await page.keyboard.press('Escape')
  await expectGoodScreen(page, 'asking for places')
  await dialog.getByRole('button', { name: 'Send 1 request' }).click()
  await expect(page.getByText('Sent 1 request')).toBeVisible()
  const row = page.getByRole('row', { name: /Harbor General.*01\/11\/2098/ })
  await row.click()
  const opened = page.getByRole('dialog')
  const to = await openAsRecipient(page, opened)
  await expect(page.getByText('5 places')).toBeVisible()
  await expectGoodScreen(page, 'an opened request for places')
  await page.getByRole('button', { name: 'Other dates' }).click()
  await expect(page.getByLabel('First day')).toBeVisible()
  await page.getByRole('button', { name: 'Fewer' }).click()
  await page.getByLabel(/How many/).fill('3')
  await page.getByLabel(/Message/).fill('Two preceptors are away.')
  await expectGoodScreen(page, 'an answer about places')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('Thank you. The school has your answer.')).toBeVisible()

  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/place-requests?show=offered')
  await row.click()
  await expect(opened.getByText('Two preceptors are away.')).toBeVisible()
  await expectGoodScreen(page, 'what a site offers')
  await opened.getByRole('button', { name: 'Accept 3 places' }).click()
  await expect(page.getByText(/^Accepted what Harbor General/)).toBeVisible()
  expect((await own.mailbox.next(to)).subject).toContain('we plan with 3 places')
})

test('a cover that the site approves by its mailed link is in both schedules at once', async ({
  page,
  browser,
}) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/shift-requests')
  const found = await findShiftPeople(page)
  const [ada, ben] = found.people
  const [date] = found.dates
  const program = `/programs/${found.programId}`
  const given = await placeOn(page, found, ada, date)
  const sites = await api(page, 'GET', `${program}/sites`)
  const { Id } = sites.find(({ Name }: { Name: string }) => /^Harbor General/.test(Name))
  const { Contacts } = await api(page, 'GET', `${program}/sites/${Id}`)
  await signIn(page, 'director')
  const options = await api(page, 'GET', `${program}/options`)
  await api(page, 'POST', `${program}/options`, { ...options, SwapApproval: 'site' })

  const adas = await another(browser, ada.UserName, { size: phone, at: `swaps?shift=${given}` })
  const offer = adas.page.getByRole('dialog', { name: 'Offer a shift' })
  await offer.getByRole('textbox', { name: 'Note' }).fill('A family wedding')
  await offer.getByRole('button', { name: 'Offer', exact: true }).click()
  await expect(adas.page.getByText('Offered to everyone who could take it')).toBeVisible()

  const bens = await another(browser, ben.UserName, { size: phone, at: 'swaps' })
  const card = bens.page.getByRole('listitem').filter({ hasText: 'A family wedding' })
  await card.getByRole('button', { name: 'Take shift' }).click()
  await bens.page
    .getByRole('dialog', { name: 'Take this shift?' })
    .getByRole('button', { name: 'Take shift' })
    .click()
  await expect(bens.page.getByText('Request sent. The shift is yours once it is approved.')).toBeVisible()

  await openAs(page, Contacts[0].Email)
  await expect(page.getByText(`${ben.Name} comes`)).toBeVisible()
  await expectGoodScreen(page, 'a cover that a site is asked about')
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Thank you. The change is final')).toBeVisible()

  for (const { page: own } of [adas, bens]) {
    await own.goto(url(`schedule?from=${weekOf(date)}`))
    await expect(own.getByRole('heading', { name: 'My schedule' })).toBeVisible()
  }
  await expect(shiftOn(bens.page, date)).toBeVisible()
  await expect(shiftOn(adas.page, date)).toBeHidden()
  await Promise.all([adas.leave(), bens.leave()])
})
