import type { Locator, Page } from '@playwright/test'
import { linkIn } from './mailbox.ts'
import { ownInstallation } from './own-installation.ts'
import {
  another,
  api,
  desktop,
  expect,
  expectGoodScreen,
  forgetSession,
  phone,
  signIn,
  test,
  url,
} from './support.ts'

/** Exams prove people by email: they have an installation of their own, with a mail server. */
const own = ownInstallation()
test.use({ viewport: phone })

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

interface Procedure {
  Id: number
  Name: string
  MajorStudyId: number
  LogsNeeded: number
  Logged: number
}
interface Standing {
  Studies: { Id: number; IsPatientCare: boolean; Levels: { Id: number }[] }[]
  Procedures: Procedure[]
}
interface Candidate {
  RosterId: number | null
  Name: string
  HasAccount: boolean
  Why: string | null
}
interface Entry {
  Id: number
  EmailAddress: string
}

const program = 1
/** A procedure that asks for five logs, of which the student has none, and for no lab check. */
const findProcedure = async (page: Page): Promise<{ procedure: Procedure; level: number }> => {
  const standing: Standing = await api(page, 'GET', '/procedure-log/standing')
  const { Exams } = await api(page, 'GET', '/exams')
  const procedure = standing.Procedures.find(
    ({ Id, LogsNeeded, Logged }) =>
      LogsNeeded === 5 &&
      Logged === 0 &&
      Exams.some(
        (exam: { ProcedureId: number; Missing: { Kind: string }[] }) =>
          exam.ProcedureId === Id && exam.Missing.every(({ Kind }) => Kind === 'logs'),
      ),
  )!
  const study = standing.Studies.find(({ Id }) => Id === procedure.MajorStudyId)!
  return { procedure, level: study.Levels.at(-1)!.Id }
}

/** Logs a procedure at its highest level, and has faculty verify it. */
const logVerified = async (page: Page, procedureId: number, level: number, Count: number): Promise<void> => {
  await signIn(page, 'student', 'competencies')
  const { Today } = await api(page, 'GET', '/procedure-log/context')
  const { Saved } = await api(page, 'POST', '/procedure-log', {
    Date: Today,
    Lines: [{ Key: crypto.randomUUID(), ProcedureId: procedureId, LevelId: level, Count }],
  })
  await signIn(page, 'faculty', 'admin/home')
  await api(page, 'POST', `/programs/${program}/procedure-logs/verifications`, {
    Entries: [{ Id: Saved[0].Id, Revision: 1 }],
  })
}

/** The examiner takes the phone, proves who they are by the code in their mailbox, and sees the exam. */
const handOver = async (page: Page, examiner: string, email: string): Promise<void> => {
  await button(page, 'Hand over the phone').click()
  await expect(page.getByRole('heading', { name: examiner })).toBeVisible()
  await button(page, 'Email me a code').click()
  const code = /<strong>(\d{6})<\/strong>/.exec((await own.mailbox.next(email)).html)![1]!
  await page.getByLabel('Code from the email').fill(code)
  await button(page, 'Open the exam').click()
  await expect(page.getByText('proved by code')).toBeVisible()
}

