import { another, api, expect, expectGoodScreen, phone, signIn, test, url } from './support.ts'

const day = (fromToday: number): string =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10)

test('a student ranks sites on a phone, and the coordinator sees the ranking and the demand', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/placement')
  await expect(page.getByRole('heading', { name: 'Placement plans' })).toBeVisible()
  await expectGoodScreen(page, 'placement plans')
  const { page: own, context } = await another(browser, 'student', { size: phone, at: 'placement' })
  await expect(own.getByText('Nothing to rank now.')).toBeVisible()
  const student = await own.evaluate(
    async (address) => (await fetch(address)).json(),
    url('api/auth/session'),
  )
  const programId = student.ProgramId
  const rotations = await api(page, 'GET', `/programs/${programId}/rotations`)
  const Name = 'Spring rankings'
  const plan = await api(page, 'POST', `/programs/${programId}/placement-plans`, {
    Name,
    RotationId: rotations.Items[0].Id,
    Template: 'ranked',
    StartDate: day(30),
    EndDate: day(85),
    WeeksPerBlock: 2,
    StudentIds: [student.User.Id],
    Rules: {
      Groups: [
        {
          Name: 'All students',
          StudentLevelIds: [],
          ShiftsPerWeek: 2,
          Weekdays: [1, 2, 3, 4, 5],
          Types: [],
          Experiences: [],
          MostBlocksPerSite: null,
          FewestBlocksPerSite: null,
        },
      ],
      SiteIds: [],
      MostEveningPercent: null,
    },
    OpensDate: day(-2),
    OpensTime: '08:00',
    ClosesDate: day(20),
    ClosesTime: '17:00',
    MostRanks: 3,
    Instructions: 'Rank the sites that you can reach.',
  })
  const { Id } = plan

  await own.reload()
  await own.getByRole('link', { name: new RegExp(Name) }).click()
  await expect(own.getByText('Rank the sites that you can reach.')).toBeVisible()
  const others = own.getByRole('list', { name: 'Other sites' }).getByRole('button')
  const first = await others.first().getAttribute('aria-label')
  await others.first().click()
  await expect(own.getByText('Add a 2nd choice')).toBeVisible()
  await others.first().click()
  await expect(own.getByText('Add a 3rd choice')).toBeVisible()
  await expectGoodScreen(own, 'ranking')
  // What was pressed right before the page is left is saved as well.
  await others.first().click()
  await own.getByRole('link', { name: 'Schedule' }).click()
  await expect(own.getByRole('heading', { name: 'Schedule' })).toBeVisible()
  await own.goto(url(`placement/${Id}`))
  await own.getByRole('button', { name: 'Submit my 3 choices' }).click()
  await expect(own.getByText('Submitted. We emailed you a receipt.')).toBeVisible()
  await context.close()

  await page.goto(url(`admin/placement/${Id}`))
  await expect(page.getByRole('heading', { name: Name })).toBeVisible()
  await expectGoodScreen(page, 'check of a plan')
  await page.getByRole('tab', { name: /^Students/ }).click()
  const site = first!.replace(/^Rank /, '')
  await expect(page.getByRole('row').nth(1)).toContainText(`1. ${site}`)
  await expectGoodScreen(page, 'students of a plan')
  await api(page, 'DELETE', `/programs/${programId}/placement-plans/${Id}`)
})
