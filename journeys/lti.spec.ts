import type { Page } from '@playwright/test'
import { startLtiPlatform } from '../server/test/lti-platform.ts'
import { api, expect, expectAccessible, signIn, test, url, visitor } from './support.ts'

test('a super admin connects a learning management system; a student opens their schedule from a course, and an instructor places links in it', async ({
  page,
  browser,
}) => {
  // By another name of this machine: for the browser the course is another site.
  const platform = await startLtiPlatform({ host: 'localhost' })
  platform.page.tool = url('lti/login')
  const choose = async (field: RegExp, option: RegExp) => {
    await page.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option }).first().click()
  }
  const row = page.getByRole('row', { name: /Journey LMS/ })
  const act = async (action: string) => {
    await row.hover()
    await row.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  /** Opens the tool in the frame of a course, and what its one button opens. */
  const launch = async (course: Page): Promise<Page> => {
    await course.goto(`${platform.issuer}/course`)
    await course.getByRole('button', { name: 'Open the tool' }).click()
    const button = course.frameLocator('iframe').getByRole('link', { name: 'Open Practicum' })
    const [opened] = await Promise.all([course.waitForEvent('popup'), button.click()])
    return opened
  }
  const link = async (opened: Page, userName: string) => {
    await expect(opened.getByRole('heading', { name: 'Link your account' })).toBeVisible()
    await opened.getByLabel('User name').fill(userName)
    await opened.getByRole('textbox', { name: 'Password' }).fill('Bluebird-42-harbor')
    await opened.getByRole('button', { name: 'Link and sign in' }).click()
  }
  try {
    await signIn(page, 'super', 'admin/connections')
    await page.getByRole('button', { name: 'Add LMS' }).first().click()
    await expect(page).toHaveURL(url('admin/connections/new-lms'))
    await expect(page.getByRole('textbox', { name: 'Login initiation URL' })).toHaveValue(url('lti/login'))
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText('This field is required').first()).toBeVisible()
    await expectAccessible(page, 'new learning management system with errors')
    await page.getByLabel('Name').fill('Journey LMS')
    await page.getByLabel('Issuer').fill(platform.issuer)
    await page.getByLabel('Client ID').fill(platform.clientId)
    await page.getByLabel('Authentication request URL').fill(platform.authUrl)
    await page.getByRole('textbox', { name: /^Key set URL/ }).fill(platform.keysUrl)
    await page.getByLabel('Access token URL').fill(platform.tokenUrl)
    await page.getByLabel('Deployment IDs').fill('deployment-1\ndeployment-2')
    await choose(/^Program/, /Radiography/)
    await choose(/^Highest level/, /^Coord$/)
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page).toHaveURL(url('admin/connections'))
    await expect(row).toContainText('LTI 1.3')
    await act('Test')
    await expect(page.getByRole('dialog')).toContainText('gives access to rosters')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(row).toContainText('Working')

    platform.page.saying = { subject: 'student-of-the-course', custom: { page: 'schedule' } }
    const { page: student, leave } = await visitor(browser)
    const opened = await launch(student)
    await link(opened, 'student')
    await opened.waitForURL(url('schedule'))
    await expect(student.frameLocator('iframe').getByRole('status')).toContainText('in the other window')
    // The account is linked now: another launch needs no password.
    const again = await launch(student)
    await again.waitForURL(url('schedule'))
    await leave()

    platform.page.saying = {
      subject: 'instructor-of-the-course',
      roles: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'],
      deepLink: {},
    }
    const { page: instructor } = await visitor(browser)
    const choosing = await launch(instructor)
    await link(choosing, 'coordinator')
    await expect(choosing.getByRole('heading', { name: 'Add links to your course' })).toBeVisible()
    await expectAccessible(choosing, 'links for a course')
    await choosing.getByRole('checkbox', { name: 'Schedule' }).check()
    await choosing.getByRole('checkbox', { name: 'Clock' }).check()
    await choosing.getByRole('button', { name: 'Add 2 links' }).click()
    await expect(choosing.getByRole('heading', { name: 'Done' })).toBeVisible()
    await expect(instructor.frameLocator('iframe').getByText('The links are in the course')).toBeVisible()
    expect(platform.page.returned).toMatchObject([
      {
        'https://purl.imsglobal.org/spec/lti-dl/claim/content_items': [
          { custom: { page: 'schedule' } },
          { custom: { page: 'clock' } },
        ],
      },
    ])

    platform.tell([
      {
        user_id: 'student-of-the-course',
        roles: ['Learner'],
        given_name: 'Ada',
        family_name: 'Byron',
      },
      { user_id: 'nobody-here', roles: ['Mentor'], name: 'Only Looking' },
    ])
    await row.click()
    await expect(page.getByLabel('Deployment IDs')).toHaveValue('deployment-1\ndeployment-2')
    const program = page
      .getByRole('region', { name: 'Connected programs' })
      .getByRole('row', { name: /Radiography/ })
    await program.hover()
    await program.getByRole('button', { name: /^Roster/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Roster for/ })
    await dialog.getByRole('button', { name: 'Read roster' }).click()
    await expect(dialog.getByRole('row', { name: /Ada Byron/ })).toContainText('Linked')
    await expect(dialog.getByRole('row', { name: /Only Looking/ })).toContainText(
      'No role that gives a level',
    )
    await expectAccessible(page, 'roster of a course')
    await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
    await expect(page.getByText('Roster applied: 1 linked')).toBeVisible()
  } finally {
    const made: { Id: number; Name: string }[] = await api(page, 'GET', '/connections')
    for (const { Id } of made.filter(({ Name }) => Name === 'Journey LMS'))
      await api(page, 'DELETE', `/connections/${Id}`)
    await platform.stop()
  }
})

