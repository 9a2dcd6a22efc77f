/** A stand-in for the app that tests can kill: starts the database of its argument and says so. Refused: exit code 3. */
import { startEmbedded } from './embedded.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
try {
  const { ownerUrl, appUrl } = await startEmbedded({ dataDir: process.argv[2]!, log })
  console.log(JSON.stringify({ ownerUrl, appUrl }))
  setInterval(() => {}, 60_000)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 3
}
