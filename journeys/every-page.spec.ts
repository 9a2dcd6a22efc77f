import type { BrowserContext, Locator, Page } from '@playwright/test'
import { Level } from '#contract/core/levels.ts'
import { allPages, mayOpen, type PageEntry } from '#contract/core/pages.ts'
import { makeIdentityProvider } from '../server/test/identity-provider.ts'
import { expectNothingOverlaps } from './overlaps.ts'
import { password } from './start.ts'
import {
  another,
  desktop,
  expect,
  expectGoodScreen,
  phone,
  settle,
  startSession,
  test,
  url,
} from './support.ts'
import { cutBySpacing } from './text-spacing.ts'

/** Who tries a page of staff: the first who may open it. Admins belong to a program, so nothing has to be chosen first. */
const staff = [
  { name: 'admin', AccessLevel: Level.Admin, SuperAdminAreas: null },
  { name: 'super', AccessLevel: Level.SuperAdmin, SuperAdminAreas: null },
]
const ofSupervisors = new Set(['students'])
/** Only super admins add to these. */
const ofSupers = new Set(['admin/payments/edit'])
/** Their form opens in a dialog, or below a choice. */
const formElsewhere = new Set(['admin/tax-calc', 'hours', 'admin/custom-reports/edit'])

const personFor = ({ frame, path }: PageEntry): string => {
  if (frame === 'own') return ofSupervisors.has(path) ? 'supervisor' : 'student'
  if (ofSupers.has(path)) return 'super'
  return staff.find((person) => mayOpen(person, path))!.name
}

/** What the specification calls a page, and the requirement that names its address. */
const named: Record<string, [heading: RegExp, rows: string]> = {
  'admin/add-user': [/^Add user$/i, 'D1-024 D1-027 D3-006 D3-011'],
  'admin/approve-time-records': [/^Approve time records$/i, 'D1-034'],
  'admin/assign-supervisor-sites': [/^Assign supervisors$/, 'D1-035'],
  'admin/employees': [/^Manage employees$/, 'D1-042'],
  'admin/employees/new': [/^Update Employee Data$/, 'D3-009'],
  'admin/notifications': [/^Notification copies$/, 'D1-069'],
  'admin/hours-summary': [/^Hours summary$/i, 'D1-054'],
  'admin/manage-areas': [/^Manage areas$/, 'D1-076'],
  'admin/manage-areas/edit': [/area$/i, 'D1-077 D3-008'],
  'admin/manage-users': [/^Manage users$/i, 'D1-065'],
  'admin/missed-time-records': [/^Missed time records$/i, 'D1-067'],
  'admin/rotations': [/^Rotations$/i, 'D1-073'],
  'admin/shifts': [/^(Site )?shifts$/i, 'D1-084'],
  'admin/sites': [/^Sites$/i, 'D1-086'],
  'admin/affiliate-agreements': [/^Affiliate Agreements$/, 'D1-032'],
  'admin/document-categories': [/^Manage Document Categories$/, 'D1-037'],
  'admin/documents': [/^Manage Document Uploads$/, 'D1-038'],
  'admin/documents/edit': [/Document$/, 'D1-039'],
  'admin/custom-reports': [/^Custom Reports$/, 'D1-170'],
  'admin/language-profiles': [/^Language profiles$/i, 'D1-056'],
  'admin/language-entries': [/entries|words/i, 'D1-055'],
  'admin/manage-colleges': [/^(Manage )?colleges$/i, 'D1-061'],
  'admin/manage-programs': [/^(Manage )?programs$/i, 'D1-063'],
  'admin/program-copy': [/^Copy program data$/, 'D1-071'],
  'admin/modalities': [/^Modalities$/i, 'D1-068'],
  'admin/logs/data-sync': [/^DataSync Logs$/, 'D1-057'],
  'admin/mail-center': [/^Mail Center$/, 'D1-058'],
  'admin/scheduled-emails': [/^Scheduled Emails$/, 'D1-074'],
  'admin/saml/admin': [/^SAML Settings$/, 'D1-078'],
  'admin/saml/users': [/^SAML Users$/, 'D1-082'],
  'admin/unused-feature-notifications': [/^Unused Feature Notifications$/, 'D1-093'],
  'admin/payments': [/^Payments$/, 'D3-025'],
  'admin/tax-calc': [/^Tax Calc$/, 'D1-169'],
  'admin/weekly-reports': [/^Weekly Reports$/, 'D1-171'],
}
/** No other journey has axe look at these. */
const isLookedAtHere = /payments$|tax-calc|reports$|data-sync|saml\/(admin|users)|unused/

