import type { Locator, Page } from '@playwright/test'
import { api, expect, expectGoodScreen, phone, signIn, test } from './support.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name })

/** What can be done where a row leads, by its title: a row that is not here fails the walk. */
const acts: readonly [title: RegExp, act: (page: Page) => Locator][] = [
  [/records in Careful Review/, (page) => page.getByRole('button', { name: /^(Approve|More for)/ })],
  [/Missing clock-ins or clock-outs/, (page) => page.getByRole('button', { name: /Add clock-(in|out)/ })],
  [/did not clock in today/, (page) => page.getByRole('button', { name: /^More for/ })],
  [/Overdue evaluations/, (page) => page.getByRole('row').getByRole('checkbox')],
  [/Proofs to review/, (page) => page.getByRole('button', { name: /^Accept/ })],
  [/Expired requirements/, (page) => page.getByRole('grid').getByRole('link')],
  [/Students at risk/, (page) => page.getByRole('row')],
  [/Procedures to verify/, (page) => page.getByRole('button', { name: /^Verify/ })],
  [/Suspended exam results/, (page) => page.getByRole('row')],
  [/Simulated exams/, (page) => page.getByRole('row')],
  [
    /offered places/,
    (page) => page.getByRole('main').getByRole('button', { name: /Accept|Decide|Decline|More for/ }),
  ],
  [/agreements (ending soon|to renew)/, (page) => page.getByRole('button', { name: /^Renew / })],
]

/** Each row of what needs attention leads to a list of as many as it says, and something can be done there. */
const walk = async (page: Page) => {
  const rows = section(page, 'Needs attention')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
  await expect(rows.first()).toBeVisible()
  const found = await Promise.all(
    (await rows.all()).map(async (row) => ({
      text: (await row.innerText()).replaceAll('\n', ' '),
      count: (await row.locator('b').first().innerText()).trim(),
      href: (await row.getByRole('link').getAttribute('href'))!,
    })),
  )
  for (const { text, count, href } of found) {
    const act = acts.find(([title]) => title.test(text))?.[1]
    expect(act, `${text} is not among what the walk knows`).toBeDefined()
    await page.goto(new URL(href, page.url()).href)
    // In the head, in the segment that is chosen, or at the foot of the list.
    const said = page
      .getByRole('heading', { level: 1 })
      .locator('..')
      .or(page.locator('label').filter({ has: page.getByRole('radio', { checked: true }) }))
      .or(page.locator('footer'))
    await expect
      .poll(async () => (await said.allInnerTexts()).join(' '), { message: text })
      .toMatch(new RegExp(`(^|\\D)${count}(\\D|$)`))
    await expect(act!(page).first(), text).toBeVisible()
  }
  expect(found.length).toBeGreaterThan(2)
}

test('A10 A31 A37 a coordinator sees what needs attention, and each verb leads to exactly that', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/home')
  await expect(page.getByRole('heading', { name: /^Good (morning|afternoon|evening), Dana$/ })).toBeVisible()
  await expect(page.getByText(/things? needs? your attention today/)).toBeVisible()
  await expectGoodScreen(page, 'home')

  await page.getByRole('button', { name: 'What counts here' }).click()
  await expect(page.getByText(/agreements in force that end within 30 days/)).toBeVisible()
  await expectGoodScreen(page, 'home explained')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByText(/agreements in force that end within 30 days/)).toBeHidden()

  await walk(page)
})

test('every row of the home of faculty leads to as many as it says, and to something they may do', async ({
  page,
}) => {
  await signIn(page, 'faculty', 'admin/home')
  await walk(page)
})

for (const [role, at] of [
  ['admin', 'admin/home'],
  ['director', 'admin/home?view=today'],
] as const)
  test(`every row of the home of ${role} leads to as many as it says, and to something they may do`, async ({
    page,
  }) => {
    test.slow()
    await signIn(page, role, at)
    await walk(page)
  })

/** Opens where each of these links leads, and waits until the page has the number of the link in a heading, at its foot or as its rows. */
const follow = async (
  page: Page,
  links: readonly { href: string; count: number }[],
  rows: string,
  timeout?: number,
) => {
  for (const { href, count } of links) {
    await page.goto(new URL(href, page.url()).href)
    const said = page.locator('h1, h1 + *, footer').or(page.getByRole('heading', { level: 1 }).locator('..'))
    await expect
      .poll(
        async () =>
          (await page.locator(rows).count()) === count ||
          new RegExp(`(^|\\D)${count}(\\D|$)`).test((await said.allInnerTexts()).join(' ')),
        { message: `${href} has ${count}`, timeout },
      )
      .toBe(true)
  }
}

