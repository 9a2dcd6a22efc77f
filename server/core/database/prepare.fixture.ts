/** Prepares the database of the environment and ends, for tests of what works on an installation. */
import { careForUpdates } from '#server/core/backup/update-care.ts'
import { loadConfig } from '#server/core/config/config.ts'
import { prepareDatabase } from './prepare.ts'

const config = loadConfig()
try {
  const { stop } = await prepareDatabase(config, console, { care: careForUpdates(config, console) })
  await stop()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 3
}
