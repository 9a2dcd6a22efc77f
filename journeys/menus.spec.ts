import type { Page } from '@playwright/test'
import {
  another,
  changeGlobals,
  desktop,
  expect,
  expectAccessible,
  expectGoodScreen,
  phone,
  saving,
  signIn,
  startSession,
  test,
  url,
  write,
} from './support.ts'

const openMenu = async (page: Page) => {
  const toggle = page.getByRole('button', { name: 'MENU', exact: true })
  if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  return page.getByRole('navigation', { name: 'Main menu' })
}

test('D1-028 D1-029 D1-116 D1-112 D1-113 D1-114 D1-308 a super admin sets which types of programs see a page', async ({
  page,
  browser,
}) => {
  test.slow()
  await signIn(page, 'super', 'admin/admin-menu')
  await expect(page.getByRole('heading', { name: 'Setup Visibility for Menu Items' })).toBeVisible()
  const table = page.getByRole('table', { name: 'Setup Visibility for Menu Items' })
  await expect(table.getByRole('columnheader', { name: /Two-year/ })).toBeVisible()
  const indentOf = (name: string) =>
    table
      .getByRole('rowheader', { name, exact: true })
      .evaluate((cell) => Number.parseInt(getComputedStyle(cell).paddingInlineStart, 10))
  expect(await indentOf('Rotations')).toBeGreaterThan(await indentOf('Reports'))
  await expectGoodScreen(page, 'visibility of menu items')

  // Radiography is a four-year program: its coordinators lose the page, and nothing else.
  const tick = (type: string) => table.getByRole('checkbox', { name: `Fill-in items: ${type}`, exact: true })
  await tick('Two-year').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(tick('Four-year')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 unsaved change')).toBeVisible()
  await expectAccessible(page, 'visibility with a change')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Successfully saved')).toBeVisible()
  await page.reload()
  await expect(tick('Four-year')).not.toBeChecked()
  await expect(tick('Two-year')).toBeChecked()

  const { page: theirs, leave } = await another(browser, 'coordinator', { at: 'admin/home' })
  const menu = await openMenu(theirs)
  await menu.getByRole('button', { name: 'Evaluations' }).click()
  await expect(menu.getByRole('link', { name: 'Rearrange items' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Fill-in items' })).toHaveCount(0)
  await leave()

  await tick('All types').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Successfully saved')).toBeVisible()
  await page.reload()
  await expect(tick('Four-year')).toBeChecked()
})

test('D1-309 D1-310 a failed save of the visibility is logged, and its rows are marked', async ({ page }) => {
  await signIn(page, 'super', 'admin/admin-menu')
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route('**/api/admin-menu-items', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 503, json: { Message: 'Try again.' } })
      : route.continue(),
  )
  await page.getByRole('checkbox', { name: 'Visualization: Two-year' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('rowheader', { name: 'The last change was not saved.' })).toBeVisible()
  expect(logged.some((text) => /visibility of menu items: HTTP 503/.test(text))).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('A52 A53 D1-019 D1-066 D1-117 D1-118 D1-119 D1-120 D1-121 D1-122 D1-126 D1-127 a coordinator changes a page of their program', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/menu-items')
  const grid = page
    .getByRole('grid', { name: 'Menu items' })
    .or(page.getByRole('table', { name: 'Menu items' }))
  for (const name of ['Order', 'Page', 'Menu text', 'Page title', 'Access'])
    await expect(grid.getByRole('columnheader', { name, exact: true })).toBeVisible()
  // Levels have names, not the codes of the program.
  await expect(grid.getByRole('row').nth(1)).toContainText('Super admin, Admin, Program director')
  await expectGoodScreen(page, 'menu items')
  const firstText = () => grid.getByRole('row').nth(1).innerText()
  for (const name of ['Menu text', 'Page', 'Order', 'Page title']) {
    const head = grid.getByRole('columnheader', { name, exact: true }).getByRole('button')
    await head.click()
    await expect(grid.getByRole('columnheader', { name, exact: true })).toHaveAttribute(
      'aria-sort',
      'ascending',
    )
    const up = await firstText()
    await head.click()
    await expect(grid.getByRole('columnheader', { name, exact: true })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    if (name !== 'Page title') await expect.poll(firstText).not.toBe(up)
    // A third press goes back to the menu's own order.
    await head.click()
    await expect(grid.getByRole('columnheader', { name, exact: true })).toHaveAttribute('aria-sort', 'none')
    await expect(grid.getByRole('row').nth(1)).toContainText('/admin/home')
  }

  const dialog = page.getByRole('dialog')
  const frame = dialog.frameLocator('iframe')
  const open = async () => {
    const row = grid.getByRole('row').filter({ hasText: '/admin/missed-time-records' })
    await row.hover()
    await row.getByRole('button', { name: /^Edit: / }).click()
    await expect(frame.getByText('/admin/missed-time-records')).toBeVisible()
  }
  const save = async (text: string, title: string, directions: string) => {
    await frame.getByLabel('Menu text').fill(text)
    await frame.getByLabel('Page title').fill(title)
    await write(frame.getByRole('textbox', { name: 'Directions' }), directions)
    // It is told for one second only, which a look every second would miss.
    const inside = (await (await dialog.locator('iframe').elementHandle())!.contentFrame())!
    const told = inside.waitForFunction(() =>
      document.body.innerText.includes('Updated successfully, closing...'),
    )
    await frame.getByRole('button', { name: /^Save/ }).click()
    await told
    await expect(dialog).toBeHidden()
    await expect(grid.getByText(text).first()).toBeVisible()
  }
  await open()
  await frame.getByLabel('Menu text').fill('')
  await frame.getByRole('button', { name: /^Save/ }).click()
  await expect(frame.getByText('This field is required').first()).toBeVisible()
  await expectAccessible(page, 'menu item in its frame')
  await save('No punch at all', 'Who forgot to clock in', 'Call the student before noon.')

  await page.goto(url('admin/missed-time-records'))
  await expect(page.getByRole('heading', { name: 'Who forgot to clock in' })).toBeVisible()
  await page.getByText('Directions', { exact: true }).click()
  await expect(page.getByText('Call the student before noon.')).toBeVisible()
  await expectGoodScreen(page, 'a page with directions')
  const menu = await openMenu(page)
  await menu.getByRole('button', { name: 'Time' }).click()
  await expect(menu.getByRole('link', { name: 'No punch at all' })).toBeVisible()

  for (const heading of [/^Missed/, /^Who forgot/]) {
    await page.goto(url('admin/menu-items'))
    const visible = page.getByLabel('Visible To Program')
    await saving(page, () => visible.click())
    await page.goto(url('admin/missed-time-records'))
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }
  // The other journeys of this program know the page by its own name.
  await page.goto(url('admin/menu-items'))
  await open()
  await save('Missed time records', 'Missed time records', '')
})

test('D1-123 D1-124 D1-125 order is closed for pages in no menu, no access reads -- NONE --', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/menu-items/edit?id=201')
  await expect(page.getByRole('textbox', { name: 'Order', exact: true })).toBeDisabled()
  await expect(page.getByRole('textbox', { name: 'Directions' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Access' }).click()
  await expect(page.getByRole('option', { name: 'Anonymous' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'CCUnderHood' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Access' })).toHaveText('-- NONE --')
  await expectGoodScreen(page, 'menu item alone')
})

test('D1-036 D1-128 D1-129 D1-130 D1-131 D1-132 D1-134 D1-136 a coordinator builds their own menu with the keyboard, takes it back and removes it', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'director', 'admin/customize-menu')
  const tree = page.getByRole('tree', { name: 'Admin menu' })
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await expect(page.getByText(/Drag an item by its handle/)).toBeVisible()
  await expect(item('Rotations')).toBeVisible()
  await page.getByRole('button', { name: 'Collapse All' }).click()
  await expect(item('Rotations')).toBeHidden()
  await page.getByRole('button', { name: 'Expand All' }).click()
  await expect(item('Rotations')).toBeVisible()
  await expectGoodScreen(page, 'custom admin menu')

  await page.getByRole('button', { name: 'Add Category' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Every day')
  await expectAccessible(page, 'add a category')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Clinical handbook')
  await page.getByRole('textbox', { name: 'Address' }).fill('handbook')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('It must begin with https:// or /new/')).toBeVisible()
  await page.getByRole('textbox', { name: 'Address' }).fill('https://college.example.edu/handbook')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()

  // The handbook goes below the category, by keys alone.
  await item('Clinical handbook').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(item('Clinical handbook')).toHaveAttribute('aria-level', '2')
  await expect(item('Clinical handbook')).toBeFocused()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Handbook')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()

  // The menu of an entry, by right click and by the menu key.
  await item('Rotations').click({ button: 'right' })
  await expectAccessible(page, 'what an entry can do')
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await expect(item('Rotations, Hidden')).toBeVisible()
  await item('Handbook').focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: /^Rename/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(item('Rotations')).toBeVisible()
  await item('Rotations').getByRole('button', { name: 'More for Rotations' }).click()
  await page.getByRole('menuitem', { name: 'Hide' }).click()

  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved the menu')).toBeVisible()
  const menu = await openMenu(page)
  await menu.getByRole('button', { name: 'Every day' }).click()
  await expect(menu.getByRole('link', { name: 'Handbook' })).toHaveAttribute('target', '_blank')
  await menu.getByRole('button', { name: 'Schedule' }).click()
  await expect(menu.getByRole('link', { name: 'Visualization' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Rotations' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Remove All Customizations' }).click()
  await expect(page.getByText('Remove all customizations of this menu?')).toBeVisible()
  await page.getByRole('button', { name: 'Remove all', exact: true }).click()
  await expect(page.getByText('Removed all customizations')).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Every day' })).toHaveCount(0)
  await expect(item('Every day')).toHaveCount(0)
})

/** Holds *Home* over *People* in the tree of a menu, and answers its row and where the pointer is. */
const holdHomeOverPeople = async (page: Page) => {
  const tree = page.getByRole('tree', { name: 'Admin menu' })
  const home = tree.getByRole('treeitem', { name: 'Home', exact: true })
  const people = tree.getByRole('treeitem', { name: 'People', exact: true })
  const from = (await home.locator('span').first().boundingBox())!
  const to = (await people.boundingBox())!
  const at = { x: from.x + 40, y: to.y + to.height / 2 + 4 }
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 20, { steps: 4 })
  await page.mouse.move(at.x, at.y, { steps: 12 })
  return { tree, home, at }
}

test('D1-136 an entry is dragged into a category with the pointer', async ({ page }) => {
  await signIn(page, 'admin', 'admin/customize-menu')
  const { home } = await holdHomeOverPeople(page)
  await page.mouse.up()
  await expect(home).toHaveAttribute('aria-level', '2')
  // For a moment after a drop the tree takes the click that ends the drag for itself.
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo, 'the drag has ended').toBeEnabled()
  await expect(async () => {
    if (await undo.isEnabled()) await undo.click()
    await expect(home).toHaveAttribute('aria-level', '1', { timeout: 2_000 })
  }).toPass()
})

test('an entry that is dropped while its last move is still being drawn is where it was dropped', async ({
  page,
}) => {
  await signIn(page, 'admin', 'admin/customize-menu')
  const { tree, home, at } = await holdHomeOverPeople(page)
  await expect(home).toHaveAttribute('aria-level', '2')
  await tree.evaluate((element) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      document.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1, isPrimary: true }))
    })
    observer.observe(element, { subtree: true, attributes: true })
  })
  await page.mouse.move(at.x + 2, at.y + 2)
  await page.mouse.up()
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeEnabled()
  await undo.press('Enter')
  await expect(undo).toBeDisabled()
  await expect(home).toHaveAttribute('aria-level', '1')
})

test('two people who change the menu at once: the later is told and loses nothing', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator2', 'admin/customize-menu')
  const { page: other, leave } = await another(browser, 'director2', { at: 'admin/customize-menu' })
  const change = async (who: Page) => {
    await who.getByRole('treeitem', { name: 'People', exact: true }).focus()
    await who.keyboard.press('Alt+ArrowDown')
    await who.getByRole('button', { name: 'Save' }).click()
  }
  await expect(other.getByRole('tree')).toBeVisible()
  await change(page)
  await expect(page.getByText('Saved the menu')).toBeVisible()
  await change(other)
  await expect(other.getByRole('alert')).toContainText('Someone else saved this menu in the meantime')
  await expectAccessible(other, 'a stale menu')
  await other.getByRole('button', { name: 'Load theirs and discard mine' }).click()
  await expect(other.getByRole('alert')).toHaveCount(0)
  await leave()
})

test('A44 D1-129 D1-135 a super admin takes over the menu of another program', async ({ page }) => {
  test.slow()
  await signIn(page, 'super', 'admin/customize-menu')
  await page.getByRole('combobox', { name: /^Program/ }).click()
  await page.getByRole('option', { name: 'Sonography' }).click()
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('combobox', { name: /College and program/ }).click()
  await page.getByRole('option', { name: 'Lakeside University - Nursing' }).click()
  await expectAccessible(page, 'import a menu')
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('Imported the menu of Lakeside University - Nursing')).toBeVisible()
  await expect(page.getByRole('treeitem', { name: 'Handbook' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('treeitem', { name: 'Handbook' })).toHaveCount(0)
})

test('the finder finds pages, people, sites and actions, and remembers', async ({ page }) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/manage-areas')
  await expect(page.getByRole('heading', { name: 'Manage areas' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const finder = page.getByRole('dialog')
  const box = page.getByPlaceholder('Find pages, people, sites and actions')
  await expect(box).toBeVisible()
  await box.fill('harbor')
  await expect(finder.getByText(/^Harbor General/).first()).toBeVisible()
  await expect(finder.getByRole('status')).toHaveText(/^\d+ results?$/)
  await expectAccessible(page, 'finder')
  await page.setViewportSize(phone)
  await expectAccessible(page, 'finder on a phone')
  await page.setViewportSize(desktop)
  await box.fill('nothing is called this')
  await expect(finder.getByRole('status')).toHaveText('No matches.')
  await box.fill('dana')
  await finder.getByText('Dana Whitfield').click()
  await expect(page).toHaveURL(/manage-users\/edit\?id=\d+$/)
  await page.keyboard.press('Control+k')
  await expect(finder.getByText('Dana Whitfield')).toBeVisible()
  await box.fill('add a per')
  await finder.getByText('Add person').click()
  await expect(page).toHaveURL(/admin\/add-user$/)
})

test('D1-177 D1-186 a member walks the side menu: the open page is bold, the footer has the years', async ({
  page,
}) => {
  await signIn(page, 'student', 'hours')
  const menu = await openMenu(page)
  const weight = (name: string) =>
    menu.getByRole('link', { name }).evaluate((link) => Number(getComputedStyle(link).fontWeight))
  await expect.poll(() => weight('Hours')).toBeGreaterThanOrEqual(600)
  await expect.poll(() => weight('Clock')).toBeLessThan(600)
  await expect(page.getByText(`© 2005–${new Date().getFullYear()}`)).toBeVisible()
  await expectAccessible(page, 'member shell')
  await page.goto(url('clock'))
  await page.getByText('Directions', { exact: true }).click()
  await expect(page.getByText('Clock in at the entrance of your site.')).toBeVisible()
})

test('D1-255 who lacks the right to a staff page lands on the home page; members on theirs', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/admin-news')
  await expect(page).toHaveURL(/admin\/home$/)
  const { page: theirs, leave } = await another(browser, 'student', { at: 'admin/menu-items' })
  await expect(theirs).toHaveURL(/\/new\/(clock)?$/)
  await leave()
})

test('before the session ends for want of activity, a dialog counts down and keeps it alive', async ({
  page,
}) => {
  // The session lasts 60 minutes without activity: this warning comes a few seconds after the last call.
  await changeGlobals(page, { ServerTimeoutWarningMinutes: 59.9 })
  await signIn(page, 'coordinator', 'admin/manage-users')
  await page.getByRole('search').getByRole('textbox').fill('typed')
  const dialog = page.getByRole('dialog', { name: 'Are you still there?' })
  await expect(dialog).toBeVisible({ timeout: 15_000 })
  await expect(dialog.getByRole('timer')).toContainText(/signed out in 59:\d\d/)
  await expectAccessible(page, 'session about to end')
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('search').getByRole('textbox')).toHaveValue('typed')
})

test('A59 the dialog of a menu item has one heading, and no two pages are called Notifications', async ({
  page,
}) => {
  await signIn(page, 'admin', 'admin/menu-items')
  const row = page.getByRole('row').filter({ hasText: '/admin/missed-time-records' })
  await row.getByRole('button', { name: /^Edit: / }).click()
  const dialog = page.getByRole('dialog', { name: /^Edit / })
  const frame = dialog.frameLocator('iframe')
  await expect(frame.getByLabel('Menu text')).toBeVisible()
  await expect(dialog.getByRole('heading')).toHaveCount(1)
  // The frame's heading is only read out: the frame is a document of its own.
  await expect(frame.getByRole('heading', { level: 1 })).toHaveClass(/p-sr-only/)
  await dialog.getByRole('button', { name: 'Close' }).click()

  for (const [path, name] of [
    ['admin/inbox', 'Notifications'],
    ['admin/notifications', 'Notification copies'],
    ['admin/unused-feature-notifications', 'Unused Feature Notifications'],
  ] as const) {
    if (path === 'admin/unused-feature-notifications') await startSession(page, 'super')
    await page.goto(url(path))
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^${name} `))
  }
})

test('A59 without a program nothing speaks of this program', async ({ page }) => {
  await signIn(page, 'super', 'admin/menu-items')
  await expect(page.getByText('Select a college and a program first')).toBeVisible()
  await expect(page.getByText(/this program/)).toHaveCount(0)
})