test('each task of a supervisor leads to as many as it says', async ({ page }) => {
  await signIn(page, 'supervisor', '')
  const tasks = page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /\d+ (shift|day|exam|student|to complete)/ })
  await expect(tasks).toHaveCount(5)
  const links = await Promise.all(
    (await tasks.all()).map(async (task) => ({
      href: (await task.getAttribute('href'))!,
      count: Number(/\d+/.exec(await task.innerText())![0]),
    })),
  )
  await follow(page, links, 'main li')
})

test('each figure of a super admin that leads somewhere leads to as many as it says', async ({ page }) => {
  await signIn(page, 'super', 'admin/home')
  const home = page.url()
  const main = page.getByRole('main')
  const email = section(page, 'Email')
  const readLinks = async () => {
    await expect(email.getByRole('link').first()).toBeVisible()
    const told = [
      main.getByRole('link', { name: /^\d+ colleges?$/ }),
      main.getByRole('link', { name: /^\d+ programs?$/ }),
      ...(await email
        .getByRole('listitem')
        .filter({ has: page.getByRole('link') })
        .all()),
    ]
    return Promise.all(
      told.map(async (each) => {
        const link = each.getByRole('link')
        const href = (await each.getAttribute('href')) ?? (await link.getAttribute('href'))
        return { href: href!, count: Number(/\d+/.exec(await each.innerText())![0]) }
      }),
    )
  }
  // Emails go out meanwhile: what home has said before one went is told again.
  await expect(async () => {
    await page.goto(home)
    const links = await readLinks()
    expect(links).toHaveLength(4)
    await follow(page, links, 'main [role=row][aria-rowindex]', 5_000)
  }).toPass()
})

test('who comes to the sites of somebody is as many as the page says, today, this week and next', async ({
  page,
}) => {
  await signIn(page, 'siteemployee', '')
  const { Items } = await api(page, 'GET', '/own-sites?pageSize=500')
  for (const [name, field] of [
    ['Today', 'Today'],
    ['This week', 'Week'],
    ['Next week', 'NextWeek'],
  ] as const) {
    const sum = Items.reduce((total: number, site: Record<string, number>) => total + site[field]!, 0)
    await page.locator('label').filter({ hasText: name }).click()
    await expect(page.locator('label').filter({ hasText: name })).toContainText(new RegExp(`(^|\\D)${sum}$`))
  }
})

test('a coordinator approves all clean records from home and takes it back', async ({ page }) => {
  await signIn(page, 'coordinator2', 'admin/home')
  const all = page.getByRole('button', { name: /^Approve all \d+$/ })
  await expect(all).toBeVisible()
  const count = Number((await all.innerText()).replace(/\D/g, ''))
  await all.click()
  await expect(page.getByText(new RegExp(`^Approved ${count} records, [\\d.,]+ h$`))).toBeVisible()
  await expect(all).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${count} records are pending again`)).toBeVisible()
  await expect(all).toHaveText(`Approve all ${count}`)
})

test('home fits a phone: every figure, sentence and verb stays inside the screen', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'coordinator', 'admin/home')
  const verbs = section(page, 'Needs attention').getByRole('listitem').getByRole('link')
  await expect(verbs.first()).toBeVisible()
  for (const verb of await verbs.all()) {
    const box = (await verb.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(phone.width)
    expect(box.height).toBeGreaterThanOrEqual(36)
  }
})

test('D1-219 a super admin sees the installation and opens a program from there', async ({ page }) => {
  await signIn(page, 'super', 'admin/home')
  await expect(section(page, 'Right now').getByText('Signed in today')).toBeVisible()
  await expect(section(page, 'Right now').getByText('Students', { exact: true })).toBeVisible()
  await expectGoodScreen(page, 'overview')
  const row = section(page, 'Programs by activity').getByRole('row', { name: /Nursing/ })
  await row.hover()
  await row.getByRole('button', { name: 'Open: Nursing' }).click()
  await expect(section(page, 'Needs attention')).toBeVisible()
})

test('faculty are told only of what they can do something about', async ({ page }) => {
  await signIn(page, 'faculty', 'admin/home')
  const needs = section(page, 'Needs attention')
  await expect(needs.getByText('Procedures to verify')).toBeVisible()
  for (const others of [/^Time records in Careful Review/, /^Clean time records/, /^Suspended exam results/])
    await expect(needs.getByText(others)).toHaveCount(0)
  const figures = await needs.getByRole('listitem').locator('b').filter({ hasText: /^\d+$/ }).allInnerTexts()
  const sum = figures.reduce((total, figure) => total + Number(figure), 0)
  await expect(page.getByText(`${sum} things need your attention today.`)).toBeVisible()
})
