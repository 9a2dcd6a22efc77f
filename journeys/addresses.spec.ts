import { expect, expectAccessible, expectGoodScreen, plainTest, signIn, test, url } from './support.ts'

/** The page, its heading, and the requirement that names the address. */
const staffPages: [path: string, heading: RegExp, row: string][] = [
  ['admin/add-user', /^Add user$/i, 'D1-024 D1-027 D3-006 D3-011'],
  ['admin/approve-time-records', /^Approve time records$/i, 'D1-034'],
  ['admin/assign-supervisor-sites', /^Assign supervisors$/, 'D1-035'],
  ['admin/employees', /^Manage employees$/, 'D1-042'],
  ['admin/employees/new', /^Update Employee Data$/, 'D3-009'],
  ['admin/notifications', /^Notification copies$/, 'D1-069'],
  ['admin/hours-summary', /^Hours summary$/i, 'D1-054'],
  ['admin/manage-areas', /^Manage areas$/, 'D1-076'],
  ['admin/manage-areas/edit', /area$/i, 'D1-077 D3-008'],
  ['admin/manage-users', /^Manage users$/i, 'D1-065'],
  ['admin/missed-time-records', /^Missed time records$/i, 'D1-067'],
  ['admin/rotations', /^Rotations$/i, 'D1-073'],
  ['admin/shifts', /^(Site )?shifts$/i, 'D1-084'],
  ['admin/sites', /^Sites$/i, 'D1-086'],
  ['admin/affiliate-agreements', /^Affiliate Agreements$/, 'D1-032'],
  ['admin/document-categories', /^Manage Document Categories$/, 'D1-037'],
  ['admin/documents', /^Manage Document Uploads$/, 'D1-038'],
  ['admin/documents/edit', /Document$/, 'D1-039'],
  ['admin/emails', /^Send email$/, 'D1-041'],
  ['admin/systematic-plans', /^Systematic Plans$/, 'D1-087'],
  ['admin/custom-reports', /^Custom Reports$/, 'D1-170'],
]
const superPages: [path: string, heading: RegExp, row: string][] = [
  ['admin/language-profiles', /^Language profiles$/i, 'D1-056'],
  ['admin/language-entries?id=1', /entries|words/i, 'D1-055'],
  ['admin/manage-colleges', /^(Manage )?colleges$/i, 'D1-061'],
  ['admin/manage-programs', /^(Manage )?programs$/i, 'D1-063'],
  ['admin/program-copy', /^Copy program data$/, 'D1-071'],
  ['admin/modalities', /^Modalities$/i, 'D1-068'],
  ['admin/logs/data-sync', /^DataSync Logs$/, 'D1-057'],
  ['admin/mail-center', /^Mail Center$/, 'D1-058'],
  ['admin/scheduled-emails', /^Scheduled Emails$/, 'D1-074'],
  ['admin/saml/admin', /^SAML Settings$/, 'D1-078'],
  ['admin/saml/users', /^SAML Users$/, 'D1-082'],
  ['admin/unused-feature-notifications', /^Unused Feature Notifications$/, 'D1-093'],
  ['admin/payments', /^Payments$/, 'D3-025'],
  ['admin/tax-calc', /^Tax Calc$/, 'D1-169'],
  ['admin/weekly-reports', /^Weekly Reports$/, 'D1-171'],
]
/** What has no closer look in its own journey. On a phone `every-page.spec.ts` opens the others too. */
const isLookedAtHere = /payments|tax-calc|reports$|data-sync|saml|unused|plans/

for (const [who, pages] of [
  ['coordinator', staffPages],
  ['super', superPages],
] as const)
  test(`${pages.map(([, , row]) => row).join(' ')} the ${who}'s addresses open their pages`, async ({
    page,
  }) => {
    await signIn(page, who)
    for (const [path, heading] of pages) {
      await page.goto(url(path))
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading)
      if (isLookedAtHere.test(path)) await expectGoodScreen(page, path)
    }
  })

// The file that cannot be had is an error of the page that goes; what counts is the page that comes.
plainTest(
  'a page that was opened before an update loads itself anew when a file of it is gone',
  async ({ page }) => {
    await signIn(page, 'coordinator')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    let isGone = true
    await page.route(/\/assets\/AreasPage-.*\.js/, (route) =>
      isGone ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await page.route('**/new/shell?*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/\/assets\/[^"]+\.js/g, '/assets/of-the-update.js')
      return route.fulfill({ response: answer, body })
    })
    await page.route(url('admin/manage-areas'), (route) => {
      isGone = false
      return route.continue()
    })
    await page.evaluate((address) => {
      history.pushState({}, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
    }, url('admin/manage-areas'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage areas')
    expect(isGone, 'the page was asked for anew').toBe(false)
    await expectAccessible(page, 'areas after an update')
  },
)
