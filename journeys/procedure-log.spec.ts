import type { Locator, Page } from '@playwright/test'
import { api, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

test.use({ viewport: phone })

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const said = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).last()).toBeVisible()

/** The first entry of the list of all, or the first with this count. */
const entry = (page: Page, count?: string) =>
  page
    .locator('tr[data-index]')
    .filter(count ? { has: page.locator('td').nth(4).getByText(count, { exact: true }) } : {})
    .first()
    .locator('td')
    .nth(3)

interface Named {
  Id: number
  Name: string
}
interface Context {
  Today: string
  Sites: { SiteId: number; Name: string; Supervisors: Named[] }[]
}
interface Procedure extends Named {
  MajorStudyId: number
}
interface Standing {
  Studies: { Id: number; Levels: Named[] }[]
  Procedures: Procedure[]
}

interface Line {
  Count: number
  Repeats: number
  RepeatReason: string
}

/** Logs lines that name the demo's supervisor, through the API. */
const log = async (page: Page, lines: ({ of: string } & Partial<Line>)[], date: string): Promise<void> => {
  const context: Context = await api(page, 'GET', '/procedure-log/context')
  const standing: Standing = await api(page, 'GET', '/procedure-log/standing')
  const site = context.Sites.find(({ Name }) => /Harbor General/.test(Name))!
  await api(page, 'POST', '/procedure-log', {
    Date: date || context.Today,
    SiteId: site.SiteId,
    SupervisorId: site.Supervisors[0]!.Id,
    Lines: lines.map(({ of, ...line }) => {
      const procedure = standing.Procedures.find(({ Name }) => Name === of)!
      const levels = standing.Studies.find(({ Id }) => Id === procedure.MajorStudyId)!.Levels
      return {
        Key: crypto.randomUUID(),
        ProcedureId: procedure.Id,
        LevelId: levels.at(-1)!.Id,
        Count: 1,
        ...line,
      }
    }),
  })
}

const todayOf = async (page: Page): Promise<string> =>
  (await api(page, 'GET', '/procedure-log/context')).Today