/** The lists that people of each kind open most: a reader's own spacing cuts nothing in them. */
const isReadMost = new Set([
  'hours',
  'students',
  'admin/shift-assignments',
  'admin/approve-time-records',
  'admin/hours-summary',
  'admin/evaluations/status',
  'admin/manage-users',
  'admin/sites',
  'admin/placement',
])

test.use({ actionTimeout: 15_000 })
const pagesAtOnce = 12
const tabsAtOnce = 10

const tried = allPages.filter(({ holds }) => holds)
const persons = [...new Set(tried.map(personFor))]

const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

/** Signs a person in once for all journeys of this file. */
const as = async (page: Page, name: string): Promise<void> => {
  const cookies = sessions.get(name)
  if (cookies) {
    await page.context().addCookies(cookies)
    return
  }
  await startSession(page, name)
  sessions.set(name, await page.context().cookies())
}

const firstOf = async (page: Page, list: string, key = 'Id'): Promise<number> => {
  const rows = await (await page.request.get(url(`api/${list}`))).json()
  return rows[0]?.[key]
}

/** What changes of sign-in connections carry besides the cookie. */
const proven = async (page: Page): Promise<Record<string, string>> => {
  const { CsrfToken } = await (await page.request.get(url('api/auth/session'))).json()
  const given = await page.request.post(url('api/auth/proofs'), {
    headers: { 'x-csrf-token': CsrfToken },
    data: { Kind: 'password', Password: password },
  })
  return { 'x-csrf-token': CsrfToken, 'x-proof': (await given.json()).Proof }
}

/** The provider that was made here. It goes at the end: journeys that sign in through a college expect theirs to be the only one. */
let madeProvider: number | undefined

/** The first provider; the demo has none, so one is made. */
const firstProvider = async (page: Page): Promise<number> => {
  const found = await firstOf(page, 'saml')
  if (found) return found
  const made = await page.request.post(url('api/saml'), {
    headers: await proven(page),
    data: {
      Name: 'Every page',
      EntityId: 'https://every-page.example/idp',
      SsoUrl: 'https://every-page.example/sso',
      Certificate: makeIdentityProvider().certificate,
      ProgramId: 1,
    },
  })
  expect(made.status()).toBe(200)
  madeProvider = (await made.json()).Id as number
  return madeProvider
}

/** As the provider: it is made here and goes at the end. */
let madeConnection: number | undefined

const firstConnection = async (page: Page): Promise<number> => {
  if (madeConnection !== undefined) return madeConnection
  const made = await page.request.post(url('api/connections'), {
    headers: await proven(page),
    data: {
      Name: 'Every page by OpenID',
      Issuer: 'https://every-page.example',
      ClientId: 'every-page',
      SubjectClaim: 'sub',
      ProgramId: 1,
      AccessLevel: Level.Student,
    },
  })
  expect(made.status(), await made.text()).toBe(200)
  madeConnection = (await made.json()).Id as number
  return madeConnection
}

test.afterAll(async ({ browser }) => {
  const made = [
    ...(madeProvider === undefined ? [] : [`api/saml/${madeProvider}`]),
    ...(madeConnection === undefined ? [] : [`api/connections/${madeConnection}`]),
  ]
  if (made.length === 0) return
  const { page, leave } = await another(browser, 'super')
  for (const path of made) {
    const gone = await page.request.delete(url(path), { headers: await proven(page) })
    expect(gone.ok(), await gone.text()).toBe(true)
  }
  await leave()
})

