import { expect, type Locator, type Page, test, type Worker } from '@playwright/test'
import type { PushAddress } from '#contract/push/push.ts'
import { startPushService } from '../server/test/push-browser.ts'
import { expectAccessible } from './accessible.ts'
import { openPhone, type Phone, rowsOf, startDistantProduct } from './phone.ts'
import { another, api, signIn, url } from './support.ts'

/** Service workers work here, and pushes are switched on: an installation and phones of their own. */
let distant: Awaited<ReturnType<typeof startDistantProduct>>
let service: Awaited<ReturnType<typeof startPushService>>
let phone: Phone
/** The addresses that pages of the phone got from the push service. */
let given: string[]

test.beforeAll(async ({ browser }) => {
  distant = await startDistantProduct()
  service = await startPushService()
  const { page, leave } = await another(browser, 'super')
  await api(page, 'POST', '/push-service', { IsOn: true })
  await leave()
})
test.afterAll(async () => {
  service?.stop()
  await distant?.stop()
})
test.afterEach(() => phone?.remove())

/**
 * A phone whose push service is that of the journey, for the browser's own is on the internet. A browser without windows also
 * has nowhere to show notifications, and so never permits them: what it would show is looked at in the service worker.
 */
const openPushPhone = async (locale?: string): Promise<void> => {
  phone = await (locale ? openPhone(locale) : openPhone())
  given = []
  await phone.context.exposeFunction('addressFor', (publicKey: string) => {
    const address = service.address(publicKey)
    given.push(address.Endpoint)
    return address
  })
  await phone.context.addInitScript(() => {
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
        .buffer
    let permission = sessionStorage.getItem('permission') ?? 'default'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => {
      permission = sessionStorage.getItem('answer') ?? 'granted'
      sessionStorage.setItem('permission', permission)
      return permission as NotificationPermission
    }
    let current: object | null = null
    const subscriptionOf = (
      { Endpoint, P256dh, Auth }: { Endpoint: string; P256dh: string; Auth: string },
      applicationServerKey: ArrayBuffer,
    ) => ({
      endpoint: Endpoint,
      options: { applicationServerKey },
      getKey: (name: string) => bytes(name === 'auth' ? Auth : P256dh),
      unsubscribe: async () => {
        current = null
        return true
      },
    })
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
        const key = btoa(String.fromCharCode(...applicationServerKey))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
        const { addressFor } = window as unknown as {
          addressFor: (key: string) => Promise<{ Endpoint: string; P256dh: string; Auth: string }>
        }
        current = subscriptionOf(await addressFor(key), applicationServerKey.buffer)
        return current
      },
    })
  })
}

interface Shown {
  title: string
  body: string
  tag: string
  data: { link: string }
}
/** What a service worker of the journey notes in the place of showing it. */
interface Scope {
  shown: Shown[]
}

/** The service worker of the phone, which from here on notes what it would show: the newest of each tag, as browsers do. */
const watchWorker = async (): Promise<Worker> => {
  const worker = phone.context.serviceWorkers()[0] ?? (await phone.context.waitForEvent('serviceworker'))
  await worker.evaluate(() => {
    const scope = self as unknown as Scope
    scope.shown = []
    Object.assign(ServiceWorkerRegistration.prototype, {
      showNotification: async (title: string, options: Omit<Shown, 'title'>) => {
        scope.shown = [...scope.shown.filter(({ tag }) => tag !== options.tag), { title, ...options }]
      },
    })
  })
  return worker
}
const shownBy = (worker: Worker): Promise<Shown[]> => worker.evaluate(() => (self as unknown as Scope).shown)
const tagsOf = async (worker: Worker): Promise<string[]> => (await shownBy(worker)).map(({ tag }) => tag)

/** Hands a message to the service worker as the browser does when its push service brings one. */
const deliver = async (page: Page, payload: object): Promise<void> => {
  const devtools = await phone.context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(url()).origin,
    registrationId: await registered,
    data: JSON.stringify(payload),
  })
  await devtools.detach()
}

