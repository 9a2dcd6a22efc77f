import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import config from '../playwright.config.ts'
import { placeNow } from './clock-day.ts'
import { type Connection, startConnection } from './connection.ts'
import { type Product, startProduct } from './start.ts'
import { another, api, phone } from './support.ts'

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A product that browsers reach over a connection which can be cut; `url()` leads to it until it is stopped. */
export const startDistantProduct = async (): Promise<{
  connection: Connection
  product: Product
  stop: () => Promise<void>
}> => {
  const connection = await startConnection()
  const port = await freePort()
  const product = await startProduct({ APP_URL: connection.address, PORT: String(port) })
  connection.leadTo(`http://127.0.0.1:${port}`)
  const shared = process.env.PRACTICUM_URL
  process.env.PRACTICUM_URL = connection.address
  return {
    connection,
    product,
    stop: async () => {
      process.env.PRACTICUM_URL = shared
      await product.stop()
      await connection.close()
    },
  }
}

/** A phone: a browser that keeps what it has when it is closed and opened again. */
export interface Phone {
  page: Page
  context: BrowserContext
  /** Closes the browser and opens it again, with an empty page. */
  reopen: () => Promise<Page>
  remove: () => Promise<void>
}

/** @param locale the language that its browser asks for; that of the journeys unless given */
export const openPhone = async (locale = config.use?.locale): Promise<Phone> => {
  const folder = mkdtempSync(join(tmpdir(), 'practicum-phone-'))
  const open = async () => {
    const { launchOptions, contextOptions, timezoneId, actionTimeout, navigationTimeout } = config.use!
    const context = await chromium.launchPersistentContext(folder, {
      ...launchOptions,
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      ...contextOptions,
      locale,
      timezoneId,
      viewport: phone,
      serviceWorkers: 'allow',
    })
    context.setDefaultTimeout(actionTimeout!)
    context.setDefaultNavigationTimeout(navigationTimeout!)
    return context
  }
  const context = await open()
  const made: Phone = {
    context,
    page: context.pages()[0]!,
    reopen: async () => {
      await made.context.close()
      made.context = await open()
      made.page = made.context.pages()[0]!
      return made.page
    },
    remove: async () => {
      await made.context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return made
}

/** The rows of a store of the product's database in the browser. */
export const rowsOf = (
  page: Page,
  store: 'items' | 'answers' | 'drafts' | 'push',
): Promise<Record<string, unknown>[]> =>
  page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('practicum')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const reading = database.transaction(name).objectStore(name).getAll()
          reading.onsuccess = () => {
            database.close()
            resolve(reading.result)
          }
        }
      }),
    store,
  )

/** Opens a page and waits until the phone has what it needs to open again without a network. */
export const prepare = async (page: Page, address: string, answers: readonly string[]): Promise<void> => {
  await page.goto(address)
  await expect
    .poll(
      async () => {
        const isActive = await page.evaluate(async () => {
          const found = await navigator.serviceWorker.getRegistration()
          return found?.active?.state === 'activated'
        })
        const kept = isActive
          ? (await rowsOf(page, 'answers')).map(({ query }) => (query as string[])[0])
          : []
        return answers.filter((path) => !kept.includes(path))
      },
      { intervals: [100] },
    )
    .toEqual([])
}

/** A shift of the demo's student that runs now, at a site that takes any number of punches. */
export const placeAnywhere = async (browser: Browser): Promise<void> => {
  const staff = await another(browser, 'coordinator')
  const { ProgramId } = await api(staff.page, 'GET', '/state')
  const site = await api(staff.page, 'POST', `/programs/${ProgramId}/sites`, {
    Name: 'Tidewater Imaging',
    AllowMulticlock: true,
    AllowOvernight: true,
  })
  await placeNow(staff.page, site.Id)
  await staff.leave()
}

/** How many punches of today and yesterday the server has of whoever is signed in. */
export const punchesOf = async (page: Page): Promise<number> => {
  const since = new Date(Date.now() - 36 * 3_600_000).toISOString()
  let count = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const part: {
      Items: { Type: string; OccurredAt: string; In: object | null }[]
      NextCursor: string | null
    } = await api(page, 'GET', `/clock/records?pageSize=200${cursor && `&cursor=${cursor}`}`)
    const punches = part.Items.filter(({ Type, OccurredAt }) => /^(in|out)$/.test(Type) && OccurredAt > since)
    for (const { In } of punches) count += In ? 2 : 1
    cursor = punches.length < part.Items.length ? null : part.NextCursor
  }
  return count
}
