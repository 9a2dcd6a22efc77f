import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { cutRounds } from '../journeys/cut-rounds.ts'
import { openPhone, type Phone, placeAnywhere, prepare, startDistantProduct } from '../journeys/phone.ts'
import { signIn, url } from '../journeys/support.ts'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'

/**
 * `npm run cut-test -- --rounds 500 --seed 1`: presses the clock while the connection is cut at random and the browser is
 * closed in between, and counts what the server has at the end. The journeys run ten rounds.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)

await ensureBuilt()
const { path } = await ensureBrowser()
if (path) process.env.CHROMIUM_PATH = path
const distant = await startDistantProduct()
let phone: Phone | undefined
try {
  const staff = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] })
  await placeAnywhere(staff)
  await staff.close()
  phone = await openPhone()
  await signIn(phone.page, 'student', 'clock')
  await prepare(phone.page, url('clock'), ['/clock', '/state', '/globals'])
  const tell = (round: number) => {
    if (round % 25 === 0) console.log(`${round} of ${rounds}`)
  }
  const pressed = await cutRounds(phone, distant.connection, { rounds, seed, tell })
  console.log(`${pressed} presses, ${pressed} punches: none is lost, none counts twice.`)
} finally {
  await phone?.remove()
  await distant.stop()
}