const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)
const shown = (date: string): string => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`

test('a student logs six procedures in at most 12 taps from the clock, and a repeated one in 3', async ({
  page,
}) => {
  await signIn(page, 'student', 'clock')
  let taps = 0
  const tap = async (where: Locator): Promise<void> => {
    await where.click()
    taps++
  }
  await tap(page.getByRole('link', { name: 'Log procedures' }))
  const offered = page.getByRole('list', { name: 'Recent and remaining' }).getByRole('button')
  await expect(offered.nth(6)).toBeVisible()
  for (let one = 0; one < 6; one++) await tap(offered.first())
  // Nothing that decides is chosen before the student has, for all lines at once or for each.
  await expect(page.getByRole('list').getByRole('radio', { checked: true })).toHaveCount(0)
  await tap(button(page, 'Submit 6 procedures'))
  await expect(page.getByRole('alert').first()).toContainText('Choose how you took part in')
  const usual = page.getByRole('region', { name: 'Usual for you' })
  await tap(usual.getByRole('radio', { name: 'Performed' }))
  await tap(usual.getByRole('radio', { name: 'Adult' }))
  await expectGoodScreen(page, 'Log procedures')
  await tap(button(page, 'Submit 6 procedures'))
  await said(page, 'Logged 6 procedures')
  expect(taps).toBeLessThanOrEqual(12)
  await expect(page.getByRole('heading', { name: 'Competencies' })).toBeVisible()
  await expectGoodScreen(page, 'Competencies')

  await page.goto(url('clock'))
  taps = 0
  await tap(page.getByRole('link', { name: 'Log procedures' }))
  const name = await offered.first().innerText()
  await tap(offered.first())
  await expect(
    page.getByRole('listitem', { name }).getByRole('radio', { checked: true }).first(),
  ).toBeAttached()
  await tap(button(page, 'Submit 1 procedure'))
  await said(page, 'Logged 1 procedure')
  expect(taps).toBeLessThanOrEqual(3)
})

test('a record number in a note is refused with the reason before it leaves the phone', async ({ page }) => {
  await signIn(page, 'student', 'competencies/log')
  await page.getByRole('searchbox', { name: 'Find a procedure' }).fill('chest rout')
  await button(page, 'Chest Routine').click()
  const line = page.getByRole('listitem', { name: 'Chest Routine' })
  await line.getByRole('radio', { name: 'Performed' }).check()
  await line.getByRole('radio', { name: 'Pediatric' }).check()
  await expect(button(page, 'Count as Pediatric Chest Routine instead')).toBeVisible()
  await button(page, 'Details: Chest Routine').click()
  await dialog(page).getByLabel('Note').fill('MRN 00412345')
  await button(dialog(page), 'Done').click()
  await expect(dialog(page)).toContainText(
    "This looks like a record number. Never enter a patient's name, number or date of birth.",
  )
  await dialog(page).getByLabel('Note').fill('AP and lateral')
  await button(dialog(page), 'Done').click()
  await button(page, 'Count as Pediatric Chest Routine instead').click()
  await button(page, 'Submit 1 procedure').click()
  await said(page, 'Logged 1 procedure')
  await page.goto(url('competencies/history'))
  await expect(page.getByRole('button', { name: /Pediatric Chest Routine/ }).first()).toContainText(
    'Performed',
  )
  await expectGoodScreen(page, 'My log')
})

test('a supervisor verifies a day with one tap and returns one entry; the student corrects it, and a repeat waits for its radiographer', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'student', 'competencies')
  // Days of this journey alone.
  const today = await todayOf(page)
  const [first, second] = [dayBefore(today, 200), dayBefore(today, 201)]
  await log(
    page,
    [{ of: 'Knee', Count: 2 }, { of: 'Foot' }, { of: 'Ankle', Repeats: 1, RepeatReason: 'Positioning' }],
    first,
  )
  await log(page, [{ of: 'Hand', Count: 4 }], second)

  await signIn(page, 'supervisor', 'verify-procedures')
  const day = (date: string) => page.getByRole('region', { name: `Okafor, Amara, ${shown(date)}` })
  await expect(day(first)).toContainText('Repeats, one at a time')
  await expectGoodScreen(page, 'Verify procedures')
  await button(day(first), 'Verify Amara’s day').click()
  await said(page, 'Verified 2 entries of Okafor, Amara')
  await expect(day(first).getByRole('button')).toHaveCount(1)
  await button(page, 'Undo').press('Enter')
  await said(page, '2 entries of Okafor, Amara need verification again')
  await button(day(first), 'Verify Amara’s day').press('Enter')
  await expect(day(first).getByRole('button')).toHaveCount(1)

  await day(first).getByRole('button', { name: /Ankle/ }).press('Enter')
  await button(dialog(page), 'Confirm repeat').click()
  await expect(dialog(page).getByRole('alert')).toContainText('Name the radiographer who was present.')
  await dialog(page).getByLabel('Radiographer present').fill('Renee Alvarez')
  await button(dialog(page), 'Confirm repeat').click()
  await expect(day(first)).toHaveCount(0)

  await day(second).getByRole('button', { name: /Hand/ }).click()
  await button(dialog(page), 'Return').click()
  await dialog(page).getByLabel('Reason').fill('It was two')
  await button(dialog(page), 'Return').click()
  await said(page, 'Returned to Okafor, Amara')
  await expect(day(second)).toHaveCount(0)

  await signIn(page, 'student', 'competencies/history?show=returned')
  const returned = page.getByRole('region', { name: shown(second) }).getByRole('button', { name: /Hand/ })
  await expect(returned).toContainText('It was two')
  await returned.click()
  await dialog(page).getByLabel('Count').fill('2')
  await button(dialog(page), 'Submit again').click()
  await said(page, 'Submitted again')

  await signIn(page, 'supervisor', 'verify-procedures')
  await button(day(second), 'Verify Amara’s day').click()
  await said(page, 'Verified 1 entry of Okafor, Amara')
  await signIn(page, 'student', 'competencies/history?show=verified&days=60')
  await expect(page.getByRole('heading', { name: 'My log' })).toBeVisible()
})

test('staff find an entry in the log of all students, correct it and take its verification back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, 'coordinator', 'admin/competencies/logs?status=verified')
  await expectGoodScreen(page, 'Procedure log')
  await entry(page).click()
  await button(dialog(page), 'Correct entry').click()
  await dialog(page).getByLabel('Count').fill('7')
  await button(dialog(page), 'Save correction').click()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await dialog(page).getByLabel('Reason').fill('Miscounted')
  await button(dialog(page), 'Save correction').click()
  await said(page, 'Correction saved')
  await entry(page, '7').click()
  await expect(dialog(page)).toContainText('Earlier versions')
  await button(dialog(page), 'Undo verification').click()
  await dialog(page).getByLabel('Reason').fill('Wrong student')
  await button(dialog(page), 'Undo verification').click()
  await said(page, 'The entry needs verification again')
})

test('staff whom no procedure names are led from Verify procedures to those that they verify in the log', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/competencies/verify')
  await expect(page.getByText('No procedures that name you are waiting.')).toBeVisible()
  await expect(page.getByText(/procedures that name someone else, or no one, are waiting/)).toBeVisible()
  await expectGoodScreen(page, 'nothing to verify by name, and what waits in the log')
  await page.getByRole('link', { name: 'Open the procedure log' }).click()
  await expect(page).toHaveURL(/competencies\/logs\?status=submitted/)
  await expect(page.getByText('Waiting', { exact: true }).nth(1)).toBeVisible()
})
