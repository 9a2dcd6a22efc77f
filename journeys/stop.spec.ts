import { expect, test } from '@playwright/test'
import { startProduct, throughShell } from './start.ts'

test('a SIGTERM to npm start stops the server, though the shell between dies of it', async ({ request }) => {
  test.skip(process.platform === 'win32', 'Windows has no such signal.')
  const product = await startProduct({ DEMO: '0', npm_lifecycle_event: 'start' }, throughShell)
  expect((await request.get(`${product.address}/healthz`)).status()).toBe(200)
  await product.stop()
  await expect(request.get(`${product.address}/healthz`)).rejects.toThrow('ECONNREFUSED')
})
