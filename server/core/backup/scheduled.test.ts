import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getState } from '#contract/session/session.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { makePerson } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { verifyBackup } from './backup.ts'
import { isLocked } from './backup-lock.ts'
import { isBackupDue, type LastBackup, runScheduledBackup } from './scheduled.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-30T08:00:00Z')
const after = (hours: number) => new Date(start + hours * hour)

let installation: Installation
let parent: string
let folder: string

beforeAll(async () => {
  installation = await startInstallation({ DATABASE_URL: '' })
  parent = mkdtempSync(join(tmpdir(), 'practicum-scheduled-'))
})
afterAll(async () => {
  await installation?.stop()
  rmSync(parent, { recursive: true, force: true })
})
beforeEach(async () => {
  folder = join(parent, `backups-${Math.random().toString(36).slice(2)}`)
  // The first would be restored for a trial, which takes as long as all the rest.
  await keep({ At: null, Error: null, RestoredAt: after(0).toISOString() })
})

const services = (plan: object = {}) => ({
  ...installation.services,
  config: {
    ...installation.services.config,
    backups: { folder, every: { hours: 24 }, keep: 2, recipients: [], ...plan },
  },
})
const keep = (value: Partial<LastBackup>) =>
  installation.owner.query(
    `insert into setting (name, value) values ('backup.last', $1) on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(value)],
  )
const last = async (): Promise<LastBackup | undefined> =>
  (await installation.owner.query("select value from setting where name = 'backup.last'")).rows[0]?.value
const kept = () => readdirSync(folder).sort()

test('is due after its time, at its time of day, and an hour after a failure', () => {
  const every = { hours: 24 }
  const good = { At: after(0).toISOString(), Error: null, TriedAt: after(0).toISOString() }
  expect(isBackupDue({ every }, undefined, after(0))).toBe(true)
  expect(isBackupDue({ every }, good, after(23.9))).toBe(false)
  expect(isBackupDue({ every }, good, after(24))).toBe(true)
  const failed = { ...good, Error: 'There is no room', TriedAt: after(24).toISOString() }
  expect(isBackupDue({ every }, failed, after(24.9))).toBe(false)
  expect(isBackupDue({ every }, failed, after(25))).toBe(true)
  const at = new Date(2026, 10, 30, 2, 30)
  const daily = { every: { atMinutes: 150 } }
  const of = (moment: number) => ({ ...good, At: new Date(moment).toISOString() })
  expect(isBackupDue(daily, of(at.getTime() - 1), at)).toBe(true)
  expect(isBackupDue(daily, of(at.getTime() - 1), new Date(at.getTime() - 1))).toBe(false)
  expect(isBackupDue(daily, of(at.getTime()), new Date(2026, 11, 1, 2, 29))).toBe(false)
  expect(isBackupDue(daily, of(at.getTime()), new Date(2026, 11, 1, 2, 30))).toBe(true)
})

test('is made, read back, restored for a trial once a week, and told; old ones go when a newer one is there', async () => {
  for (const hours of [0, 12, 24, 48]) await runScheduledBackup(services(), after(hours))
  expect(kept()).toEqual(['practicum-20261201T080000000Z.tar', 'practicum-20261202T080000000Z.tar'])
  const path = join(folder, kept()[1]!)
  const { counts } = await verifyBackup(path)
  expect(await last()).toEqual({
    At: after(48).toISOString(),
    File: path,
    Bytes: counts.bytes,
    Verified: true,
    Error: null,
    TriedAt: after(48).toISOString(),
    RestoredAt: after(0).toISOString(),
  })
  await keep({ ...(await last())!, RestoredAt: null })
  await runScheduledBackup(services(), after(8 * 24))
  expect((await last())!.RestoredAt).toBe(after(8 * 24).toISOString())
  const { rows } = await installation.owner.query(
    "select from pg_database where starts_with(datname, 'practicum_trial_')",
  )
  expect(rows).toEqual([])
})

test('is encrypted for its recipients', async () => {
  await runScheduledBackup(services({ recipients: ['age1nobody'] }), after(0))
  expect(await last()).toMatchObject({ At: null, Error: expect.stringMatching(/is no recipient of age/) })
  const recipients = [await identityToRecipient(await generateX25519Identity())]
  await runScheduledBackup(services({ recipients }), after(1))
  expect(kept()).toEqual(['practicum-20261130T090000000Z.tar.age'])
  expect(await isLocked(join(folder, kept()[0]!))).toBe(true)
})

test('is made by one process at a time, and what a killed one has left is removed', async () => {
  mkdirSync(folder)
  await Promise.all([0, 1, 2].map(() => runScheduledBackup(services(), after(0))))
  expect(kept()).toEqual(['practicum-20261130T080000000Z.tar'])
  const holder = await installation.owner.connect()
  try {
    await holder.query("select pg_advisory_lock(hashtext('practicum scheduled backup'))")
    await runScheduledBackup(services(), after(24))
    expect(kept()).toHaveLength(1)
  } finally {
    holder.release(true)
  }
  const { manifest } = await verifyBackup(join(folder, kept()[0]!))
  writeFileSync(
    join(folder, `practicum-20261201T070000000Z.tar.${manifest.secretKeyMark.slice(0, 8)}.part`),
    'half',
  )
  writeFileSync(join(folder, 'practicum-20261201T070000000Z.tar.01234567.part'), 'of another installation')
  await runScheduledBackup(services(), after(24))
  expect(kept()).toEqual([
    'practicum-20261130T080000000Z.tar',
    'practicum-20261201T070000000Z.tar.01234567.part',
    'practicum-20261201T080000000Z.tar',
  ])
})

test('that cannot be made is told in words beside the last good one, which stays', async () => {
  await runScheduledBackup(services({ keep: 1 }), after(0))
  const good = await last()
  const other = join(parent, 'a-file')
  writeFileSync(other, '')
  await runScheduledBackup(services({ keep: 1, folder: join(other, 'below') }), after(24))
  expect(await last()).toEqual({
    ...good,
    Error: expect.stringMatching(
      /^BACKUP_DIR \(\S+\) cannot be used \(ENOTDIR.*\): name a folder that the worker may write to\.$/,
    ),
    TriedAt: after(24).toISOString(),
  })
  expect(kept()).toHaveLength(1)
  const said = await metrics.text(installation.services)
  expect(said).toMatch(/^practicum_backup_failed 1$/m)
  await runScheduledBackup(services({ keep: 1 }), after(25))
  expect(await metrics.text(installation.services)).toMatch(/^practicum_backup_failed 0$/m)
  expect(kept()).toEqual(['practicum-20261201T090000000Z.tar'])
})

// Only root mounts a small disk.
test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'a disk that is full is told, and nothing half is left on it',
  async () => {
    mkdirSync(folder)
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
    if (status !== 0) return
    try {
      await runScheduledBackup(services(), after(0))
      expect(await last()).toMatchObject({
        At: null,
        Error: expect.stringMatching(
          /^There is no room for \S+\.tar, and the unfinished backup was removed: make room/,
        ),
      })
      expect(kept()).toEqual([])
    } finally {
      spawnSync('umount', [folder])
    }
  },
)

test('where it is kept is told to nobody but who runs the installation', async () => {
  await runScheduledBackup(services(), after(0))
  const student = await makePerson(installation.owner, Level.Student, { student_level_id: 1 })
  const state = await (await installation.as(student)).ok(getState)
  expect(JSON.stringify(state)).not.toContain('backup')
})

test('without BACKUP_DIR nothing is made', async () => {
  const before = await last()
  await runScheduledBackup(installation.services)
  expect(await last()).toEqual(before)
})
