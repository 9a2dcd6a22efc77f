import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { pickUp } from './sorting.ts'
import { api, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

/** A row as it was saved: one that is being edited is there beside it for a moment. */
const row = (page: Page, text: RegExp) => page.locator('tr:not([data-edited])').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).last()).toBeVisible()
const open = (page: Page, screen: string, listId: number, more = '') =>
  page.goto(url(`admin/competencies/${screen}?list=${listId}${more}`))
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await dialog(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** A list of the journey's own, through the API; answers its id. */
const makeList = async (page: Page, Name: string, EffectiveOn: string): Promise<number> =>
  (await api(page, 'POST', '/programs/1/competency-lists', { Name, Registry: 'ARRT', EffectiveOn })).Id

test('a coordinator imports the registry’s list, sets electives, levels and exam items, and it is copied twice without doubling', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/competencies/lists')
  await expect(row(page, /ARRT Radiography/)).toContainText(
    '15 of 34 electives, Head 1, Fluoroscopy Studies 2',
  )
  await button(page, 'Add New').click()
  await dialog(page).getByLabel('Name').fill('Journey list')
  await dialog(page)
    .getByRole('textbox', { name: /In effect from/ })
    .fill('12/31/2098')
  await expectGoodScreen(page, 'a new competency list')
  await dialog(page).getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('heading', { name: 'Competency rules' })).toBeVisible()
  const listId = Number(new URL(page.url()).searchParams.get('list'))

  await page.goto(url('admin/imports?kind=competencies'))
  await page.locator('input[type=file]').setInputFiles({
    name: 'radiography-competencies.csv',
    mimeType: 'text/csv',
    buffer: await readFile(new URL('../server/demo/radiography-competencies.csv', import.meta.url)),
  })
  await expect(page.getByRole('combobox', { name: 'Column for Logs before exam' })).toHaveText(
    'LoggedBeforeExam',
  )
  await button(page, 'Check all rows').click()
  await button(page, 'Import 80 rows').click()
  await said(page, '80 added')

  await open(page, 'rules', listId)
  const asked = page.getByRole('main').getByRole('status').filter({ hasText: 'patient care' })
  await expect(asked).toContainText('10 patient care · 36 mandatory · 0 of 34 electives')
  await page.getByLabel('Electives needed in all').fill('15')
  await page.getByLabel('At least from Head').fill('1')
  await page.getByLabel('At least from Fluoroscopy Studies').fill('2')
  await page.getByLabel('At least from Abdomen').fill('3')
  await expect(asked).toContainText('Abdomen: asks for 3 electives and lists 2.')
  await expectGoodScreen(page, 'competency rules that cannot be met')
  await page.getByLabel('At least from Abdomen').fill('')
  await expect(asked).toContainText(
    '10 patient care · 36 mandatory · 15 of 34 electives, Head 1, Fluoroscopy Studies 2',
  )
  await expect(asked).not.toContainText('Abdomen')
  await page.getByRole('button', { name: /^Save/ }).click()
  await said(page, 'Saved “Journey list”')

  await open(page, 'participation-levels', listId)
  await expect(page.getByText('No participation levels yet')).toBeVisible()
  await expectGoodScreen(page, 'no participation levels')
  await button(page, 'Add lines').first().click()
  await dialog(page)
    .getByRole('textbox', { name: 'Lines' })
    .fill('1. Observed\n2. Assisted\n3. Performed\nassisted')
  await expect(dialog(page)).toContainText('3 lines will be added')
  await expect(dialog(page)).toContainText('Appears twice in the list')
  await expectGoodScreen(page, 'lines of participation levels')
  await button(page, 'Add').click()
  await expect(row(page, /Performed/)).toContainText('All major studies')
  await button(page, 'Edit Observed').click()
  await page.getByRole('checkbox', { name: 'Counts toward exam' }).uncheck()
  await expectGoodScreen(page, 'a participation level that is edited')
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(row(page, /Observed/)).toContainText('Does not count')

  await open(page, 'exam-items', listId)
  await expect(page.getByRole('combobox', { name: 'Procedure: Chest Routine' })).toBeVisible()
  await button(page, 'Add lines').first().click()
  await choose(page, 'Default', 'Good (3)')
  await dialog(page)
    .getByRole('textbox', { name: 'Lines' })
    .fill('Positions, aligns and centers\nCollimates and marks')
  await expectGoodScreen(page, 'lines of exam items')
  await button(page, 'Add').click()
  await expect(row(page, /Collimates/)).toContainText('Good (3)')
  await button(page, 'Add New').click()
  await page.getByRole('textbox', { name: 'Item' }).fill('Confirms identity and the order')
  await page.getByRole('checkbox', { name: 'Critical: not passing it fails the attempt' }).check()
  await expect(page.getByText('The examiner decides')).toBeVisible()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(row(page, /Confirms identity/)).toContainText('Yes')
  await button(page, 'Copy to others').click()
  await expect(dialog(page)).toContainText('3 items to 79 procedures')
  await expectGoodScreen(page, 'items that are copied')
  await dialog(page).getByRole('button', { name: 'Copy to others' }).click()
  await said(page, 'Copied to 79 procedures')
  await expectGoodScreen(page, 'exam items')

  const kept = async () => {
    const list = (await api(page, 'GET', '/programs/1/competency-lists')).find(
      ({ Id }: { Id: number }) => Id === listId,
    )
    return list.Sections.every(
      ({ WithoutItemsCount }: { WithoutItemsCount: number }) => WithoutItemsCount === 0,
    )
  }
  expect(await kept()).toBe(true)

  await signIn(page, 'super', 'admin/home')
  const colleges = await api(page, 'GET', '/colleges')
  const { Id: other } = await api(page, 'POST', '/programs', {
    CollegeId: colleges[0].Id,
    Name: 'Journey of competencies',
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
  const codes = 'se1,se2,ma1,ma2,ma20,co1,pa1,ps1'
  const copy = () =>
    api(page, 'POST', `/programs/copies?sourceProgramId=1&destinationProgramId=${other}&dataTypes=${codes}`)
  const counts = async () =>
    (await api(page, 'GET', `/programs/${other}/competency-lists`)).map(
      (list: { Name: string; ElectivesNeeded: number; Sections: Record<string, number>[] }) => [
        list.Name,
        list.ElectivesNeeded,
        list.Sections.reduce((sum, each) => sum + each.MandatoryCount! + each.ElectiveCount!, 0),
      ],
    )
  await copy()
  const once = await counts()
  expect(once).toContainEqual(['Journey list', 15, 80])
  expect((await copy()).Copied.every(({ Count }: { Count: number }) => Count === 0)).toBe(true)
  expect(await counts()).toEqual(once)
})

test('a coordinator fills a list by hand: rows in place, order by keyboard, undo, deleted ones, and a new version', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/competencies/lists')
  const listId = await makeList(page, 'By hand', '2098-06-01')
  await open(page, 'major-studies', listId)
  await button(page, 'Add New').click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Chest')
  await page.keyboard.press('Enter')
  await expect(row(page, /Chest/)).toContainText('0 procedures')
  await expectGoodScreen(page, 'major studies')
  await row(page, /Chest/).getByRole('link', { name: '0 procedures' }).click()
  await expect(page.getByText('No procedures here yet')).toBeVisible()
  await button(page, 'Add lines').first().click()
  await dialog(page).getByRole('textbox', { name: 'Lines' }).fill('Routine\nRibs\nSternum')
  await button(page, 'Add').click()
  await expect(row(page, /Sternum/)).toBeVisible()

  await button(page, 'Edit Ribs').click()
  await page.getByRole('textbox', { name: 'Logs before the exam' }).fill('many')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A whole number up to 10,000')).toBeVisible()
  await page.getByRole('textbox', { name: 'Logs before the exam' }).fill('5')
  await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('Elective')
  await page.getByRole('checkbox', { name: 'Lab check', exact: true }).check()
  await expectGoodScreen(page, 'a procedure that is edited')
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(row(page, /Ribs/)).toContainText('Elective')

  await button(page, 'Exam rules of Ribs').click()
  await dialog(page).getByLabel('Passing score').fill('80')
  await expectGoodScreen(page, 'exam rules of a procedure')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await said(page, 'Saved “Ribs”')

  await page.getByRole('checkbox', { name: /Select .*Routine/ }).check()
  await page.getByRole('checkbox', { name: /Select .*Sternum/ }).check()
  await button(page, 'Change rules').click()
  await choose(page, 'Always under direct supervision', 'Yes')
  await expectGoodScreen(page, 'rules of several procedures')
  await dialog(page).getByRole('button', { name: 'Change' }).click()
  await said(page, 'Changed 2 procedures')

  await button(page, 'Rearrange').click()
  await pickUp(button(page, 'Move Sternum'))
  const told = (position: number) =>
    expect(page.locator('[id^="DndLiveRegion"]').filter({ hasText: 'Sternum' })).toContainText(
      `Sternum is at ${position} of`,
    )
  await told(3)
  await page.keyboard.press('ArrowUp')
  await told(2)
  await page.keyboard.press('ArrowUp')
  await told(1)
  await page.keyboard.press('Space')
  await said(page, 'Moved “Sternum”')
  await expectGoodScreen(page, 'procedures in order')
  await button(page, 'Done').click()
  await expect(page.getByRole('row').nth(1)).toContainText('Sternum')

  await button(page, 'Delete Ribs').click()
  await said(page, 'Deleted “Ribs”')
  await expect(row(page, /Ribs/)).toHaveCount(0)
  await undo(page)
  await expect(row(page, /Ribs/)).toBeVisible()
  await button(page, 'Delete Ribs').click()
  await expect(row(page, /Ribs/)).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Show deleted' }).check()
  await expect(row(page, /Ribs/)).toBeVisible()
  await expectGoodScreen(page, 'deleted procedures')
  await button(page, 'Restore: Ribs').click()
  await said(page, 'Restored “Ribs”')
  await page.getByRole('checkbox', { name: 'Show deleted' }).uncheck()
  await expect(row(page, /Ribs/)).toBeVisible()

  await open(page, 'pathologies', listId)
  await button(page, 'Add lines').first().click()
  await dialog(page).getByRole('combobox', { name: 'Procedures' }).click()
  await page.getByRole('option', { name: 'Ribs' }).click()
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('textbox', { name: 'Lines' }).fill('Fracture')
  await button(page, 'Add').click()
  await expect(row(page, /Fracture/)).toContainText('Ribs')
  await expectGoodScreen(page, 'pathologies')

  await page.goto(url('admin/competencies/lists'))
  await row(page, /By hand/).hover()
  await button(page, 'New version: By hand').click()
  await dialog(page).getByLabel('Name').fill('By hand, next')
  await dialog(page).getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('combobox', { name: 'List: By hand, next' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'electives' })).toContainText(
    '0 of 1 electives',
  )
  await page.goto(url('admin/competencies/lists'))
  await expectGoodScreen(page, 'competency lists')
  for (const name of ['By hand', 'By hand, next']) {
    await row(page, name === 'By hand' ? /^(?!.*next).*By hand/ : /By hand, next/).hover()
    // By the keyboard: a second press at the place of a row that has just gone is held for a moment.
    await button(page, `Delete: ${name}`).press('Enter')
    await said(page, `Deleted “${name}”`)
  }
})

