import { expect, type Page, type Route, test } from '@playwright/test'
import { getLogContext, getOwnStanding, listOwnLog } from '#contract/competencies/procedure-logs.ts'
import { getAnswers, listOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import { listOwnIncidents } from '#contract/safety/incidents.ts'
import { getOwnSchedule } from '#contract/scheduling/own-schedule.ts'
import { getClock, listOwnRecords } from '#contract/time/clock.ts'
import { expectAccessible } from './accessible.ts'
import { cutRounds } from './cut-rounds.ts'
import {
  openPhone,
  type Phone,
  placeAnywhere,
  prepare,
  punchesOf,
  rowsOf,
  startDistantProduct,
} from './phone.ts'
import { api, forgetSession, signIn, url } from './support.ts'

/** The connection is cut here, and service workers work: an installation and browsers of their own. */
let distant: Awaited<ReturnType<typeof startDistantProduct>>
let phone: Phone

test.beforeAll(async ({ browser }) => {
  distant = await startDistantProduct()
  await placeAnywhere(browser)
})
test.afterAll(() => distant?.stop())
test.beforeEach(async () => {
  distant.connection.set('open')
  phone = await openPhone()
})
test.afterEach(() => phone?.remove())

const kept = /Kept on this phone at \d\d:\d\d\. Sent when you are back online\./
const clock = (page: Page) => page.getByRole('button', { name: /^Clock (in|out)$/ })

/** The student is on the clock, and the phone has all that it needs. */
const startStudent = async (): Promise<void> => {
  await signIn(phone.page, 'student', 'clock')
  await prepare(phone.page, url('clock'), [getClock.path, '/state', '/globals'])
}
const punchWithoutNetwork = async (page: Page): Promise<void> => {
  distant.connection.set('cut')
  await clock(page).click()
  await expect(page.getByText(kept)).toBeVisible()
}
const goOnline = async (page: Page): Promise<void> => {
  distant.connection.set('open')
  await page.evaluate(() => dispatchEvent(new Event('online')))
}

test('the clock without a network is in the language of the phone', async () => {
  await phone.remove()
  phone = await openPhone('es-US')
  await signIn(phone.page, 'student', 'clock')
  await prepare(phone.page, url('clock'), [getClock.path, '/state', '/globals'])
  distant.connection.set('cut')
  const page = await phone.reopen()
  await page.goto(url('clock'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await page.getByRole('button', { name: /^Marcar (entrada|salida)$/ }).click()
  await expect(
    page.getByText(/^Guardado en este teléfono a las \d\d:\d\d\. Se envía cuando vuelva la conexión\.$/),
  ).toBeVisible()
  await expect(page.getByText(/^Sin conexión\. Datos de las \d\d:\d\d\./)).toBeVisible()
  await goOnline(page)
  await expect(page.getByText('Se envió 1 marcación guardada')).toBeVisible()
})

test('a punch without a network outlasts the closed browser, is shown when it opens again, and arrives once', async () => {
  await startStudent()
  const before = await punchesOf(phone.page)
  const wasIn = (await clock(phone.page).getAttribute('data-out')) !== null
  await punchWithoutNetwork(phone.page)

  const page = await phone.reopen()
  await page.goto(url('clock'))
  await expect(
    page.getByRole('heading', { name: `You are clocked ${wasIn ? 'out' : 'in'}, Amara` }),
  ).toBeVisible()
  await expect(page.getByText(kept)).toBeVisible()
  await expect(page.getByText(/^No connection\. As of \d\d:\d\d\./)).toBeVisible()
  await expectAccessible(page, 'the clock without a network')

  // A phone tells of its network before it carries anything: the attempt fails, and another one follows by itself.
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/auth/session'))
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await failed
  distant.connection.set('open')
  await expect(page.getByText('1 saved punch was sent')).toBeVisible({ timeout: 12_000 })
  await expect(page.getByText(/^No connection/)).toHaveCount(0)
  expect(await rowsOf(page, 'items')).toEqual([])
  expect(await punchesOf(page)).toBe(before + 1)
})

test('the pages of the day open without a network although nobody opened them before', async () => {
  await startStudent()
  await expect(phone.page.getByText('Ready offline')).toBeVisible()
  await prepare(phone.page, url('clock'), [getOwnSchedule.path, getLogContext.path, getOwnStanding.path])
  distant.connection.set('cut')
  const page = await phone.reopen()
  for (const [at, title] of [
    ['competencies', 'Competencies'],
    ['schedule', 'My schedule'],
    ['evaluate', 'Evaluations'],
    ['hours', 'Hours'],
  ] as const) {
    await page.goto(url(at))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(page.getByText(/^No connection\. As of \d\d:\d\d\./)).toBeVisible()
    await expect(page.getByText('The server did not answer')).toHaveCount(0)
    await expect(page.getByRole('banner').getByText('Offline', { exact: true })).toBeVisible()
  }
  await page.goto(url('competencies/log'))
  await expect(page.getByRole('list', { name: 'Recent and remaining' })).toBeVisible()
})

test('schedule, hours and evaluations open without a network as they were, with their time', async () => {
  await startStudent()
  for (const [at, read] of [
    ['schedule', getOwnSchedule],
    ['hours', listOwnRecords],
    ['evaluate', listOwnEvaluations],
  ] as const)
    await prepare(phone.page, url(at), [read.path])
  await phone.page.goto(url('hours'))
  const first = (page: Page) => page.getByRole('listitem').first()
  // With it the page knows what today is.
  await expect(phone.page.getByText(/ approved · /)).toBeVisible()
  const row = await first(phone.page).innerText()
  distant.connection.set('cut')
  const page = await phone.reopen()
  for (const [at, title] of [
    ['schedule', 'My schedule'],
    ['evaluate', 'Evaluations'],
    ['hours', 'Hours'],
  ] as const) {
    await page.goto(url(at))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(page.getByText(/^No connection\. As of \d\d:\d\d\./)).toBeVisible()
    await expect(page.getByText('The server did not answer')).toHaveCount(0)
  }
  expect(await first(page).innerText()).toBe(row)
  // The other way round: the page was opened with a network and another one is wanted without it.
  await page.getByRole('link', { name: 'Schedule' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My schedule')
  // What is not kept says so.
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded')
})

test('six procedures that were logged without a network outlast the closed browser and arrive once', async () => {
  await startStudent()
  await prepare(phone.page, url('competencies'), [getOwnStanding.path, listOwnLog.path])
  await prepare(phone.page, url('competencies/log'), [getLogContext.path])
  const countOf = async (page: Page): Promise<number> =>
    (await api(page, 'GET', `${listOwnLog.path}?days=1`)).WaitingCount
  const before = await countOf(phone.page)
  distant.connection.set('cut')
  const page = await phone.reopen()
  await page.goto(url('competencies/log'))
  for (let count = 1; count <= 6; count++) {
    await page.getByRole('list', { name: 'Recent and remaining' }).getByRole('button').first().click()
    await expect(page.getByRole('button', { name: new RegExp(`^Submit ${count} `) })).toBeVisible()
  }
  const usual = page.getByRole('region', { name: 'Usual for you' })
  for (const answer of ['Performed', 'Adult']) await usual.getByRole('radio', { name: answer }).press(' ')
  await page.getByRole('button', { name: /^Submit 6 / }).click()
  await expect(page.getByText('6 procedures are kept on this device')).toBeVisible()
  await expect(
    page.getByText(/^6 procedures of .* are kept on this device until they are sent\./),
  ).toBeVisible()
  await expectAccessible(page, 'procedures that wait')

  const again = await phone.reopen()
  await again.goto(url('competencies'))
  await expect(again.getByText(/^6 procedures of .* are kept on this device/)).toBeVisible()
  await goOnline(again)
  await expect(again.getByText('Procedures kept on this device were saved')).toBeVisible()
  await expect(again.getByText(/wait on this device/)).toHaveCount(0)
  expect(await rowsOf(again, 'items')).toEqual([])
  expect(await countOf(again)).toBe(before + 6)
})

test('procedures that were chosen and not submitted are there again after the page was closed', async () => {
  await startStudent()
  await phone.page.goto(url('competencies/log'))
  const offered = phone.page.getByRole('list', { name: 'Recent and remaining' }).getByRole('button')
  await offered.first().click()
  await offered.first().click()
  await expect.poll(async () => (await rowsOf(phone.page, 'drafts')).length).toBe(1)
  const page = await phone.reopen()
  await page.goto(url('competencies/log'))
  await expect(page.getByRole('button', { name: /^Submit 2 / })).toBeVisible()
  // Leaving on purpose forgets them.
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Competencies')
  expect(await rowsOf(page, 'drafts')).toEqual([])
})

test('answers and the submission of an evaluation without a network outlast the closed browser and arrive once', async () => {
  await startStudent()
  const { Waiting } = await api(phone.page, 'GET', listOwnEvaluations.path)
  const { Id, Template } = Waiting[0]
  const at = `evaluate/${Id}`
  await prepare(phone.page, url('evaluate'), [listOwnEvaluations.path])
  await prepare(phone.page, url(at), [getAnswers.path])
  distant.connection.set('cut')
  const page = await phone.reopen()
  await page.goto(url(at))
  const groups = page.getByRole('radiogroup')
  await expect(groups.first()).toBeVisible()
  for (const group of await groups.all()) await group.getByRole('radio').last().check()
  for (const box of await page.getByRole('textbox').all()) await box.fill('Seen on the floor')
  await expect(page.getByText('Kept on this device. Sent when you are back online.')).toBeVisible()

  const again = await phone.reopen()
  await again.goto(url(at))
  await expect(again.getByRole('radiogroup').first().getByRole('radio').last()).toBeChecked()
  await again.getByRole('button', { name: 'Submit' }).click()
  await expect(again.getByText(`${Template}: kept on this device, submitted`)).toBeVisible()
  await expectAccessible(again, 'an evaluation that waits')

  await goOnline(again)
  await expect(again.getByText('Sent the answers that waited on this device')).toBeVisible()
  expect(await rowsOf(again, 'items')).toEqual([])
  const { Filled } = await api(again, 'GET', listOwnEvaluations.path)
  expect(Filled.map((row: { Id: number }) => row.Id)).toContain(Id)
})

test('an incident that is reported without a network waits on the device and arrives once', async () => {
  await startStudent()
  await prepare(phone.page, url('safety'), [listOwnIncidents.path])
  const countOf = async (page: Page): Promise<number> =>
    (await api(page, 'GET', listOwnIncidents.path)).Items.length
  const before = await countOf(phone.page)
  distant.connection.set('cut')
  const page = await phone.reopen()
  await page.goto(url('safety'))
  await page.getByRole('button', { name: 'Report an incident' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: /^What/ }).click()
  await page.getByRole('option', { name: 'Equipment' }).click()
  await dialog.getByLabel(/^What happened/).fill('The table did not stop at its end.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/^Equipment, .*: kept on this device and sent/)).toBeVisible()
  await expectAccessible(page, 'a report that waits')
  await goOnline(page)
  await expect(page.getByText('Sent the report that waited on this device')).toBeVisible()
  expect(await rowsOf(page, 'items')).toEqual([])
  expect(await countOf(page)).toBe(before + 1)
})

test('the browser wakes the service worker, which sends what waits while no page is open', async () => {
  await startStudent()
  const { page } = phone
  const count = async () => {
    const { Items } = await (await page.request.get(url('api/clock/records?pageSize=20'))).json()
    type Row = { Source: string; In: { Source: string } | null }
    return Items.flatMap((row: Row) => [row.Source, row.In?.Source]).filter(
      (source: string) => source === 'offline',
    ).length
  }
  const before = await punchesOf(page)
  const sentBefore = await count()
  await punchWithoutNetwork(page)
  const devtools = await phone.context.newCDPSession(page)
  const found = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId } of registrations) resolve(registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registrationId = await found
  await page.goto('about:blank')
  distant.connection.set('open')
  await devtools.send('ServiceWorker.dispatchSyncEvent', {
    origin: distant.connection.address,
    registrationId,
    tag: 'practicum-queue',
    lastChance: true,
  })
  await expect.poll(count).toBe(sentBefore + 1)
  // It stays until a page has read the clock that knows it.
  await page.goto(url('clock'))
  await expect.poll(() => rowsOf(page, 'items')).toEqual([])
  expect(await punchesOf(page)).toBe(before + 1)
})

test('where the browser keeps nothing the clock says so, and sends as long as the page is open', async () => {
  const { page } = phone
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota is used up.', 'QuotaExceededError')
    }
  })
  await signIn(page, 'student', 'clock')
  await expect(clock(page)).toBeVisible()
  const before = await punchesOf(page)
  distant.connection.set('cut')
  await clock(page).click()
  await expect(page.getByText(/^This browser cannot keep your punch of \d\d:\d\d\./)).toBeVisible()
  // The network is back while a round that began without it has not failed yet.
  const session = '**/api/auth/session'
  const begun = Promise.withResolvers<Route>()
  await page.route(session, begun.resolve, { times: 1 })
  await goOnline(page)
  const round = await begun.promise
  await goOnline(page)
  await round.abort()
  await expect(page.getByText('1 saved punch was sent')).toBeVisible({ timeout: 10_000 })
  expect(await punchesOf(page)).toBe(before + 1)
})

test('what sends later comes again where the network lost it once, and sends', async () => {
  const { page } = phone
  const lost = Promise.withResolvers<void>()
  const lose = (route: Route) => route.abort().then(lost.resolve)
  await page.route(/\/assets\/offline-/, lose, { times: 1 })
  await signIn(page, 'student', 'clock')
  await lost.promise
  const before = await punchesOf(page)
  await punchWithoutNetwork(page)
  await goOnline(page)
  await expect(page.getByText('1 saved punch was sent')).toBeVisible()
  expect(await punchesOf(page)).toBe(before + 1)
})

test('what one person kept is neither shown to nor sent by another one, and arrives when the first signs in again', async () => {
  await startStudent()
  const before = await punchesOf(phone.page)
  await punchWithoutNetwork(phone.page)
  distant.connection.set('open')
  await forgetSession(phone.page)
  await signIn(phone.page, 'student2', 'clock')
  await prepare(phone.page, url('clock'), [getClock.path])
  await expect(phone.page.getByText(kept)).toHaveCount(0)
  // What waits is still the first one's, whose answers are gone.
  const [waiting] = await rowsOf(phone.page, 'items')
  const first = waiting!.account
  await expect
    .poll(async () => (await rowsOf(phone.page, 'answers')).filter(({ account }) => account === first))
    .toEqual([])
  const refused = await phone.page.evaluate(
    async ([root, account]) => {
      const session = await (await fetch(`${root}api/auth/session`)).json()
      const answer = await fetch(`${root}api/clock/punches`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-csrf-token': session.CsrfToken,
          'x-account': account!,
          'idempotency-key': 'somebody-elses',
        },
        body: JSON.stringify({ Kind: 'in' }),
      })
      return { status: answer.status, code: (await answer.json()).Code }
    },
    [url(), String(first)] as const,
  )
  expect(refused).toEqual({ status: 403, code: 'other_account' })

  await forgetSession(phone.page)
  await signIn(phone.page, 'student', 'clock')
  await expect(phone.page.getByText('1 saved punch was sent')).toBeVisible()
  expect(await punchesOf(phone.page)).toBe(before + 1)
})

