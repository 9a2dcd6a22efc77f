import { expect, test } from '@playwright/test'
import { startProduct, throughShell } from './start.ts'

test('A62 a start without a terminal says in a few lines of JSON where it runs, and what builds it says nothing else', async () => {
  const product = await startProduct({ DEMO: '0', LOG_LEVEL: '' })
  const lines = product
    .said()
    .split('\n')
    .filter((line) => line.trim() !== '')
  await product.stop()
  expect(lines.filter((line) => /runs at http/.test(line))).toHaveLength(1)
  // Installing and building are steps of the repository, not of the product.
  const own = lines.filter((line) => !/^(Installing packages|Building the pages) …$/.test(line))
  for (const line of own) expect(JSON.parse(line), line).toMatchObject({ msg: expect.any(String) })
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(5)
})

test('a SIGTERM to npm start stops the server, though the shell between dies of it', async ({ request }) => {
  test.skip(process.platform === 'win32', 'Windows has no such signal.')
  const product = await startProduct({ npm_lifecycle_event: 'start' }, throughShell)
  expect((await request.get(`${product.address}/healthz`)).status()).toBe(200)
  await product.stop()
  await expect(request.get(`${product.address}/healthz`)).rejects.toThrow('ECONNREFUSED')
})