test('the fifth counted log opens the exam; it is graded on the handed phone, not approved, and approved at the second attempt', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'coordinator', 'admin/home')
  const [list] = await api(page, 'GET', `/programs/${program}/competency-lists`)
  await page.setViewportSize(desktop)
  await page.goto(url(`admin/competencies/rules?list=${list.Id}`))
  await page.getByLabel('Days before the next attempt').fill('0')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText(/^Saved “/)).toBeVisible()
  await page.setViewportSize(phone)

  await signIn(page, 'student', 'competencies')
  const { procedure, level } = await findProcedure(page)
  const { Name: name } = procedure
  const ask = page.getByRole('link', { name: `Ask for an exam: ${name}` })
  await logVerified(page, procedure.Id, level, 4)
  await signIn(page, 'student', `competencies/exam?procedure=${procedure.Id}`)
  await expect(page.getByText('1 more verified log needed.')).toBeVisible()
  await logVerified(page, procedure.Id, level, 1)
  await signIn(page, 'student', 'competencies')
  const showAll = page.getByRole('button', { name: /^Show all/ })
  await expect(page.getByRole('heading', { name: 'Ready for an exam' })).toBeVisible()
  if (await showAll.isVisible()) await showAll.click()
  await ask.click()
  const { Candidates } = await api(page, 'GET', `/exam-candidates?ProcedureId=${procedure.Id}`)
  const examiner = Candidates.find(
    ({ HasAccount, Why, RosterId }: Candidate) => RosterId !== null && !HasAccount && Why === null,
  )
  await page.getByRole('radio', { name: new RegExp(`^${examiner.Name}`) }).check()
  await page.getByRole('radio', { name: 'Hand over my phone' }).check()
  await expectGoodScreen(page, name)
  await button(page, 'Declare and ask').click()
  await expect(button(page, 'Hand over the phone')).toBeVisible()
  await expectGoodScreen(page, name)

  // The student's own session grades nothing.
  const attemptId = Number(page.url().split('/').at(-1))
  for (const path of ['grading', 'decision'])
    expect((await page.request.get(url(`api/programs/${program}/exams/${attemptId}/${path}`))).ok()).toBe(
      false,
    )

  const { Items } = await (async () => {
    const staff = await another(page.context().browser()!, 'coordinator', { at: 'admin/home' })
    const answer = await api(staff.page, 'GET', `/programs/${program}/examiners?search=${examiner.Name}`)
    await staff.leave()
    return answer as { Items: Entry[] }
  })()
  const email = Items.find(({ Id }) => Id === examiner.RosterId)!.EmailAddress
  await handOver(page, examiner.Name, email)
  await expectGoodScreen(page, `${name} · `)
  const approved = button(page, 'Approved')
  await expect(approved).toBeDisabled()
  await expect(page.getByText('1 item has no score yet.')).toBeVisible()
  await page.getByRole('group').first().getByRole('radio', { name: 'Unsatisfactory' }).check()
  await page.getByRole('textbox', { name: /^Comment: / }).fill('The order was not read to the end')
  await expect(page.getByText('1 critical item is not passed.')).toBeVisible()
  await button(page, 'Not approved').click()
  await expect(button(dialog(page), 'Sign')).toBeDisabled()
  await dialog(page).getByLabel('Why is it not approved?').fill('Identity was not confirmed')
  await expect(dialog(page)).toContainText('Result: not approved.')
  await button(dialog(page), 'Sign').click()
  await expect(page.getByText('Exam signed')).toBeVisible()
  await button(page, 'Give the phone back').click()
  await expect(page.getByText('Identity was not confirmed')).toBeVisible()
  expect((await own.mailbox.next(email)).subject).toBe('You signed a competency exam')

  // A note of remediation, and a second attempt.
  await signIn(page, 'faculty', `admin/competencies/exams/${attemptId}`)
  await page.setViewportSize(desktop)
  await button(page, 'Add remediation note').click()
  await dialog(page).getByLabel('What to practice').fill('Two identifiers, in the lab with faculty')
  await button(dialog(page), 'Save').click()
  await expect(page.getByText('Two identifiers, in the lab with faculty').first()).toBeVisible()
  await expectGoodScreen(page, name)
  await page.setViewportSize(phone)
  await signIn(page, 'student', `competencies/exam?procedure=${procedure.Id}`)
  await page.getByRole('radio', { name: new RegExp(`^${examiner.Name}`) }).check()
  await button(page, 'Declare and ask').click()
  await handOver(page, examiner.Name, email)
  await expect(page.getByText('Two identifiers, in the lab with faculty')).toBeVisible()
  const began = Date.now()
  await page.getByRole('group').first().getByRole('radio', { name: 'Good' }).check()
  await approved.click()
  await button(dialog(page), 'Sign').click()
  await expect(page.getByText('Exam signed')).toBeVisible()
  expect(Date.now() - began).toBeLessThan(60_000)
  await button(page, 'Give the phone back').click()
  await expect(page.getByText('Approved').first()).toBeVisible()

  // Now under indirect supervision, as their code tells whoever scans it.
  await page.goto(url('competencies/supervision'))
  await expect(page.getByText(name)).toBeVisible()
  await button(page, 'Create code').click()
  const address = page.getByText(/\/new\/supervision\//)
  await expect(address).toBeVisible()
  await expectGoodScreen(page, 'Indirect supervision')
  const link = await address.innerText()
  await forgetSession(page)
  await page.goto(link)
  await expect(page.getByText(name)).toBeVisible()
  await expectGoodScreen(page, 'Indirect supervision')

  // Whoever signed says that it was not them.
  const copy = await own.mailbox.next(email)
  await page.goto(linkIn(copy))
  await expectGoodScreen(page, 'Did you sign this?')
  await button(page, 'This was not me').click()
  await expect(page.getByText('The result is suspended.')).toBeVisible()
  await page.goto(link)
  await expect(
    page.getByText('All procedures are under direct supervision.').or(page.locator('dl')),
  ).toBeVisible()
  await expect(page.getByText(name)).toBeHidden()
})