/** Pages that show something of the installation only with an id. */
const withId: Record<string, (page: Page) => Promise<string>> = {
  'admin/evaluations/score-types/edit': async (page) =>
    `?template=${(await (await page.request.get(url('api/programs/1/evaluation-templates'))).json())[0].Id}`,
  'admin/manage-users/edit': async (page) => `?id=${await firstOf(page, 'programs/1/users')}`,
  'admin/language-entries': async (page) => `?profile=${await firstOf(page, 'language-profiles')}`,
  'admin/mail-center/edit': async (page) => `?id=${await firstOf(page, 'mail-templates', 'ID')}`,
  'admin/mail-center/edit-description': async (page) => `?id=${await firstOf(page, 'mail-templates', 'ID')}`,
  'admin/menu-items/edit': async (page) => `?id=${await firstOf(page, 'programs/1/menu-items')}`,
}
const partsOf: Record<string, (page: Page) => Promise<number>> = {
  $employeeId: (page) => firstOf(page, 'programs/1/employees'),
  $connectionId: firstConnection,
  $samlId: firstProvider,
}

/** Writes why a private page is opened, where it asks. */
const giveReason = async (page: Page): Promise<void> => {
  const reason = page.getByRole('textbox', { name: 'Reason' })
  const isBusy = page.getByRole('main').locator('[aria-busy="true"]')
  await expect(async () =>
    expect((await reason.count()) + Number((await isBusy.count()) === 0)).toBe(1),
  ).toPass()
  if ((await reason.count()) === 0) return
  await reason.fill('Asked by the director of the program')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

/** Opens a page and waits until what it holds is there. */
const open = async (page: Page, entry: PageEntry): Promise<void> => {
  let address = entry.path as string
  for (const [part, find] of Object.entries(partsOf))
    if (address.includes(part)) address = address.replace(part, String(await find(page)))
  await page.goto(url(address + ((await withId[entry.path]?.(page)) ?? '')))
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 }).first()).toBeVisible()
  if (named[entry.path])
    await expect(page.getByRole('heading', { level: 1 }), entry.path).toHaveText(named[entry.path]![0])
  // Declarations open to administrators by a reason, which holds for some minutes.
  if (entry.path === 'admin/safety/declarations') await giveReason(page)
  await expect(main.locator('[aria-busy="true"]')).toHaveCount(0)
  if (formHasSave(entry)) await expect(fieldsOf(page).first(), 'its first field').toBeVisible()
  await expect(page, 'its title').toHaveTitle(/^\S.* · Practicum$/)
}

/** Core Web Vitals call a page good up to here: how much of the screen moved while it loaded, times how far. */
const mostMoved = 0.1

/** The sum of what moved since the page was opened, and the parts that did. */
const movedSince = (page: Page): Promise<{ sum: number; what: string[] }> =>
  page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node?: Element }[]
    }
    const seen = new PerformanceObserver(() => {})
    seen.observe({ type: 'layout-shift', buffered: true })
    const shifts = (seen.takeRecords() as Shift[]).filter(({ hadRecentInput }) => !hadRecentInput)
    seen.disconnect()
    const nameOf = ({ node }: { node?: Element }) => `${node?.localName}.${node?.className}`
    return {
      sum: shifts.reduce((sum, { value }) => sum + value, 0),
      what: shifts.map(({ value, sources }) => `${value.toFixed(3)} ${sources.map(nameOf).join(', ')}`),
    }
  })

const fieldsOf = (page: Page): Locator =>
  page.locator(
    'form:not([aria-label="Filters"]) :is(input:not([type="hidden"], [type="file"]), textarea, [role="combobox"], [contenteditable="true"]):not(:disabled)',
  )

interface Check {
  what: string
  /** As the look before left it, when there is none. */
  size?: { width: number; height: number }
  look: (page: Page, entry: PageEntry) => Promise<void>
}

type Sized = Check & Required<Pick<Check, 'size'>>