/** Presses a notification. */
const press = (worker: Worker, tag: string): Promise<void> =>
  worker.evaluate((wanted) => {
    const notification = (self as unknown as Scope).shown.find((each) => each.tag === wanted)
    // An event that no browser has made has no time that it could extend.
    const event = Object.assign(new Event('notificationclick'), {
      notification: { ...notification, close: () => {} },
      waitUntil: () => {},
    })
    self.dispatchEvent(event)
  }, tag)

/**
 * Gives the browser another address, as push services do from time to time, and waits until the service worker has done what it does
 * then.
 */
const moveTo = (worker: Worker, address: PushAddress): Promise<void> =>
  worker.evaluate(async (moved) => {
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
        .buffer
    Object.assign(PushManager.prototype, {
      getSubscription: async () => null,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => ({
        endpoint: moved.Endpoint,
        options: { applicationServerKey: applicationServerKey.buffer },
        getKey: (name: string) => bytes(name === 'auth' ? moved.Auth : moved.P256dh),
      }),
    })
    const work: Promise<unknown>[] = []
    // An event that no browser has made has no time that it could extend.
    self.dispatchEvent(
      Object.assign(new Event('pushsubscriptionchange'), {
        waitUntil: (each: Promise<unknown>) => void work.push(each),
      }),
    )
    await Promise.all(work)
  }, address)

const sectionOf = (page: Page, name: string): Locator =>
  page.locator('fieldset').filter({ hasText: name }).first()

