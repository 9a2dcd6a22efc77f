import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../server/core/database/embedded.ts'
import { migrate } from '../server/core/database/migrate.ts'
import { migrationsFolder } from '../server/core/database/prepare.ts'

/** Writes `server/core/database/types.ts` from the migrations. Run it after changing one: `npm run types`. */
const target = join(import.meta.dirname, '..', 'server', 'core', 'database', 'types.ts')
const log = { info: () => {}, warn: console.warn, error: console.error }
const folder = mkdtempSync(join(tmpdir(), 'practicum-types-'))
const database = await startEmbedded({ dataDir: folder, log, tests: true })
try {
  await migrate({ ownerUrl: database.ownerUrl, folder: migrationsFolder, log })
  const codegen = join(import.meta.dirname, '..', 'node_modules', 'kysely-codegen', 'dist/cli/bin.js')
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      codegen,
      '--dialect=postgres',
      `--url=${database.ownerUrl}`,
      `--out-file=${target}`,
      '--date-parser=string',
      '--numeric-parser=number',
      '--default-schema=public',
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  // The pool parses these types to numbers and strings; the generator cannot know.
  const text = readFileSync(target, 'utf8')
    .replace(/export type Int8 = .*/, 'export type Int8 = ColumnType<number, number, number>;')
    .replace(
      /export type Numeric = .*/,
      'export type Numeric = ColumnType<number, number | string, number | string>;',
    )
    .replace(/export type Timestamp = .*/, 'export type Timestamp = ColumnType<string, string, string>;')
  writeFileSync(target, text)
  console.log('Wrote server/core/database/types.ts')
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