/** Every page is opened once for all checks: opening costs more than looking. What fails in one keeps no other from its look. */
const goOver = (): void => {
  test.describe.configure({ mode: 'parallel' })
  for (const person of persons) {
    const entries = tried.filter((entry) => personFor(entry) === person)
    for (let first = 0; first < entries.length; first += pagesAtOnce) {
      const some = entries.slice(first, first + pagesAtOnce)
      const rows = some.flatMap(({ path }) => named[path]?.[1] ?? [])
      test(`${['A1 A7 A22 A23 A25 A26 A27 A85 D1-005', ...rows].join(' ')} on a phone, at 400 % zoom and by keyboard: pages of ${person} from ${some[0]!.path}`, async ({
        page,
      }) => {
        page.on('dialog', (dialog) => void dialog.accept())
        await as(page, person)
        await page.setViewportSize(onPhone.size)
        for (const [index, entry] of some.entries()) {
          // The next page opens at the size that is there: a change of it costs as much as a look.
          const [atFirst, atLast] = index % 2 === 0 ? [onPhone, byKeyboard] : [byKeyboard, onPhone]
          await test.step(entry.path, () => open(page, entry))
          if (atFirst === onPhone) {
            const { sum, what } = await movedSince(page)
            expect
              .soft(sum, `${entry.path} moved while it loaded: ${what.join('; ')}`)
              .toBeLessThan(mostMoved)
          }
          for (const { what, size, look } of [atFirst, enlarged, atLast, escaped])
            await test.step(`${entry.path} ${what}`, async () => {
              if (size) {
                await page.setViewportSize(size)
                await settle(page)
              }
              try {
                await look(page, entry)
              } catch (error) {
                expect.soft((error as Error).message, `${entry.path} ${what}`).toBe('')
              }
            })
        }
      })
    }
  }
}

/** Runs in the page: what is wrong with the screen as it is. */
const lookAt = (page: Page, wanted: { targets: boolean; oneScroll: boolean }): Promise<string[]> =>
  page.evaluate(({ targets, oneScroll }) => {
    const found: string[] = []
    const root = document.documentElement
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('.p-sr-only')
    const all = (selector: string) => [...document.querySelectorAll(`main :is(${selector})`)].filter(isShown)
    if (root.scrollWidth > root.clientWidth)
      found.push(`scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`)
    const controls = all(
      'button, input:not([type="hidden"], [type="file"]), select, textarea, li a, [role="switch"]',
    )
    const slides = (element: Element): boolean => {
      for (let up = element.parentElement; up && up !== root; up = up.parentElement)
        if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true
      return false
    }
    for (const control of controls) {
      const { left, right } = control.getBoundingClientRect()
      if ((left < -1 || right > root.clientWidth + 1) && !slides(control))
        found.push(`${nameOf(control)} is cut at the side`)
    }
    if (targets)
      for (const control of controls) {
        if (!control.matches('.mantine-Button-root, [type="checkbox"], [type="radio"], li a, li button'))
          continue
        const boxes = [control.getBoundingClientRect()]
        const label = control.closest('label') ?? (control as HTMLInputElement).labels?.[0]
        if (label) boxes.push(label.getBoundingClientRect())
        let height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top))
        for (const part of ['::before', '::after']) {
          const style = getComputedStyle(control, part)
          if (style.position === 'absolute') height = Math.max(height, Number.parseFloat(style.height) || 0)
        }
        if (height < 43.5) found.push(`${nameOf(control)} is only ${Math.round(height)} px high`)
      }
    if (oneScroll)
      for (const element of all('*')) {
        const { overflowY } = getComputedStyle(element)
        if (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight + 1)
          if (
            !element.matches(
              'textarea, [contenteditable="true"], :has([contenteditable="true"]), [role="application"]',
            )
          )
            found.push(`${nameOf(element)} scrolls by itself`)
      }
    return [...new Set(found)]
  }, wanted)

const mainButtons = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: /^(Save|Change|Submit Changes|Update|Add New|New )/ })

/** It can be brought into view, and nothing covers it there. */
const expectReachable = async (target: Locator, what: string): Promise<void> => {
  await expect
    .poll(
      () =>
        target.evaluate((element) => {
          // Again at each look: what comes later above it, such as an editor, moves it.
          element.scrollIntoView({ block: 'center' })
          const { left, top, width, height, bottom } = element.getBoundingClientRect()
          // What is higher than the screen has its middle beyond it.
          const y = (Math.max(0, top) + Math.min(window.innerHeight, bottom)) / 2
          const hit = document.elementFromPoint(left + width / 2, y)
          return height > 0 && hit !== null && (element.contains(hit) || hit.contains(element))
        }),
      { message: what },
    )
    .toBe(true)
}

