import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

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
  return { line: `${stdout}${stderr}`.trim().split('\n').at(-1) ?? '', status }
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

test('waiting jobs are listed, and words that mean nothing are answered with what there is', {
  timeout: 60_000,
}, () => {
  expect(admin('ip-access-off').line).toBe('Every address was let in already. Nothing was changed.')
  expect(admin('jobs').line).toBe('No job waits.')
  expect(admin('rerun', '5').line).toBe('There is no job 5 that could run again.')
  const { line, status } = admin('dance')
  expect(line).toMatch(/^ *rerun JOB/)
  expect(status).toBe(2)
})
