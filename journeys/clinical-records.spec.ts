import { readFile } from 'node:fs/promises'
import { another, expect, expectGoodScreen, phone, signIn, test, url, visitor } from './support.ts'

test('a director clears a student, a coordinator issues the record, and anybody verifies it', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'director', 'admin/clinical-records?search=Okafor')
  await page.getByRole('row', { name: /Okafor, Amara/ }).click()
  await expect(page.getByText('Not cleared')).toBeVisible()
  await expectGoodScreen(page, 'a student’s record before clearance')
  await page.getByRole('button', { name: 'Sign clearance' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type your name to sign').fill('Someone Else')
  await dialog.getByLabel('Reason').fill('Transfer credit from Lakeside College')
  await dialog.getByRole('button', { name: 'Sign clearance' }).click()
  await expect(dialog.getByText(/^Type your own name, .*Nothing was signed\.$/).first()).toBeVisible()
  await dialog.getByLabel('Type your name to sign').fill('brielle xu')
  await expectGoodScreen(page, 'signing clearance')
  await dialog.getByRole('button', { name: 'Sign clearance' }).click()
  await expect(page.getByText(/Transfer credit.*Signed by Brielle Xu on/)).toBeVisible()

  await signIn(page, 'coordinator', 'admin/clinical-records?search=Okafor')
  await expect(page.getByRole('button', { name: 'Sign clearance' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: /Okafor, Amara/ }).check()
  await page.getByRole('button', { name: 'Issue 1 record' }).click()
  await expectGoodScreen(page, 'issuing records')
  await dialog.getByRole('button', { name: 'Issue 1 record' }).click()
  await expect(page.getByText('Issued 1 record')).toBeVisible()
  await expectGoodScreen(page, 'clearance with a record')

  const student = await another(browser, 'student', { size: phone, at: 'clinical-record' })
  await expectGoodScreen(student.page, 'the own record')
  const number = (await student.page.getByRole('heading', { name: /^CR-/ }).first().textContent()) ?? ''
  const downloading = student.page.waitForEvent('download')
  await student.page.getByRole('link', { name: 'Download PDF' }).first().click()
  const pdf = await readFile(await (await downloading).path())
  const downloadingCredential = student.page.waitForEvent('download')
  await student.page.getByRole('link', { name: 'Download credential' }).first().click()
  const credential = await readFile(await (await downloadingCredential).path())
  await student.page.getByRole('checkbox', { name: 'Total hours' }).check()
  await expect(student.page.getByText('Saved what is shown')).toBeVisible()

  const { page: employer } = await visitor(browser)
  await employer.goto(url(`verify?number=${number}`))
  await expect(employer.getByLabel('Record number')).toHaveValue(number)
  await expectGoodScreen(employer, 'verifying')
  await employer.getByLabel('Name on the record').fill('okafor, amara')
  await employer.getByRole('button', { name: 'Verify' }).click()
  await expect(employer.getByRole('heading', { name: 'This record is valid' })).toBeVisible()
  await expect(employer.getByText(/^[\d.]+ of [\d.]+ h$/)).toBeVisible()
  await expectGoodScreen(employer, 'a valid record')

  const drop = async (bytes: Buffer) => {
    await employer.getByRole('button', { name: 'Verify another' }).click()
    await employer
      .getByLabel('Drop the PDF or credential here, or choose it')
      .last()
      .setInputFiles({ name: 'record.pdf', mimeType: 'application/pdf', buffer: bytes })
  }
  await drop(pdf)
  await expect(employer.getByRole('heading', { name: 'This record is valid' })).toBeVisible()
  await drop(credential)
  await expect(employer.getByRole('heading', { name: 'This record is valid' })).toBeVisible()
  const changed = Buffer.from(pdf)
  changed[changed.length - 40] = (changed[changed.length - 40] ?? 0) ^ 1
  await drop(changed)
  await expect(employer.getByRole('heading', { name: 'No such record' })).toBeVisible()
  await employer.getByRole('button', { name: 'Verify another' }).click()
  await employer
    .getByLabel('Drop the PDF or credential here, or choose it')
    .last()
    .setInputFiles({ name: 'other.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nother') })
  await expect(employer.getByText('This file is not a clinical record of Practicum.')).toBeVisible()

  await page.getByRole('row', { name: /Okafor, Amara/ }).click()
  const issued = page.getByRole('row', { name: new RegExp(number) })
  await issued.getByRole('button', { name: /More|Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog.getByLabel('Reason').fill('Hours were entered twice')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(issued.getByText('Revoked')).toBeVisible()
  await employer.getByLabel('Record number').fill(number.toLowerCase().replaceAll('-', ' '))
  await employer.getByLabel('Name on the record').fill('Amara Okafor')
  await employer.getByRole('button', { name: 'Verify' }).click()
  await expect(employer.getByRole('heading', { name: 'This record was revoked' })).toBeVisible()
  await expectGoodScreen(employer, 'a revoked record')
})

test('who mistypes number or name is told what to enter, and an unknown record as such', async ({ page }) => {
  await page.goto(url('verify'))
  await page.getByLabel('Record number').fill('12345')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText(/^Enter the number as it is on the record/).first()).toBeVisible()
  await page.getByLabel('Record number').fill('CR-2222-3333-4444')
  await page.getByLabel('Name on the record').fill('Amara Okafor')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { name: 'No such record' })).toBeVisible()
  await expectGoodScreen(page, 'no such record')
})