test('a super admin switches push notifications off and on, and the page says what is missing', async ({
  browser,
}) => {
  const { page, leave } = await another(browser, 'super', { at: 'admin/push' })
  await expect(page.getByRole('heading', { name: 'Push Notifications' })).toBeVisible()
  await expect(page.getByText('Set PUSH_CONTACT to an address')).toBeVisible()
  const isOn = page.getByRole('switch', { name: 'Send push notifications' })
  await isOn.click()
  await expect(page.getByText('Push notifications are off')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test with this browser' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await isOn.click()
  await expect(page.getByText('Push notifications are on')).toBeVisible()
  await expect(page.getByText('No device has turned notifications on yet.')).toBeVisible()
  await expectAccessible(page, 'push notifications of the installation')
  await leave()
})

test('a student turns notifications on by a press, is told, opens what the message is about, and is told nothing after signing out without a network', async () => {
  await openPushPhone()
  await signIn(phone.page, 'student', 'preferences')
  const { page } = phone
  const section = sectionOf(page, 'Notifications on your devices')
  await expect(section.getByText('Off on this device')).toBeVisible()
  await expectAccessible(page, 'notifications that are off')

  // Whoever says no is told how to change it, and nothing was turned on.
  await page.evaluate(() => sessionStorage.setItem('answer', 'denied'))
  await section.getByRole('button', { name: 'Turn on for this device' }).click()
  await expect(section.getByText('Your browser blocks notifications from Practicum')).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  // A page that has just been loaded may still move under the press, as it may under a finger: then it is pressed again.
  const isOn = section.getByText('On for this device', { exact: true })
  await expect(async () => {
    const turnOn = section.getByRole('button', { name: 'Turn on for this device' })
    if (!(await isOn.isVisible())) await turnOn.click({ timeout: 5_000 })
    await expect(isOn).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(section.getByText('Choose below what you want to be told.')).toBeVisible()
  await section.getByRole('checkbox', { name: 'Answers to your requests' }).check()
  await expect(section.getByText('Choose below what you want to be told.')).toHaveCount(0)
  await section.getByRole('textbox', { name: 'From' }).fill('21:30')
  await section.getByRole('textbox', { name: 'Until' }).focus()
  await expect
    .poll(async () => (await api(page, 'GET', '/push')).Quiet)
    .toEqual({ From: '21:30', Until: '06:00' })
  await expectAccessible(page, 'notifications that are on')

  const worker = await watchWorker()
  await section.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => service.received.length).toBe(1)
  const [{ payload }] = service.received as [(typeof service.received)[0]]
  await deliver(page, payload)
  await expect
    .poll(() => shownBy(worker))
    .toEqual([
      expect.objectContaining({
        title: 'Practicum',
        body: 'Notifications work on this device.',
        tag: payload.tag,
        icon: expect.stringMatching(/icon-192.*png$/),
        lang: 'en',
      }),
    ])
  const answer = { ...payload, tag: 'answer', title: 'Hours', body: 'A decision', link: '/new/hours' }
  // Of somebody else nothing is shown.
  await deliver(page, { ...answer, account: payload.account + 1, tag: 'other' })
  await deliver(page, answer)
  await deliver(page, { ...answer, body: 'A newer decision' })
  await expect
    .poll(async () => (await shownBy(worker)).map(({ body }) => body))
    .toEqual(['Notifications work on this device.', 'A newer decision'])

  await press(worker, 'answer')
  await expect(page).toHaveURL(url('hours'))

  // The new page has a browser that knows no address of before: it takes one, and the server is told.
  await expect
    .poll(async () => given.length === 2 && (await rowsOf(page, 'push'))[0]?.endpoint === given[1])
    .toBe(true)
  // The push service moves the browser while no page has to do with it: what is sent from now on goes to the new address.
  const moved = service.address((await api(page, 'GET', '/push')).PublicKey)
  await moveTo(worker, moved)
  const [device] = (await api(page, 'GET', '/push')).Devices
  await api(page, 'POST', `/push/devices/${device.Id}/tests`)
  await expect
    .poll(() => service.received.map(({ path }) => path).at(-1))
    .toBe(new URL(moved.Endpoint).pathname)
  expect((await rowsOf(page, 'push')).map(({ endpoint }) => endpoint)).toEqual([moved.Endpoint])

  // Without a network the server cannot be told, but the device knows.
  distant.connection.set('cut')
  await page.getByRole('button', { name: /Amara/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL(url('login'))
  expect(await rowsOf(page, 'push')).toEqual([])
  await deliver(page, { ...answer, tag: 'late' })
  distant.connection.set('open')
  await signIn(page, 'student', 'preferences')
  await expect(section.getByText('Off on this device')).toBeVisible()
  expect(await tagsOf(worker)).toEqual([payload.tag, 'answer'])
  expect((await api(page, 'GET', '/push')).Devices).toEqual([])
})

test('another account on the same phone is not told what was meant for the first, and the first is again when it is back, in Spanish', async () => {
  await openPushPhone('es-US')
  const { page } = phone
  await signIn(page, 'student', 'preferences')
  const section = sectionOf(page, 'Notificaciones en sus dispositivos')
  await section.getByRole('button', { name: 'Activar en este dispositivo' }).click()
  await expect(section.getByText('Activadas en este dispositivo', { exact: true })).toBeVisible()
  await expect(section.getByText('Salida sin marcar')).toBeVisible()
  const devices = async () => (await api(page, 'GET', '/push')).Devices.length
  expect(await devices()).toBe(1)
  await signIn(page, 'student2', 'preferences')
  await expect(section.getByText('Desactivadas en este dispositivo')).toBeVisible()
  await expect.poll(async () => (await rowsOf(page, 'push')).map(({ isAway }) => isAway)).toEqual([true])
  expect(await devices()).toBe(0)
  await signIn(page, 'student', 'preferences')
  await expect.poll(devices).toBe(1)
  await expect.poll(async () => (await rowsOf(page, 'push')).map(({ isAway }) => isAway)).toEqual([false])
  await page.reload()
  await section.getByRole('button', { name: 'Desactivar en este dispositivo' }).click()
  await expect(section.getByText('Desactivadas en este dispositivo')).toBeVisible()
  expect(await devices()).toBe(0)
})