const formHasSave = ({ path, holds }: PageEntry): boolean =>
  (holds?.includes('form') ?? false) && !formElsewhere.has(path)

const onPhone: Sized = {
  what: 'on a phone: nothing is cut, targets are 44 px and Save is in view',
  size: phone,
  look: async (page, entry) => {
    expect.soft(await lookAt(page, { targets: true, oneScroll: false }), entry.path).toEqual([])
    await expectNothingOverlaps(page, entry.path)
    expect.soft(await page.getByRole('main').getByRole('grid').count(), `${entry.path}: tables`).toBe(0)
    if (formHasSave(entry) && (await mainButtons(page).count()) > 0) {
      await expect.soft(mainButtons(page).last(), `${entry.path}: Save in view`).toBeInViewport({ ratio: 1 })
      await fieldsOf(page).filter({ visible: true }).last().scrollIntoViewIfNeeded()
      await expect
        .soft(mainButtons(page).last(), `${entry.path}: Save in view at the end`)
        .toBeInViewport({ ratio: 1 })
    }
  },
}

const enlarged: Check = {
  what: 'at 400 % zoom: the page scrolls as one and Save can be reached',
  size: { width: 320, height: 256 },
  look: async (page, entry) => {
    expect.soft(await lookAt(page, { targets: false, oneScroll: true }), entry.path).toEqual([])
    const content = page
      .getByRole('main')
      .locator('li:not([aria-hidden]), tbody tr:not([aria-hidden], .p-sr-only *), fieldset')
      .filter({ visible: true })
      .first()
    if ((await content.count()) > 0) await expectReachable(content, `${entry.path}: its content`)
    if (formHasSave(entry))
      await expectReachable(fieldsOf(page).filter({ visible: true }).last(), `${entry.path}: its last field`)
    if ((await mainButtons(page).count()) > 0)
      await expectReachable(mainButtons(page).last(), `${entry.path}: Save`)
  },
}

interface Noting {
  noted: ({ name: string } & Record<
    'isStuck' | 'isInMain' | 'isField' | 'isButton' | 'isRow' | 'isSeen',
    boolean
  >)[]
}

interface PassingOver {
  passedOver: HTMLElement[]
}

/** Runs in the page: of the rows of a list that are built alike, the keyboard goes through the first five and the last. */
const passOverAlike = (): void => {
  const passedOver: HTMLElement[] = []
  for (const list of document.querySelectorAll('main :is(tbody, ul, ol)')) {
    const counts = new Map<string, number>()
    for (const row of list.querySelectorAll<HTMLElement>(':scope > :is(tr, li):not([inert], :last-child)')) {
      const stops = row.querySelectorAll('a, button, input, select, textarea, [tabindex]')
      const build = [row, ...stops].map(({ localName, className }) => `${localName}.${className}`).join(' ')
      const count = (counts.get(build) ?? 0) + 1
      counts.set(build, count)
      if (count > 5) passedOver.push(row)
    }
  }
  for (const row of passedOver) row.inert = true
  Object.assign(window, { passedOver })
}

/** Runs in the page. */
const takeAllRows = (): void => {
  for (const row of (window as unknown as PassingOver).passedOver) row.inert = false
}

