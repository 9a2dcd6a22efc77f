import pg from 'pg'
import { loadConfig } from '#server/core/config/config.ts'
import { createPool } from '#server/core/database/pool.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { prepareQueue } from '#server/core/runtime/jobs.ts'
import { migrate } from '../server/core/database/migrate.ts'
import { commandOf, usage } from './lib/admin.ts'
import { log, onInstallation, tellError } from './lib/command.ts'

/**
 * `npm run admin -- …`: what has to be done before anybody can sign in, or when nobody can.
 * Works beside a running Practicum.
 */
const words = process.argv.slice(2)
if (words[0] === 'go-back') {
  const { goBack } = await import('./lib/go-back.ts')
  await goBack(loadConfig(), migrationsFolder, log).then(console.log, tellError)
  process.exit()
}
if (words[0] === 'rotate-secret') {
  const { rotateSecret } = await import('./lib/rotate-secret.ts')
  await onInstallation({ attach: false }, async (installation) => {
    console.log(await rotateSecret(installation, process.env))
  })
  process.exit()
}
const run = commandOf(words)
if (!run) {
  console.error(usage)
  process.exit(2)
}
const acceptsOtherKey = words[0] === 'accept-secret-key'
await onInstallation(
  { attach: true, acceptsOtherKey },
  async ({ ownerUrl, filesUrl, migrations, log, secretKey, care }) => {
    await migrate({ ownerUrl, folder: migrations, log, care })
    await prepareQueue(ownerUrl)
    const client = new pg.Client({ connectionString: ownerUrl })
    // A lost connection fails the statement that needs it; by itself it must not end the command.
    client.on('error', () => {})
    await client.connect()
    const pool = createPool(ownerUrl, log, 1)
    try {
      console.log(await run({ client, pool, filesUrl, secretKey }))
    } finally {
      await pool.end()
      await client.end()
    }
  },
)
