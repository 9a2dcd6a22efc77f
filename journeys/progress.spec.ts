import { addDays } from '#contract/core/calendar.ts'
import { another, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

const dated = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`
const today = new Date().toISOString().slice(0, 10)

test('a coordinator sets the planned end, sees who is late, and follows a remediation plan to its end', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/progress')
  await page.getByRole('button', { name: 'Rules' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^2027/).fill(dated(addDays(today, 7)))
  await dialog.getByLabel('Late arrivals in 120 days').fill('101')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a number from 0 to 100, or nothing.').first()).toBeVisible()
  await dialog.getByLabel('Late arrivals in 120 days').fill('0')
  // The whole cohort is late then, and nobody behind it.
  await dialog.getByLabel('Points behind the cohort').fill('')
  await expectGoodScreen(page, 'rules of progress')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved the rules')).toBeVisible()
  // All students are counted anew for whoever looks.
  const amara = page.getByRole('row', { name: /Okafor, Amara/ })
  await page.reload()
  const reasons = amara.getByText(/^Behind schedule · .*Late arrivals/)
  await expect(reasons).toBeVisible()
  expect(await reasons.evaluate((tag) => tag.scrollWidth - tag.clientWidth), 'no reason is cut off').toBe(0)
  await expectGoodScreen(page, 'students by the day of completion')
  await page.getByRole('radio', { name: /^At risk/ }).check({ force: true })
  await expect(page).toHaveURL(/risk=true/)

  await amara.click()
  await expect(page.getByRole('tab', { name: 'Progress' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Add plan' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This field is required').first()).toBeVisible()
  await dialog.getByLabel('Topic').fill('Chest positioning')
  await dialog.getByLabel('Goal').fill('Pass the exam at the second attempt')
  await dialog.getByLabel('Due mm/dd/yyyy').fill(dated(addDays(today, 14)))
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await dialog.getByLabel('Task 1', { exact: true }).fill('Watch the module')
  await expectGoodScreen(page, 'a new remediation plan')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Plan started. The student was notified.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Watch the module' }).check()
  await expect(page.getByText(/^done \d\d\/\d\d\/\d{4}, Dana Whitfield/)).toBeVisible()
  await expectGoodScreen(page, 'the progress of a student')

  await page.getByRole('tab', { name: 'Notes' }).click()
  await page.getByRole('textbox', { name: /note/i }).fill('You are doing well in the lab.')
  await page.getByRole('checkbox', { name: 'Share with the student' }).check()
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByText(/Shared with the student/).last()).toBeVisible()

  const student = await another(browser, 'student', { size: phone, at: 'progress' })
  await expect(student.page.getByRole('heading', { name: 'Chest positioning' })).toBeVisible()
  await expect(student.page.getByText('You are doing well in the lab.')).toBeVisible()
  await expectGoodScreen(student.page, 'the own progress')
  const own = await student.page.getByRole('main').innerText()
  expect(own, 'a pace that is slow is not called none').not.toMatch(
    /No date yet: no [\s\S]*[1-9]\d* in 12 weeks/,
  )

  await page.getByRole('tab', { name: 'Progress' }).click()
  await page.getByRole('button', { name: 'Close plan' }).click()
  await dialog.getByLabel('Outcome').fill('Passed at the second attempt')
  await dialog.getByRole('button', { name: 'Close plan' }).click()
  await expect(page.getByText('Plan closed. The student was notified.')).toBeVisible()
  await student.page.reload()
  await expect(student.page.getByText(/Passed at the second attempt/)).toBeVisible()
})
