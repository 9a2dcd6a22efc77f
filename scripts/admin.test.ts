import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { makeProgram } from '#server/test/factories.ts'

const folder = mkdtempSync(join(tmpdir(), 'practicum-admin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command on its own installation and answers its last line. */
const admin = (...words: string[]): { line: string; status: number | null } => {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' }
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'admin.ts'), ...words],
    { env, encoding: 'utf8' },
  )
  const said = `${stdout}${stderr}`.trim()
  if (said.includes('\nNode.js v')) throw new Error(`The command crashed: ${said}`)
  return { line: said.split('\n').at(-1) ?? '', status }
}

test('the first super admin is made on an empty installation, and the password can be set anew', {
  timeout: 60_000,
}, () => {
  const made = admin('super-admin', 'boss', 'boss@example.org')
  expect(made.line).toMatch(/^Made the super admin boss\. Password: \w{5}-\w{5}-\w{5}-\w{5}$/)
  expect(admin('super-admin', 'BOSS', 'boss@example.org').line).toBe(
    'The user name BOSS is taken. Nothing was made.',
  )
  expect(admin('super-admin', 'the boss', 'x').line).toMatch(/letters and digits\. Nothing was made\.$/)
  expect(admin('reset-password', 'boss').line).toMatch(/^The new password of boss: \w{5}-/)
  expect(admin('reset-password', 'nobody').line).toBe('There is no account nobody. Nothing was changed.')
})

describe('while the installation runs', () => {
  let database: Awaited<ReturnType<typeof startEmbedded>>
  beforeAll(async () => {
    const quiet = { info: () => {}, warn: () => {}, error: () => {} }
    database = await startEmbedded({ dataDir: join(folder, 'data'), log: quiet })
  })
  afterAll(() => database?.stop())

  test('A12 D1-249 the areas of a super admin are listed and set', { timeout: 60_000 }, () => {
    admin('super-admin', 'second', 'second@example.org')
    expect(admin('super-admin-areas', 'second', 'email', 'AdminNews').line).toBe(
      'The areas of second: Email, AdminNews',
    )
    expect(admin('super-admins').line).toBe('second  second@example.org  Email AdminNews')
    expect(admin('super-admin-areas', 'second', 'Everything').line).toMatch(
      /^Name the areas: .* Nothing was changed\.$/,
    )
    expect(admin('super-admin-areas', 'nobody', 'all').line).toBe(
      'There is no super admin nobody. Nothing was changed.',
    )
    expect(admin('super-admin-areas', 'second', 'all').line).toBe('The areas of second: all')
    expect(admin('super-admins').line).toBe('second  second@example.org  all')
  })

  test('sums that are wrong are named and counted anew, right ones are left alone', {
    timeout: 60_000,
  }, async () => {
    const nothing = /^The sums of \d programs are right\. Nothing was changed\.$/
    expect(admin('recount').line).toMatch(nothing)
    const owner = new pg.Pool({ connectionString: database.ownerUrl })
    const program = await makeProgram(owner, { name: 'Sonography' })
    await owner.query(
      `insert into pending_sum (program_id, site_id, insight, is_matched, records, minutes) values ($1, 0, 1, true, 1, 60)`,
      [program.Id],
    )
    await owner.end()
    expect(admin('recount').line).toBe(`Sonography (${program.Id}): 1 of pending_sum`)
    expect(admin('recount').line).toMatch(nothing)
  })

  test('waiting jobs are listed with what came of them, and words that mean nothing are answered with what there is', {
    timeout: 60_000,
  }, async () => {
    expect(admin('ip-access-off').line).toBe('Every address was let in already. Nothing was changed.')
    expect(admin('jobs').line).toBe('No job waits.')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    try {
      await owner.query(
        "select graphile_worker.add_job('mail:send', run_at => '2030-01-02T03:04:05Z', job_key => 'listed')",
      )
      await owner.query(
        "update graphile_worker._private_jobs set last_error = E'no relay\\nat line 1', attempts = 2",
      )
      expect(admin('jobs').line).toMatch(
        /^\d+ {2}mail:send {2}2 of \d+ tries {2}due 2030-01-02T03:04:05Z {2}no relay$/,
      )
      await owner.query(
        "update graphile_worker._private_jobs set locked_at = '2026-01-02T03:04:05Z', locked_by = 'worker'",
      )
      expect(admin('jobs').line).toContain('runs since 2026-01-02T03:04:05Z')
      await owner.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null')
      const id = admin('jobs').line.split(' ')[0]!
      expect(admin('rerun', id).line).toBe(`Job ${id} runs again now.`)
    } finally {
      await owner.query("select graphile_worker.remove_job('listed')")
      await owner.end()
    }
    expect(admin('rerun', '5').line).toBe('There is no job 5 that could run again.')
    expect(admin('retire-signing-key', '3').line).toMatch(/^College 3 has no key yet.*Nothing was changed\.$/)
    expect(admin('retire-signing-key', 'x').line).toMatch(/^Say the number of the college/)
    const { line, status } = admin('dance')
    expect(line).toMatch(/^ *recount /)
    expect(status).toBe(2)
  })

  test('how long rows are kept is set and listed, and archived rows are asked for', {
    timeout: 60_000,
  }, () => {
    expect(admin('retention').line).toBe('Everything is kept: there is no policy.')
    expect(admin('retention', 'audit', '84').line).toBe('audit  all other programs  84 months')
    expect(admin('retention', 'audit', '0').line).toMatch(/Nothing was changed\.$/)
    expect(admin('retention', 'records', '3').line).toBe(
      'The first word is audit or mail. Nothing was changed.',
    )
    expect(admin('retention', 'mail', '3', '--program', '99').line).toBe(
      'There is no program 99. Nothing was changed.',
    )
    expect(admin('retention', 'mail', '3', '--program', 'seven').line).toBe(
      'There is no program seven. Nothing was changed.',
    )
    const unknown = /^Besides the words only --program ID, .* Nothing was changed\.$/
    expect(admin('retention', 'audit', '-5').line).toMatch(unknown)
    expect(admin('archive-read', 'audit', '--before').line).toMatch(unknown)
    expect(admin('retention-run').line).toBe('Nothing is due.')
    for (const day of ['yesterday', '2026-02-30'])
      expect(admin('archive-read', 'audit', '--from', day).line).toBe('Dates are written like 2026-11-24.')
    expect(admin('archive-read', 'audit', '--from', '2026-01-01').line).toBe('0 rows.')
    expect(admin('retention', 'audit', 'forever').line).toBe('Everything is kept: there is no policy.')
  })
})
