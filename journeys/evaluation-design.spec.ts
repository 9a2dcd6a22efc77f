import type { Page } from '@playwright/test'
import { pickUp } from './sorting.ts'
import {
  expect,
  expectGoodScreen,
  expectRoomBetweenFields,
  signIn,
  startSession,
  test,
  url,
} from './support.ts'

/** Makes a template through the API, so that a journey begins where it wants to; answers its id. */
const makeTemplate = async (page: Page, Title: string): Promise<number> => {
  const session = await (await page.request.get(url('api/auth/session'))).json()
  const made = await page.request.post(url('api/programs/1/evaluation-templates'), {
    headers: { 'x-csrf-token': session.CsrfToken },
    data: {
      Title,
      EvaluatorRole: 'supervisor',
      SubjectRole: 'student',
      ScoreTypes: [
        { Title: 'Agreement', Values: ['Disagree', 'Agree'].map((Label, Value) => ({ Label, Value })) },
        { Title: 'Three steps', Values: ['Low', 'Fair', 'High'].map((Label, Value) => ({ Label, Value })) },
      ],
      Groups: [{ Name: 'Core', IsMandatory: true }],
      Categories: [{ Name: 'Competence' }, { Name: 'Remarks' }],
      Items: [
        { Category: 0, Text: 'Verifies the patient', ScoreType: 0, Group: 0 },
        { Category: 0, Text: 'Protects the patient', ScoreType: 0 },
      ],
      FibItems: [{ Category: 1, Text: 'What should be kept?', InputType: 'long' }],
    },
  })
  expect(made.status()).toBe(200)
  return (await made.json()).Id
}

const head = (page: Page) => page.getByRole('columnheader')
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
/** What a list that is being put in order tells of the row that is moved. */
const told = (page: Page, name: string, position: number) =>
  expect(page.locator('[id^="DndLiveRegion"]').filter({ hasText: name })).toContainText(
    `${name} is at ${position} of`,
  )
