import {
  another,
  closeToasts,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  signIn,
  test,
  toasts,
} from './support.ts'

const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\nHow we work'),
})

test('D1-037 D2-074 D2-075 D2-076 D2-114 D2-115 D2-134 D2-135 D2-205 a coordinator adds, renames and deletes categories of documents, one row at a time', async ({
  page,
}) => {
  await signIn(page, 'coordinator2', 'admin/document-categories')
  await expect(page.getByRole('heading', { name: 'Manage Document Categories' })).toBeVisible()
  const addNew = page.getByRole('button', { name: 'Add New' })
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const hint = page.getByText('Enter new values and click on Update!')
  await expect(hint).toBeHidden()
  await addNew.click()
  await expect(hint).toBeVisible()
  await expect(addNew).toHaveAttribute('aria-disabled', 'true')
  await expect(name).toHaveAttribute('maxlength', '100')
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(page.getByText('Required')).toBeVisible()
  await name.fill('handbooks')
  await name.press('Enter')
  await expect(page.getByText('A category with this name already exists')).toBeVisible()
  await name.fill('Journey papers')
  await name.press('Enter')
  await expect(page.getByText('Updated Successfully!')).toBeVisible()
  await expect(hint).toBeHidden()

  await page.getByRole('button', { name: 'Edit Journey papers' }).click()
  await expect(hint).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Handbooks' })).toHaveAttribute('aria-disabled', 'true')
  await expect(addNew).toHaveAttribute('aria-disabled', 'true')
  await name.fill('Journey forms')
  await name.press('Escape')
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave' })
    .click()
  await expect(page.getByRole('row', { name: /Journey papers/ })).toBeVisible()
  await page.getByRole('button', { name: 'Edit Journey papers' }).click()
  await name.fill('Journey forms')
  await name.press('Enter')
  await expect(page.getByRole('row', { name: /Journey forms/ })).toBeVisible()
  await expectAccessible(page, 'document categories')

  // A failure shows only in the sign at its row.
  const remove = page.getByRole('button', { name: 'Delete Journey forms' })
  await closeToasts(page)
  await expect(toasts(page)).toHaveCount(0)
  await page.route('**/document-categories/*', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 503, json: { Message: 'Gone' } })
      : route.continue(),
  )
  const question =
    'Deleting a category will cause all files and descriptions in this category to be deleted also. Continue?'
  await remove.click()
  await expect(page.getByText(question)).toBeVisible()
  const logged = page.waitForEvent('console', (message) => /HTTP 503/.test(message.text()))
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await logged
  await expect(page.getByRole('img', { name: 'The last change was not saved. Try again.' })).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await page.unroute('**/document-categories/*')
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted Journey forms')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Restored Journey forms')).toBeVisible()
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row', { name: /Journey forms/ })).toHaveCount(0)
})

