import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { punch } from '#contract/time/clock.ts'
import { type EmbeddedDatabase, startEmbedded } from '#server/core/database/embedded.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { makeProgram, makeSite, makeStudent } from './factories.ts'
import { type Installation, startInstallation } from './installation.ts'
import { asSuperuser } from './standby.ts'

/** A primary that has to wait for a standby which is away. */
const folder = mkdtempSync(join(tmpdir(), 'pr-sync-'))
const silent = { info: () => {}, warn: () => {}, error: () => {} }
let database: EmbeddedDatabase
let superuser: pg.Client
let installation: Installation

beforeAll(async () => {
  database = await startEmbedded({ dataDir: folder, log: silent, tests: true })
  await migrate({ ownerUrl: database.ownerUrl, folder: migrationsFolder, log: silent })
  await prepareQueue(database.ownerUrl)
  superuser = new pg.Client({ connectionString: asSuperuser(database.ownerUrl) })
  await superuser.connect()
  await superuser.query('alter role app set synchronous_commit = on')
  installation = await startInstallation({}, {}, undefined, {
    ownerUrl: database.ownerUrl,
    appUrl: database.appUrl,
    drop: () => database.stop(),
  })
}, 120_000)
afterAll(async () => {
  await superuser?.end()
  await installation?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const waitForStandby = async (name: string): Promise<void> => {
  await superuser.query(`alter system set synchronous_standby_names = '${name}'`)
  await superuser.query('select pg_reload_conf()')
  await expect
    .poll(
      async () => (await superuser.query('show synchronous_standby_names')).rows[0].synchronous_standby_names,
    )
    .toBe(name)
}
/** Ends the wait of commits, as a timeout or an administrator does. */
const endWaits = async (how: 'cancel' | 'terminate'): Promise<void> => {
  const end = () =>
    superuser.query(
      `select pg_${how}_backend(pid) from pg_stat_activity where usename = 'app' and wait_event = 'SyncRep' and query = 'commit'`,
    )
  await expect.poll(async () => (await end()).rowCount, { timeout: 10_000 }).toBe(1)
}

test.each(['cancel', 'terminate'] as const)(
  'a punch whose commit no standby has confirmed is not acknowledged (%s), and its repeat is the same punch',
  { timeout: 30_000 },
  async (how) => {
    const program = await makeProgram(installation.owner)
    const site = await makeSite(installation.owner, program)
    const student = await makeStudent(installation.owner, program)
    const caller = await installation.as(student)
    const headers = { 'idempotency-key': randomUUID() }
    const body = { Kind: 'in' as const, SiteId: site.Id }
    await waitForStandby('nobody')
    const [first] = await Promise.all([caller.call(punch, { body }, { headers }), endWaits(how)])
    expect(first).toMatchObject({ status: 503, body: { Code: 'unconfirmed' } })
    // Kept here, but not there: the repeat has to wait as well, and must not say what the first could not.
    const [second] = await Promise.all([caller.call(punch, { body }, { headers }), endWaits(how)])
    expect(second).toMatchObject({ status: 503, body: { Code: 'unconfirmed' } })
    await waitForStandby('')
    const last = await caller.call(punch, { body }, { headers })
    expect(last.status).toBe(200)
    const { rows } = await installation.owner.query('select id from time_record where student_id = $1', [
      student.Id,
    ])
    expect(rows.map(({ id }) => Number(id))).toEqual([(last.body as { Id: number }).Id])
  },
)