test('signing out asks while something waits, and leaves nothing of the person but what waits', async () => {
  await startStudent()
  const before = await punchesOf(phone.page)
  await punchWithoutNetwork(phone.page)
  const { page } = phone
  const signOut = async () => {
    await page.getByRole('button', { name: /Amara/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
  await signOut()
  const question = page.getByRole('dialog', { name: '1 entry is not sent yet' })
  await expect(question).toContainText('it stays on this device and is sent when you sign in here again')
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page.getByText(kept)).toBeVisible()

  await signOut()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(url('login'))
  expect(await rowsOf(page, 'answers')).toEqual([])
  expect(await rowsOf(page, 'items')).toHaveLength(1)
  await page.goto(url('clock'))
  await expect(page.getByText('The server did not answer')).toBeVisible()
  await expect(page.getByText('Amara')).toHaveCount(0)

  // The server could not be told: it is as soon as there is a network.
  distant.connection.set('open')
  await page.goto(url('clock'))
  await page.waitForURL(url('login'))
  await signIn(page, 'student', 'clock')
  await expect(page.getByText('1 saved punch was sent')).toBeVisible()
  expect(await punchesOf(page)).toBe(before + 1)
})

test('a session that ended meanwhile loses nothing: the punch is kept, and sent after signing in again', async () => {
  await startStudent()
  const before = await punchesOf(phone.page)
  await punchWithoutNetwork(phone.page)
  await phone.context.clearCookies()
  await goOnline(phone.page)
  await expect(phone.page.getByText('You are signed out. Entries on this phone')).toBeVisible()
  expect(await rowsOf(phone.page, 'items')).toHaveLength(1)
  await phone.page.getByRole('button', { name: 'Sign in' }).click()
  await phone.page.waitForURL(url('login'))
  await signIn(phone.page, 'student', 'clock')
  await expect(phone.page.getByText('1 saved punch was sent')).toBeVisible()
  expect(await punchesOf(phone.page)).toBe(before + 1)
})

test('punches that an earlier release kept are taken over once', async () => {
  await startStudent()
  const { page } = phone
  const before = await punchesOf(page)
  const Kind = (await clock(page).getAttribute('data-out')) === null ? 'in' : 'out'
  await page.evaluate((kind) => {
    const account = localStorage.getItem('practicum-account')
    const punch = {
      key: 'kept-by-an-earlier-release',
      body: { Kind: kind, OccurredAt: new Date().toISOString() },
    }
    localStorage.setItem(`practicum-punches-${account}`, JSON.stringify([punch]))
  }, Kind)
  await page.goto(url('clock'))
  await expect.poll(() => punchesOf(page)).toBe(before + 1)
  await expect.poll(() => rowsOf(page, 'items')).toEqual([])
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((name) => /-punches-/.test(name))),
  ).toEqual([])
})