/** Moves a row from its position by the keyboard; each step waits until the last one was told. */
const move = async (page: Page, name: string, from: number, to: number): Promise<void> => {
  await pickUp(page.getByRole('button', { name: `Move ${name}` }))
  await told(page, name, from)
  const step = Math.sign(to - from)
  for (let at = from; at !== to; at += step) {
    await page.keyboard.press(step > 0 ? 'ArrowDown' : 'ArrowUp')
    await told(page, name, at + step)
  }
  await page.keyboard.press('Space')
}
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await dialog(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('A28 D1-047 D3-092 D3-093 D3-094 D3-095 D3-096 a coordinator writes categorized items: one by one, pasted, in bulk', async ({
  page,
}) => {
  await startSession(page, 'coordinator')
  const id = await makeTemplate(page, 'Items journey')
  await page.goto(url(`admin/evaluations/items?template=${id}`))
  await expect(page.getByRole('heading', { name: 'Categorized items' })).toBeVisible()
  await expect(page.getByLabel('Template: Items journey', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Category: Competence', { exact: true })).toBeVisible()
  for (const name of ['ID', '#', 'Item Text', 'Score Type', 'Group', 'Mandatory group']) {
    await expect(head(page).filter({ hasText: name }).first()).toBeVisible()
  }
  await expect(row(page, /Verifies the patient.*Agreement.*Core.*At least one/)).toBeVisible()
  await expectGoodScreen(page, 'items')

  await button(page, 'Add New').click()
  await page.getByLabel('Item Text').fill('Positions the patient')
  await page.getByRole('combobox', { name: 'Score Type' }).selectOption('Three steps')
  await expectGoodScreen(page, 'an item being added')
  await page.getByLabel('Item Text').press('Enter')
  await expect(row(page, /Positions the patient.*Three steps/)).toBeVisible()

  await row(page, /Protects the patient/)
    .getByRole('button', { name: /^Edit/ })
    .click()
  await page.getByLabel('Item Text').fill('Protects patient, staff and visitors')
  await page.getByRole('combobox', { name: 'Group' }).selectOption('Core')
  await page.getByLabel('Item Text').press('Enter')
  await expect(row(page, /Protects patient, staff and visitors.*Core/)).toBeVisible()

  await button(page, 'Bulk Insert').click()
  await expectRoomBetweenFields(dialog(page))
  await dialog(page)
    .getByRole('textbox', { name: 'Lines' })
    .fill('1. Selects exposure factors\n2. Judges the images\n3. verifies the patient\n4. Judges the images')
  await expect(dialog(page).getByText('2 items will be added')).toBeVisible()
  await expect(dialog(page).getByText('2 lines will be skipped')).toBeVisible()
  await expect(dialog(page).getByText('Already exists')).toBeVisible()
  await expect(dialog(page).getByText('Appears twice in the list')).toBeVisible()
  await expectGoodScreen(page, 'bulk insert')
  await dialog(page).getByRole('button', { name: 'Insert', exact: true }).click()
  await expect(row(page, /Judges the images/)).toBeVisible()
  await undo(page)
  await expect(row(page, /Judges the images/)).toBeHidden()

  await expect(button(page, 'Bulk Score Change')).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: 'Select Verifies the patient' }).check()
  await page.getByRole('button', { name: 'Bulk Score Change' }).first().click()
  await choose(page, 'Score Type', 'Three steps')
  await expectGoodScreen(page, 'bulk score change')
  await dialog(page).getByRole('button', { name: 'Change', exact: true }).click()
  await expect(row(page, /Verifies the patient.*Three steps/)).toBeVisible()
  await undo(page)
  await expect(row(page, /Verifies the patient.*Agreement/)).toBeVisible()

  await row(page, /Positions the patient/)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(row(page, /Positions the patient/)).toBeHidden()
  await undo(page)
  await expect(row(page, /Positions the patient/)).toBeVisible()

  await button(page, 'Preview').click()
  await dialog(page).getByRole('radio', { name: '1, Agree' }).first().check()
  await expect(dialog(page).getByText('1 of 4 answered')).toBeVisible()
  await expect(dialog(page).getByText('Preview: nothing is saved or sent.')).toBeVisible()
  await expectGoodScreen(page, 'preview')
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Nothing is missing')).toBeVisible()
  await page.keyboard.press('Escape')
})

test('categories and groups are added, renamed, put in order and removed beside the items', async ({
  page,
}) => {
  await startSession(page, 'coordinator')
  const id = await makeTemplate(page, 'Parts journey')
  await page.goto(url(`admin/evaluations/items?template=${id}`))
  await button(page, 'Categories').click()
  await dialog(page).getByLabel('Name of a new category').fill('Conduct')
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  const conduct = dialog(page).getByRole('textbox', { name: 'Category: Conduct' })
  await conduct.fill('Bearing')
  await conduct.press('Enter')
  await expect(dialog(page).getByRole('textbox', { name: 'Category: Bearing' })).toBeVisible()
  await expectGoodScreen(page, 'categories')
  await move(page, 'Bearing', 3, 2)
  await expect(dialog(page).getByRole('textbox').nth(1)).toHaveValue('Bearing')
  await dialog(page).getByRole('button', { name: 'Delete: Remarks' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Category: Remarks' })).toBeHidden()
  await undo(page)
  await expect(dialog(page).getByRole('textbox', { name: 'Category: Remarks' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Done' }).click()

  await button(page, 'Groups').click()
  await dialog(page).getByLabel('Name of a new group').fill('Safety')
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
  await expect(
    dialog(page).getByRole('checkbox', { name: 'At least one choice required: Safety' }),
  ).toBeChecked()
  const core = dialog(page).getByRole('checkbox', { name: 'At least one choice required: Core' })
  await core.click()
  await expect(core).not.toBeChecked()
  await expectGoodScreen(page, 'groups')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(row(page, /Verifies the patient.*Core/)).not.toContainText('At least one')
})

test('D1-045 D3-087 D3-088 D3-089 D3-090 D3-096 fill-in items have input types, and all categories can be worked on at once', async ({
  page,
}) => {
  await startSession(page, 'coordinator')
  const id = await makeTemplate(page, 'Fill-in journey')
  await page.goto(url(`admin/evaluations/fib-items?template=${id}`))
  await expect(page.getByRole('heading', { name: 'Fill-in-the-blank items' })).toBeVisible()
  await expect(page.getByLabel('Template: Fill-in journey', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Category: Remarks', { exact: true })).toBeVisible()
  for (const name of ['#', 'Item Text', 'Response Score Type', 'Input Type', 'Mandatory']) {
    await expect(head(page).filter({ hasText: name }).first()).toBeVisible()
  }
  await expect(head(page).filter({ hasText: 'ID' })).toHaveCount(0)
  await expectGoodScreen(page, 'fill-in items')

  await button(page, 'Add New').click()
  await page.getByLabel('Item Text').fill('Where was the shift spent?')
  const type = page.getByRole('combobox', { name: 'Input Type' })
  await expect(type.getByRole('option')).toHaveText([
    'Short text',
    'Long text',
    'Number',
    'Date',
    'Yes/no',
    'Choice',
  ])
  await type.selectOption('Choice')
  await page.getByLabel('Item Text').press('Enter')
  await expect(page.getByText('Enter at least two choices, separated by |.')).toBeVisible()
  await page.getByLabel('Choices, separated by |').fill('Surgery | Portable')
  await expectGoodScreen(page, 'a fill-in item being added')
  await page.getByLabel('Item Text').press('Enter')
  await expect(row(page, /Where was the shift spent.*Choice: Surgery \| Portable/)).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select What should be kept?' }).check()
  await page.getByRole('button', { name: 'Bulk Input Change' }).first().click()
  await choose(page, 'Input Type', 'Short text')
  await dialog(page).getByRole('button', { name: 'Change', exact: true }).click()
  await expect(row(page, /What should be kept.*Short text/)).toBeVisible()

  await button(page, 'Bulk Insert').click()
  await choose(page, 'Input Type', 'Yes/no')
  await dialog(page).getByRole('textbox', { name: 'Lines' }).fill('Was there time to teach?')
  await dialog(page).getByRole('button', { name: 'Insert', exact: true }).click()
  await expect(row(page, /Was there time to teach.*Yes\/no/)).toBeVisible()

  await page.getByRole('link', { name: 'Manage items for multiple categories' }).click()
  await expect(head(page).filter({ hasText: 'Category' })).toBeVisible()
  await row(page, /Was there time to teach/)
    .getByRole('button', { name: /^Edit/ })
    .click()
  await page.getByRole('combobox', { name: 'Category', exact: true }).selectOption('Competence')
  await page.getByLabel('Item Text').press('Enter')
  await expect(row(page, /Was there time to teach.*Competence/)).toBeVisible()
  await expectGoodScreen(page, 'fill-in items of all categories')
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('radio', { name: 'Surgery' })).toBeVisible()
})

test('D1-048 D3-097 items are rearranged by dragging and by keyboard, and it is undone', async ({ page }) => {
  await startSession(page, 'coordinator')
  const id = await makeTemplate(page, 'Order journey')
  await page.goto(url(`admin/evaluations/order-items?template=${id}`))
  const entries = page.getByRole('list', { name: 'Rearrange items' }).getByRole('listitem')
  const texts = async () => (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
  const before = [
    'Competence',
    '1 Verifies the patient scored',
    '2 Protects the patient scored',
    'Remarks',
    '3 What should be kept? fill-in',
  ]
  await expect.poll(texts).toEqual(before)
  await expectGoodScreen(page, 'rearrange')

  await move(page, 'Verifies the patient', 2, 4)
  const across = [
    'Competence',
    '1 Protects the patient scored',
    'Remarks',
    '2 Verifies the patient scored',
    '3 What should be kept? fill-in',
  ]
  await expect.poll(texts).toEqual(across)
  await expect(page.getByText('Moved Verifies the patient')).toBeVisible()
  await page.reload()
  await expect.poll(texts).toEqual(across)

  const from = (await page.getByRole('button', { name: 'Move What should be kept?' }).boundingBox())!
  const to = (await page.getByRole('button', { name: 'Move Protects the patient' }).boundingBox())!
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + 30, { steps: 8 })
  await page.mouse.move(to.x + 10, to.y + 6, { steps: 8 })
  await told(page, 'What should be kept?', 2)
  await page.mouse.up()
  await expect
    .poll(texts)
    .toEqual([
      'Competence',
      '1 What should be kept? fill-in',
      '2 Protects the patient scored',
      'Remarks',
      '3 Verifies the patient scored',
    ])
  await undo(page)
  await expect.poll(texts).toEqual(across)
})

test('D1-050 D3-109 D3-110 D3-111 D3-112 D3-113 D3-114 D3-115 D3-116 D3-182 D3-183 D3-184 D3-185 D3-237 D3-241 D3-246 score types are edited, cloned, deleted, restored and purged', async ({
  page,
}) => {
  await startSession(page, 'coordinator')
  const id = await makeTemplate(page, 'Score journey')
  await makeTemplate(page, 'Clone journey')
  await page.goto(url(`admin/evaluations/score-types?template=${id}`))
  await expect(page.getByRole('heading', { name: 'Add/Edit Score Values' })).toBeVisible()
  await expect(page.getByLabel('Template: Score journey', { exact: true })).toBeVisible()
  await expectGoodScreen(page, 'score types')
  await button(page, 'Preview').click()
  await expect(dialog(page).getByRole('radio', { name: '2, High' })).toBeVisible()
  await page.keyboard.press('Escape')

  await button(page, 'Add New').click()
  await page.getByLabel('Title').fill('Pass or fail')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Enter a label.').first()).toBeVisible()
  await expectGoodScreen(page, 'a score type with errors')
  await page.getByLabel('Label of score 1').fill('Fail')
  await page.getByLabel('Label of score 2').fill('Pass')
  await page.getByLabel('Label of score 3').fill('N/A')
  await page.getByRole('checkbox', { name: 'N/A: score 3' }).check()
  await page.getByLabel('Comment required below').fill('2')
  await expect(page.getByRole('checkbox', { name: 'Comment required: score 1' })).toBeChecked()
  await move(page, 'Pass', 2, 1)
  await expect(page.getByLabel('Label of score 1')).toHaveValue('Pass')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(row(page, /Pass or fail.*2 Pass · 1 Fail · N\/A/)).toBeVisible()

  const act = async (name: RegExp, verb: string) => {
    await row(page, name)
      .getByRole('button', { name: /^More for/ })
      .click()
    await page.getByRole('menuitem', { name: verb, exact: true }).click()
  }
  await row(page, /Pass or fail/)
    .getByRole('button', { name: /^More for/ })
    .click()
  await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Clone', 'Delete'])
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page).toHaveURL(/score-types\/edit\?.*id=\d+/)
  await expectGoodScreen(page, 'a score type')
  await page.getByLabel('Title').fill('Pass, fail')
  await page.getByRole('button', { name: /^Save/ }).click()

  await act(/Pass, fail/, 'Clone')
  const clone = dialog(page).getByRole('button', { name: 'Clone', exact: true })
  await expect(clone).toHaveAttribute('aria-disabled', 'true')
  await dialog(page).getByRole('combobox', { name: 'Destination template' }).click()
  await expect(page.getByRole('option', { name: 'Score journey' })).toHaveCount(0)
  await page.getByRole('option', { name: 'Clone journey' }).click()
  await expectGoodScreen(page, 'clone')
  await clone.click()
  await expect(page.getByText('Cloned Pass, fail to Clone journey')).toBeVisible()

  await act(/Pass, fail/, 'Delete')
  await expect(dialog(page).getByText('Delete Pass, fail?')).toBeVisible()
  await expectGoodScreen(page, 'the question before deleting')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, /Pass, fail/)).toBeVisible()
  await act(/Pass, fail/, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, /Pass, fail/)).toBeHidden()

  await page.getByRole('checkbox', { name: 'View Deleted' }).check()
  await row(page, /Pass, fail/)
    .getByRole('button', { name: /^More for/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Purge' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectGoodScreen(page, 'deleted score types')
  await act(/Pass, fail/, 'Restore')
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('No deleted score types.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'View Deleted' }).uncheck()
  await act(/Pass, fail/, 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('checkbox', { name: 'View Deleted' }).check()
  await act(/Pass, fail/, 'Purge')
  await expect(dialog(page).getByText('Purge Pass, fail? It cannot be restored.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Purge' }).click()
  await expect(page.getByText('No deleted score types.')).toBeVisible()
})

test('D1-046 D3-091 form types are edited in place', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/evaluations/form-types')
  for (const name of ['Name', 'View On Form', 'Actions']) {
    await expect(head(page).filter({ hasText: name }).first()).toBeVisible()
  }
  await button(page, 'Add New').click()
  await page.getByLabel('Name').fill('Exit survey')
  await page.getByRole('checkbox', { name: 'View On Form' }).uncheck()
  await expectGoodScreen(page, 'a form type being added')
  await page.getByLabel('Name').press('Enter')
  await expect(row(page, /Exit survey.*No/)).toBeVisible()
  await expectGoodScreen(page, 'form types')
  await row(page, /Exit survey/)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(row(page, /Exit survey/)).toBeHidden()
  await undo(page)
  await expect(row(page, /Exit survey/)).toBeVisible()
  await expect(row(page, /Clinical/).getByRole('button', { name: /^Delete/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})
