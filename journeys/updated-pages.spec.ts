import { expect, expectAccessible, plainTest, signIn, url } from './support.ts'

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
