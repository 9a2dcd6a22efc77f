import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { Client } from 'pg'
import pino from 'pino'
import { createDraftRunner } from '#server/modules/placement/draft/drafts.jobs.ts'
import { ensureBuilt } from '../scripts/lib/build.mjs'
import { startEmbedded } from '../server/core/database/embedded.ts'
import { createPool } from '../server/core/database/pool.ts'

export interface Product {
  /** Without a slash at the end. */
  address: string
  stop: () => Promise<void>
  /** What the start wrote until now. */
  said: () => string
}

/** Of all people of the demo. */
export const password = 'Bluebird-42-harbor'

const script = join(import.meta.dirname, '..', 'scripts', 'start.mjs')
const directly = [process.execPath, script] as const
/** As npm starts it: by a shell, which is between and gets the signals. */
export const throughShell = ['sh', '-c', `"${process.execPath}" "${script}"; exit $?`] as const

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'practicum-journeys-'))

/** Starts the product as a user would, in its own folder. Stopping waits for everything that was started. */
export const startProduct = async (
  env: Record<string, string> = {},
  [command, ...args]: typeof directly | typeof throughShell = directly,
): Promise<Product> => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const { PRACTICUM_JOURNEYS_DEMO: demo } = process.env
  if (demo && env.DEMO !== '0') cpSync(demo, data, { recursive: true })
  const child = spawn(command, args, {
    env: {
      ...process.env,
      DATA_DIR: data,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO: '1',
      // Colleges of journeys have their providers on this machine.
      WEBHOOK_ALLOW: '127.0.0.0/8',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk
      const found = /runs at (http:\S+?)\/\s/.exec(said)
      if (found) resolve(found[1]!)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`The start ended with ${code}:\n${said}`)))
  })
  return {
    address,
    said: () => said,
    stop: async () => {
      // Its output is closed when the last process that writes to it has ended.
      const ended = new Promise((resolve) => child.on('close', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Makes the demo in a data folder, for the installations that begin with a copy of it. Passwords are checked in a thousandth of
 * the time there: journeys sign in some four hundred times. The drafts of its placement plans are made: each of the installations
 * would make them, 5 s of processor beside its journeys.
 */
export const makeDemo = async (folder: string): Promise<void> => {
  const product = await startProduct({ DATA_DIR: folder })
  await product.stop()
  const log = pino({ level: 'warn' })
  const { ownerUrl, appUrl, stop } = await startEmbedded({ dataDir: folder, log })
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const quick = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await client.query('update account set password_hash = $1 where password_hash is not null', [quick])
  const { rows: drafts } = await client.query(
    `select program_id as "programId", id as "draftId" from placement_draft where state = 'queued'`,
  )
  await client.end()
  const pool = createPool(appUrl, log)
  const { run } = createDraftRunner()
  for (const draft of drafts) await run(draft, { pool, log })
  await pool.end()
  await stop()
}

/**
 * The pages are built and the demo is made once, before the workers start their installations beside each other: each from
 * a copy of that demo. A complete run has made it already, beside its unit tests. What axe passed is shared by the workers.
 */
export default async function start(): Promise<() => void> {
  await ensureBuilt()
  const folder = newFolder()
  process.env.PRACTICUM_JOURNEYS_PASSED = join(folder, 'passed')
  writeFileSync(process.env.PRACTICUM_JOURNEYS_PASSED, '')
  if (!process.env.PRACTICUM_JOURNEYS_DEMO) {
    const demo = join(folder, 'data')
    await makeDemo(demo)
    process.env.PRACTICUM_JOURNEYS_DEMO = demo
  }
  return () => rmSync(folder, { recursive: true, force: true })
}