test('a learning management system registers by itself from an address, and a super admin turns it on', async ({
  page,
}) => {
  const platform = await startLtiPlatform({ clientId: 'registered-tool' })
  const row = page.getByRole('row', { name: /Registered LMS/ })
  try {
    await signIn(page, 'super', 'admin/connections/new-lms')
    await page.getByRole('button', { name: 'Create registration address' }).click()
    await expect(page).toHaveURL(url('admin/connections/register'))
    await page.getByLabel('Name').fill('Registered LMS')
    for (const [field, option] of [
      [/^Program/, /Radiography/],
      [/^Highest level/, /^Coord$/],
    ] as const) {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option }).first().click()
    }
    await page.getByRole('button', { name: 'Create registration address' }).click()
    const dialog = page.getByRole('dialog')
    const made = dialog.getByRole('textbox', { name: 'Registration address' })
    await expect(made).toBeVisible()
    const address = await made.inputValue()
    expect(address).toContain(url('lti/register/'))
    await expectAccessible(page, 'registration address of a learning management system')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(row).toContainText('Not registered yet')

    const lms = await page.context().newPage()
    await lms.goto(`${platform.issuer}/registering?tool=${encodeURIComponent(address)}`)
    await expect(lms.getByRole('heading', { name: 'The tool is registered' })).toBeVisible()
    await expect(lms.frameLocator('iframe').getByRole('heading')).toHaveText('Practicum is registered')
    await lms.close()

    await page.reload()
    await expect(row).toContainText('Waiting for approval')
    await row.click()
    await expect(page.getByLabel('Client ID')).toHaveValue('registered-tool')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByText('Turned on Registered LMS')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Turn on' })).toHaveCount(0)
  } finally {
    const made: { Id: number; Name: string }[] = await api(page, 'GET', '/connections')
    for (const { Id } of made.filter(({ Name }) => Name === 'Registered LMS'))
      await api(page, 'DELETE', `/connections/${Id}`)
    await platform.stop()
  }
})
