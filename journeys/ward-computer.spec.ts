import { expect } from '@playwright/test'
import { expectGoodScreen, test, url } from './support.ts'

test('a ward computer signs students in for minutes, says whose session it is, and keeps nothing of theirs', async ({
  page,
}) => {
  await page.goto(url('login?ward'))
  await expect(page.getByText(/^Ward computer: you are signed out after five idle minutes/)).toBeVisible()
  await expectGoodScreen(page, 'the entrance of a ward computer')
  await page.getByLabel('User name').fill('student')
  await page.getByRole('textbox', { name: 'Password' }).fill('Bluebird-42-harbor')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const bar = page.getByRole('region', { name: 'Ward computer' })
  await expect(bar).toContainText('Ward computer: signed in as Amara Okafor')
  await page.goto(url('competencies/log'))
  await page.getByRole('list', { name: 'Recent and remaining' }).getByRole('button').first().click()
  await expect(page.getByRole('button', { name: /^Submit 1 / })).toBeVisible()
  await expectGoodScreen(page, 'logging on a ward computer')
  await bar.getByRole('button', { name: 'Finish and sign out' }).click()

  // Whoever comes next finds the entrance of the ward computer, at any address, and nothing of before.
  await expect(page.getByText(/^Ward computer: you are signed out/)).toBeVisible()
  await expect(page.getByLabel('User name')).toHaveValue('')
  await page.goto(url('clock'))
  await expect(page.getByText(/^Ward computer: you are signed out/)).toBeVisible()
  const left = await page.evaluate(
    () =>
      new Promise<number[]>((resolve, reject) => {
        const opening = indexedDB.open('practicum')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const known = [...opening.result.objectStoreNames]
          if (known.length === 0) return resolve([])
          const reading = opening.result.transaction(known)
          const counts = known.map(
            (name) =>
              new Promise<number>((done) => {
                const count = reading.objectStore(name).count()
                count.onsuccess = () => done(count.result)
              }),
          )
          void Promise.all(counts).then(resolve)
        }
      }),
  )
  expect(left.filter((count) => count > 0)).toEqual([])
  await page.goto(url('login'))
  await page.getByRole('button', { name: 'This is not a ward computer' }).click()
  await expect(page.getByRole('link', { name: /link/i })).toBeVisible()
})

test('when the time of a ward computer is over, what was on the screen gives way to the entrance', async ({
  page,
}) => {
  await page.goto(url('login?ward'))
  await page.getByLabel('User name').fill('student')
  await page.getByRole('textbox', { name: 'Password' }).fill('Bluebird-42-harbor')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('region', { name: 'Ward computer' })).toBeVisible()
  // The server has ended it; the page finds out when it looks.
  await page.route('**/new/api/auth/session', (route) =>
    route.fulfill({ status: 401, contentType: 'application/json', body: '{"Message":"Sign in again."}' }),
  )
  await page.context().clearCookies()
  await expect(page.getByText(/^Ward computer: you are signed out/)).toBeVisible({ timeout: 30_000 })
})
