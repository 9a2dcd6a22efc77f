import { existsSync } from 'node:fs'
import { ensureInstalled, findNode } from './lib/install.mjs'
import { run, script } from './lib/process.mjs'

await script(async () => {
  await ensureInstalled({ dev: true })
  if (existsSync('.env') && process.loadEnvFile) process.loadEnvFile()
  const pagesPort = Number(process.env.PORT || 8080)
  const serverPort = pagesPort + 1
  const env = { ...process.env, DEV_PAGES_PORT: String(pagesPort), DEV_SERVER_PORT: String(serverPort) }
  const serverEnv = {
    ...env,
    PORT: String(serverPort),
    APP_URL: env.APP_URL || `http://localhost:${pagesPort}`,
  }
  const codes = await Promise.all([
    run(findNode(), ['--watch', 'server/main.ts'], { env: serverEnv }),
    run(findNode(), ['scripts/lib/dev-pages.mjs'], { env }),
  ])
  return Math.max(...codes)
})