test('an exam score is made, used, and deactivated in place of being deleted; the phone has it all in cards and sheets', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/competencies/scores')
  await button(page, 'Add New').click()
  await page.getByLabel('Name').fill('Pass or fail')
  await page.getByLabel('Label of value 1').fill('Fail')
  await page.getByLabel('Label of value 2').fill('Pass')
  await button(page, 'Delete: Value 3').click()
  await expectGoodScreen(page, 'an exam score')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(row(page, /Pass or fail/)).toContainText('1 Fail · 2 Pass')
  await expectGoodScreen(page, 'exam scores')
  await row(page, /Pass or fail/).hover()
  await button(page, 'Delete: Pass or fail').click()
  await said(page, 'Deleted “Pass or fail”')

  await page.setViewportSize(phone)
  await page.goto(url('admin/competencies/procedures'))
  await page.getByRole('textbox', { name: 'Search by name' }).fill('tibia')
  await expect(page.getByText('Lower Extremity · Mandatory · 5 logs').first()).toBeVisible()
  await expectGoodScreen(page, 'procedures on a phone')
  await button(page, 'Edit Tibia-Fibula').click()
  await expect(dialog(page).getByRole('textbox', { name: 'Logs before the exam' })).toHaveValue('5')
  await expectGoodScreen(page, 'a procedure on a phone')
})

