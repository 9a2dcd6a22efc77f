import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { createSite, exportSites } from '#contract/sites/sites.ts'
import { type EmbeddedDatabase, startEmbedded } from '#server/core/database/embedded.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { openReplica } from '#server/core/database/replica.ts'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { makePerson, makeProgram, makeSite } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'
import { type Standby, startStandby } from './standby.ts'

/** Reports are read from a standby of the database, and nobody misses the own last change. */
const folder = mkdtempSync(join(tmpdir(), 'pr-'))
const dataDir = join(folder, 'p')
const silent = { info: () => {}, warn: () => {}, error: () => {} }
let database: EmbeddedDatabase
let standby: Standby
let installation: Installation
let program: { Id: number }
let writer: Caller
let writerElsewhere: Caller
let reader: Caller

beforeAll(async () => {
  database = await startEmbedded({ dataDir, log: silent, tests: true })
  await migrate({ ownerUrl: database.ownerUrl, folder: migrationsFolder, log: silent })
  await prepareQueue(database.ownerUrl)
  standby = await startStandby(database.ownerUrl, dataDir, join(folder, 's'))
  installation = await startInstallation({}, {}, undefined, {
    ownerUrl: database.ownerUrl,
    appUrl: database.appUrl,
    drop: () => database.stop(),
  })
  const { services, owner } = installation
  services.replica = openReplica(standby.appUrl, services.pool, pino({ level: 'silent' }))
  program = await makeProgram(owner)
  await makeSite(owner, program, { name: 'Mercy' })
  const person = await makePerson(owner, Level.Coord, { program })
  writer = await installation.as(person)
  writerElsewhere = await installation.as(person)
  reader = await installation.as(await makePerson(owner, Level.Coord, { program }))
}, 120_000)
afterAll(async () => {
  await installation?.services.replica?.stop()
  await standby?.kill()
  await installation?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const report = async (caller: Caller): Promise<{ sites: string; from: string }> => {
  const before = await countReports()
  const { body } = await caller.call(exportSites, {
    params: { programId: program.Id },
    query: { Format: 'csv' },
  })
  const after = await countReports()
  return { sites: String(body), from: after.replica > before.replica ? 'replica' : 'primary' }
}
const countReports = async (): Promise<{ replica: number; primary: number }> => {
  const text = await (await fetch(`${installation.url}/metrics`)).text()
  const count = (from: string) =>
    Number(new RegExp(`practicum_reports_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  return { replica: count('replica'), primary: count('primary') }
}
const addSite = (Name: string) =>
  writer.ok(createSite, {
    params: { programId: program.Id },
    body: { Name, Code: Name.slice(0, 3).toUpperCase() },
  })
const replay = (what: 'pause' | 'resume') => standby.superuser.query(`select pg_wal_replay_${what}()`)

const waitForReplica = () =>
  expect.poll(async () => (await report(reader)).from, { timeout: 30_000 }).toBe('replica')

test('a report is read from the replica, and its row of the audit is on the primary', async () => {
  await waitForReplica()
  expect((await report(reader)).sites).toContain('Mercy')
  const { rows } = await installation.owner.query(
    "select count(*)::integer as count from audit where action like 'GET %/sites/export'",
  )
  expect(rows[0].count).toBeGreaterThanOrEqual(2)
})

test('people see their own last change on every device, though the replica is behind; others see it when it has arrived', async () => {
  await waitForReplica()
  await replay('pause')
  await addSite('Harbor')
  for (const caller of [writer, writerElsewhere])
    expect(await report(caller)).toEqual({ sites: expect.stringContaining('Harbor'), from: 'primary' })
  expect(await report(reader)).toEqual({ sites: expect.not.stringContaining('Harbor'), from: 'replica' })
  await replay('resume')
  await expect.poll(async () => (await report(writer)).from, { timeout: 30_000 }).toBe('replica')
  expect((await report(writer)).sites).toContain('Harbor')
  expect((await report(reader)).sites).toContain('Harbor')
})

test('a replica that is too far behind is read by nobody, and the figures tell how far it is', async () => {
  await waitForReplica()
  const { services } = installation
  const strict = openReplica(standby.appUrl, services.pool, pino({ level: 'silent' }), { maxLagMs: 0 })
  expect(await strict.isCurrentFor(1)).toBe(false)
  await strict.stop()
  const text = await (await fetch(`${installation.url}/metrics`)).text()
  expect(Number(/^practicum_replica_lag_seconds (\S+)$/m.exec(text)![1])).toBeLessThan(30)
})

test('a replica that is no copy any longer is not read', async () => {
  const { services } = installation
  const itself = openReplica(database.appUrl, services.pool, pino({ level: 'silent' }))
  await expect.poll(() => itself.lagMs()).toBe(Number.POSITIVE_INFINITY)
  expect(await itself.isCurrentFor(1)).toBe(false)
  await itself.stop()
})

test('when the replica is lost the primary answers', async () => {
  const { services } = installation
  const lost = await startStandby(database.ownerUrl, dataDir, join(folder, 'l'))
  const [kept, replica] = [
    services.replica,
    openReplica(lost.appUrl, services.pool, pino({ level: 'silent' })),
  ]
  services.replica = replica
  try {
    await waitForReplica()
    await lost.kill()
    expect(await report(reader)).toEqual({ sites: expect.stringContaining('Mercy'), from: 'primary' })
  } finally {
    services.replica = kept
    await replica.stop()
  }
})
