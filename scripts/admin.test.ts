import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { createPool } from '#server/core/database/pool.ts'
import { makeProgram } from '#server/test/factories.ts'
import { commandOf, type Reached } from './lib/admin.ts'

const folder = mkdtempSync(join(tmpdir(), 'practicum-admin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lastLine = (said: string): string => said.split('\n').at(-1) ?? ''

/** Runs the command as a terminal does, on its own installation, and answers its last line. */
const run = (...words: string[]): { line: string; status: number | null } => {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' }
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'admin.ts'), ...words],
    { env, encoding: 'utf8' },
  )
  const said = `${stdout}${stderr}`.trim()
  if (said.includes('\nNode.js v')) throw new Error(`The command crashed: ${said}`)
  return { line: lastLine(said), status }
}

test('the first super admin is made on an empty installation', { timeout: 60_000 }, () => {
  expect(run('super-admin', 'boss', 'boss@example.org').line).toMatch(
    /^Made the super admin boss\. Password: \w{5}-\w{5}-\w{5}-\w{5}$/,
  )
})

describe('while the installation runs', () => {
  let database: Awaited<ReturnType<typeof startEmbedded>>
  let reached: Reached
  /** The last line that a command answers. */
  const admin = async (...words: string[]): Promise<string> => lastLine(await commandOf(words)!(reached))

  beforeAll(async () => {
    const quiet = { info: () => {}, warn: () => {}, error: () => {} }
    database = await startEmbedded({ dataDir: join(folder, 'data'), log: quiet })
    const client = new pg.Client({ connectionString: database.ownerUrl })
    await client.connect()
    reached = {
      client,
      pool: createPool(database.ownerUrl, quiet, 1),
      filesUrl: pathToFileURL(join(folder, 'data', 'files')).href,
      secretKey: 's'.repeat(40),
    }
  })
  afterAll(async () => {
    await reached?.pool.end()
    await reached?.client.end()
    await database?.stop()
  })

  test('the command reaches it, and words that mean nothing are answered with what there is', {
    timeout: 60_000,
  }, () => {
    expect(run('reset-password', 'boss').line).toMatch(/^The new password of boss: \w{5}-/)
    const { line, status } = run('dance')
    expect(line).toMatch(/^ *recount /)
    expect(status).toBe(2)
    for (const words of [[], ['constructor']]) expect(commandOf(words)).toBeUndefined()
  })

  test('nothing is made or changed for a name that is taken, wrong, or nobody’s', async () => {
    expect(await admin('super-admin', 'BOSS', 'boss@example.org')).toBe(
      'The user name BOSS is taken. Nothing was made.',
    )
    expect(await admin('super-admin', 'the boss', 'x')).toMatch(/letters and digits\. Nothing was made\.$/)
    expect(await admin('reset-password', 'nobody')).toBe('There is no account nobody. Nothing was changed.')
  })

  test('A12 D1-249 the areas of a super admin are listed and set', async () => {
    await admin('super-admin', 'second', 'second@example.org')
    expect(await admin('super-admin-areas', 'second', 'email', 'AdminNews')).toBe(
      'The areas of second: Email, AdminNews',
    )
    expect(await admin('super-admins')).toBe('second  second@example.org  Email AdminNews')
    expect(await admin('super-admin-areas', 'second', 'Everything')).toMatch(
      /^Name the areas: .* Nothing was changed\.$/,
    )
    expect(await admin('super-admin-areas', 'nobody', 'all')).toBe(
      'There is no super admin nobody. Nothing was changed.',
    )
    expect(await admin('super-admin-areas', 'second', 'all')).toBe('The areas of second: all')
    expect(await admin('super-admins')).toBe('second  second@example.org  all')
  })

  test('sums that are wrong are named and counted anew, right ones are left alone', async () => {
    const nothing = /^The sums of \d programs are right\. Nothing was changed\.$/
    expect(await admin('recount')).toMatch(nothing)
    const owner = new pg.Pool({ connectionString: database.ownerUrl })
    const program = await makeProgram(owner, { name: 'Sonography' })
    await owner.query(
      `insert into time_sum (program_id, student_id, rotation_id, site_id, month, kind, records, minutes, pending_minutes)
      values ($1, 1, 0, 0, '2026-11-01', 'out', 1, 60, 0)`,
      [program.Id],
    )
    await owner.end()
    expect(await admin('recount')).toBe(`Sonography (${program.Id}): 1 of time_sum`)
    expect(await admin('recount')).toMatch(nothing)
  })

  test('waiting jobs are listed with what came of them, and run again', async () => {
    expect(await admin('ip-access-off')).toBe('Every address was let in already. Nothing was changed.')
    expect(await admin('jobs')).toBe('No job waits.')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query(
        "select graphile_worker.add_job('mail:send', run_at => '2030-01-02T03:04:05Z', job_key => 'listed')",
      )
      await owner.query(
        "update graphile_worker._private_jobs set last_error = E'no relay\\nat line 1', attempts = 2",
      )
      expect(await admin('jobs')).toMatch(
        /^\d+ {2}mail:send {2}2 of \d+ tries {2}due 2030-01-02T03:04:05Z {2}no relay$/,
      )
      await owner.query(
        "update graphile_worker._private_jobs set locked_at = '2026-01-02T03:04:05Z', locked_by = 'worker'",
      )
      expect(await admin('jobs')).toContain('runs since 2026-01-02T03:04:05Z')
      await owner.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null')
      const id = (await admin('jobs')).split(' ')[0]!
      expect(await admin('rerun', id)).toBe(`Job ${id} runs again now.`)
    } finally {
      await owner.query("select graphile_worker.remove_job('listed')")
      await owner.end()
    }
    expect(await admin('rerun', '5')).toBe('There is no job 5 that could run again.')
    expect(await admin('retire-signing-key', '3')).toMatch(
      /^College 3 has no key yet.*Nothing was changed\.$/,
    )
    expect(await admin('retire-signing-key', 'x')).toMatch(/^Say the number of the college/)
  })

  test('how long rows are kept is set and listed, and archived rows are asked for', async () => {
    expect(await admin('retention')).toBe('Everything is kept: there is no policy.')
    expect(await admin('retention', 'audit', '84')).toBe('audit  all other programs  84 months')
    expect(await admin('retention', 'audit', '0')).toMatch(/Nothing was changed\.$/)
    expect(await admin('retention', 'records', '3')).toBe(
      'The first word is audit or mail. Nothing was changed.',
    )
    expect(await admin('retention', 'mail', '3', '--program', '99')).toBe(
      'There is no program 99. Nothing was changed.',
    )
    expect(await admin('retention', 'mail', '3', '--program', 'seven')).toBe(
      'There is no program seven. Nothing was changed.',
    )
    const unknown = /^Besides the words only --program ID, .* Nothing was changed\.$/
    expect(await admin('retention', 'audit', '-5')).toMatch(unknown)
    expect(await admin('archive-read', 'audit', '--before')).toMatch(unknown)
    expect(await admin('retention-run')).toBe('Nothing is due.')
    for (const day of ['yesterday', '2026-02-30'])
      expect(await admin('archive-read', 'audit', '--from', day)).toBe('Dates are written like 2026-11-24.')
    expect(await admin('archive-read', 'audit', '--from', '2026-01-01')).toBe('0 rows.')
    expect(await admin('retention', 'audit', 'forever')).toBe('Everything is kept: there is no policy.')
  })
})
