import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { writeBackup } from '#server/core/backup/backup.ts'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { migrate } from '#server/core/database/migrate.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { sealAudit } from '#server/core/runtime/audit-chain.ts'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { generate } from '#server/demo/generate.ts'
import { fixtureFolder, fixtureKey, readFigures } from '#server/test/fixtures.ts'

/**
 * `npm run fixture -- 1.0.0`: at a release, a small installation of it becomes what later ones are upgraded from in the tests: a backup,
 * and its figures beside it.
 */
const [version] = process.argv.slice(2)
if (!version || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Say which release it is: npm run fixture -- 1.0.0.')
  process.exit(2)
}
const quiet = { info: () => {}, warn: () => {}, error: console.error }
const folder = mkdtempSync(join(tmpdir(), 'practicum-fixture-'))
const filesUrl = pathToFileURL(join(folder, 'files')).href
const database = await startEmbedded({ dataDir: join(folder, 'data'), log: quiet })
const { ownerUrl } = database
const client = new Client({ connectionString: ownerUrl })
try {
  await migrate({ ownerUrl, folder: migrationsFolder, log: quiet })
  await prepareQueue(ownerUrl)
  const files = await openFileStore(filesUrl)
  await generate(ownerUrl, {
    scale: 1,
    now: Date.parse('2026-11-30T17:00:00Z'),
    students: 6,
    files,
    secretKey: fixtureKey,
  })
  await client.connect()
  await client.query(
    `insert into mail (program_id, label, recipient, subject, html, status, send_after)
     select program_id, 'FIXTURE', email, 'Waits', '<p>Waits</p>', 1, '2100-01-01' from account where program_id is not null limit 20`,
  )
  await client.query("insert into audit (action) select 'fixture ' || n from generate_series(1, 20) n")
  // What is noted at the first run is sealed by the second.
  for (const _run of [1, 2]) await sealAudit(client, files, fixtureKey)
  const path = join(fixtureFolder, `release-${version}.tar.gz`)
  mkdirSync(fixtureFolder, { recursive: true })
  rmSync(path, { force: true })
  const figures = await readFigures(client)
  const counts = await writeBackup(path, {
    ownerUrl,
    filesUrl,
    secretKey: fixtureKey,
    migrations: migrationsFolder,
    log: quiet,
  })
  chmodSync(path, 0o644)
  writeFileSync(join(fixtureFolder, `release-${version}.json`), `${JSON.stringify(figures, null, 2)}\n`)
  console.log(`Wrote ${counts.rows} rows and ${counts.files} files to ${path}, ${statSync(path).size} bytes.`)
} finally {
  await client.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
