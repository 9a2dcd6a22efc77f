import { expect, test } from 'vitest'
import { careForUpdates } from './update-care.ts'

test('of a database of DATABASE_URL it is said, before anything is changed, whose the backup is', async () => {
  const said: string[] = []
  const log = { info: () => {}, warn: (text: string) => said.push(text), error: () => {} }
  const config = {
    dataDir: '/nowhere',
    databaseUrl: 'postgresql://owner@db.example.edu/practicum',
    filesUrl: 'file:///nowhere/files',
    secretKey: 's'.repeat(40),
  }
  await careForUpdates(config, log).begin(config.databaseUrl, ['1001-badges', '1002-fill'])
  expect(said).toEqual([
    expect.stringMatching(
      /^The database of DATABASE_URL is updated now \(1001-badges, 1002-fill\)\. .* your own backup/,
    ),
  ])
})