test('an examiner without an account grades by a mailed link, and the ward computer keeps nothing', async ({
  page,
}) => {
  await signIn(page, 'student', 'competencies')
  const { Exams } = await api(page, 'GET', '/exams')
  const ready = Exams.find(({ IsReady }: { IsReady: boolean }) => IsReady)
  const { Candidates, SiteId } = await api(page, 'GET', `/exam-candidates?ProcedureId=${ready.ProcedureId}`)
  const examiner = Candidates.find(
    ({ HasAccount, Why, RosterId }: Candidate) => RosterId !== null && !HasAccount && Why === null,
  )
  const attempt = await api(page, 'POST', '/exams', {
    ProcedureId: ready.ProcedureId,
    SiteId,
    ExaminerId: null,
    RosterId: examiner.RosterId,
    Way: 'link',
  })
  const { ShortCode } = await api(page, 'GET', `/exams/${attempt.Id}`)
  await signIn(page, 'coordinator', 'admin/home')
  const { Items } = await api(page, 'GET', `/programs/${program}/examiners?search=${examiner.Name}`)
  const email = Items.find(({ Id }: Entry) => Id === examiner.RosterId).EmailAddress
  await forgetSession(page)

  // On a ward computer by the short code: a code that is mailed, and nothing that stays.
  await page.setViewportSize(desktop)
  await page.goto(url('exam'))
  await page
    .getByLabel('Code of the exam')
    .fill(`${ShortCode.slice(0, 4)}-${ShortCode.slice(4).toLowerCase()}`)
  await button(page, 'Next').click()
  await expectGoodScreen(page, examiner.Name)
  const asked = await own.mailbox.next(email)
  expect(asked.subject).toBe('A student asks you for a competency exam')
  await button(page, 'Email me a code').click()
  const code = /<strong>(\d{6})<\/strong>/.exec((await own.mailbox.next(email)).html)![1]!
  await page.getByLabel('Code from the email').fill(code)
  await button(page, 'Open the exam').click()
  await expect(page.getByText('proved by code')).toBeVisible()
  expect(await page.context().cookies()).toEqual([])
  await page.reload()
  await expect(page.getByLabel('Code of the exam')).toBeVisible()

  // By the link: a code the first time.
  await page.setViewportSize(phone)
  await page.goto(linkIn(asked))
  await button(page, 'Email me a code').click()
  const { subject } = await own.mailbox.next(email)
  await page.getByRole('textbox').fill(/\d{6}/.exec(subject)![0])
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByText('by link and code')).toBeVisible()
  await expectGoodScreen(page, `${attempt.Procedure} · `)
  await page.getByRole('group').first().getByRole('radio', { name: 'Good' }).check()
  await button(page, 'Approved').click()
  await button(dialog(page), 'Sign').click()
  await expect(page.getByText('Exam signed')).toBeVisible()
  await page.reload()
  await expect(page.getByText('This link no longer works').first()).toBeVisible()
})

