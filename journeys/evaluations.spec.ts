import type { Page } from '@playwright/test'
import {
  another,
  closeToasts,
  desktop,
  expect,
  expectGoodScreen,
  expectRoomBetweenFields,
  phone,
  signIn,
  test,
  url,
  visitor,
} from './support.ts'

/** A template of this name with the lines as scored items. */
const writeTemplate = async (page: Page, title: string, lines: string): Promise<void> => {
  await page.goto(url('admin/evaluations/templates'))
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('heading', { name: 'Categorized items' })).toBeVisible()
  await insertLines(page, lines)
}

const insertLines = async (page: Page, lines: string, mandatory = false): Promise<void> => {
  await closeToasts(page)
  const insert = page.getByRole('button', { name: 'Bulk Insert' }).first()
  await expect(insert).toBeEnabled()
  // By the keyboard: a second press at the place where a dialog has just closed would count as a double tap.
  await insert.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Lines' }).fill(lines)
  if (mandatory) await dialog.getByText('Mandatory', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Insert', exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('D1-049 D1-051 D3-098 D3-100 D3-102 D3-103 D3-105 D3-107 D3-108 D3-187 a supervisor fills an evaluation on a phone, and the student reads it', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/evaluations/templates')
  await expect(page.getByRole('row', { name: /Student performance/ }).first()).toBeVisible()
  await expectGoodScreen(page, 'templates')
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Instructions' })).toBeVisible()
  await expectGoodScreen(page, 'template form')
  await writeTemplate(
    page,
    'Week in surgery',
    'Verifies the identity of the patient\nProtects patient, staff and visitors',
  )
  await insertLines(page, 'Positions the patient correctly', true)
  await page.getByRole('link', { name: 'Fill-in items' }).click()
  await insertLines(page, 'What should be kept, what should change?\nWould you work with this student again?')
  await page.getByRole('link', { name: 'Evaluation templates' }).click()
  await expect(page.getByRole('row', { name: /Week in surgery/ })).toBeVisible()

  await page.goto(url('admin/evaluations/status'))
  await expect(page.getByRole('row', { name: /Student performance/ }).first()).toBeVisible()
  await expectGoodScreen(page, 'evaluation status')
  await page.getByRole('button', { name: /Add evaluation/ }).click()
  const dialog = page.getByRole('dialog')
  const choose = async (label: string, text: string) => {
    await dialog.getByRole('combobox', { name: label }).click()
    await page.keyboard.type(text)
    await page
      .getByRole('option', { name: new RegExp(text) })
      .first()
      .click()
  }
  await choose('Template', 'Week in surgery')
  const people = await page.request.get(url('api/programs/1/users'))
  const { FirstName, LastName } = (await people.json()).find(
    (person: { UserName: string }) => person.UserName === 'supervisor',
  )
  await choose('Evaluator', `${LastName}, ${FirstName}`)
  await choose('Subject', 'Okafor, Amara')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(page.getByText(`Assigned to ${LastName}, ${FirstName}`)).toBeVisible()

  const supervisor = await another(browser, 'supervisor', { size: phone, at: 'evaluate' })
  const hand = supervisor.page
  await expectGoodScreen(hand, 'own evaluations')
  await hand.getByRole('link', { name: /Week in surgery/ }).click()
  await expect(hand.getByText('0 of 5 answered')).toBeVisible()
  await expectGoodScreen(hand, 'the form')
  const answer = (question: RegExp, score: string) =>
    hand
      .getByRole('radiogroup', { name: question })
      .getByRole('radio', { name: new RegExp(`^${score},`) })
      .check()
  await answer(/Verifies the identity/, '2')
  await hand.getByLabel(/What would have helped/).fill('Read the wristband aloud')
  await expect(hand.getByText('Saved')).toBeVisible()
  await hand.reload()
  await expect(hand.getByLabel(/What would have helped/)).toHaveValue('Read the wristband aloud')
  await answer(/Protects patient/, '3')
  await expect(hand.getByText('Saved')).toBeVisible()
  await hand.goBack()
  await hand.getByRole('link', { name: /Week in surgery/ }).click()
  await expect(hand.getByLabel(/What would have helped/)).toHaveValue('Read the wristband aloud')
  await expect(hand.getByText('2 of 5 answered')).toBeVisible()

  await supervisor.page.context().setOffline(true)
  await answer(/Positions the patient/, '5')
  await expect(hand.getByText('Kept on this device. Sent when you are back online.')).toBeVisible({
    timeout: 20_000,
  })
  await supervisor.page.context().setOffline(false)
  await expect(hand.getByText('Saved')).toBeVisible({ timeout: 20_000 })
  await hand.getByRole('button', { name: 'Submit' }).click()
  await expect(hand.getByText('Submitted', { exact: true })).toBeVisible()
  await supervisor.leave()

  const student = await another(browser, 'student', { size: phone, at: 'evaluate' })
  await student.page.getByRole('link', { name: /Week in surgery/ }).click()
  await expect(student.page.getByText('Read the wristband aloud')).toBeVisible()
  await expect(student.page.getByText('3.33')).toBeVisible()
  await expectGoodScreen(student.page, 'the result')
  await student.leave()

  await page.setViewportSize(desktop)
  await page.goto(url('admin/evaluations/status?quick=completed'))
  await expect(page.getByText('Week in surgery').first()).toBeVisible()
})

test('A28 D3-104 D3-106 an anonymous link is filled without an account', async ({ page, browser }) => {
  await signIn(page, 'coordinator', 'admin/evaluations/templates')
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await page.getByLabel('Title').fill('Voice of the site')
  await page.getByText('Anonymous: answers can never be tied to a person').click()
  await page.getByRole('button', { name: /^Save/ }).click()
  await insertLines(page, 'The students arrive prepared', true)
  await page.goto(url('admin/evaluations/status'))
  await page.getByRole('button', { name: /Add evaluation/ }).click()
  const dialog = page.getByRole('dialog')
  await expectRoomBetweenFields(dialog)
  await dialog.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'Voice of the site' }).click()
  await dialog.getByRole('combobox', { name: 'Subject' }).click()
  await page.keyboard.type('Okafor, Amara')
  await page.getByRole('option', { name: /Okafor, Amara/ }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  // Whoever opens forms to others says first that it is them.
  await expect(dialog.getByLabel('Anonymous link')).toBeVisible()
  const link = await dialog.getByLabel('Anonymous link').inputValue()
  expect(link).toContain('/new/e/')

  const { page: guest, leave } = await visitor(browser, phone)
  await guest.goto(link)
  await expect(guest.getByText('Anonymous. No one can see who answered')).toBeVisible()
  await expectGoodScreen(guest, 'anonymous form')
  const four = (page: Page) => page.getByRole('radio', { name: /^4,/ })
  await four(guest).check()
  await expect(guest.getByText('Saved', { exact: true })).toBeVisible()
  // Whoever passed the link on can open it, and sees no answer; the device that answered goes on.
  await page.goto(link)
  await expect(four(page)).not.toBeChecked()
  await guest.reload()
  await expect(four(guest)).toBeChecked()
  await guest.getByRole('button', { name: 'Submit' }).click()
  await expect(guest.getByText('Thank you.')).toBeVisible()
  await guest.goto(link)
  await expect(guest.getByText('This link has expired or is incomplete', { exact: true })).toBeVisible()
  await leave()
})
