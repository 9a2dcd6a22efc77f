/** Prepares the database of the environment and ends, for tests of what works on an installation. */
import { loadConfig } from '#server/core/config/config.ts'
import { prepareDatabase } from './prepare.ts'

const { stop } = await prepareDatabase(loadConfig(), console)
await stop()