test('a supervisor grades in their account what a student asks them for', async ({ page }) => {
  await signIn(page, 'supervisor', 'exams')
  await page
    .getByRole('link', { name: /^Grade / })
    .first()
    .click()
  await page.getByRole('group').first().getByRole('radio', { name: 'Good' }).check()
  await button(page, 'Approved').click()
  await expect(dialog(page)).toContainText('neither a relative of the student')
  await button(dialog(page), 'Sign').click()
  await expect(page.getByText('Exam signed')).toBeVisible()
  await button(page.locator('#content'), 'Back').click()
  await expectGoodScreen(page, 'Exams')
})

test('staff check a class in the lab, ask for rechecks, keep the roster, and print the code of a site', async ({
  page,
}) => {
  test.slow()
  await page.setViewportSize(desktop)
  await signIn(page, 'coordinator', 'admin/competencies/exams?status=suspended')
  await expectGoodScreen(page, 'Exams')

  await page.goto(url('admin/competencies/lab-checks'))
  const open = page.locator('tr[data-index]').filter({ hasText: 'Not checked' })
  await open.first().getByRole('checkbox').check()
  await button(page, 'Check 1 student').click()
  await button(dialog(page), 'Check').click()
  await expect(dialog(page)).toBeHidden()
  await expectGoodScreen(page, 'Lab checks')

  await page.goto(url('admin/competencies/rechecks'))
  await expectGoodScreen(page, 'Rechecks')
  await button(page, 'Request rechecks').click()
  await dialog(page).getByRole('combobox', { name: 'Cohort' }).click()
  await page.getByRole('option').first().click()
  await button(dialog(page), 'Request').click()
  await expect(page.getByText(/rechecks? requested/)).toBeVisible()

  await page.goto(url('admin/competencies/examiners?search=Lindqvist'))
  const row = page.locator('tr[data-index]').first()
  await row.getByRole('button', { name: /^Edit/ }).click()
  await dialog(page)
    .getByRole('combobox', { name: /^Account/ })
    .click()
  await page.keyboard.type('supervisor')
  await page.getByRole('option').first().click()
  await button(dialog(page), 'Save').click()
  await expect(page.getByText('Examiner saved').or(dialog(page).getByRole('alert'))).toBeVisible()
  await page.goto(url('admin/competencies/examiners?search=Lindqvist'))
  await expectGoodScreen(page, 'Examiners')
  await row.getByRole('button', { name: /More|Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Never examines' }).click()
  await dialog(page)
    .getByRole('combobox', { name: /Student/ })
    .click()
  await page.getByRole('option').first().click()
  await button(dialog(page), 'Add').click()
  await expect(button(dialog(page), /^Allow again/)).toBeVisible()
  await button(dialog(page), 'Close').last().click()
  await expect(dialog(page)).toHaveCount(0)

  await page.goto(url('admin/competencies/supervision'))
  await page.getByRole('combobox', { name: /^Site/ }).click()
  await page.getByRole('option').first().click()
  await button(page, 'Create code').click()
  await expect(button(page, 'Print')).toBeVisible()
  await expectGoodScreen(page, 'Indirect supervision')
  const link = await page.getByText(/\/new\/supervision\//).innerText()
  await forgetSession(page)
  await page.setViewportSize(phone)
  await page.goto(link)
  await expectGoodScreen(page, 'Indirect supervision')
})