/** Runs in the page: notes at each Tab, before it moves the focus, where that is and whether it is seen there. */
const noteFocus = (): void => {
  const noted: Noting['noted'] = []
  let last: Element | undefined
  let isFirst = true
  Object.assign(window, { noted })
  const note = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return
    const element = document.activeElement as HTMLElement
    // The first press only leaves the place where the keyboard starts.
    if (isFirst) {
      isFirst = false
      return
    }
    // What stands for the element may carry its ring, as the pin of a map does.
    const hasRing = [element, ...element.children].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(part)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
    })
    // Fields carry a halo, often around the frame they are in.
    let hasHalo = false
    for (let up: Element | null = element, level = 0; up && level < 6; up = up.parentElement, level++)
      hasHalo ||= up.matches(':focus-within') && getComputedStyle(up).boxShadow !== 'none'
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()
    noted.push({
      isStuck: last === element,
      name: `${element.tagName.toLowerCase()} “${text.slice(0, 40)}”`,
      isInMain: Boolean(element.closest('main')) && element.tagName !== 'MAIN',
      isField: element.matches('input, textarea, [role="combobox"], [contenteditable="true"]'),
      isButton:
        element.tagName === 'BUTTON' &&
        /^(Save|Change|Submit Changes|Update|Add New|New )/.test(
          element.getAttribute('aria-label') ?? element.textContent ?? '',
        ),
      isRow: element.matches('tbody tr'),
      isSeen: hasHalo || hasRing,
    })
    last = element
  }
  document.addEventListener('keydown', note, { capture: true })
}

/** What the menu leaves to a page when it is open. */
const besideMenu = desktop.width - 225

const byKeyboard: Sized = {
  what: 'at a desk and by keyboard: lists fit beside the menu, Tab reaches what the page holds and leaves it again',
  size: desktop,
  look: async (page, entry) => {
    await expectNothingOverlaps(page, entry.path)
    if (isLookedAtHere.test(entry.path)) await expectGoodScreen(page, entry.path)
    if (isReadMost.has(entry.path)) expect.soft(await cutBySpacing(page), entry.path).toEqual([])
    const main = page.getByRole('main')
    for (const table of await main.locator('table[role="grid"]:visible').all())
      expect
        .soft(
          await table.evaluate((element) => Number.parseFloat(getComputedStyle(element).minWidth)),
          `${entry.path}: its list fits beside the open menu`,
        )
        // Columns end at parts of a pixel.
        .toBeLessThan(besideMenu + 1)
    const skip = page.locator('a[href="#content"]')
    if ((await skip.count()) > 0) {
      await skip.focus()
      await page.keyboard.press('Enter')
    }
    const reached = { field: false, button: false, row: false, left: false }
    const hasButton = (await mainButtons(page).count()) > 0
    const hasRow = (await main.locator('tbody tr[tabindex="0"]').count()) > 0
    const isForm = formHasSave(entry)
    await page.evaluate(passOverAlike)
    await page.evaluate(noteFocus)
    for (let step = 0; step < 400 && !reached.left; step += tabsAtOnce) {
      // As by somebody who holds it down: the browser need not draw each of the places.
      await Promise.all([
        ...Array.from({ length: tabsAtOnce }, () => page.keyboard.down('Tab')),
        page.keyboard.up('Tab'),
      ])
      for (const now of await page.evaluate(() => (window as unknown as Noting).noted.splice(0))) {
        if (!now.isInMain) {
          reached.left = true
          break
        }
        expect(now.isStuck, `the focus stays at ${now.name}`).toBe(false)
        expect.soft(now.isSeen, `${entry.path}: the focus on ${now.name} is seen`).toBe(true)
        reached.field ||= now.isField
        reached.button ||= now.isButton
        reached.row ||= now.isRow
      }
    }
    await page.evaluate(takeAllRows)
    expect
      .soft(reached, entry.path)
      .toEqual({ field: reached.field || isForm, button: hasButton, row: reached.row || hasRow, left: true })
  },
}

const escaped: Check = {
  what: 'by keyboard: Escape loses nothing that was typed',
  look: async (page, entry) => {
    if (!formHasSave(entry)) return
    const field = page
      .locator(
        'form:not([aria-label="Filters"]) :is(input[type="text"], input:not([type]), textarea):not(:disabled, [readonly], [role="combobox"], .mantine-DateInput-input)',
      )
      .first()
    if ((await field.count()) === 0) return
    await field.press('End')
    await field.pressSequentially('1')
    const typed = await field.inputValue()
    await page.keyboard.press('Escape')
    if ((await page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).count()) > 0) {
      const question = page.getByRole('dialog', { name: 'Leave without saving?' })
      await expect(question, 'it asks before it leaves').toBeVisible()
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
    }
    await expect.soft(field, `${entry.path}: what was typed`).toHaveValue(typed)
  },
}

goOver()
