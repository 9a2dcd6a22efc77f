import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

test('a SIGTERM to npm start stops the server, though the shell between dies of it', async ({ request }) => {
  test.skip(process.platform === 'win32', 'Windows has no such signal.')
  const folder = mkdtempSync(join(tmpdir(), 'practicum-stop-'))
  const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/start.mjs; exit $?`], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      npm_lifecycle_event: 'start',
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DEMO: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve) => {
    let said = ''
    shell.stdout.on('data', (chunk: Buffer) => {
      said += chunk
      const found = /runs at (http:\S+?)\/\s/.exec(said)
      if (found) resolve(found[1]!)
    })
  })
  expect((await request.get(`${address}/healthz`)).status()).toBe(200)
  shell.kill('SIGTERM')
  const answers = () =>
    request.get(`${address}/healthz`).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 20_000 }).toBe(false)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
})