test('D1-038 D1-039 D2-077 D2-078 D2-079 D2-080 D2-081 D2-082 D2-083 D2-116 D2-117 D2-129 D2-130 D2-131 D2-132 D2-133 D2-137 D2-200 D2-201 D2-202 a coordinator adds a document, students read it on the phone, and it is deleted', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator2', 'admin/documents')
  await expect(page.getByRole('heading', { name: 'Manage Document Uploads' })).toBeVisible()
  for (const header of ['ID', 'Category', 'Name', 'Description', 'Visible'])
    await expect(page.getByRole('columnheader', { name: header, exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: /Minutes of the advisory/ })).toContainText('No one')
  await expectAccessible(page, 'documents')
  // Without a name a category is offered to no document.
  await page.evaluate(async () => {
    const { CsrfToken } = await (await fetch('/new/api/auth/session')).json()
    const { ProgramId } = (await (await fetch('/new/api/state')).json()) as { ProgramId: number }
    const at = `/new/api/programs/${ProgramId}/document-categories`
    const headers = { 'content-type': 'application/json', 'x-csrf-token': CsrfToken }
    const made = await (
      await fetch(at, { method: 'POST', headers, body: JSON.stringify({ Name: '' }) })
    ).json()
    ;(window as never as { undo: () => Promise<unknown> }).undo = () =>
      fetch(`${at}/${made.Id}`, { method: 'DELETE', headers })
  })
  await page.getByRole('button', { name: 'Add New' }).click()
  await expect(page.getByRole('heading', { name: 'Add/Edit Document' })).toBeVisible()
  const save = page.getByRole('button', { name: /^Save/ })
  await save.click()
  await expect(page.getByText('Required', { exact: true })).toHaveCount(3)
  await page.getByRole('combobox', { name: /^Category/ }).click()
  await expect(page.getByRole('option', { name: 'Forms', exact: true })).toBeVisible()
  expect((await page.getByRole('option').allInnerTexts()).filter((text) => !text.trim())).toEqual([])
  await page.getByRole('option', { name: 'Handbooks' }).click()
  await page.evaluate(() => (window as never as { undo: () => Promise<unknown> }).undo())
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect(name).toHaveAttribute('maxlength', '100')
  await name.fill('Journey handbook')
  const choose = page.getByLabel('Drop a file here, or choose one').last()
  await choose.setInputFiles(pdf('student-handbook.pdf'))

  const roles = page.getByRole('group', { name: 'Visible to' })
  const role = (text: RegExp | string) => roles.getByRole('checkbox', { name: text, exact: true })
  const everyone = role('All')
  const sites = page.getByRole('combobox', { name: /sites$/i })
  const levels = page.getByRole('combobox', { name: /levels$/i })
  await expect(roles.getByRole('checkbox')).toHaveCount(12)
  await expect(everyone).toBeChecked()
  await expect(sites).toBeVisible()
  await levels.click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await expect(levels).not.toContainText('All')
  await role('Student').uncheck()
  await expect(levels).toBeHidden()
  await expect(everyone).not.toBeChecked()
  await role('Student').check()
  await expect(everyone).toBeChecked()
  await expect(levels).toContainText('All')
  for (const each of [/^(Supervisor|Preceptor)$/, 'Site employee', /^Shared site login$/]) {
    await expect(sites).toBeVisible()
    await role(each).uncheck()
  }
  await expect(sites).toBeHidden()
  await everyone.check()
  await everyone.uncheck()
  await role('Student').check()
  await expectAccessible(page, 'document form')

  await save.click()
  await expect(
    page.getByText('File with name student-handbook.pdf already exists. Please rename file and try again.'),
  ).toBeVisible()
  await choose.setInputFiles(pdf('journey-handbook.pdf'))
  const answer = (status: number) =>
    page.route('**/documents', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status, json: { Message: 'The disk is full.' } })
        : route.continue(),
    )
  await answer(500)
  await save.click()
  await expect(page.getByText(/The disk is full/)).toBeVisible()
  await page.unroute('**/documents')
  await answer(503)
  const logged = page.waitForEvent('console', (message) => /HTTP 503/.test(message.text()))
  await save.click()
  await logged
  await expect(page.getByRole('img', { name: 'The last change was not saved. Try again.' })).toBeVisible()
  await expect(page.getByText(/The disk is full/)).toBeHidden()
  await page.unroute('**/documents')
  await save.click()
  await expect(page.getByText('Saved Journey handbook')).toBeVisible()
  const row = page.getByRole('row', { name: /Journey handbook/ })
  await expect(row).toContainText('Student')

  await row.click()
  await expect(page).toHaveURL(/documents\/edit\?id=\d+$/)
  await expect(page.getByRole('link', { name: 'journey-handbook.pdf' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Description' }).fill('Read it first.')
  await save.click()
  await expect(row).toContainText('Read it first.')

  const { page: student, leave } = await another(browser, 'student2', { size: phone, at: 'more' })
  await student.getByRole('link', { name: 'Documents' }).click()
  const link = student.getByRole('link', { name: /Journey handbook/ })
  await expect(link).toContainText('Read it first.')
  await expect(student.getByText('Minutes of the advisory committee')).toHaveCount(0)
  await expectGoodScreen(student, 'documents of a student')
  await student.getByLabel('Search documents').fill('journey')
  await expect(student.getByText('1 document', { exact: true })).toBeVisible()
  const download = student.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toBe('journey-handbook.pdf')
  await leave()

  await row.getByRole('button', { name: /^(More|Actions)/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Are you sure you wish to delete?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted Journey handbook')).toBeVisible()
  await expect(row).toHaveCount(0)
})