test('faculty read the lists and change nothing', async ({ page }) => {
  await signIn(page, 'faculty', 'admin/competencies/procedures')
  await expect(row(page, /Chest Routine/)).toContainText('Mandatory')
  await expect(button(page, 'Add New')).toHaveCount(0)
  await expect(button(page, 'Edit Chest Routine')).toHaveCount(0)
  await page.goto(url('admin/competencies/lists'))
  await expect(row(page, /ARRT Radiography/)).toContainText('36 mandatory')
  await expect(button(page, 'Add New')).toHaveCount(0)
})

test('a change of what a list asks says whom it concerns before it is saved, and is undone', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/competencies/lists')
  const lists: { Id: number; StudentCount: number }[] = await api(page, 'GET', '/programs/1/competency-lists')
  const { Id, StudentCount } = lists.toSorted((one, other) => other.StudentCount - one.StudentCount)[0]!
  await open(page, 'procedures', Id)
  const chest = row(page, /^Chest Routine/)
  const before = await chest.innerText()
  await button(page, 'Edit Chest Routine').click()
  await page.getByRole('textbox', { name: 'Logs before the exam' }).fill('9')
  await page.getByRole('button', { name: /^Update/ }).click()
  await expect(dialog(page)).toContainText(`${StudentCount} students have this list.`)
  // Who has logged how much of it depends on what was done before.
  await expect(dialog(page)).toContainText(/ready for the exam|would count differently/)
  await expectGoodScreen(page, 'whom a change of a procedure concerns')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('textbox', { name: 'Logs before the exam' })).toHaveValue('9')
  await page.getByRole('button', { name: /^Update/ }).click()
  await button(page, 'Save change').click()
  await said(page, 'Saved “Chest Routine”')
  await expect(chest).toContainText('9')
  await undo(page)
  await said(page, '“Chest Routine” is as it was')
  await expect.poll(() => chest.innerText()).toBe(before)

  await page.getByRole('checkbox', { name: /Select Chest Routine/ }).check()
  await page.getByRole('checkbox', { name: /Select .*Ribs/ }).check()
  await button(page, 'Change rules').click()
  await choose(page, 'Kind', 'Elective')
  await dialog(page).getByRole('button', { name: 'Change', exact: true }).click()
  await expect(dialog(page).last()).toContainText(/would require \d+ competencies instead of \d+/)
  await button(page, 'Save change').click()
  await said(page, 'Changed 2 procedures')
  await undo(page)
  await said(page, 'The procedures are as they were')
  await expect.poll(() => chest.innerText()).toBe(before)
})