test('a new version offers itself, waits for the word, and takes neither a field nor a punch with it', async () => {
  await startStudent()
  const { page } = phone
  const before = await punchesOf(page)
  await punchWithoutNetwork(page)
  distant.connection.set('open')
  await page.goto(url('change-password'))
  const field = page.getByLabel('New password')
  await field.fill('not saved yet')
  // A page of the version before: one of its files is not among those of the new one.
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = '/new/assets/of-an-earlier-version.js'
    document.head.append(script)
  })
  distant.connection.renewWorker()
  // The page looks for a new version by itself once it is drawn, and when somebody comes back to it.
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  const reload = page.getByRole('button', { name: 'Reload' })
  await expect(reload).toBeVisible()
  // A second one in its place: there is one offer still, and it renews the page though the first can no longer begin.
  distant.connection.renewWorker()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(reload).toHaveCount(1)
  await reload.click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(field).toHaveValue('not saved yet')
  const loaded = page.waitForEvent('load')
  await reload.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await loaded
  await expect(field).toHaveValue('')
  await expect(reload).toHaveCount(0)
  await expect.poll(() => rowsOf(page, 'items')).toEqual([])
  expect(await punchesOf(page)).toBe(before + 1)
})

test('the product can be installed, and says so after the second punch until it is declined', async () => {
  await startStudent()
  const { page } = phone
  const devtools = await phone.context.newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data!)).toMatchObject({ name: 'Practicum', display: 'standalone' })
  const card = page.getByRole('region', { name: 'Install Practicum on this device' })
  for (const times of [1, 2]) {
    await page.evaluate(() =>
      dispatchEvent(
        Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => ({}) }),
      ),
    )
    await expect(card).toHaveCount(0)
    const wasIn = (await clock(page).getAttribute('data-out')) !== null
    await clock(page).click()
    await expect(clock(page)).toHaveText(wasIn ? 'Clock in' : 'Clock out')
    if (times === 2) await expect(card).toBeVisible()
  }
  await expectAccessible(page, 'the offer to install')
  await card.getByRole('button', { name: 'Not now' }).click()
  await expect(card).toHaveCount(0)
  await page.reload()
  await expect(clock(page)).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt', { cancelable: true })))
  await expect(card).toHaveCount(0)
})

test('ten presses with random cuts: none is lost, none counts twice', async () => {
  await startStudent()
  await cutRounds(phone, distant.connection, { rounds: 10, seed: 7 })
})
