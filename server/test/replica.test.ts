import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { logout } from '#contract/identity/identity.ts'
import { createSite, exportSites, listSites } from '#contract/sites/sites.ts'
import { type EmbeddedDatabase, startEmbedded } from '#server/core/database/embedded.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { openReplica } from '#server/core/database/replica.ts'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { makePerson, makeProgram, makeSite } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'
import { type Standby, startStandby } from './standby.ts'

/** Reports are read from a standby of the database, and nobody misses the own last change. */
const folder = mkdtempSync(join(tmpdir(), 'pr-'))
const dataDir = join(folder, 'p')
const silent = { info: () => {}, warn: () => {}, error: () => {} }
let database: EmbeddedDatabase
let standby: Standby
let proxy: DatabaseProxy
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
  proxy = await startProxy()
  installation = await startInstallation({}, {}, proxy.through, {
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
  await proxy?.stop()
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
const resumeReplay = () => standby.superuser.query('select pg_wal_replay_resume()')
/** It is asked for, and comes after what is replayed at that moment. */
const pauseReplay = async () => {
  await standby.superuser.query('select pg_wal_replay_pause()')
  const state = async () =>
    (await standby.superuser.query('select pg_get_wal_replay_pause_state() as state')).rows[0].state
  await expect.poll(state, { timeout: 30_000 }).toBe('paused')
}

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
  await pauseReplay()
  await addSite('Harbor')
  for (const caller of [writer, writerElsewhere])
    expect(await report(caller)).toEqual({ sites: expect.stringContaining('Harbor'), from: 'primary' })
  expect(await report(reader)).toEqual({ sites: expect.not.stringContaining('Harbor'), from: 'replica' })
  await resumeReplay()
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

describe('while the primary is away', () => {
  const params = () => ({ params: { programId: program.Id } })
  const list = async (caller: Caller) => {
    const { status, headers, body } = await caller.call(listSites, params())
    return {
      status,
      age: headers.get('x-data-age'),
      names: status === 200 ? body.map(({ Name }) => Name) : [],
    }
  }
  const isBack = () => expect.poll(async () => (await list(reader)).age, { timeout: 30_000 }).toBeNull()

  test.each([
    ['cut', () => proxy.cut(true), () => proxy.cut(false)],
    ['hanging', () => proxy.let('none'), () => proxy.let('both')],
  ])(
    'its link %s, the replica answers what only reads, and says how old it may be; changes are refused',
    async (_how, lose, find) => {
      await waitForReplica()
      expect((await list(reader)).age).toBeNull()
      lose()
      try {
        const began = performance.now()
        const { status, age, names } = await list(reader)
        expect(performance.now() - began).toBeLessThan(5_000)
        expect({ status, names }).toEqual({ status: 200, names: expect.arrayContaining(['Mercy']) })
        expect(Number(age)).toBeGreaterThan(0)
        const page = await fetch(`${installation.url}/new/admin/sites`, { headers: reader.headers })
        expect(page.status).toBe(200)
        const change = await writer.call(createSite, { ...params(), body: { Name: 'Lost', Code: 'LST' } })
        expect(change).toMatchObject({ status: 503, body: { Code: 'unavailable' } })
      } finally {
        find()
      }
      await isBack()
    },
  )

  test('nobody sees a state before the own last change; a session that has ended opens nothing', async () => {
    await waitForReplica()
    const ended = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    await ended.ok(logout)
    const open =
      'select count(*)::integer as open from session where token_hash = sha256($1) and ended_at is null'
    const token = ended.headers.cookie!.slice('practicum_session='.length)
    await expect
      .poll(async () => (await standby.superuser.query(open, [token])).rows[0].open, { timeout: 30_000 })
      .toBe(0)
    await pauseReplay()
    await addSite('Late')
    proxy.cut(true)
    try {
      expect((await list(writer)).status).toBe(503)
      expect(await list(reader)).toMatchObject({ status: 200, names: expect.not.arrayContaining(['Late']) })
      expect((await list(ended)).status).toBe(401)
    } finally {
      proxy.cut(false)
      await resumeReplay()
    }
    await isBack()
  })

  test('without a replica the loss is told', async () => {
    const { services } = installation
    const kept = services.replica
    services.replica = undefined
    proxy.cut(true)
    try {
      expect((await list(reader)).status).toBe(503)
    } finally {
      proxy.cut(false)
      services.replica = kept
    }
    await isBack()
  })
})
